"""A process of the room: alone in its home, or a node that claims shards and keeps them."""

from collections import Counter
from collections.abc import Callable, Sequence

from domain.messages import Command
from services.eventlog.commit import Head
from services.eventlog.log import Append, Entry, HeadMoved
from services.eventlog.mapper import repository
from services.eventlog.sqlite_commits import Sealed
from services.eventlog.sqlite_log import SqliteLog
from services.node.keeper import Keeper, TakenOver
from services.ports import Ports
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.recording import Answer
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.sealing.shoe import SealedShoes
from tests.simulation.snapshots import Snapshots
from tests.simulation.staff import Staff
from tests.snapshots.partition import Partition


class WatchedLog(SqliteLog):
    """The log itself; how often another writer came first is counted."""

    happened: Counter[str]

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        try:
            return super().append(shard, expected, entries, claim=claim)
        except HeadMoved:
            self.happened["another writer came first"] += 1
            raise


class SharedLog(WatchedLog):
    """The log as one of several processes has it that write there: where it ends is known from its last look, and an
    append looks first, as that of a log on Kafka comes to."""

    def catch_up(self, shard: int) -> int:
        before = self.head(shard).height
        self._ends[shard] = self._read_end(shard)
        self._versions.clear()
        return self.head(shard).height - before

    def _seal(self, append: Append) -> Sealed:
        if append.entries:
            self.catch_up(append.shard)
        return super()._seal(append)


class Process:
    """Room and log of one process. `node`: its name where it claims shards; empty where it is alone in its home.
    `partitions`: of each shard, where its snapshots lie."""

    def __init__(
        self,
        log: WatchedLog,
        ports: Ports,
        staff_ports: Ports,
        keys: RoomKeys,
        node: str,
        partitions: list[Partition],
        seed: int,
    ) -> None:
        self.log, self.node = log, node
        self.claims: Claims | None = None
        if node:
            entry_of = Office(log, repository(log)).entry_of
            self.claims = Claims(log, Claimant(node, f"http://{node}:8080", "1"), ports, entry_of)
        self.room = Room(log, ports, SealedShoes(keys, ports.bits), self.claims)
        self.staff = Staff(self.room, staff_ports)
        self._snapshots = Snapshots(self.room, keys, partitions, f"{seed} {node}")
        self._snapshots.happened = log.happened
        self._keeper = None if self.claims is None else Keeper(self.room, self.claims, self._snapshots)

    def execute(self, batch: Sequence[Command]) -> Sequence[Answer | Exception]:
        outcomes = self.room.execute(batch)
        self._snapshots.sometimes_write()
        return outcomes

    def owns(self, shard: int) -> bool:
        """Whether it writes there."""
        return self.claims is None or shard in self.claims.shards

    def begin(self) -> None:
        """Where it is alone: its staff looks where the one before has stopped. LogError where that can't be read."""
        if self._keeper is None:
            for shard in range(self.log.shards):
                self._find(shard)

    def take_over(self, told: Callable[[TakenOver], object]) -> None:
        """Claim every shard that it doesn't write. LogError where one can't be claimed now."""
        for shard in range(self.log.shards):
            if self._keeper is not None and not self.owns(shard):
                self.staff.leave(shard)
                told(self._keeper.take_over(shard))
                self._find(shard)

    def _find(self, shard: int) -> None:
        query = "SELECT name FROM streams WHERE shard = ? ORDER BY id"
        self.staff.find(shard, [name for (name,) in self.log.connection.execute(query, (shard,))])

    def keep_alive(self) -> None:
        """Say that it is there, where nobody has acted for a while. LogError where that can't be recorded."""
        if self._keeper is not None:
            self._keeper.keep_alive()
