"""The office: what it records, once, and what it refuses before anything is recorded."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.messages import Command, Refused
from domain.room import AcceptLoss, ChangeKey, KeyChanged
from domain.rulings.opening import Form, OpenCards
from services.bootstrap import open_log
from services.eventlog import body
from services.eventlog.commit import Head
from services.eventlog.log import AppendRefused, AppendUnknown, Entry, HeadMoved, Log, LogError
from services.eventlog.mapper import repository
from services.eventlog.sqlite_commits import SqliteCommits
from services.evidence.merkle import leaf_hash, root_of
from services.ids import uuid7
from services.ports import Ports
from services.room.office import Office
from services.room.room import Room
from services.soundness import verify_home
from tests.services.homes import Desk, hand_of, room_over, stays_in
from tests.services.tables import SETTLED, SHARD, UNDER_WAY, a_home, give, outcome_of, refusal_of

KEY = "0123456789abcdef"
A_BOX = "A" * 120
"""A sealed reason: the office looks into none."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def ports(home: Path) -> Ports:
    return a_home(home)


@pytest.fixture
def log(home: Path, ports: Ports) -> Iterator[SqliteCommits]:
    with open_log(home, write=True) as log:
        yield log


@pytest.fixture
def room(log: SqliteCommits, ports: Ports) -> Room:
    return room_over(log, ports)


@pytest.fixture
def desk(ports: Ports) -> Desk:
    """Gives commands by floor:ann."""
    return Desk(ports)


def opening(hand: str = SETTLED, **said: Any) -> OpenCards:
    usual: dict[str, Any] = {"form": Form.FACES, "seats": (), "deck": False, "second": "", "reason": ""}
    return OpenCards(hand, **(usual | said))


def for_two(**said: Any) -> OpenCards:
    """An opening of the hand that is under way, by two people for a reason."""
    return opening(UNDER_WAY, **({"second": "floor:bob", "reason": A_BOX} | said))


def a_loss(**said: Any) -> AcceptLoss:
    usual: dict[str, Any] = {"shard": 1, "commits": 1, "size": 3, "root": "ab" * 32, "second": "floor:bob"}
    return AcceptLoss(**(usual | {"reason": A_BOX} | said))


def audit(log: SqliteCommits, hand: str = SETTLED) -> list[dict[str, Any]]:
    """The openings of a hand, as the log has them."""
    return [
        event["data"] for record in log.stream_commits(f"audit:{hand}") for event in body.decode(record.body).events
    ]


def ends(log: Log) -> list[Head]:
    return [log.head(shard) for shard in range(log.shards)]


def refused_and_not_recorded(room: Room, command: Command) -> str:
    before = ends(room.log)
    sentence = refusal_of(room, command)
    assert ends(room.log) == before
    return sentence


# --- openings --------------------------------------------------------------------------------------------------------


def test_an_opening_says_who_whose_cards_and_of_what_state_of_the_hand(
    room: Room, log: SqliteCommits, desk: Desk
) -> None:
    give(room, desk(opening(seats=(2,), form=Form.KEYS)))
    assert audit(log) == [
        {
            "form": "keys", "seats": [2], "deck": False, "settled": True, "version": 33, "by": "floor:ann",
            "second": "", "reason": "",
        }
    ]  # fmt: skip


def test_no_seat_means_all_of_them(room: Room, log: SqliteCommits, desk: Desk) -> None:
    give(room, desk(opening()))
    give(room, desk(opening(seats=(2, 1, 2))))
    assert [one["seats"] for one in audit(log)] == [[1, 2], [1, 2]]


def test_a_hand_under_way_is_opened_to_two_people_for_a_reason(room: Room, log: SqliteCommits, desk: Desk) -> None:
    give(room, desk(for_two()))
    (opened,) = audit(log, UNDER_WAY)
    assert (opened["settled"], opened["by"], opened["second"]) == (False, "floor:ann", "floor:bob")
    assert opened["reason"] == A_BOX


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"second": ""}, "takes two people and a reason"),
        ({"reason": ""}, "takes two people and a reason"),
        ({"second": "", "reason": ""}, "takes two people and a reason"),
        ({"second": "floor:ann"}, "can't be both people"),
    ],
)
def test_less_than_two_people_and_a_reason_open_no_hand_under_way(
    room: Room, desk: Desk, said: dict[str, Any], why: str
) -> None:
    assert why in refused_and_not_recorded(room, desk(for_two(**said)))


def test_once_it_is_settled_one_is_enough(room: Room, log: SqliteCommits, desk: Desk) -> None:
    while not hand_of(room).settled:
        give(room, desk(stays_in(hand_of(room))))
    give(room, desk(opening(UNDER_WAY)))
    assert [one["settled"] for one in audit(log, UNDER_WAY)] == [True]


