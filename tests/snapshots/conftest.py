"""One small room with a hand under way at its table, and its snapshots."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.bootstrap import open_log
from services.eventlog.log import Log
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.snapshots.reader import Missing, Snapshot, find, in_log
from services.snapshots.writer import SnapshotWriter
from tests.services.homes import Desk, a_table_of_two, hand_of, keys_of, new_home, room_over, stays_in
from tests.snapshots.partition import Partition

SHARD = 3
"""Where table t1 lies."""


@dataclass
class Small:
    """The room, the partition of its shard, and what plays there."""

    log: Log
    room: Room
    desk: Desk
    keys: RoomKeys
    partition: Partition
    writer: SnapshotWriter

    def give(self, *commands: Any) -> None:
        for args in commands:
            (outcome,) = self.room.execute([self.desk(args)])
            assert not isinstance(outcome, Exception), outcome

    def go_on(self) -> None:
        """Whoever is to act stays in the hand."""
        self.give(stays_in(hand_of(self.room)))

    def write(self) -> None:
        taken = self.writer.take()
        assert taken, "nothing has changed"
        self.writer.write(taken, self.partition.send)

    def found(self, shard: int = SHARD) -> Snapshot | Missing:
        return find(self.partition, self.keys, shard, in_log(self.log, shard))

    def snapshot(self) -> Snapshot:
        found = self.found()
        assert isinstance(found, Snapshot), found
        return found

    def why_none(self) -> str:
        found = self.found()
        assert isinstance(found, Missing), found
        return found.reason

    def owner(self) -> SnapshotWriter:
        """A writer that knows nothing of those before it but what the newest snapshot says."""
        return SnapshotWriter(self.room, self.keys, SHARD, self.snapshot())


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    ports = new_home(tmp_path / "home")
    with open_log(tmp_path / "home", write=True) as log:
        room, keys = room_over(log, ports), keys_of(log)
        room.restore(SHARD, {}, log.tables(SHARD))
        made = Small(log, room, Desk(ports), keys, Partition(), SnapshotWriter(room, keys, SHARD))
        made.give(*a_table_of_two())
        yield made
