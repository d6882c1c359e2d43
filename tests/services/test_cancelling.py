"""A hand that the room cancels after a failure: who may, what its table, the books and the log say of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.hand.commands import CancelHand
from domain.hand.events import HandCancelled, HandSettled
from domain.messages import SECOND
from domain.rulings.recorded_shoe import NO_KEYS
from domain.rulings.seen import frames_for
from domain.table.commands import DealHand
from domain.visibility import SPECTATOR, STAFF, Viewer
from projections import queries
from services.eventlog.log import Log
from services.ports import Ports
from services.room.room import Room
from services.rulings import facts_of_hand, hand_commits, readjudicate_all, readjudicate_hand
from services.soundness import verify_home
from services.views import current_views
from tests.services.homes import Desk, a_table_of_two, hand_of, opener, recovery, room_over, stays_in
from tests.services.tables import give, outcome_of, refusal_of

CANCEL = CancelHand("t1-1", 74 * SECOND)


@pytest.fixture
def room(log: Log, ports: Ports, desk: Desk) -> Room:
    """At t1 a hand is under way, in which the blinds of 1 and 2 were posted and called."""
    room = room_over(log, ports)
    for args in a_table_of_two():
        give(room, desk(args))
    give(room, desk(stays_in(hand_of(room))))
    return room


def stacks(room: Room) -> dict[int, int]:
    table = room.table("t1").table
    assert table
    return {number: seat.stack for number, seat in table.seats.items()}


def test_the_room_cancels_it_and_the_table_goes_on(room: Room, ports: Ports, desk: Desk) -> None:
    answer = give(room, recovery(ports, CANCEL))
    assert [(one["stream"], one["type"]) for one in answer.events] == [
        ("hand:t1-1", "hand.cancelled"),
        ("hand:t1-1", "hand.settled"),
        ("table:t1", "table.hand-finished"),
    ]
    assert stacks(room) == {1: 200, 2: 200}
    give(room, desk(DealHand("t1", 2)))
    assert hand_of(room).opened.button == 2, "the hand counts as dealt: the button has moved"


def test_after_a_takeover_another_room_over_the_same_log_does(room: Room, log: Log, ports: Ports) -> None:
    again = room_over(log, ports)
    give(again, recovery(ports, CANCEL))
    assert stacks(again) == {1: 200, 2: 200}


@pytest.mark.parametrize(
    ("by", "cause"),
    [("floor:ann", "floor"), ("floor:ann", "recovery"), ("room", "floor"), ("room", "timer"), ("ann", "player")],
)
def test_nobody_else_cancels_a_hand(room: Room, desk: Desk, by: str, cause: str) -> None:
    before = room.log.head(3)
    command = replace(desk(CANCEL), by=by, cause=cause)
    assert refusal_of(room, command).startswith(f"{by} can't cancel hand t1-1: only the room does, after a failure")
    assert room.log.head(3) == before


def test_a_repeat_is_answered_as_before_and_another_one_refused(room: Room, ports: Ports) -> None:
    command = recovery(ports, CANCEL)
    first = give(room, command)
    assert give(room, command) == first
    assert refusal_of(room, recovery(ports, CANCEL)).startswith("hand t1-1 was cancelled already")


def test_an_action_that_comes_after_it_is_told_what_happened(room: Room, ports: Ports, desk: Desk) -> None:
    late = desk(stays_in(hand_of(room)))
    outcomes = room.execute([recovery(ports, CANCEL), late])
    assert str(outcomes[1]) == "hand t1-1 was cancelled, every chip has gone back; it takes no more actions"


def test_no_other_hand_than_the_one_under_way_is_cancelled(room: Room, ports: Ports) -> None:
    assert refusal_of(room, recovery(ports, replace(CANCEL, hand="t1-2"))) == "hand t1-2 is not under way: t1-1 is"
    assert refusal_of(room, recovery(ports, replace(CANCEL, gap=60 * SECOND))).startswith("hand t1-1 goes on: 60 s")


def test_the_log_is_sound_and_is_decided_again_the_same_with_keys_and_without(
    room: Room, log: Log, ports: Ports, desk: Desk
) -> None:
    give(room, recovery(ports, CANCEL))
    give(room, desk(DealHand("t1", 2)))
    assert verify_home(log).findings == []
    for keyholder in (opener(log), NO_KEYS):
        assert [found for _, found in readjudicate_all(log, keyholder) if found is not None] == []
    assert readjudicate_hand(log, "t1-1", opener(log)) is None
    assert isinstance(hand_commits(log, "t1-1")[-1].args, CancelHand)


def test_the_books_are_as_before_the_hand(room: Room, log: Log, ports: Ports, tmp_path: Path) -> None:
    give(room, recovery(ports, CANCEL))
    with current_views(tmp_path / "home", log) as store:
        assert {row.account: row.amount for row in queries.balances(store)} == {
            "cashier": -400,
            "table:t1:player:ann": 200,
            "table:t1:player:bob": 200,
        }
        assert queries.proof(store).sound
        assert queries.raked_hands(store) == []
        (header,) = queries.hand_headers(store)
        assert (header.cancelled_after, header.pot, header.rake) == (74 * SECOND, 0, 0)
        assert header.finished_at is not None


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(seat=1), Viewer(seat=2)])
def test_no_card_is_turned_up_to_another_player(room: Room, log: Log, ports: Ports, viewer: Viewer) -> None:
    give(room, recovery(ports, CANCEL))
    facts, _ = facts_of_hand(log, "t1-1")
    *_, end = frames_for(viewer, facts, opener(log))
    assert end.over
    assert {one.seat for one in end.seats if one.cards} == {viewer.seat} - {0}


def test_staff_see_its_cards_as_those_of_any_hand_that_is_over(room: Room, log: Log, ports: Ports) -> None:
    give(room, recovery(ports, CANCEL))
    facts, _ = facts_of_hand(log, "t1-1")
    assert [type(one) for one in facts[-2:]] == [HandCancelled, HandSettled]
    *_, end = frames_for(STAFF, facts, opener(log))
    assert all(len(one.cards) == 2 for one in end.seats)


def test_it_is_no_command_without_a_gap(room: Room, ports: Ports) -> None:
    gap: Any = -1
    assert "gap" in str(outcome_of(room, recovery(ports, CancelHand("t1-1", gap))))
