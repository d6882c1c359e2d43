"""Those of the staff who bring a table to what it is to be, by commands about it: the clerk, the porter."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from domain.messages import SECOND, Command, Refused, table_stream
from domain.table.play import Play
from services.ports import Ports
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.staff import command_of_room

AGAIN = SECOND
"""Microseconds before it is tried again where the room couldn't record."""

Say = Callable[[str], object]


class Wish(NamedTuple):
    """What is to be done at a table now, and the cause that the command gives."""

    args: Any
    cause: str


@dataclass(slots=True)
class _Wanted:
    """asked: the command whose answer is awaited; empty where none is."""

    wish: Wish
    asked: str = ""
    not_before: int = 0


class Usher(ABC):
    """One of a room's staff (`services.room.staff.Attendant`), who looks at a table whenever its own facts move on."""

    def __init__(self, ports: Ports, say: Say = lambda sentence: None) -> None:
        """`say`: told in a sentence of what can't be done for now."""
        self._ports, self._say = ports, say
        self._wanted: dict[str, list[_Wanted]] = {}
        """By table."""

    @abstractmethod
    def wishes(self, now: Play) -> Iterator[Wish]:
        """What is to be done at a table as it is now, and can be."""

    @abstractmethod
    def refused(self, args: Any, why: Refused) -> str:
        """What to say where it can't be done after all."""

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        of_tables = [one for one in told if one.owner.startswith("table:")]
        touched = {one.owner for one in of_tables if any(event["stream"] == one.owner for event in one.answer.events)}
        self.look_over(room.table(stream.partition(":")[2]) for stream in touched)

    def look_over(self, tables: Iterable[Play]) -> None:
        """See what is to be done at these tables now, as after a takeover."""
        for now in tables:
            asked = self._wanted.pop(now.id, [])
            wanted = [next((one for one in asked if one.wish == wish), _Wanted(wish)) for wish in self.wishes(now)]
            if wanted:
                self._wanted[now.id] = wanted

    def leave(self, tables: Callable[[str], bool]) -> None:
        """The room writes those tables no more: by their streams."""
        for table in [table for table in self._wanted if tables(table_stream(table))]:
            del self._wanted[table]

    def due(self, now: int) -> list[Command]:
        return [
            self._ask(one)
            for wanted in self._wanted.values()
            for one in wanted
            if not one.asked and not now < one.not_before <= now + AGAIN
        ]

    def answered(self, command: Command, outcome: Answer | Exception, now: int) -> None:
        wanted = self._wanted.get(command.args.table, [])
        one = next((one for one in wanted if one.asked == command.id), None)
        if one is None:  # the table has gone on meanwhile
            return
        if isinstance(outcome, Exception) and not isinstance(outcome, Refused):
            one.asked, one.not_before = "", now + AGAIN
            return
        wanted.remove(one)  # what refused it is looked at again when something happens at the table
        if not wanted:
            del self._wanted[command.args.table]
        if isinstance(outcome, Refused):
            self._say(self.refused(command.args, outcome))

    def wakes(self) -> int | None:
        waiting = (one.not_before for wanted in self._wanted.values() for one in wanted if not one.asked)
        return min(waiting, default=None)

    def _ask(self, one: _Wanted) -> Command:
        command = command_of_room(self._ports, *one.wish)
        one.asked = command.id
        return command
