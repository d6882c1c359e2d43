"""Nodes without processes, on a real Kafka: a test sets their clock, and says when each does what."""

import secrets
from contextlib import ExitStack
from pathlib import Path
from shutil import copytree
from typing import Any

from prometheus_client import CollectorRegistry

from domain.messages import SECOND, table_stream
from services.bootstrap import INDEX_FILE, open_log
from services.eventlog.mapper import repository
from services.node.keeper import Keeper
from services.node.metrics import NodeMetrics
from services.node.node import Node
from services.ports import Ports
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.room import Room
from services.room.shards import shard_of
from services.room.writer import Writer
from services.rulings import recorded
from services.sealing.shoe import SealedShoes
from tests.services.homes import Desk, keys_of, stays_in
from tests.services.tables import give

SHARD = shard_of(table_stream("t1"), 4)


class Clock:
    """Shows the time that a test has set, in UTC microseconds."""

    def __init__(self) -> None:
        self.now = 1_700_000_000 * SECOND

    def goes_on(self, microseconds: int) -> None:
        self.now += microseconds


class ByHand:
    """What a node keeps its shards with, and nothing else of it: so a test decides when it does what."""

    def __init__(self, home: Path, name: str, clock: Clock, open_: ExitStack) -> None:
        ports, self.clock = Ports(lambda: clock.now, secrets.randbits), clock
        self.log = open_.enter_context(open_log(home, write=True, alone=True))
        office = Office(self.log, repository(self.log))
        self.claims = Claims(self.log, Claimant(name, f"http://{name}:8080", "0.6.0"), ports, office.entry_of)
        self.room = Room(self.log, ports, SealedShoes(keys_of(self.log), ports.bits), self.claims)
        self.keeper = Keeper(self.room, self.claims)
        self.desk = Desk(ports)

    def give(self, args: Any) -> None:
        give(self.room, self.desk(args))

    def hand(self, table: str = "t1") -> Any:
        return self.room.table(table).hand

    def stacks(self, table: str = "t1") -> list[int]:
        known = self.room.table(table).table
        assert known
        return [seat.stack for seat in known.seats.values()]

    def finish_hand(self) -> None:
        while not self.hand().settled:
            self.give(stays_in(self.hand()))

    def commands(self) -> list[Any]:
        """What was asked of the shard, from its first claim on."""
        return [recorded(record).args for record in self.log.read(SHARD, 1)]


class Place:
    """A room on the real broker, its clock, and nodes that come and go."""

    def __init__(self, folder: Path, clock: Clock, open_: ExitStack) -> None:
        self._folder, self.clock, self._open = folder, clock, open_

    def node(self, name: str) -> ByHand:
        home = self._folder / name
        copytree(self._folder / "made", home)
        (home / INDEX_FILE).unlink(missing_ok=True)
        return ByHand(home, name, self.clock, self._open)

    def whole(self, name: str, said: list[str]) -> Node:
        """A node with its writer's thread, without a door; what it says is added to `said`."""
        one = self.node(name)
        writer = Writer(one.room)
        self._open.callback(writer.close)
        reading = self._open.enter_context(one.log.reader())
        return Node(one.log, reading, writer, one.claims, said.append, NodeMetrics(CollectorRegistry()))
