"""rules.md section 2, Blinds, and section 1: what is posted and dealt before anybody acts."""

import pytest

from domain.cards import cards, faces
from domain.hand import events as fact
from domain.hand.events import PostKind
from tests.hands import (
    Table,
    big_blind_of,
    dead_blind_of,
    late_blind_of,
    open_deck,
    open_hand_for,
    played,
    small_blind_of,
)


def posted(table: Table) -> list[tuple[int, PostKind, int]]:
    return [(one.seat, one.kind, one.amount) for one in table.found(fact.BlindPosted)]


def test_blinds_are_posted_before_any_card() -> None:
    table = Table(open_hand_for(stacks=[100] * 4))
    assert posted(table) == [(1, PostKind.SMALL_BLIND, 1), (2, PostKind.BIG_BLIND, 2)]
    kinds = [type(one) for one in table.facts]
    assert kinds.index(fact.CardsDealt) > max(at for at, kind in enumerate(kinds) if kind is fact.BlindPosted)


def test_two_players_the_button_posts_the_small_blind_and_acts_first_then_last() -> None:
    table = Table(open_hand_for(stacks={2: 100, 5: 100}, button=5))
    assert posted(table) == [(5, PostKind.SMALL_BLIND, 1), (2, PostKind.BIG_BLIND, 2)]
    assert table.awaited[0] == 5
    table.do("5 calls", "2 checks")
    assert table.awaited[0] == 2
    assert table.do("2 checks").awaited[0] == 5


def test_the_first_round_starts_left_of_the_big_blind_later_ones_left_of_the_button() -> None:
    table = Table(open_hand_for(stacks={1: 100, 3: 100, 4: 100, 8: 100}, button=3))
    assert posted(table) == [(4, PostKind.SMALL_BLIND, 1), (8, PostKind.BIG_BLIND, 2)]
    assert table.awaited[0] == 1
    table.do("1 calls", "3 calls", "4 calls", "8 checks")
    assert table.awaited[0] == 4


def test_later_rounds_start_with_the_first_left_of_the_button_who_is_still_in() -> None:
    table = played(open_hand_for(stacks=[100] * 4), "3 calls", "4 calls", "1 folds", "2 checks")
    assert table.awaited[0] == 2


def test_the_big_blind_may_check_or_raise_when_nobody_has() -> None:
    """Scenario 33: fold, fold, limp: no flop before the big blind has spoken."""
    table = played(open_hand_for(stacks=[100] * 4), "3 folds", "4 folds", "1 calls")
    assert table.hand.board == ()
    assert table.awaited == (2, "check, raise 4..100")
    table.do("2 raises to 6")
    assert table.awaited == (1, "call 4, raise 10..100")


def test_the_big_blind_heads_up_may_raise_the_limp_of_the_button() -> None:
    table = played(open_hand_for(stacks=[100] * 2), "2 calls")
    assert table.awaited == (1, "check, raise 4..100")


def test_a_short_stack_posts_what_it_has_and_is_all_in() -> None:
    table = Table(open_hand_for(stakes=(50, 100), stacks=[1000, 30, 1000]))
    assert table.found(fact.BlindPosted)[-1] == fact.BlindPosted(2, PostKind.BIG_BLIND, 30, live=True, all_in=True)


def test_a_tournaments_ante_goes_into_the_pot_before_the_blind() -> None:
    """Scenario 39: ante 100, blind 2000, stack 1500."""
    opened = open_hand_for(stakes=(1000, 2000), kind="tournament", ante=100, stacks=[9000, 1500, 9000])
    table = Table(opened)
    assert [one for one in posted(table) if one[0] == 2] == [(2, PostKind.ANTE, 100), (2, PostKind.BIG_BLIND, 1400)]
    assert table.hand.pot == 3 * 100 + 1000 + 1400
    assert table.awaited == (3, "call 2000, raise 4000..8900")


