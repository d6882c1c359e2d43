"""What the door needs of the node behind it, and the smallest node: a room with its writer, which owns every shard."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from domain.account.state import Patron
from domain.messages import Command, player_stream, table_stream
from domain.room import RoomClosed
from domain.rules.phrases import counted
from domain.table.play import Play
from services.eventlog.log import Log
from services.room.recording import Answer
from services.room.room import Room
from services.room.shards import shard_of
from services.room.writer import Writer
from services.rulings import facts_of_hand

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a shard stands at this node.

    `owned`: whether this node writes it, or is about to. `lag`: the records that this node has still to read.
    `stopped`: whether it takes no commands until somebody has looked at its log.
    """

    shard: int
    owned: bool
    lag: int = 0
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Readiness:
    """How a node stands. `missing`: what it waits for besides its shards, such as the broker; empty where nothing."""

    shards: tuple[Standing, ...]
    missing: str = ""

    @property
    def reason(self) -> str:
        """Why the node isn't ready; empty where it is. A stopped shard is no reason: the others are served."""
        behind = [one for one in self.shards if one.owned and one.lag and not one.stopped]
        waits = [f"shard {one.shard} is {counted(one.lag, 'record')} behind its log" for one in behind]
        return "; ".join([self.missing, *waits] if self.missing else waits)


class Host(Protocol):
    """A node, as its door sees it. All of it may be called from any thread; only `facts` may take a while."""

    @property
    def room(self) -> str:
        """The room's name."""
        ...

    def shard_of(self, owner: str) -> int:
        """Where the commands of an owner, such as `table:t1`, are decided."""
        ...

    def owner(self, shard: int) -> str | None:
        """The door of the shard's owner, such as `http://127.0.0.1:8080`; None where it has none just now."""
        ...

    def submit(self, command: Command) -> "Future[Answer]":
        """The answer to come: an AnswerAgain where the command is known to be a repeat. Cancelling it does nothing.

        Its exception is Refused for a broken rule. NotOwner (only where nothing was sent to the log), ShardStopped,
        AppendRefused and keys that are missing say that nothing was recorded; any other error leaves that open.
        """
        ...

    def look(self, table: str, see: Callable[[Play], T]) -> "Future[T]":
        """What `see` finds in a table as the log has it now; one with neither state nor hand where there is no such
        table. It is called in the thread that owns the table, and must keep nothing of what it is shown.

        Its exception is NotOwner, or LogError where the table can't be read.
        """
        ...

    def look_up(self, player: str, see: Callable[[Patron, int], T]) -> "Future[T]":
        """What `see` finds in a patron at a time (UTC microseconds), in the same way; one without a file where nothing
        is recorded of him."""
        ...

    def is_closed(self) -> "Future[bool]":
        """Whether the floor has closed the room, by all that its log has now: the node decides nothing after that
        which doesn't rest on it. Its exception is LogError where that can't be read."""
        ...

    def facts(self, hand: str) -> list[Any]:
        """The facts of a hand from the log, from its HandOpened on.

        Raises NoSuchHand; NotOwner where this node doesn't follow the hand's shard; LogError.
        """
        ...

    def readiness(self) -> Readiness:
        """How the node stands; answered at once."""
        ...


class RoomHost:
    """A room with its writer, over a log that nobody else writes: it owns every shard."""

    def __init__(self, writer: Writer, log: Log, address: str = "") -> None:
        """`log`: to read from; another than the writer's own doesn't wait for it. `address`: of the room's own door."""
        self._writer, self._log, self._address = writer, log, address

    @property
    def room(self) -> str:
        return self._log.room

    def shard_of(self, owner: str) -> int:
        return shard_of(owner, self._log.shards)

    def owner(self, shard: int) -> str | None:
        return self._address

    def submit(self, command: Command) -> "Future[Answer]":
        return self._writer.submit(command)

    def look(self, table: str, see: Callable[[Play], T]) -> "Future[T]":
        return self._writer.look(lambda room: see(table_in(room, table)))

    def look_up(self, player: str, see: Callable[[Patron, int], T]) -> "Future[T]":
        return self._writer.look(lambda room: see(*patron_in(room, player)))

    def is_closed(self) -> "Future[bool]":
        return self._writer.look(lambda room: isinstance(room.doors(), RoomClosed))

    def facts(self, hand: str) -> list[Any]:
        return facts_of_hand(self._log, hand)[0]

    def readiness(self) -> Readiness:
        return Readiness(tuple([Standing(shard, owned=True) for shard in range(self._log.shards)]))


def table_in(room: Room, table: str) -> Play:
    """The table as the room has it; asking for tables that don't exist leaves nothing in its memory."""
    known = room.log.stream_version(table_stream(table)) is not None
    return room.table(table) if known else Play(table)


def patron_in(room: Room, player: str) -> tuple[Patron, int]:
    """The patron as the room has him, in the same way, and the time there: never before that of the last commit."""
    stream = player_stream(player)
    known = room.log.stream_version(stream) is not None
    now = max(room.ports.now(), room.last_at(shard_of(stream, room.log.shards)))
    return room.patron(player) if known else Patron(player), now
