"""What a room needs of its log, in every home: opened again, the log gives back all that the room had answered."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from domain.hand.commands import Call
from domain.messages import Command, Refused
from domain.table.commands import SitDown
from services.eventlog import body, canonical
from services.eventlog.log import Log
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.sealing.shoe import SealedShoes
from tests.hands import everything_in
from tests.services.homes import START, Desk, a_table_of_two

TABLES = ("t1", "t2", "t3")
"""They lie in several shards."""

KEYS = RoomKeys("riverside", [bytes(range(32))])


def test_a_repeat_gets_the_same_answer_after_the_log_was_opened_again(log: Log, reopen: Callable[[], Log]) -> None:
    played = play(log)
    before = heights(log)
    again = reopen()
    assert said(a_room(again).execute(played.commands)) == said(played.answers)
    assert heights(again) == before, "a repeat makes no event"


def test_a_repeat_gets_the_same_answer_after_a_crash(log: Log, crash: Callable[[], Log]) -> None:
    played = play(log)
    assert said(a_room(crash()).execute(played.commands)) == said(played.answers)


def test_an_id_is_known_after_the_log_was_opened_again(log: Log, reopen: Callable[[], Log]) -> None:
    first = play(log).commands[0]
    other = Command(first.id, SitDown("t1", 3, "cleo", 200), "floor:ann", "floor")
    (refused,) = a_room(reopen()).execute([other])
    assert isinstance(refused, Refused)
    assert "was given before with other arguments" in str(refused)


def test_the_tables_are_as_they_were_after_the_log_was_opened_again(log: Log, reopen: Callable[[], Log]) -> None:
    before = play(log).room
    again = a_room(reopen())
    for table in TABLES:
        then, now = before.table(table), again.table(table)
        assert now.hand is not None and then.hand is not None
        assert now.table == then.table
        assert everything_in(now.hand) == everything_in(then.hand)


def test_time_does_not_run_back_where_the_clock_did(log: Log, reopen: Callable[[], Log]) -> None:
    play(log)
    again = reopen()
    room = a_room(again, clock=START - 60_000_000)
    (answer,) = room.execute([Desk(seeded_ports(2))(SitDown("t1", 3, "cleo", 200))])
    assert isinstance(answer, Answer), answer
    times = [[body.decode(record.body).at for record in again.read(shard)] for shard in range(again.shards)]
    assert times == [sorted(each) for each in times]


def a_room(log: Log, clock: int = START + 60_000_000) -> Room:
    """The room over that log, its clock standing a minute after the play unless told otherwise."""
    bits = seeded_ports(1).bits
    return Room(log, Ports(lambda: clock, bits), SealedShoes(KEYS, bits))


class Played(NamedTuple):
    """What a room was asked, and what it answered."""

    room: Room
    commands: list[Command]
    answers: list[Answer]


def play(log: Log) -> Played:
    """Open the tables, deal a hand at each and have one player act there."""
    desk = Desk(seeded_ports(1))
    room = a_room(log, clock=START + 1_000_000)
    opening = [desk(args) for table in TABLES for args in a_table_of_two(table)]
    answers = answered(room, opening)
    calls = [desk(Call(f"{table}-1", decision_of(room, table), 1)) for table in TABLES]
    return Played(room, opening + calls, answers + answered(room, calls))


def answered(room: Room, commands: Sequence[Command]) -> list[Answer]:
    answers = []
    for outcome in room.execute(commands):
        assert isinstance(outcome, Answer), outcome
        answers.append(outcome)
    return answers


def decision_of(room: Room, table: str) -> int:
    hand = room.table(table).hand
    assert hand is not None
    return hand.decision


def said(outcomes: Sequence[Any]) -> list[bytes | str]:
    """The outcomes as clients get them."""
    return [
        canonical.encode([one.at, one.events]) if isinstance(one, Answer) else f"{type(one).__name__}: {one}"
        for one in outcomes
    ]


def heights(log: Log) -> list[int]:
    return [log.head(shard).height for shard in range(log.shards)]