def test_a_stack_that_is_shorter_than_the_ante_posts_no_blind() -> None:
    opened = open_hand_for(stakes=(1000, 2000), kind="tournament", ante=100, stacks=[9000, 60, 9000])
    assert [one for one in posted(Table(opened)) if one[0] == 2] == [(2, PostKind.ANTE, 60)]


def test_a_stack_of_exactly_its_ante_is_all_in_and_takes_part() -> None:
    opened = open_hand_for(stakes=(1000, 2000), kind="tournament", ante=100, stacks=[9000, 9000, 9000, 100])
    table = played(opened, "3 folds", "1 calls", "2 checks")
    assert table.hand.contesting == (1, 2, 4)
    assert table.pots == (400, 4000)


def test_dead_money_is_no_part_of_the_wager() -> None:
    posts = [small_blind_of(1, 1), big_blind_of(2, 2), dead_blind_of(4, 1), late_blind_of(4, 2)]
    table = played(open_hand_for(stacks=[100] * 4, posts=posts), "3 calls")
    assert table.awaited == (4, "check, raise 4..99")
    assert table.hand.pot == 1 + 2 + 1 + 2 + 2


@pytest.mark.parametrize(("button", "first"), [(3, 1), (1, 2), (2, 3)])
def test_cards_are_dealt_one_at_a_time_from_the_left_of_the_button(button, first) -> None:
    opened = open_hand_for("omaha", stacks=[100] * 3, button=button)
    table = Table(opened)
    dealt = {one.seat: one for one in table.found(fact.CardsDealt)}
    assert next(iter(dealt)) == first
    for place, seat in enumerate(dealt):
        assert dealt[seat].indices == (place, place + 3, place + 6, place + 9)
        assert dealt[seat].cards == tuple(open_deck(opened.deck)[index] for index in dealt[seat].indices)
        assert not dealt[seat].up


def test_no_card_is_burned() -> None:
    table = played(open_hand_for(stacks=[50, 50], board="2c 7d 9h Jc 3s"), "2 raises to 50", "1 calls")
    boards = table.found(fact.BoardDealt)
    assert [one.indices for one in boards] == [(4, 5, 6), (7,), (8,)]
    assert [one.street for one in boards] == ["flop", "turn", "river"]
    assert faces(table.hand.board) == "2c 7d 9h Jc 3s"


def test_the_rigged_cards_reach_their_seats() -> None:
    table = Table(open_hand_for(stacks=[50] * 3, button=2, cards={1: "Ac Ad", 2: "Kc Kd", 3: "Qc Qd"}))
    assert table.hand.hole[1:] == [cards("Ac Ad"), cards("Kc Kd"), cards("Qc Qd")]


def test_heads_up_with_both_blinds_short_nobody_decides_anything() -> None:
    table = Table(open_hand_for(stakes=(50, 100), stacks=[30, 40], button=1))
    assert table.awaited == (0, "")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 10)]
    assert table.pots == (60,)


def test_a_big_blind_bigger_than_every_stack_is_still_the_price() -> None:
    table = Table(open_hand_for(stakes=(50, 100), stacks=[60, 70, 80, 90], button=4))
    assert table.awaited == (3, "call 80")
    assert table.do("3 calls", "4 calls", "1 calls").awaited == (0, "")
    assert table.pots == (240, 30, 20)


@pytest.mark.parametrize(("game", "players", "each"), [("holdem", 10, 2), ("omaha", 9, 4)])
def test_a_full_table_is_dealt_one_card_at_a_time_from_the_left_of_the_button(
    game: str, players: int, each: int
) -> None:
    table = Table(open_hand_for(game, stacks=[100] * players, button=3))
    order = [*range(4, players + 1), 1, 2, 3]
    assert {one.seat: one.indices for one in table.found(fact.CardsDealt)} == {
        seat: tuple(place + players * card for card in range(each)) for place, seat in enumerate(order)
    }
