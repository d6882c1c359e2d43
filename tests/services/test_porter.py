"""The floor closes the whole room, and opens it again: every table goes with it, wherever it lies."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.hand.commands import Fold
from domain.messages import Refused
from domain.room import CloseRoom, ReopenRoom
from domain.table.commands import CloseAfterHand, CloseWithRoom, DealHand, ReopenTable, SitDown
from domain.table.state import Table
from services.bootstrap import open_log, open_writer
from services.eventlog import body
from services.eventlog.sqlite_commits import SqliteCommits
from services.ports import Ports
from services.room.door import ROOM
from services.room.recording import Answer
from services.room.room import Room
from services.rulings import readjudicate_all
from tests.node.rooms import holds
from tests.services.homes import Desk, hand_of, open_table, opener, room_over
from tests.services.patrons import (
    REASON,
    Attended,
    attended,
    balance,
    buy_in,
    nothing_under_way,
    real_table,
    where_money_is,
    with_money,
)
from tests.services.tables import refusal_of

TABLES = ("t1", "t2", "t3", "t4")
"""They lie in all four shards."""


@pytest.fixture
def one(log: SqliteCommits, ports: Ports, desk: Desk) -> Attended:
    """A room with its staff: at t1 ann and bob play a hand with 200 cents each, dan sits at t2, no one else."""
    one = attended(room_over(log, ports))
    give(one, desk, real_table(), *with_money("ann"), *with_money("bob"), *with_money("cleo"))
    give(one, desk, buy_in("ann", 1), buy_in("bob", 2), DealHand("t1", 1))
    give(one, desk, *map(open_table, TABLES[1:]), SitDown("t2", 1, "dan", 200))
    return one


def give(one: Attended, desk: Desk, *all_args: Any) -> None:
    """Each is recorded, and the staff does what follows from it."""
    for args in all_args:
        (outcome,) = one.give(desk(args))
        assert isinstance(outcome, Answer), outcome
        one.settle()


def table(room: Room, name: str) -> Table:
    now = room.table(name).table
    assert now is not None
    return now


def closing(room: Room) -> list[str]:
    return [name for name in TABLES if table(room, name).closes]


def fold(one: Attended, desk: Desk) -> None:
    hand = hand_of(one.room)
    assert hand.turn is not None
    give(one, desk, Fold(hand.id, hand.decision, hand.turn.seat))


def test_every_table_closes_after_its_hand_and_everybody_has_his_money(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseRoom(REASON))
    assert closing(one.room) == list(TABLES)
    assert len(table(one.room, "t1").seats) == 2, "they play their hand"
    assert table(one.room, "t2").seats == {}
    fold(one, desk)
    assert table(one.room, "t1").seats == {}
    assert where_money_is(one.room, TABLES) == {"accounts": 3000, "on the way": 0, "tables": 0}


def test_in_a_closed_room_nobody_sits_down_and_nothing_is_dealt(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseRoom(REASON))
    assert "the room is closed: nobody sits down" in refusal_of(one.room, desk(SitDown("t3", 1, "eve", 200)))
    fold(one, desk)
    assert "the room is closed: no new hand is dealt" in refusal_of(one.room, desk(DealHand("t1", 2)))


def test_no_hand_is_dealt_once_it_is_answered_that_the_room_is_closed(one: Attended, desk: Desk) -> None:
    """The tables' own facts come after that, by the staff, which hasn't moved here."""
    fold(one, desk)
    (closed,) = one.give(desk(CloseRoom(REASON)))
    assert isinstance(closed, Answer)
    assert closing(one.room) == []
    said = refusal_of(one.room, desk(DealHand("t1", 2)))
    assert said == "the room is closed: no new hand is dealt until the floor reopens it"
    (opened,) = one.give(desk(ReopenRoom(REASON)))
    assert isinstance(opened, Answer)
    give(one, desk, DealHand("t1", 2))


def test_a_buy_in_into_a_closed_room_comes_back(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseRoom(REASON))
    give(one, desk, buy_in("cleo", 3))
    assert balance(one.room, "cleo") == 1000
    assert nothing_under_way(one.room)


def test_all_of_it_is_taken_back(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseRoom(REASON), ReopenRoom(REASON))
    assert closing(one.room) == []
    fold(one, desk)
    assert len(table(one.room, "t1").seats) == 2, "it was in time for them"
    give(one, desk, DealHand("t1", 2), SitDown("t2", 1, "dan", 200))


def test_a_table_that_the_floor_had_closed_stays_closed(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseAfterHand("t3", REASON))
    give(one, desk, CloseRoom(REASON), ReopenRoom(REASON))
    assert closing(one.room) == ["t3"]
    give(one, desk, ReopenTable("t3", REASON))
    assert closing(one.room) == []


def test_a_table_that_is_opened_in_a_closed_room_is_closed(one: Attended, desk: Desk) -> None:
    give(one, desk, CloseRoom(REASON), open_table("t5"))
    assert table(one.room, "t5").closes
    give(one, desk, ReopenRoom(REASON))
    assert not table(one.room, "t5").closes


def test_the_room_is_closed_once_and_reopened_once(one: Attended, desk: Desk) -> None:
    assert refusal_of(one.room, desk(ReopenRoom(REASON))) == "the room isn't closed: there is nothing to reopen"
    give(one, desk, CloseRoom(REASON))
    assert refusal_of(one.room, desk(CloseRoom(REASON))) == "the room is closed already"


def test_a_repeat_is_answered_the_same_though_its_reason_was_sealed_anew(one: Attended, desk: Desk) -> None:
    command = desk(CloseRoom(REASON))
    (first,) = one.give(command)
    (again,) = one.give(replace(command, args=CloseRoom("B" * 120)))
    assert isinstance(first, Answer)
    assert again == first


@pytest.mark.parametrize(("reason", "why"), [("", "say why"), ("water", "seal it first")])
def test_it_has_a_reason_which_is_sealed(one: Attended, desk: Desk, reason: str, why: str) -> None:
    assert why in refusal_of(one.room, desk(CloseRoom(reason)))


def test_nobody_but_the_room_closes_a_table_so(one: Attended, desk: Desk) -> None:
    said = refusal_of(one.room, desk(CloseWithRoom("t1")))
    assert said == "floor:ann can't give table.close-with-room: only the room does, by itself (floor)"


def test_who_closed_the_room_stands_in_its_stream_and_at_the_tables_the_room_itself(
    one: Attended, desk: Desk, log: SqliteCommits
) -> None:
    give(one, desk, CloseRoom(REASON))
    (closed,) = [said for said in map(said_in, log.stream_commits("room")) if said.command["name"] == "room.close"]
    assert [(event["type"], event["data"]["by"]) for event in closed.events] == [("room.closed", "floor:ann")]
    commands = [said.command for shard in range(4) for said in map(said_in, log.read(shard))]
    closings = [one for one in commands if one["name"] == "table.close-with-room"]
    assert [(one["by"], one["cause"]) for one in closings] == [(ROOM, "floor")] * 4


def said_in(record: Any) -> body.Body:
    return body.decode(record.body)


def test_it_is_decided_again_the_same(one: Attended, desk: Desk, log: SqliteCommits) -> None:
    give(one, desk, CloseRoom(REASON))
    fold(one, desk)
    give(one, desk, ReopenRoom(REASON))
    assert [found for _, found in readjudicate_all(log, opener(log)) if found is not None] == []


# --- a room that was killed before its tables knew -------------------------------------------------------------------


@pytest.fixture
def killed(one: Attended, desk: Desk, log: SqliteCommits, tmp_path: Path) -> Path:
    """The room was closed, and that was all that was recorded."""
    (outcome,) = one.give(desk(CloseRoom(REASON)))
    assert isinstance(outcome, Answer)
    assert closing(one.room) == []
    return tmp_path / "home"


def test_the_staff_finds_the_room_closed_when_it_comes_to_work(
    killed: Path, log: SqliteCommits, ports: Ports, desk: Desk
) -> None:
    again = attended(room_over(log, ports))
    again.settle()
    assert closing(again.room) == list(TABLES)
    fold(again, desk)
    assert where_money_is(again.room, TABLES) == {"accounts": 3000, "on the way": 0, "tables": 0}


def test_so_does_that_of_a_home(killed: Path, log: SqliteCommits) -> None:
    log.close()
    with open_writer(killed) as writer:
        holds(lambda: writer.look(closing).result() == list(TABLES), 60, lambda: "not all tables closed")


def test_what_was_reopened_meanwhile_is_opened(one: Attended, desk: Desk, log: SqliteCommits, ports: Ports) -> None:
    give(one, desk, CloseRoom(REASON))
    (outcome,) = one.give(desk(ReopenRoom(REASON)))
    assert not isinstance(outcome, Refused)
    again = attended(room_over(log, ports))
    again.settle()
    assert closing(again.room) == []


def test_a_room_that_was_never_closed_looks_at_no_table(log: SqliteCommits, ports: Ports, desk: Desk) -> None:
    one = attended(room_over(log, ports))
    give(one, desk, open_table("t2"))
    again = attended(room_over(log, ports))
    assert again.room._desks == {}


def test_the_log_is_read_where_others_wrote_it(tmp_path: Path, one: Attended, desk: Desk, log: SqliteCommits) -> None:
    """What is known of the room's doors goes on from where it was read."""
    give(one, desk, CloseRoom(REASON))
    with open_log(tmp_path / "home") as reading:
        other = room_over(reading, one.room.ports)
        before = other.doors()
        give(one, desk, ReopenRoom(REASON))
        assert (type(before).__name__, type(other.doors()).__name__) == ("RoomClosed", "RoomReopened")