def test_in_one_batch_the_office_comes_before_the_tables(room: Room, log: SqliteCommits, desk: Desk) -> None:
    check = desk(stays_in(hand_of(room)))
    outcomes = room.execute([check, desk(for_two())])
    assert not any(isinstance(one, Exception) for one in outcomes), outcomes
    assert audit(log, UNDER_WAY)[0]["version"] == 7, "the hand before the check"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (opening(seats=(5,)), "seat 5 was not dealt in to hand t1-1: seats 1 and 2 were"),
        (opening("t1-99"), "there is no hand t1-99 in this log"),
        (opening("t7-1"), "there is no hand t7-1 in this log"),
        (opening("nohand"), "hand"),
        (opening(seats=(11,)), "seats"),
        (opening(second="Bob"), "second"),
        (opening(reason="in clear text"), "reason"),
        (opening(deck=1), "deck"),
    ],
)
def test_what_is_no_opening_is_refused(room: Room, desk: Desk, asked: OpenCards, why: str) -> None:
    assert why in refused_and_not_recorded(room, desk(asked))


# --- who asks --------------------------------------------------------------------------------------------------------

NOBODY: list[Any] = ["", "Ann Smith", "floor:ann\n", "ANN", "a" * 65, "floor/ann", "änn", None, 7, "floor:ann "]
"""None of these can stand in an event."""


@pytest.mark.parametrize("by", NOBODY)
@pytest.mark.parametrize("asked", [opening(), for_two(), ChangeKey(KEY), a_loss()], ids=lambda one: type(one).__name__)
def test_an_asker_who_can_t_be_recorded_is_refused_first(room: Room, desk: Desk, by: Any, asked: Any) -> None:
    command = replace(desk(asked), by=by)
    assert "(by)" in refused_and_not_recorded(room, command)


def test_whatever_was_refused_the_log_is_sound_and_goes_on(room: Room, log: SqliteCommits, desk: Desk) -> None:
    for by in NOBODY:
        refusal_of(room, replace(desk(opening()), by=by))
    give(room, desk(stays_in(hand_of(room))))
    assert verify_home(log).sound


def test_an_event_that_could_not_be_read_again_is_never_made(log: SqliteCommits) -> None:
    with pytest.raises(Refused, match="key_id"):
        Office(log, repository(log))._facts("room", [KeyChanged("no key")])


def test_a_command_that_makes_no_sense_keeps_nobody_else_waiting(room: Room, desk: Desk) -> None:
    senseless, key = room.execute([desk(opening(form="all")), desk(ChangeKey(KEY))])
    assert isinstance(senseless, Exception)
    assert not isinstance(key, Exception)


# --- once ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [opening(), ChangeKey(KEY), a_loss()], ids=lambda one: type(one).__name__)
def test_a_repeat_gets_the_same_answer_and_records_nothing(
    room: Room, log: SqliteCommits, ports: Ports, desk: Desk, asked: Any
) -> None:
    command = desk(asked)
    first = give(room, command)
    before = ends(log)
    assert give(room, command) == first
    assert give(room_over(log, ports), command) == first, "also of a room that was opened since"
    assert ends(log) == before


def test_a_repeat_within_one_batch_is_recorded_once(room: Room, log: SqliteCommits, desk: Desk) -> None:
    command = desk(opening())
    first, again = room.execute([command, command])
    assert first == again
    assert len(audit(log)) == 1


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        (opening(), opening(seats=(1,))),
        (opening(), opening(deck=True)),
        (ChangeKey(KEY), ChangeKey(KEY[::-1])),
        (a_loss(), a_loss(size=4)),
    ],
)
def test_an_id_is_taken_by_its_arguments(room: Room, desk: Desk, asked: Any, other: Any) -> None:
    command = desk(asked)
    give(room, command)
    assert "was given before with other arguments" in refused_and_not_recorded(room, replace(command, args=other))


def test_an_id_of_another_day_begins_nothing(room: Room, ports: Ports, desk: Desk) -> None:
    day = 24 * 3600 * 1_000_000
    for at, why in ((ports.now() - 2 * day, "more than 24 hours ago"), (ports.now() + day, "in the future")):
        assert why in refused_and_not_recorded(room, desk(opening(), uuid7(at, 1)))


# --- keys and losses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key_id", ["", "xyz", KEY.upper(), KEY + "0", 12])
def test_a_key_is_named_by_its_id(room: Room, desk: Desk, key_id: Any) -> None:
    assert "key_id" in refused_and_not_recorded(room, desk(ChangeKey(key_id)))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"second": ""}, "by two people and for a reason"),
        ({"second": "floor:ann"}, "by two people and for a reason"),
        ({"reason": ""}, "by two people and for a reason"),
        ({"commits": 2}, "shard 1 has 1 commit by now, not 2"),
        ({"shard": 4}, "there is no shard 4: this room has shards 0 to 3"),
        ({"shard": -1}, "shard"),
        ({"root": "ab"}, "root"),
        ({"second": "Bob B"}, "second"),
    ],
)
def test_a_loss_is_accepted_by_two_people_who_see_what_is_there(
    room: Room, desk: Desk, said: dict[str, Any], why: str
) -> None:
    assert why in refused_and_not_recorded(room, desk(a_loss(**said)))


