"""How long a shard had no working owner decides whether its hands go on (rules.md section 8, server failure)."""

import pytest

from domain.hand.commands import Call, CancelHand
from domain.messages import SECOND, table_stream
from domain.room import ClaimShard, KeepAlive
from services.node.keeper import ALIVE
from services.room.shards import shard_of
from services.soundness import verify_home
from tests.node.by_hand import SHARD, ByHand, Place
from tests.services.homes import a_table_of_two, stays_in

GRACE = 60 * SECOND


@pytest.fixture
def north(place: Place) -> ByHand:
    """The owner of the shard, where a hand is under way at t1: the blinds of 1 and 2 were posted, and called."""
    north = place.node("north")
    north.keeper.take_over(SHARD)
    for args in a_table_of_two():
        north.give(args)
    north.give(stays_in(north.hand()))
    return north


def test_after_a_longer_gap_the_hand_is_cancelled_and_every_chip_returned_before_anything_else(
    place: Place, north: ByHand
) -> None:
    before = len(north.commands())
    place.clock.goes_on(GRACE + 1)
    south = place.node("south")
    taken = south.keeper.take_over(SHARD)
    assert (taken.gap, taken.going_on, taken.cancelled) == (GRACE + 1, (), ("t1-1",))
    assert [type(args) for args in south.commands()[before:]] == [ClaimShard, CancelHand]
    assert south.stacks() == [200, 200]
    assert verify_home(south.log).sound


@pytest.mark.parametrize("gap", [0, 3 * SECOND, GRACE])
def test_after_a_shorter_one_it_goes_on_with_the_same_deck(place: Place, north: ByHand, gap: int) -> None:
    deck = north.hand().decks[0]
    place.clock.goes_on(gap)
    south = place.node("south")
    taken = south.keeper.take_over(SHARD)
    assert (taken.gap, taken.going_on, taken.cancelled) == (gap, ("t1-1",), ())
    assert south.hand().decks[0] == deck
    south.finish_hand()
    assert sum(south.stacks()) == 400
    assert verify_home(south.log).sound


def test_an_owner_who_was_gone_before_he_had_cancelled_leaves_that_to_the_next(place: Place, north: ByHand) -> None:
    place.clock.goes_on(GRACE + 1)
    place.node("south").claims.claim(SHARD)
    place.clock.goes_on(3 * SECOND)
    taken = place.node("west").keeper.take_over(SHARD)
    assert (taken.gap, taken.cancelled) == (GRACE + 1, ("t1-1",))


def test_an_owner_who_was_gone_after_the_first_of_two_leaves_the_second_to_the_next(
    place: Place, north: ByHand
) -> None:
    other = next(f"u{number}" for number in range(100) if shard_of(table_stream(f"u{number}"), 4) == SHARD)
    for args in a_table_of_two(other):
        north.give(args)
    place.clock.goes_on(GRACE + 1)
    south = place.node("south")
    claimed = south.claims.claim(SHARD)
    south.room.restore(SHARD, {}, south.log.tables(SHARD))
    south.room.execute([south.keeper._cancelling(SHARD, "t1-1", claimed.gap)])
    place.clock.goes_on(3 * SECOND)
    west = place.node("west")
    taken = west.keeper.take_over(SHARD)
    assert taken.cancelled == (f"{other}-1",)
    assert west.stacks() == west.stacks(other) == [200, 200]


def test_a_hand_that_has_gone_on_since_is_not_cancelled_for_an_old_gap(place: Place, north: ByHand) -> None:
    place.clock.goes_on(GRACE)
    south = place.node("south")
    south.keeper.take_over(SHARD)
    south.give(stays_in(south.hand()))
    place.clock.goes_on(GRACE)
    taken = place.node("west").keeper.take_over(SHARD)
    assert (taken.gap, taken.cancelled) == (GRACE, ())


def test_what_the_last_owner_still_sends_after_the_claim_is_void(place: Place, north: ByHand) -> None:
    late = stays_in(north.hand())
    south = place.node("south")
    south.keeper.take_over(SHARD)
    (outcome,) = north.room.execute([north.desk(late)])
    assert str(outcome) == f"shard {SHARD} has another owner"
    assert north.claims.shards == []
    south.log.catch_up(SHARD)
    assert south.log.voids[SHARD] == 1  # type: ignore[attr-defined]
    assert not any(isinstance(args, Call) and args == late for args in south.commands()[-1:])


# --- signs of life ---------------------------------------------------------------------------------------------------


def test_an_owner_says_that_it_is_there_while_a_hand_is_open_and_ten_seconds_were_quiet(
    place: Place, north: ByHand
) -> None:
    place.clock.goes_on(ALIVE - 1)
    assert north.keeper.keep_alive() == []
    place.clock.goes_on(1)
    assert north.keeper.keep_alive() == [SHARD]
    assert north.keeper.keep_alive() == []
    assert north.commands()[-1] == KeepAlive(SHARD)
    place.clock.goes_on(ALIVE)
    assert north.keeper.keep_alive() == [SHARD]
    assert verify_home(north.log).sound


def test_it_says_nothing_where_no_hand_is_open(place: Place, north: ByHand) -> None:
    north.finish_hand()
    place.clock.goes_on(10 * ALIVE)
    assert north.keeper.keep_alive() == []


def test_the_gap_runs_from_the_last_sign_of_life(place: Place, north: ByHand) -> None:
    for _ in range(10):
        place.clock.goes_on(ALIVE)
        north.keeper.keep_alive()
    place.clock.goes_on(GRACE)
    taken = place.node("south").keeper.take_over(SHARD)
    assert (taken.gap, taken.going_on) == (GRACE, ("t1-1",))
