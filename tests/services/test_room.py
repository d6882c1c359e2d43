"""The room: every answer is recorded first, every refusal a sentence, and nothing is ever half done."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import catalog
from domain.catalog import InvalidMessage
from domain.hand.commands import AskToShow, Bet, Call, Check, Fold, Raise
from domain.messages import Command, Refused
from domain.room import OpenRoom
from domain.table.commands import DealHand, SitDown, StandUp
from services.bootstrap import KEY_FILE, LOG_FILE, make_home, open_log, open_writer
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.eventlog.log import Append, AppendRefused, CorruptLog, HeadMoved, LogError, LogInUse, NoLog
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.verify import verify_log
from services.ids import uuid7
from services.ports import Ports
from services.room.door import AHEAD, REMEMBERED
from services.room.recording import Answer
from services.room.room import Room
from services.room.shards import shard_of
from services.room.writer import Writer
from services.rulings import readjudicate_all
from services.sealing.shoe import Order
from services.sealing.shuffle import shuffled
from services.soundness import verify_home
from tests.hands import everything_in
from tests.services.homes import (
    START,
    Desk,
    a_full_table,
    a_table_of_two,
    damage_record,
    forge,
    forge_event,
    hand_of,
    new_home,
    open_table,
    opener,
    room_over,
    sealer,
    stays_in,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def ports(place: Path) -> Ports:
    return new_home(place)


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


@pytest.fixture
def log(place: Path, ports: Ports) -> Iterator[SqliteCommits]:
    with open_log(place, write=True) as opened:
        yield opened


@pytest.fixture
def room(log: SqliteCommits, ports: Ports) -> Room:
    return room_over(log, ports)


def give(room: Room, *commands: Command) -> list[Any]:
    return room.execute(commands)


def answered(room: Room, *commands: Command) -> list[Answer]:
    outcomes = give(room, *commands)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return outcomes


def refusal(room: Room, command: Command) -> str:
    """The sentence of a refusal; fails where there is none, or where anything was recorded."""
    before = commits(room)
    (outcome,) = give(room, command)
    assert isinstance(outcome, Refused), outcome
    assert commits(room) == before
    return str(outcome)


def commits(room: Room) -> int:
    return sum(room.log.head(shard).height + 1 for shard in range(room.log.shards))


def dealt(room: Room, desk: Desk) -> None:
    """A hand between two players, seat 1 to act with a price of 1: the batch that opens the table and deals."""
    answered(room, *map(desk, a_table_of_two()))


# --- a repeated command ----------------------------------------------------------------------------------------------


def test_a_repeated_command_gets_the_same_answer_and_makes_no_second_event(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    fold = desk(Fold("t1-1", room.table("t1").hand.decision, 1))  # type: ignore[union-attr]
    (first,) = answered(room, fold)
    height = commits(room)
    assert answered(room, fold) == [first]
    assert commits(room) == height


def test_a_repeat_in_the_same_batch_gets_the_same_answer(room: Room, desk: Desk) -> None:
    opening = desk(open_table())
    first, second = answered(room, opening, opening)
    assert first == second
    assert room.log.stream_version("table:t1") == 1


def test_a_repeat_after_a_restart_gets_the_same_answer(room: Room, desk: Desk, ports: Ports) -> None:
    commands = [desk(args) for args in a_table_of_two()]
    first = answered(room, *commands)
    check = desk(Call("t1-1", room.table("t1").hand.decision, 1))  # type: ignore[union-attr]
    first += answered(room, check)
    height = commits(room)
    again = room_over(room.log, ports)
    assert as_bytes(answered(again, *commands, check)) == as_bytes(first)
    assert commits(room) == height


def as_bytes(answers: list[Answer]) -> bytes:
    """Answers as a client gets them."""
    return canonical.encode([[answer.at, answer.events] for answer in answers])


def test_a_table_whose_hand_is_over_goes_on_after_a_restart(room: Room, desk: Desk, ports: Ports) -> None:
    dealt(room, desk)
    answered(room, desk(Fold("t1-1", hand_of(room).decision, 1)))
    late = desk(Fold("t1-1", hand_of(room).decision, 2))
    again = room_over(room.log, ports)
    assert refusal(again, late) == refusal(room, late)
    answered(again, desk(StandUp("t1", 1, "ann")), desk(SitDown("t1", 1, "cid", 200)), desk(DealHand("t1", 2)))


def test_a_repeated_deal_deals_no_second_hand_even_under_another_id(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    answered(room, desk(Fold("t1-1", room.table("t1").hand.decision, 1)))  # type: ignore[union-attr]
    assert "hand 1 is not the next one of table t1: that is 2" in refusal(room, desk(DealHand("t1", 1)))


@pytest.mark.parametrize("restarted", [False, True])
def test_the_same_id_with_other_arguments_is_refused(room: Room, desk: Desk, ports: Ports, restarted: bool) -> None:
    answered(room, desk(open_table()), sit := desk(SitDown("t1", 1, "ann", 200)))
    now = room_over(room.log, ports) if restarted else room
    other = desk(SitDown("t1", 2, "ann", 200), sit.id)
    assert "was given before with other arguments: a new command needs a new id" in refusal(now, other)


def test_a_refusal_is_not_remembered(room: Room, desk: Desk) -> None:
    sit = desk(SitDown("t1", 1, "ann", 200))
    assert "there is no table t1" in refusal(room, sit)
    answered(room, desk(open_table()), sit)


# --- ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "sentence"),
    [
        (uuid7(START - REMEMBERED - 10_000_000, 1), "more than 24 hours ago"),
        (uuid7(START + AHEAD + 10_000_000, 1), "more than 5 minutes in the future"),
        ("7", "is no command id: a UUID of version 7"),
        ("6f1c8a9e-0000-4000-8000-000000000000", "is no command id: a UUID of version 7"),
        (uuid7(START, 1).upper() + "A", "is no command id: a UUID of version 7"),
    ],
)
def test_an_id_that_can_t_be_told_from_an_old_one_is_refused(room: Room, desk: Desk, id_: str, sentence: str) -> None:
    assert sentence in refusal(room, desk(open_table(), id_))


def test_an_id_is_known_for_24_hours_and_then_refused(room: Room, desk: Desk) -> None:
    opening = desk(open_table())
    answered(room, opening)
    room.ports = replace(room.ports, now=lambda: START + REMEMBERED - 1_000_000)
    answered(room_over(room.log, room.ports), opening)
    room.ports = replace(room.ports, now=lambda: START + REMEMBERED + AHEAD + 10_000_000)
    answered(room_over(room.log, room.ports), Desk(room.ports)(SitDown("t1", 1, "ann", 200)))
    assert "more than 24 hours ago" in refusal(room_over(room.log, room.ports), opening)


def test_an_id_of_a_clock_that_is_ahead_is_remembered_as_long_as_it_is_taken(room: Room, desk: Desk) -> None:
    answered(room, desk(open_table()))
    ahead = desk(SitDown("t1", 1, "ann", 200), uuid7(START + AHEAD - 1_000_000, 7))
    first = answered(room, ahead)
    room.ports = replace(room.ports, now=lambda: START + REMEMBERED + 60_000_000)
    assert answered(room_over(room.log, room.ports), ahead) == first


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (None, "None is no command of a table, a hand, a patron or the office: account.adjust, account.buy-in, "),
        (OpenRoom("r", 4, "UTC"), "is no command of a table, a hand, a patron or the office"),
        (SitDown("t1", 1, "Ann", 200), "command 'table.sit-down': player: .*not 'Ann'"),
        (SitDown("t1", 1, "ann", 200.5), "amount: .*not 200.5"),  # type: ignore[arg-type]
        (SitDown("t 1", 1, "ann", 200), "table: .*not 't 1'"),
        (SitDown("t1", True, "ann", 200), "seat: .*not True"),
        (open_table(name="x" * 201), "name: "),
        (Raise("t1-1", 9, 1, "450"), "to: .*not '450'"),  # type: ignore[arg-type]
    ],
)
def test_what_the_log_could_not_give_back_does_not_come_in(room: Room, desk: Desk, args: Any, sentence: str) -> None:
    answered(room, desk(open_table()))
    height = commits(room)
    bad, good = give(room, desk(args), desk(SitDown("t1", 2, "bob", 200)))
    assert isinstance(bad, Refused)
    assert re.search(sentence, str(bad))
    assert isinstance(good, Answer), "the others of the batch are served"
    assert commits(room) == height + 1


@pytest.mark.parametrize("change", [{"id": 17}, {"id": "zzz"}, {"by": None}, {"by": ""}, {"cause": 5}])
def test_a_command_without_a_proper_id_sender_or_cause_is_refused(
    room: Room, desk: Desk, change: dict[str, Any]
) -> None:
    dealt(room, desk)
    fold = replace(desk(Fold("t1-1", room.table("t1").hand.decision, 1)), **change)  # type: ignore[union-attr]
    assert isinstance(give(room, fold)[0], Refused)
    assert verify_log(room.log).sound


def test_time_never_runs_back_in_a_log(room: Room, desk: Desk) -> None:
    opening = answered(room, desk(open_table()))[0]
    room.ports = replace(room.ports, now=lambda: START - 3_600_000_000)
    assert answered(room, desk(SitDown("t1", 1, "ann", 200)))[0].at == opening.at


# --- what the rules refuse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"game": "bridge"}, "unknown game 'bridge': one of holdem, omaha, omaha-hilo"),
        ({"limit": "sky"}, "unknown limit 'sky': one of fixed, spread, pot, half-pot, no"),
        ({"rulebook": "hoyle"}, "unknown rulebook 'hoyle': one of"),
        ({"kind": "matches"}, "unknown kind of chips 'matches': one of"),
        ({"kind": "real", "currency": "EUR", "limit": "fixed", "small": 1, "big": 2}, "no rake row of rulebook 'euro'"),
        ({"small": 0}, "the small stake is 0: it must be more than 0"),
        ({"seats": 11}, "has 2 to 10 seats, not 11"),
    ],
)
def test_a_table_that_no_rule_knows_is_refused(room: Room, desk: Desk, terms: dict[str, Any], sentence: str) -> None:
    assert sentence in refusal(room, desk(open_table(**terms)))
    assert room.log.stream_version("table:t1") is None


def test_a_seat_taken_twice_is_refused_with_the_free_ones(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    assert refusal(room, desk(SitDown("t1", 1, "cid", 200))) == "seat 1 is taken by ann: free are 3, 4, 5, 6"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (lambda n: Check("t1-1", n, 2), "seat 2 acts out of turn: the action is on seat 1"),
        (lambda n: Raise("t1-1", n, 1, 3), "seat 1 may raise to 4 at the least and 200 at the most, not 3"),
        (lambda n: Raise("t1-1", n, 1, 201), "seat 1 can't raise to 201: all that he has makes 200"),
        (lambda n: Bet("t1-1", n, 1, 4), "seat 1 may not bet: 2 was bet already"),
        (lambda n: Call("t1-1", n - 1, 1), "has been answered, and the hand has moved on"),
        (lambda n: Call("t1-2", n, 1), "hand t1-2 is not under way: t1-1 is"),
        (lambda n: StandUp("t1", 1, "ann"), "hand t1-1 is under way: hand.leave folds you when your turn comes"),
    ],
)
def test_an_illegal_command_is_refused_and_changes_nothing(room: Room, desk: Desk, args: Any, sentence: str) -> None:
    dealt(room, desk)
    hand = room.table("t1").hand
    assert hand
    assert sentence in refusal(room, desk(args(hand.decision)))
    answered(room, desk(Call("t1-1", hand.decision, 1)))


def test_a_bet_of_a_fraction_is_refused_at_the_door(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    decision = room.table("t1").hand.decision  # type: ignore[union-attr]
    asked = {"hand": "t1-1", "decision": decision, "seat": 1, "to": 4.5}
    with pytest.raises(InvalidMessage, match=r"command 'hand.raise': to: input should be a valid integer, not 4\.5"):
        catalog.command.load("hand.raise", 1, asked)


def test_a_fraction_that_slips_through_the_door_is_never_recorded(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    hand = room.table("t1").hand
    assert hand
    before = commits(room)
    (outcome,) = give(room, desk(Raise("t1-1", hand.decision, 1, 4.5)))  # type: ignore[arg-type]
    assert isinstance(outcome, Exception)
    assert "4.5" in str(outcome)
    assert commits(room) == before
    answered(room, desk(Raise("t1-1", hand.decision, 1, 4)))


def test_a_stale_decision_is_refused_within_one_batch_too(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    decision = room.table("t1").hand.decision  # type: ignore[union-attr]
    first, second = give(room, desk(Call("t1-1", decision, 1)), desk(Fold("t1-1", decision, 1)))
    assert isinstance(first, Answer)
    assert isinstance(second, Refused)
    assert "has been answered, and the hand has moved on" in str(second)


def test_a_batch_sees_its_own_earlier_commands_and_refuses_one_alone(room: Room, desk: Desk) -> None:
    outcomes = give(
        room,
        desk(open_table()),
        desk(SitDown("t1", 1, "ann", 200)),
        desk(SitDown("t1", 1, "bob", 200)),
        desk(SitDown("t1", 2, "bob", 200)),
    )
    assert [type(outcome) for outcome in outcomes] == [Answer, Answer, Refused, Answer]
    assert verify_log(room.log).sound


def test_an_answer_is_what_the_log_holds(room: Room, desk: Desk) -> None:
    (answer,) = answered(room, desk(open_table()))
    (record,) = room.log.stream_commits("table:t1")
    assert f'"at":{answer.at}'.encode() in record.body
    assert [event["type"] for event in answer.events] == ["table.opened"]


# --- the home --------------------------------------------------------------------------------------------------------


def test_a_home_that_was_never_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoLog, match=r"there is no log at .*: `handlog init` makes one"):
        open_log(tmp_path)


def test_a_home_is_not_made_twice(place: Path, ports: Ports) -> None:
    with pytest.raises(LogError, match="has a log already: use it, or choose another home"):
        make_home(place, "riverside", ports)


def test_a_file_that_is_no_database_is_named(place: Path, ports: Ports) -> None:
    (place / LOG_FILE).write_bytes(b"Dear auditor, " * 500)
    with pytest.raises(NoLog, match="is no SQLite database"), open_writer(place, ports):
        pass


def test_a_damaged_head_stops_the_room_before_it_writes_after_it(place: Path, ports: Ports, desk: Desk) -> None:
    with open_writer(place, ports) as writer:
        for args in a_table_of_two():
            writer.submit(desk(args)).result()
        shard = shard_of_t1(writer.room.log)
        height = writer.room.log.head(shard).height
    damage_record(place, shard, height, b'"button":1', b'"button":2')
    named = f"shard {shard}, height {height}: the body was changed"
    with pytest.raises(CorruptLog, match=named), open_writer(place, ports):
        pass


def test_an_event_of_the_future_stops_its_shard_with_a_sentence(place: Path, ports: Ports, desk: Desk) -> None:
    same, other = tables_by_shard()
    with open_writer(place, ports) as writer:
        for args in [*a_table_of_two(), *a_table_of_two(same), *a_table_of_two(other)]:
            writer.submit(desk(args)).result()
    later(place, "t1")
    with open_writer(place, ports) as writer:
        sentence = r"shard \d is stopped: table:t1, version 2.*revision 9.*upgrade it before it reads this log"
        with pytest.raises(LogError, match=sentence):
            writer.submit(desk(SitDown("t1", 3, "cid", 200))).result()
        with pytest.raises(LogError, match=sentence):
            writer.submit(desk(SitDown(same, 3, "cid", 200))).result()
        assert writer.submit(desk(SitDown(other, 3, "cid", 200))).result(), "other shards play on"


def tables_by_shard() -> tuple[str, str]:
    """A table of t1's shard, and one of another."""
    of_t1 = shard_of("table:t1", 4)
    names = [f"x{number}" for number in range(50)]
    same = next(name for name in names if shard_of(f"table:{name}", 4) == of_t1)
    return same, next(name for name in names if shard_of(f"table:{name}", 4) != of_t1)


