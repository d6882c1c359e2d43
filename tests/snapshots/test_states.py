"""Every state that a table or hand can be in comes back out of its bytes exactly as it was."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.hand import events as fact
from domain.hand.state import Hand, evolve
from domain.table.state import Table
from services.bootstrap import open_log
from services.eventlog import canonical
from services.eventlog.mapper import repository
from services.room import load
from services.room.load import Known
from services.room.room import Room
from services.snapshots.commands import dump_commands, load_commands
from services.snapshots.shapes import BadState
from services.snapshots.states import FOLLOWS, dump_hand, dump_table, load_hand, load_table
from tests.hands import Table as OpenTable
from tests.hands import big_blind_of, dead_blind_of, on_the_flop, open_hand_for, played, small_blind_of
from tests.services.homes import new_home, room_over
from tests.snapshots.floor import GAMES, Floor

SLOTS = tuple(Hand.__slots__)
FIELDS = tuple(Table.__slots__)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    ports = new_home(tmp_path / "home")
    with open_log(tmp_path / "home", write=True) as log:
        yield room_over(log, ports)


def through_bytes(value: Any) -> Any:
    return canonical.decode(canonical.encode(value))


def every_part(state: Any, names: tuple[str, ...]) -> dict[str, str]:
    """Each field as text that tells types apart, and the order of dicts."""
    return {name: repr(getattr(state, name)) for name in names}


def test_all_states_of_all_games_come_back_as_a_fold_of_the_log_leaves_them(room: Room) -> None:
    floor = Floor(1)
    room.execute(floor.opening())
    log, seen, varied = repository(room.log), set(), set()
    for _ in range(900):
        command = floor.next(room)
        room.execute([command])
        for one in floor.tables:
            live = room.table(one.table)
            if live.hand is None or (live.hand.id, live.hand.version) in seen:
                continue
            seen.add((live.hand.id, live.hand.version))
            assert live.table
            hand, table = load.load_hand(log, live.hand.id), load.load_table(log, one.table)
            assert hand and table
            varied |= {slot for slot in SLOTS if getattr(hand, slot) != getattr(Hand(hand.opened), slot)}
            said, of_table = through_bytes(dump_hand(live.hand)), through_bytes(dump_table(live.table))
            assert every_part(load_hand(said), SLOTS) == every_part(hand, SLOTS)
            assert every_part(load_table(of_table), FIELDS) == every_part(table, FIELDS)
            # What the log says makes the same bytes: so nothing is in them that isn't in the log, no face behind a box.
            assert canonical.encode(dump_hand(hand)) == canonical.encode(said)
            assert canonical.encode(dump_table(table)) == canonical.encode(of_table)
    assert len(seen) >= 400
    assert {one.game for one in floor.tables if room.table(one.table).hand} == GAMES
    assert len(GAMES) == 11
    assert set(SLOTS) - varied == FOLLOWS | {"opened", "dead", "cancelled"}, (
        "a part that was never another than at first"
    )


def test_a_state_holds_boxes_where_the_log_does(room: Room) -> None:
    floor = Floor(2)
    room.execute(floor.opening())
    floor.play(room, 300)
    for one in floor.tables:
        hand = room.table(one.table).hand
        if hand is None or hand.settled:
            continue
        said = dump_hand(hand)
        assert set(said["opened"]["deck"]) == {"size", "root", "box"}
        for seat in hand.order:
            faces = [card for card in said["hole"][seat] if isinstance(card, int)]
            if seat in hand.shown:
                continue
            assert sorted(faces) == sorted(said["up"][seat]), f"hand {hand.id}, seat {seat}"


def test_a_state_whose_cards_lie_open_comes_back_too() -> None:
    tables: list[OpenTable] = [
        on_the_flop([100, 60, 200]).do("1 bets 10", "2 raises to 60"),
        played(open_hand_for("draw32", "fixed", stacks=[200] * 3), "3 calls"),
        played(open_hand_for("stud", "fixed", (2, 4), stacks=[200] * 4, ante=1)),
    ]
    for table in tables:
        hand = load_hand(through_bytes(dump_hand(table.hand)))
        parts = tuple(slot for slot in SLOTS if slot != "facts")
        assert every_part(hand, parts) == every_part(table.hand, parts)
        assert hand.facts == [table.hand.opened]


def test_a_dead_blind_and_a_cancelled_hand_come_back() -> None:
    posts = [small_blind_of(1, 1), big_blind_of(2, 2), dead_blind_of(3, 1)]
    hand = played(open_hand_for(stacks=[200] * 4, posts=posts)).hand
    assert hand.dead == 1
    assert load_hand(through_bytes(dump_hand(hand))).dead == 1
    evolve(hand, fact.HandCancelled(90_000_000, (1, 2, 3), (1, 2, 1)))
    assert load_hand(through_bytes(dump_hand(hand))).cancelled


def test_two_facts_that_differ_in_nothing_but_their_names_are_told_apart() -> None:
    hand = on_the_flop([100, 60, 200]).hand
    turn = hand.turn
    assert isinstance(turn, fact.TurnGiven)
    hand.turn = fact.SplitOffered(turn.seat, turn.call, turn.least, turn.most)
    assert type(load_hand(through_bytes(dump_hand(hand))).turn) is fact.SplitOffered


def test_votes_and_wishes_keep_their_order() -> None:
    hand = on_the_flop([100, 60, 200]).hand
    hand.votes, hand.wishes = {3: True, 1: False}, {2: fact.Wish.SHOW, 1: fact.Wish.GIVE_UP}
    back = load_hand(through_bytes(dump_hand(hand)))
    assert list(back.votes.items()) == [(3, True), (1, False)]
    assert list(back.wishes.items()) == [(2, fact.Wish.SHOW), (1, fact.Wish.GIVE_UP)]


@pytest.mark.parametrize("change", [{"pot": "much"}, {"wager": None}, {"turn": ["hand.never-heard-of", 1, {}]}])
def test_what_is_no_state_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadState, match="no HandState of this build"):
        load_hand(dump_hand(on_the_flop([100, 60, 200]).hand) | change)


def test_commands_come_back_in_their_order() -> None:
    known = [
        ("0190a5b0-0000-7000-8000-00000000000b", Known(1_700_000_000_000_000, 17)),
        ("0190a5b0-0000-7000-8000-00000000000a", Known(1_700_000_000_000_000, 18)),
        ("ffffffff-ffff-7fff-bfff-ffffffffffff", Known(1_700_000_009_000_000, 4_000_000_000)),
    ]
    assert list(load_commands(through_bytes(dump_commands(known))).items()) == known
    assert load_commands(dump_commands([])) == {}


def test_commands_of_different_numbers_are_refused() -> None:
    said = dump_commands([("0190a5b0-0000-7000-8000-00000000000b", Known(5, 17))])
    with pytest.raises(BadState):
        load_commands(said | {"at": [5, 6]})
