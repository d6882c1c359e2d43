"""A room that goes on from a snapshot answers every command as one that has read the whole log."""

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from domain.messages import Refused
from services.bootstrap import open_log
from services.eventlog.log import Log
from services.room.recording import Answer
from services.room.room import KEPT, Outcome, Room
from services.snapshots import writer
from tests.services.homes import new_home, room_over
from tests.snapshots.floor import GAMES, Floor, taken
from tests.snapshots.takeover import Snapshots, reading_the_whole_log, restored_from


def said(outcome: Outcome) -> object:
    return outcome if isinstance(outcome, Answer) else (type(outcome), str(outcome))


def records(log: Log) -> list[bytes]:
    return [record.raw for shard in range(log.shards) for record in log.read(shard)]


def same_answers(whole: Room, restored: Room, floor: Floor, commands: int) -> list[Outcome]:
    outcomes = []
    for _ in range(commands):
        command = floor.next(whole)
        (expected,), (found,) = whole.execute([command]), restored.execute([command])
        assert said(found) == said(expected), command
        outcomes.append(expected)
    return outcomes


@pytest.mark.parametrize("seed", [1, 2])
def test_it_goes_on_byte_for_byte_from_a_random_commit_of_all_games(tmp_path: Path, seed: int) -> None:
    home, random = tmp_path / "home", Random(seed)
    ports = new_home(home, seed)
    with open_log(home, write=True) as log, patch.object(writer, "PAGE", 4):  # so that there are pages
        room, floor = room_over(log, ports), Floor(seed)
        snapshots = Snapshots(room)
        snapshots.write()
        room.execute(floor.opening())
        snapshots.write_between(random, partial(floor.play, room), rounds=6, most=150)
        floor.play(room, random.randrange(60))  # what comes after the last snapshot
    with ExitStack() as rooms:
        whole = rooms.enter_context(reading_the_whole_log(home, tmp_path / "whole"))
        restored = rooms.enter_context(restored_from(snapshots, home, tmp_path / "restored"))
        playing = {one.game for one in floor.tables if whole.table(one.table).hand}
        outcomes = same_answers(whole, restored, floor, 400)
        assert records(restored.log) == records(whole.log)
    answered, refused = len(taken(outcomes)), sum(isinstance(one, Refused) for one in outcomes)
    assert answered >= 250, "too little was played"
    assert refused >= 20, "too little was repeated in vain"
    assert playing == GAMES


def test_every_command_that_was_ever_answered_is_answered_again_or_refused_alike(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ports = new_home(home)
    with open_log(home, write=True) as log, patch.object(writer, "PAGE", 4):
        room, floor = room_over(log, ports), Floor(5)
        snapshots = Snapshots(room)
        room.execute(floor.opening())
        floor.play(room, 400)
        snapshots.write()
    with ExitStack() as rooms:
        whole = rooms.enter_context(reading_the_whole_log(home, tmp_path / "whole"))
        restored = rooms.enter_context(restored_from(snapshots, home, tmp_path / "restored"))
        before = records(whole.log)
        again = [whole.execute([command])[0] for command in floor.given]
        assert [said(restored.execute([command])[0]) for command in floor.given] == list(map(said, again))
        table_commands = [one for one in floor.given if not hasattr(one.args, "hand")]
        answered = {one.id for one, outcome in zip(floor.given, again, strict=True) if isinstance(outcome, Answer)}
        assert len({one.id for one in table_commands} & answered) >= 120
        assert records(whole.log)[: len(before)] == before


def test_what_a_table_has_forgotten_by_the_log_s_time_is_not_remembered_by_a_snapshot(tmp_path: Path) -> None:
    """A room that reads the log forgets the commands of more than a day ago; one that has run all the time may not."""
    home, later = tmp_path / "home", [0]
    ports, floor = new_home(home), Floor(4)
    floor_now = floor.desk.ports.now
    with open_log(home, write=True) as log:
        room = room_over(log, replace(ports, now=lambda: ports.now() + later[0]))
        snapshots = Snapshots(room)
        room.execute(floor.opening())
        later[0] = KEPT + 1_000_000
        floor.desk.ports = replace(floor.desk.ports, now=lambda: floor_now() + later[0])
        floor.play(room, 40)
        snapshots.write()
    with ExitStack() as rooms:
        whole = rooms.enter_context(reading_the_whole_log(home, tmp_path / "whole"))
        restored = rooms.enter_context(restored_from(snapshots, home, tmp_path / "restored"))
        opening = {command.id for command in floor.given[:50]}
        assert opening & snapshots.found(whole.log, 3).tables["t1"].desk().of_table.keys()
        for one in floor.tables:
            assert restored._desk(f"table:{one.table}").of_owner == whole._desk(f"table:{one.table}").of_owner
            assert not opening & restored._desk(f"table:{one.table}").of_owner.keys()


def test_a_room_that_goes_on_from_a_snapshot_writes_the_next_one(tmp_path: Path) -> None:
    """And so on: the third owner of the shards still has all of it."""
    home = tmp_path / "home"
    ports, floor = new_home(home), Floor(6)
    with open_log(home, write=True) as log:
        room = room_over(log, ports)
        first = Snapshots(room)
        room.execute(floor.opening())
        floor.play(room, 200)
        first.write()
        floor.play(room, 30)
    with restored_from(first, home, tmp_path / "second") as room:
        second = Snapshots.__new__(Snapshots)
        second.partitions, second.writers = first.partitions, []
        for shard in range(room.log.shards):
            found = first.found(room.log, shard)
            keys = first.writers[shard]._keys
            second.writers.append(writer.SnapshotWriter(room, keys, shard, found))
        second.write()
        for partition in second.partitions:
            partition.compact()
        floor.play(room, 20)
    with ExitStack() as rooms:
        whole = rooms.enter_context(reading_the_whole_log(tmp_path / "second", tmp_path / "whole"))
        restored = rooms.enter_context(restored_from(second, tmp_path / "second", tmp_path / "third"))
        same_answers(whole, restored, floor, 200)
