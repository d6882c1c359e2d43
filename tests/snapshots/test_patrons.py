"""Patrons are in the snapshot: a room that goes on from there answers them, and knows what they have under way."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from domain.account import commands as ask
from domain.messages import Refused
from services.bootstrap import open_log
from services.eventlog.log import AppendRefused
from services.kafka.clients import BrokerAway
from services.room.recording import AnswerAgain
from services.room.room import Room
from services.room.shards import shard_of
from services.snapshots import cabinet, writer
from services.snapshots.patrons import StoredPatrons
from services.snapshots.states import dump_patron, dump_table, load_patron
from services.staffing import found_in
from tests.services.homes import new_home, room_over
from tests.services.patrons import attended, buy_in, real_table, with_money
from tests.snapshots.cage import PLAYERS, TABLES, Cage
from tests.snapshots.conftest import SHARD, Small
from tests.snapshots.floor import taken
from tests.snapshots.takeover import Snapshots, reading_the_whole_log, restored_from
from tests.snapshots.test_restoring import records, said


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 20))])
def test_it_goes_on_byte_for_byte_from_a_random_commit_of_a_room_with_accounts(tmp_path: Path, seed: int) -> None:
    """With drawers so small that there are many."""
    home, random = tmp_path / "home", Random(seed)
    ports, cage = new_home(home, seed), Cage(seed)
    with (
        open_log(home, write=True) as log,
        patch.object(cabinet, "FULL", 400),
        patch.object(cabinet, "PIECE", 300),
        patch.object(writer, "FEW_LETTERS", 3),
    ):
        room = room_over(log, ports)
        snapshots = Snapshots(room)
        snapshots.write()
        room.execute(cage.opening())
        snapshots.write_between(random, partial(cage.play, room), rounds=5, most=80)
        cage.play(room, random.randrange(40))  # what comes after the last snapshot
        with ExitStack() as rooms:
            whole = rooms.enter_context(reading_the_whole_log(home, tmp_path / "whole"))
            restored = rooms.enter_context(restored_from(snapshots, home, tmp_path / "restored"))
            assert states(restored) == states(whole)
            knows_who_has_something_under_way(restored)
            answered = refused = 0
            for _ in range(150):
                command = cage.next(whole)
                (expected,), (found,) = whole.execute([command]), restored.execute([command])
                assert said(found) == said(expected), command
                answered, refused = answered + len(taken([expected])), refused + isinstance(expected, Refused)
            assert states(restored) == states(whole)
            assert records(restored.log) == records(whole.log)
    assert answered >= 60, "too little happened"
    assert refused >= 10


def states(room: Room) -> list[object]:
    """Of all patrons and tables, with what the patrons remember."""
    patrons = [dump_patron(*room.patron_of(player)) for player in PLAYERS]
    return [*patrons, *(dump_table(table) for name in TABLES if (table := room.table(name).table))]


def knows_who_has_something_under_way(room: Room) -> None:
    known = {player for shard in range(room.log.shards) for player in room.patrons_to_look_at(shard)}
    assert {player for player in PLAYERS if room.under_way(f"player:{player}")} <= known


# --- what is written -------------------------------------------------------------------------------------------------

GUESTS = [name for number in range(80) if shard_of(f"player:{(name := f'guest{number}')}", 4) == SHARD][:11]
"""Players whose accounts lie in the shard of t1; nobody has heard of the last one."""

FIRST, SECOND = GUESTS[:2]
STRANGER = GUESTS.pop()


@pytest.fixture
def full(small: Small) -> Small:
    """All of them have money; and there is a table that is played from accounts."""
    small.give(real_table("t6"), *(args for guest in GUESTS for args in with_money(guest)))
    return small


def gathered(small: Small, some: int = 3) -> None:
    while not small.writer.gather(some):
        pass


def keys_sent(small: Small) -> list[str]:
    first = small.partition.next
    small.write()
    return [key.decode() for at, (key, _) in small.partition.records.items() if at >= first]


def stored(small: Small) -> StoredPatrons:
    drawers = small.snapshot().patrons
    assert drawers is not None
    return StoredPatrons(drawers)


def as_live(small: Small) -> bool:
    """Whether every guest lies in the snapshot as the room has him."""
    return all(stored(small).patron(guest) == small.room.patron_of(guest) for guest in GUESTS)


def test_no_snapshot_has_patrons_before_all_are_known(full: Small) -> None:
    full.write()
    assert full.snapshot().patrons is None
    assert not full.snapshot().beginning(SHARD).patrons
    assert not full.writer.gather(4)
    full.give(ask.Deposit(GUESTS[9], "EUR", 5, "another"), *with_money("dora"))  # whom it has looked at; a new one
    full.write()
    assert full.snapshot().patrons is None
    gathered(full)
    full.write()
    assert as_live(full)
    assert full.snapshot().beginning(SHARD).patrons
    assert full.writer.gather(1)


def test_only_drawers_of_patrons_who_changed_are_written(full: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cabinet, "FULL", 400)
    gathered(full)
    assert len([key for key in keys_sent(full) if key.startswith("patrons:")]) >= 4
    assert full.writer.take() is None
    full.give(ask.Deposit(FIRST, "EUR", 5, "another"))
    assert [key.partition(":")[0] for key in keys_sent(full)] == ["patrons", "manifest/1"]
    assert as_live(full)
    full.go_on()
    assert keys_sent(full) == ["hand:t1/1", "manifest/0"]


def test_a_patron_is_decoded_when_he_is_first_needed(full: Small) -> None:
    gathered(full)
    full.write()
    snapshot = full.snapshot()
    with patch("services.snapshots.patrons.load_patron", wraps=load_patron) as loaded:
        full.room.restore(SHARD, snapshot.tables, (), snapshot.patrons or ())
        full.writer = full.owner()
        assert full.room.patrons_to_look_at(SHARD) == set()
        full.give(ask.Deposit(FIRST, "EUR", 5, "another"))
        full.write()
        full.partition.compact()
        assert [call.args[0] for call in loaded.call_args_list] == [FIRST]
    assert as_live(full)


def test_who_has_something_under_way_is_told_by_the_snapshot_until_it_has_come(full: Small) -> None:
    gathered(full)
    full.give(buy_in(FIRST, 1, 150, "t6"))
    full.write()
    assert stored(full).under_way() == {FIRST}
    full.give(ask.Deposit(SECOND, "EUR", 5, "another"))
    full.write()
    assert stored(full).under_way() == {FIRST}
    ((_, sent),) = full.room.under_way(f"player:{FIRST}")
    snapshot = full.snapshot()
    full.room.restore(SHARD, snapshot.tables, (), snapshot.patrons or (), [SECOND])
    assert full.room.patrons_to_look_at(SHARD) == {FIRST, SECOND}
    assert full.room.under_way(f"player:{FIRST}") == [(f"account:{FIRST}:eur", sent)]
    staffed = attended(full.room)
    staffed.runner.find(found_in(full.room, SHARD, f"player:{FIRST}"))
    staffed.settle()
    full.write()
    assert stored(full).under_way() == set()


def test_what_was_decided_and_never_recorded_leaves_nothing_in_a_snapshot(full: Small) -> None:
    """Patrons whom the room has dropped are looked at again; of one nothing was ever recorded."""
    gathered(full)
    full.write()
    commands = [full.desk(ask.Deposit(FIRST, "EUR", 5, "another")), full.desk(ask.OpenAccount(STRANGER, "EUR"))]
    with patch.object(full.room.log, "append_all", return_value=[AppendRefused("the disk is full")]):
        outcomes = full.room.execute(commands)
    assert [type(outcome) for outcome in outcomes] == [AppendRefused, AppendRefused]
    assert full.room.changed_patrons(SHARD) == {FIRST, STRANGER}
    full.go_on()
    full.write()
    assert as_live(full)
    assert stored(full).patron(STRANGER) is None


def test_after_an_error_the_next_snapshot_has_what_changed_before(full: Small) -> None:
    gathered(full)
    full.write()
    full.give(ask.Deposit(FIRST, "EUR", 5, "another"))
    taken_before = full.writer.take()
    assert taken_before
    with pytest.raises(BrokerAway):
        full.writer.write(taken_before, away)
    full.go_on()
    full.write()
    full.partition.compact()
    assert as_live(full)


def away(_: object) -> list[int]:
    raise BrokerAway("no broker")


def test_what_he_was_answered_is_answered_again(full: Small) -> None:
    gathered(full)
    command = full.desk(ask.Deposit(FIRST, "EUR", 5, "another"))
    (answer,) = full.room.execute([command])
    full.write()
    snapshot = full.snapshot()
    full.room.restore(SHARD, snapshot.tables, (), snapshot.patrons or ())
    (again,) = full.room.execute([command])
    assert isinstance(again, AnswerAgain)
    assert again == answer
