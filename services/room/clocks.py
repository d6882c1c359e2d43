"""The timekeeper: has done what the rules say for a player who doesn't answer in time (rules.md section 8).

The time comes into the hand as a command, so no replay needs a clock. Which clocks run is learnt from what the room
records, table by table as each is touched; nothing asks all tables.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from domain.hand.commands import ActTooLate, DrawTooLate, Protect
from domain.hand.events import DrawOffered
from domain.hand.state import Hand
from domain.messages import SECOND, Command, table_stream
from domain.rules.vocabulary import Kind
from domain.table.play import Play, table_of
from domain.table.protection import is_protected_when_late
from domain.table.state import Table
from services.ports import Ports
from services.room.door import TIMER
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.staff import command_of_room

AGAIN = SECOND
"""Microseconds before it is asked again where the room couldn't record it, or refused it."""

_STALE = 1024
"""Times of clocks that run no more, and are kept before they are thrown away."""

TooLate = ActTooLate | DrawTooLate | Protect
"""What is done when the time is up."""


class Awaited(NamedTuple):
    """Whom a table waits for.

    `seconds`: how long he has in all; `late`: what is done when they are over, as things are now; `stands`: whether the
    clock stands still, because the table is paused.
    """

    hand: str
    decision: int
    seat: int
    seconds: int
    late: type[TooLate]
    stands: bool


def awaited_at(now: Play) -> Awaited | None:
    """Whom a table waits for now; None where for nobody."""
    table, hand = now.table, now.hand
    if table is None or hand is None or hand.turn is None:
        return None
    clocks, seat = hand.opened.clocks, hand.turn.seat
    seconds = clocks.draw if type(hand.turn) is DrawOffered else clocks.action
    return Awaited(hand.id, hand.decision, seat, seconds, _late(table, hand, seat), table.paused)


def _late(table: Table, hand: Hand, seat: int) -> type[TooLate]:
    """Who is all-in needs no protection, and a tournament knows none."""
    if hand.stack[seat] and hand.opened.kind is not Kind.TOURNAMENT and is_protected_when_late(table, seat):
        return Protect
    return DrawTooLate if type(hand.turn) is DrawOffered else ActTooLate


@dataclass(slots=True)
class _Clock:
    """left: microseconds that he had at `since`. asked: the command whose answer is awaited."""

    awaited: Awaited
    left: int
    since: int
    asked: str = ""

    @property
    def ends(self) -> int:
        return self.since + self.left

    def left_at(self, now: int) -> int:
        return self.left if self.awaited.stands else self.ends - now


class Timekeeper:
    """One of a room's staff (`services.room.staff.Attendant`). Times are UTC microseconds."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._clocks: dict[str, _Clock] = {}
        self._ends: list[tuple[int, str]] = []
        """When clocks end, with their tables, the first on top; some are of clocks that run no more."""

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        now = self._ports.now()
        for owner in {one.owner for one in told}:
            kind, _, id_ = owner.partition(":")
            if kind == "table":
                self.see(id_, awaited_at(room.table(id_)), now)

    def look_over(self, tables: Iterable[Play]) -> None:
        """Start the clocks of these tables afresh, as after a takeover."""
        now = self._ports.now()
        for table in tables:
            self._clocks.pop(table.id, None)
            self.see(table.id, awaited_at(table), now)

    def leave(self, tables: Callable[[str], bool]) -> None:
        """The room writes those tables no more: by their streams."""
        for table in [table for table in self._clocks if tables(table_stream(table))]:
            del self._clocks[table]

    def see(self, table: str, awaited: Awaited | None, now: int) -> None:
        """Whom the table waits for. A clock that runs goes on, one that stood has left what it had."""
        before = self._clocks.pop(table, None)
        if awaited is None:
            return
        clock = _Clock(awaited, awaited.seconds * SECOND, now)
        if before is not None and (before.awaited.hand, before.awaited.decision) == (awaited.hand, awaited.decision):
            clock.left, clock.asked = before.left_at(now), before.asked
        self._clocks[table] = clock
        self._run(table, clock)

    def left(self, table: str, now: int) -> int | None:
        """What the player for whom a table waits has left; None where it waits for nobody."""
        clock = self._clocks.get(table)
        return None if clock is None else max(0, clock.left_at(now))

    def due(self, now: int) -> list[Command]:
        commands = []
        while self._ends and self._ends[0][0] <= now:
            ends, table = heappop(self._ends)
            clock = self._clocks.get(table)
            if clock is not None and clock.ends == ends and not clock.awaited.stands and not clock.asked:
                commands.append(self._ask(clock))
        return commands

    def answered(self, command: Command, outcome: Answer | Exception, now: int) -> None:
        table = table_of(command.args)
        clock = self._clocks.get(table)
        if clock is None or clock.asked != command.id:  # he is awaited no more
            return
        clock.asked = ""
        if isinstance(outcome, Exception):
            clock.left, clock.since = AGAIN, now
            self._run(table, clock)

    def wakes(self) -> int | None:
        return self._ends[0][0] if self._ends else None

    def _run(self, table: str, clock: _Clock) -> None:
        if not clock.awaited.stands:
            heappush(self._ends, (clock.ends, table))
        if len(self._ends) > _STALE + 2 * len(self._clocks):
            self._ends = [(one.ends, of) for of, one in self._clocks.items() if not one.awaited.stands]
            heapify(self._ends)

    def _ask(self, clock: _Clock) -> Command:
        awaited = clock.awaited
        args: Any = awaited.late(awaited.hand, awaited.decision, awaited.seat)
        command = command_of_room(self._ports, args, TIMER)
        clock.asked = command.id
        return command