def test_what_the_log_still_has_is_no_loss(room: Room, log: SqliteCommits, desk: Desk) -> None:
    leaves = [leaf_hash(bytes.fromhex(record.hash)) for record in log.read(SHARD)]
    for size in (0, 1, len(leaves) - 1, len(leaves)):
        root = root_of(leaves[:size]).hex()
        asked = a_loss(shard=SHARD, commits=len(leaves), size=size, root=root)
        assert f"shard {SHARD} begins with the {size} commit" in refused_and_not_recorded(room, desk(asked))
    changed = a_loss(shard=SHARD, commits=len(leaves), size=len(leaves) - 1, root="ab" * 32)
    assert give(room, desk(changed)).events


def test_what_isn_t_the_office_s_is_refused(room: Room, desk: Desk) -> None:
    assert "is no command of a table, a hand, a patron or the office" in refused_and_not_recorded(
        room, desk("open all")
    )


# --- a log that fails ------------------------------------------------------------------------------------------------


class FailingLog:
    """A log that takes nothing more, for a reason."""

    def __init__(self, log: SqliteCommits, error: LogError) -> None:
        self._log, self._error = log, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        raise self._error


@pytest.mark.parametrize("error", [AppendRefused("the disk is full"), AppendUnknown("open it again")])
def test_what_couldn_t_be_recorded_is_not_answered(
    log: SqliteCommits, ports: Ports, desk: Desk, error: LogError
) -> None:
    room = room_over(FailingLog(log, error), ports)
    assert outcome_of(room, desk(opening())) is error
    assert audit(log) == []


def test_a_full_disk_refuses_an_opening_and_later_it_is_taken(room: Room, log: SqliteCommits, desk: Desk) -> None:
    (pages,) = log.connection.execute("PRAGMA page_count").fetchone()
    log.connection.execute(f"PRAGMA max_page_count = {pages}")
    outcome = outcome_of(room, desk(for_two(reason="A" * 4000)))
    assert isinstance(outcome, AppendRefused)
    assert audit(log, UNDER_WAY) == []
    log.connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    give(room, desk(for_two()))


class BusyLog(FailingLog):
    """A log to which somebody else appends first: another command, or this very one."""

    def __init__(self, log: SqliteCommits, first: Command | None, ports: Ports) -> None:
        self._log, self._first, self._ports, self.moved = log, first, ports, 0

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        first, self._first = self._first, None
        if first is not None:
            give(room_over(self._log, self._ports), first)
            self.moved += 1
            raise HeadMoved(shard, expected, self._log.head(shard))
        return self._log.append(shard, expected, entries, claim=claim)


def test_where_another_writer_came_first_it_is_decided_again(log: SqliteCommits, ports: Ports, desk: Desk) -> None:
    busy = BusyLog(log, desk(opening(seats=(1,))), ports)
    answer = give(room_over(busy, ports), desk(opening(seats=(2,))))
    assert busy.moved == 1
    assert [one["seats"] for one in audit(log)] == [[1], [2]]
    assert answer.events[0]["version"] == 2


def test_where_another_writer_recorded_this_very_command_it_is_not_recorded_twice(
    log: SqliteCommits, ports: Ports, desk: Desk
) -> None:
    command = desk(opening())
    busy = BusyLog(log, command, ports)
    give(room_over(busy, ports), command)
    assert busy.moved == 1
    assert len(audit(log)) == 1


def test_time_goes_on_where_another_writer_s_clock_is_ahead(log: SqliteCommits, ports: Ports, desk: Desk) -> None:
    ahead = Ports(lambda: ports.now() + 60_000_000, ports.bits)
    busy = BusyLog(log, desk(opening(seats=(1,))), ahead)
    give(room_over(busy, ports), desk(opening(seats=(2,))))
    times = [body.decode(record.body).at for record in log.read(SHARD)]
    assert times == sorted(times)


def test_a_hand_that_can_t_be_read_keeps_nobody_else_waiting(home: Path, ports: Ports, desk: Desk) -> None:
    with sqlite3.connect(home / "log.sqlite") as db:
        rows = db.execute(f"SELECT height, record FROM commits_{SHARD} ORDER BY height").fetchall()
        height, raw = next(row for row in rows if b'"hand.opened"' in row[1])
        db.execute(f"UPDATE commits_{SHARD} SET record = ? WHERE height = ?", (raw.replace(b"ann", b"eve"), height))
    with open_log(home, write=True) as log:
        room = room_over(log, ports)
        broken, key = room.execute([desk(opening()), desk(ChangeKey(KEY))])
    assert isinstance(broken, LogError)
    assert not isinstance(key, Exception)
