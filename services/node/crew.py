"""The staff of a node's room: it looks after the tables and patrons of those shards that the node writes."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event

from domain.desk import under_way
from domain.messages import Command, player_stream
from services.eventlog.log import Log, LogError
from services.node.beside import beside
from services.ports import Ports
from services.room.advance import AdvanceActions
from services.room.clerk import Clerk
from services.room.clocks import Timekeeper
from services.room.porter import Porter
from services.room.recording import Answer
from services.room.room import Room
from services.room.shards import shard_of
from services.room.staff import Send, Staff, at_work
from services.room.transit import ChipRunner, Found
from services.room.ushers import Usher
from services.room.writer import Writer
from services.staffing import Say, tell_of
from services.under_way import find_under_way

ROUND = 0.2
"""Seconds between two looks whether a shard was taken over."""


class Crew:
    """Who keeps time, holds what players chose in advance, carries what is under way, stands up who leaves, and closes
    the tables with the room. It is told of shards in the writer's thread."""

    def __init__(self, writer: Writer, ports: Ports, say: Say) -> None:
        self.timekeeper = Timekeeper(ports)
        self.advances = AdvanceActions(ports)
        self.runner = ChipRunner(ports, say)
        self._clerk, self._porter = Clerk(ports, say), Porter(ports, say)
        self._of_tables: list[Timekeeper | AdvanceActions | Usher] = [
            self.timekeeper,
            self.advances,
            self._clerk,
            self._porter,
        ]
        self._writer, self._say = writer, say
        self._send: Send = writer.submit
        self._staff = Staff(self._give, ports, [*self._of_tables, self.runner])
        self._taken: set[int] = set()
        """The shards that were taken over and whose patrons aren't looked through yet."""
        self._known: dict[int, set[str]] = {}
        """Of such shards the players who may have something under way, as long as they aren't looked at."""

    @contextmanager
    def at_work(self, send: Send, home: Path, reading: Log) -> Iterator[None]:
        """For as long as the context lasts. `send`: gives a command to its shard's owner. `reading`: the home's log, by
        another handle than the writer's."""
        self._send = send
        with (
            at_work(self._staff, self._writer),
            beside("known-under-way", self._look_at_known),
            beside("under-way", partial(self._look_up, home, reading)),
        ):
            yield

    def took_over(self, room: Room, shard: int) -> None:
        """Clocks that ran start afresh; what was chosen in advance is lost (rules.md section 8). What the tables have
        under way is known with them; who of the patrons may have something is known by the snapshot and what the log
        has after it, where there is one, and in the end by the view of it."""
        self.let_go(room, shard)
        tables = room.tables_of(shard)
        playing = [now for now in tables if now.hand is not None and not now.hand.settled]
        sent = [Found(shard, stream, one) for now in tables for stream, one in under_way(now)]
        self._staff.tell(partial(self.timekeeper.look_over, playing))
        self._staff.tell(partial(self._clerk.look_over, tables))
        self._staff.tell(partial(self._porter.see, room))
        self._staff.tell(partial(self._porter.look_over, tables))
        self._staff.tell(partial(self.runner.find, sent))
        self._known[shard] = room.patrons_to_look_at(shard)
        self._taken.add(shard)

    def see_doors(self, room: Room) -> None:
        """Another node may have recorded that the room is closed, or open again."""
        self._staff.tell(partial(self._porter.see, room))

    def let_go(self, room: Room, shard: int) -> None:
        """Another may write there now."""

        def is_there(owner: str) -> bool:
            return shard_of(owner, room.log.shards) == shard

        self._known.pop(shard, None)
        self._taken.discard(shard)
        for one in self._of_tables:
            self._staff.tell(partial(one.leave, is_there))
        self._staff.tell(partial(self.runner.leave, shard))

    def _give(self, command: Command) -> "Future[Answer]":
        return self._send(command)

    def _look_up(self, home: Path, reading: Log, until: Event) -> None:
        while not until.wait(ROUND):
            shards = frozenset(self._taken)
            self._taken -= shards  # one that is taken over anew meanwhile is looked through anew
            if shards:
                find_under_way(home, reading, shards, until, self._say, self._tell_of)

    def _look_at_known(self, until: Event) -> None:
        """At once, while the view may have to wait for what was recorded long ago."""
        while not until.wait(ROUND):
            for shard in list(self._known):
                for player in self._known.pop(shard, ()):
                    with suppress(LogError):  # who can't be read yet is found by the view
                        self._tell_of([(shard, player_stream(player))])

    def _tell_of(self, senders: Iterable[tuple[int, str]]) -> None:
        tell_of(self._writer, self._staff, self.runner, senders)
