"""A process's snapshots: taken at any time, written to partitions that outlive it, and gone on from by the next."""

from collections import Counter
from contextlib import suppress
from random import Random

from services.eventlog.log import LogError
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.snapshots.reader import Snapshot, find, in_log
from services.snapshots.writer import SnapshotWriter
from tests.snapshots.partition import Partition


class Snapshots:
    """What `services.node.snapshots.Snapshots` is to a keeper, without a thread of its own."""

    def __init__(self, room: Room, keys: RoomKeys, partitions: list[Partition], seed: str) -> None:
        self._room, self._keys, self._partitions = room, keys, partitions
        self._random = Random(f"{seed} takes snapshots")
        self._often = self._random.choice([0, 0.02, 0.2])
        self._writers: dict[int, SnapshotWriter] = {}
        self.happened = Counter[str]()

    def newest(self, shard: int) -> Snapshot | None:
        found = find(self._partitions[shard], self._keys, shard, in_log(self._room.log, shard))
        if not isinstance(found, Snapshot):
            return None
        self.happened["takeovers from a snapshot"] += 1
        return found

    def began(self, shard: int, snapshot: Snapshot | None) -> None:
        self._writers[shard] = SnapshotWriter(self._room, self._keys, shard, snapshot)

    def ended(self, shard: int) -> None:
        self._writers.pop(shard, None)

    def sometimes_write(self) -> None:
        """Of a shard, where the log can be read; and now and then the broker removes what isn't needed any more."""
        for shard, writer in self._writers.items():
            if self._random.random() < self._often:
                with suppress(LogError):
                    writer.gather(self._random.randrange(1, 9))
                    taken = writer.take()
                    if taken is not None:
                        writer.write(taken, self._partitions[shard].send)
                        self.happened["snapshots"] += 1
                if self._random.random() < 0.3:
                    self._partitions[shard].compact()