def later(place: Path, table: str) -> None:
    """The table's first player-seated becomes an event of revision 9."""

    def alter(body: dict[str, Any]) -> int | None:
        for index, event in enumerate(body["events"]):
            if event["stream"] == f"table:{table}" and event["type"] == "table.player-seated":
                event["rev"] = 9
                return index
        return None

    forge(place, alter)


def shard_of_t1(log: Any) -> int:
    (first, *_) = log.stream_commits("table:t1")
    return int(first.shard)


def test_a_second_process_on_the_same_home_is_refused_and_the_first_plays_on(
    room: Room, desk: Desk, place: Path
) -> None:
    code = (
        "import sys; from pathlib import Path; from services.bootstrap import open_writer\n"
        "from services.eventlog.log import LogInUse\n"
        "try:\n with open_writer(Path(sys.argv[1])): pass\n"
        "except LogInUse as error: print(error)"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, str(place)], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert "is in use by process" in other.stdout, other.stderr
    with pytest.raises(LogInUse):
        open_log(place, write=True)
    dealt(room, desk)


# --- a full disk, and another writer ---------------------------------------------------------------------------------


def test_a_full_disk_in_mid_batch_leaves_nothing_half_done_and_the_room_goes_on(
    room: Room, log: SqliteCommits, desk: Desk
) -> None:
    dealt(room, desk)
    height = commits(room)
    hand = room.table("t1").hand
    assert hand
    call = desk(Call("t1-1", hand.decision, 1))
    log.connection.execute("PRAGMA journal_size_limit = 0")
    (pages,) = log.connection.execute("PRAGMA page_count").fetchone()
    log.connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [call, *(desk(open_table(f"x{number}", name="x" * 200)) for number in range(200))]
    outcomes = give(room, *batch)
    refused = [outcome for outcome in outcomes if isinstance(outcome, AppendRefused)]
    assert refused
    assert "the disk is full; nothing was recorded. Make room and try again" in str(refused[0])
    assert commits(room) == height + sum(isinstance(outcome, Answer) for outcome in outcomes)
    log.connection.execute("PRAGMA max_page_count = 1000000")
    again = answered(room, *batch)
    assert len(again) == len(batch)
    assert commits(room) == height + len(batch)
    assert verify_log(log).sound
    assert all(found is None for _, found in readjudicate_all(log, opener(log)))


