"""A room whose log another one wrote up to some commit, read as a whole or from a snapshot on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

from services.bootstrap import open_log
from services.eventlog.log import Log, Part
from services.ports import seeded_ports
from services.room.room import Room
from services.room.shards import shard_of
from services.snapshots.reader import Missing, Snapshot, find, in_log
from services.snapshots.writer import SnapshotWriter
from tests.services.homes import keys_of, room_over
from tests.snapshots.partition import Partition

LATER = 1_700_000_100_000_000


class TailOnly:
    """A log that finds only the commits after some heights by their stream, as one whose index began at a snapshot."""

    def __init__(self, log: Log, heights: dict[int, int]) -> None:
        self._log, self._heights = log, heights

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def stream_parts(self, stream: str, *bounds: int | None, **more: Any) -> list[Part]:
        height = self._heights[shard_of(_owner_of(stream), self._log.shards)]
        return [part for part in self._log.stream_parts(stream, *bounds, **more) if part.height > height]


def _owner_of(stream: str) -> str:
    kind, name = f"{stream}:".split(":")[:2]
    return f"player:{name}" if kind in ("player", "account") else f"table:{name.partition('-')[0]}"


class Snapshots:
    """The snapshots of all shards of a room: their partitions, and a writer each."""

    def __init__(self, room: Room) -> None:
        self.room = room
        shards = range(room.log.shards)
        self.partitions = [Partition() for _ in shards]
        for shard in shards:
            room.restore(shard, {}, room.log.tables(shard))
        self.writers = [SnapshotWriter(room, keys_of(room.log), shard) for shard in shards]

    def write(self) -> None:
        for writer, partition in zip(self.writers, self.partitions, strict=True):
            while not writer.gather(100):
                pass
            taken = writer.take()
            if taken is not None:
                writer.write(taken, partition.send)

    def write_between(self, random: Random, play: Callable[[int], object], rounds: int, most: int) -> None:
        """Play so many times, up to `most` commands, and write after each; now and then the topics are compacted."""
        for _ in range(rounds):
            play(random.randrange(1, most))
            self.write()
            if random.random() < 0.5:
                for partition in self.partitions:
                    partition.compact()

    def found(self, log: Log, shard: int) -> Snapshot:
        found = find(self.partitions[shard], keys_of(log), shard, in_log(log, shard))
        assert not isinstance(found, Missing), found
        return found


@contextmanager
def reading_the_whole_log(home: Path, copy: Path) -> Iterator[Room]:
    copytree(home, copy)
    with open_log(copy, write=True) as log:
        yield room_over(log, seeded_ports(7, LATER))


@contextmanager
def restored_from(snapshots: Snapshots, home: Path, copy: Path) -> Iterator[Room]:
    """The same where nothing before the snapshots is read but what was answered to a command that is repeated."""
    copytree(home, copy)
    with open_log(copy, write=True) as log:
        found = [snapshots.found(log, shard) for shard in range(log.shards)]
        heights = {shard: one.position.height for shard, one in enumerate(found)}
        room = room_over(TailOnly(log, heights), seeded_ports(7, LATER))
        for shard, one in enumerate(found):
            height = one.position.height
            changed = log.patrons(shard, height)
            room.restore(shard, one.tables, log.tables(shard, height), one.patrons or (), changed)
        yield room
