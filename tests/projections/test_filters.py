"""What reports are asked for, against the same picked by hand from all rows."""

from collections import Counter

import pytest

from projections.filters import Only
from projections.player_totals import PlayerBy, player_totals
from projections.queries import By, balances, hand_headers, rake_ledger, raked_hands
from projections.store import Store
from tests.projections.rooms import Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    """With hands under way at two tables."""
    room = played(rounds=4, seed=9)
    for table in ("t1", "t3"):
        next(room.moves(table))
    return room


def test_a_hand_counts_by_when_it_was_settled_and_one_under_way_by_when_it_began(room: Room, store: Store) -> None:
    store.apply(room.commits)
    every = hand_headers(store)
    times = {row.hand: row.finished_at or row.started_at for row in every}
    assert sum(row.finished_at is None for row in every) == 2
    since, until = sorted(times.values())[10], sorted(times.values())[-1]
    for only in (Only(since=since), Only(until=until), Only(since=since, until=until)):
        found = {row.hand for row in hand_headers(store, only=only)}
        assert found == {
            hand for hand, at in times.items() if (only.since or 0) <= at and (only.until is None or at < only.until)
        }
        assert 0 < len(found) < len(every)


@pytest.mark.parametrize(
    "only",
    [
        Only(table="t2"),
        Only(game="holdem", currency="EUR"),
        Only(stakes="2.00/4.00"),
        Only(stakes="2.00/4.00", game="stud"),
        Only(currency="USD"),
    ],
)
def test_rows_of_hands_are_those_that_are_asked_for(only: Only, room: Room, store: Store) -> None:
    store.apply(room.commits)
    asked = {name: value for name, value in only._asdict().items() if value is not None}
    names = {"stakes": "stakes_text"}
    picked = [
        row
        for row in hand_headers(store)
        if all(getattr(row, names.get(name, name)) == value for name, value in asked.items())
    ]
    assert hand_headers(store, only=only) == picked != []
    ledger = [row for row in raked_hands(store) if all(getattr(row, name) == value for name, value in asked.items())]
    assert sum(total.rake for total in rake_ledger(store, only=only)) == sum(row.rake for row in ledger) > 0


def test_what_players_put_in_and_won_is_that_of_the_pots(room: Room, store: Store) -> None:
    """Cancelled hands and those under way count for nobody."""
    store.apply(room.commits)
    done = [row for row in hand_headers(store) if row.finished_at is not None and row.cancelled_after is None]
    pots, rakes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in done:
        pots[row.table, row.currency] += row.pot
        rakes[row.table, row.currency] += row.rake
    put_in, nets, parts = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for total in player_totals(store, [PlayerBy.TABLE]):
        key = total.of[0], total.currency
        put_in[key] += total.put_in
        nets[key] += total.net
        parts[key] += total.rake
    assert put_in == pots
    assert parts == rakes
    assert {key: -net for key, net in nets.items()} == {key: rakes[key] for key in pots}


def test_a_player_has_the_hands_that_he_was_dealt_into(room: Room, store: Store) -> None:
    store.apply(room.commits)
    hand = room.tables["t1"].hand
    assert hand is not None
    one = hand.opened.seats[0].player
    mine = hand_headers(store, only=Only(player=one))
    assert {row.table for row in mine} == {"t1"}
    assert None in {row.finished_at for row in mine}, "the one under way too"
    (total,) = player_totals(store, only=Only(player=one))
    assert total.hands == sum(row.finished_at is not None and row.cancelled_after is None for row in mine)
    (raked,) = rake_ledger(store, [By.PLAYER], Only(player=one))
    assert (raked.of, raked.rake) == ((one,), total.rake)
    assert {row.account for row in balances(store, Only(player=one))} == {f"table:t1:player:{one}"}