def test_tables_that_were_never_opened_leave_nothing_in_memory(room: Room, desk: Desk) -> None:
    for number in range(20):
        assert isinstance(give(room, desk(SitDown(f"x{number}", 1, "ann", 200)))[0], Refused)
    assert room._desks == {}


class FullLog:
    """A log whose disk is full at the first append, and has room afterwards."""

    def __init__(self, log: SqliteCommits) -> None:
        self._log = log
        self._full = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        full, self._full = self._full, False
        return [AppendRefused("the disk is full") for _ in appends] if full else self._log.append_all(appends)


def test_a_repeat_of_what_could_not_be_recorded_gets_no_answer_either(
    log: SqliteCommits, ports: Ports, desk: Desk
) -> None:
    room = room_over(FullLog(log), ports)
    opening = desk(open_table())
    assert [type(outcome) for outcome in give(room, opening, opening)] == [AppendRefused, AppendRefused]
    first, second = answered(room, opening, opening)
    assert first == second
    assert log.stream_version("table:t1") == 1


def test_a_refusal_that_rests_on_what_could_not_be_recorded_is_not_given(
    log: SqliteCommits, ports: Ports, desk: Desk
) -> None:
    answered(room_over(log, ports), desk(open_table()))
    room = room_over(FullLog(log), ports)
    outcomes = give(
        room,
        desk(SitDown("t1", 10, "cid", 200)),
        desk(SitDown("t1", 1, "ann", 200)),
        desk(SitDown("t1", 1, "bob", 200)),
    )
    assert [type(outcome) for outcome in outcomes] == [Refused, AppendRefused, AppendRefused]


