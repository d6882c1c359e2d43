"""The room's own staff in a simulated process: chip runner, clerk and timekeeper, who are asked one step at a time."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.messages import Command, Refused
from domain.table.play import Play
from services.eventlog.log import AppendUnknown
from services.ports import Ports
from services.room.advance import Advance, AdvanceActions
from services.room.clerk import Clerk
from services.room.clocks import Timekeeper
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.shards import shard_of
from services.room.staff import Attendant
from services.room.transit import ChipRunner
from services.staffing import found_in
from tests.simulation.auditor import Said


class Errand(NamedTuple):
    """What one of the staff asks for; `answered` tells him what came of it."""

    staff: "Staff"
    attendant: Attendant
    command: Command

    @property
    def stays(self) -> bool:
        """Whether it goes to the staff's own process and to no other: only that one knows what it holds."""
        return self.attendant is self.staff.advances

    def answered(self, said: Said) -> None:
        self.attendant.answered(self.command, _outcome(said), self.staff.now())


class Staff:
    """Works for one process, and is gone with it."""

    def __init__(self, room: Room, ports: Ports) -> None:
        self._room, self.now = room, ports.now
        self.runner, self.clerk, self.timekeeper = ChipRunner(ports), Clerk(ports), Timekeeper(ports)
        self.advances = AdvanceActions(ports)
        self._attendants: list[Attendant] = [self.runner, self.clerk, self.timekeeper, self.advances]
        self.gone = False
        room.listeners.append(self._hear)

    def _hear(self, room: Room, told: Sequence[Told]) -> None:
        for one in self._attendants:
            one.hear(room, told)

    def find(self, shard: int, streams: Iterable[str]) -> None:
        """Look what a shard has under way, whom it waits for, and who is to go: nobody of the staff remembers."""
        tables = []
        for stream in streams:
            if stream.startswith("table:"):
                tables.append(self._room.table(stream.removeprefix("table:")))
            if stream.startswith(("table:", "account:", "player:")):
                self.runner.find(found_in(self._room, shard, stream))
        self.clerk.look_over(tables)
        self.timekeeper.look_over(tables)

    def leave(self, shard: int) -> None:
        """The process doesn't write that shard any more."""
        self.runner.leave(shard)
        self.advances.leave(lambda stream: shard_of(stream, self._room.log.shards) == shard)

    def choose(self, now: Play, advance: Advance, by: str) -> bool:
        """A player chooses in advance; whether the room holds it."""
        try:
            self.advances.take(now, advance, by)
        except Refused:
            return False
        return True

    def due(self) -> list[Errand]:
        """What they ask for now."""
        now = self.now()
        return [Errand(self, one, command) for one in self._attendants for command in one.due(now)]


def _outcome(said: Said) -> Answer | Exception:
    match said.kind:
        case "answer":
            return Answer(said.at, list(said.events))
        case "refused":
            return Refused(said.text)
        case _:
            return AppendUnknown(said.text or "no answer came")