def test_an_old_answer_stands_beside_what_could_not_be_recorded(log: SqliteCommits, ports: Ports, desk: Desk) -> None:
    opening = desk(open_table())
    first = answered(room_over(log, ports), opening)
    room = room_over(FullLog(log), ports)
    outcomes = give(room, desk(SitDown("t1", 1, "ann", 200)), opening)
    assert isinstance(outcomes[0], AppendRefused)
    assert outcomes[1:] == first


def test_what_waited_behind_a_defect_is_told_that_it_could_not_be_recorded(
    log: SqliteCommits, ports: Ports, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = room_over(FullLog(log), ports)
    monkeypatch.setattr("services.room.room.play_desk", lambda *_: 1 // 0)
    outcomes = give(room, desk(open_table()), desk(SitDown("t1", 1, "ann", 200)))
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError, AppendRefused]


class OvertakenLog:
    """A log under whose feet another writer appends, once, between the room's look at the head and its append."""

    def __init__(self, log: SqliteCommits, other: Room, commands: Sequence[Command]) -> None:
        self._log, self._other, self._commands = log, other, list(commands)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        commands, self._commands = self._commands, []
        for outcome in self._other.execute(commands):
            assert isinstance(outcome, Answer), outcome
        return self._log.append_all(appends)


def overtaken(room: Room, log: SqliteCommits, *commands: Command, order: Order = shuffled) -> Room:
    """A room over the same log that is overtaken by these commands at its first append."""
    return room_over(OvertakenLog(log, room, commands), room.ports, order)


def test_what_another_writer_overtook_is_decided_again(room: Room, log: SqliteCommits, desk: Desk) -> None:
    dealt(room, desk)
    decision = room.table("t1").hand.decision  # type: ignore[union-attr]
    late = overtaken(room, log, desk(SitDown("t1", 3, "cid", 200)))
    height = commits(room)
    (answer,) = answered(late, desk(Call("t1-1", decision, 1)))
    assert [event["type"] for event in answer.events] == ["hand.called", "hand.turn-given"]
    assert commits(room) == height + 2
    assert late.table("t1").table.seats.keys() == {1, 2, 3}  # type: ignore[union-attr]
    assert verify_log(log).sound
    assert all(found is None for _, found in readjudicate_all(log, opener(log)))


def test_a_command_whose_decision_another_writer_took_is_refused(room: Room, log: SqliteCommits, desk: Desk) -> None:
    dealt(room, desk)
    decision = room.table("t1").hand.decision  # type: ignore[union-attr]
    late = overtaken(room, log, desk(Fold("t1-1", decision, 1)))
    assert "hand t1-1 is over" in str(give(late, desk(Call("t1-1", decision, 1)))[0])
    assert verify_log(log).sound


def test_a_command_that_the_other_writer_recorded_is_answered_and_not_doubled(
    room: Room, log: SqliteCommits, desk: Desk
) -> None:
    dealt(room, desk)
    call = desk(Call("t1-1", room.table("t1").hand.decision, 1))  # type: ignore[union-attr]
    late = overtaken(room, log, call)
    height = commits(room)
    (answer,) = answered(late, call)
    assert commits(room) == height + 1
    assert [event["type"] for event in answer.events] == ["hand.called", "hand.turn-given"]


def test_a_reshuffle_that_was_not_recorded_is_forgotten_with_its_order(
    room: Room, log: SqliteCommits, desk: Desk, ports: Ports
) -> None:
    """The other writer only notes a wish, so the draw still answers its decision: cards come from a second shuffle."""
    answered(room, *map(desk, a_full_table("triple-draw", 6)))
    while len(hand_of(room).drawn) < 4:
        answered(room, desk(stays_in(hand_of(room))))
    orders: list[Sequence[int]] = []

    def at_random(seed: bytes, hand: str, cards: Sequence[int], first: int) -> Sequence[int]:
        orders.append(Random(len(orders)).sample(cards, len(cards)))
        return orders[-1]

    late = overtaken(room, log, desk(AskToShow("t1-1", 1)), order=at_random)
    (answer,) = answered(late, desk(stays_in(hand_of(late))))
    shown = [event["data"] for event in answer.events if event["type"] == "hand.deck-reshuffled"]
    assert len(orders) == 2 and orders[0] != orders[1]
    assert [sealer(log, "t1-1").order(one["indices"][0], one["cards"]) for one in shown] == [orders[1]]
    assert everything_in(hand_of(late)) == everything_in(hand_of(room_over(log, ports, at_random)))
    while not hand_of(late).settled:
        answered(late, desk(stays_in(hand_of(late))))
    assert verify_home(log).sound
    assert all(found is None for _, found in readjudicate_all(log, opener(log, None)))


class PrefixLog(OvertakenLog):
    """A log that takes only the first entry of an append before another writer comes: a prefix, as Kafka may."""

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        if not self._commands:
            return self._log.append_all(appends)
        ((shard, expected, entries, _),) = appends
        accepted = self._log.append(shard, expected, entries[:1])
        commands, self._commands = self._commands, []
        self._other._forget(commands, range(len(commands)))
        for outcome in self._other.execute(commands):
            assert isinstance(outcome, Answer), outcome
        return [HeadMoved(shard, expected, self._log.head(shard), accepted)]


def test_of_a_prefix_that_was_accepted_only_the_rest_is_decided_again(
    room: Room, log: SqliteCommits, desk: Desk
) -> None:
    answered(room, desk(open_table()))
    late = room_over(PrefixLog(log, room, [desk(SitDown("t1", 3, "cid", 200))]), room.ports)
    height = commits(room)
    batch = [desk(SitDown("t1", 1, "ann", 200)), desk(SitDown("t1", 2, "bob", 200)), desk(SitDown("t1", 3, "dan", 200))]
    outcomes = give(late, *batch)
    assert [type(outcome) for outcome in outcomes] == [Answer, Answer, Refused]
    assert "seat 3 is taken by cid" in str(outcomes[2])
    assert commits(room) == height + 3
    assert [seat.player for _, seat in sorted(room_over(log, room.ports).table("t1").table.seats.items())] == [  # type: ignore[union-attr]
        "ann", "bob", "cid",
    ]  # fmt: skip
    assert verify_log(log).sound


# --- the writer ------------------------------------------------------------------------------------------------------


def test_a_closed_writer_has_answered_everything_and_takes_no_more(place: Path, ports: Ports, desk: Desk) -> None:
    with open_writer(place, ports) as writer:
        waiting = [writer.submit(desk(args)) for args in a_table_of_two()]
    assert all(one.done() for one in waiting)
    with pytest.raises(RuntimeError, match="it takes no more commands"):
        writer.submit(desk(open_table("t2")))


def test_a_defect_is_given_to_the_one_who_asked_and_the_writer_goes_on(
    room: Room, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer(room)
    try:
        with monkeypatch.context() as broken:
            broken.setattr("services.room.room.play_desk", lambda *_: 1 // 0)
            answer = writer.submit(desk(open_table()))
            with pytest.raises(ZeroDivisionError):
                answer.result(timeout=10)
        assert writer.submit(desk(open_table())).result(timeout=10).events
    finally:
        writer.close()


def test_the_log_outlives_the_room_that_wrote_it(place: Path, ports: Ports, desk: Desk, tmp_path: Path) -> None:
    with open_writer(place, ports) as writer:
        for args in a_table_of_two():
            writer.submit(desk(args)).result()
        copy = tmp_path / "copy"
        copy.mkdir()
        with sqlite3.connect(place / LOG_FILE) as source, sqlite3.connect(copy / LOG_FILE) as target:
            source.backup(target)
        shutil.copy2(place / KEY_FILE, copy / KEY_FILE)
    with open_writer(copy, ports) as writer:
        hand = writer.room.table("t1").hand
        assert hand
        assert writer.submit(desk(Call("t1-1", hand.decision, 1))).result().events
    shutil.rmtree(copy)


def test_forging_helpers_do_forge(place: Path, ports: Ports, desk: Desk) -> None:
    with open_writer(place, ports) as writer:
        for args in a_table_of_two():
            writer.submit(desk(args)).result()
    forged = forge_event(place, "table.chips-brought", lambda data: data.update(amount=1))
    with open_log(place) as log:
        assert b'"amount":1,' in log.record(forged.shard, forged.height).body


def test_a_stale_decision_is_refused_with_what_players_have_done_since_and_nothing_else(room: Room, desk: Desk) -> None:
    dealt(room, desk)
    hand = room.table("t1").hand
    assert hand
    old = hand.decision
    answered(room, desk(AskToShow("t1-1", 2)))
    assert hand.decision == old, "a wish that nobody may know of moves no number"
    answered(room, desk(Raise("t1-1", hand.decision, 1, 6)))
    answered(room, desk(Call("t1-1", hand.decision, 2)))
    sentence = refusal(room, desk(Fold("t1-1", old, 1)))
    assert sentence.startswith(f"decision {old} of hand t1-1 has been answered, and the hand has moved on")
    assert sentence.endswith("; since then: seat 1 raises to 6, seat 2 calls 4"), "no wish, no card"


def test_a_stale_decision_in_the_batch_that_deals_the_hand_is_refused_alone(room: Room, desk: Desk) -> None:
    *seating, deal = a_table_of_two()
    answered(room, *map(desk, seating))
    dealing, stale = give(room, desk(deal), desk(Fold("t1-1", 0, 1)))
    assert isinstance(dealing, Answer)
    assert isinstance(stale, Refused)
