"""The room's own staff: those who act on what it records, by commands that the room gives itself.

The chip runner carries money and news to another stream (`transit.py`), the clerk stands up who leaves (`clerk.py`).
Each says only what it would do next; one thread asks them all, sends it, and tells them what came of it. Nothing that
they know is needed to be right: all of it stands in the log, and is found again when a room opens, or takes a shard
over.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Condition, Event, Thread
from typing import Any, Protocol

from domain.messages import Command
from services.ids import uuid7
from services.ports import Ports
from services.room.door import ROOM
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.writer import Writer

Send = Callable[[Command], "Future[Answer]"]
"""Gives a command to the owner of its shard, wherever that is; the answer comes as from `Writer.submit`."""

LONGEST = 5.0
"""Seconds after which somebody is asked again who had nothing to do: clocks may be set, and a hint may be lost."""


class Attendant(Protocol):
    """One of the staff. It is asked by one thread at a time, and every call is quick."""

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        """What the room has just recorded; called between two of its decisions, so that it may look at it."""
        ...

    def due(self, now: int) -> list[Command]:
        """What it has to ask for now (UTC microseconds). It isn't asked for again before it was answered."""
        ...

    def answered(self, command: Command, outcome: Answer | Exception, now: int) -> None:
        """What came of a command that it asked for."""
        ...

    def wakes(self) -> int | None:
        """When it will have something to do if nothing happens before (UTC microseconds): 0 where it has now, None for
        never."""
        ...


def command_of_room(ports: Ports, args: Any, cause: str) -> Command:
    """A command that the room gives itself, with an id of its own."""
    return Command(uuid7(ports.now(), ports.bits(74)), args, ROOM, cause)


class Staff:
    """Attendants at work. `hear` is for `Room.listeners`."""

    def __init__(self, send: Send, ports: Ports, attendants: Sequence[Attendant]) -> None:
        self._send, self._ports, self._attendants = send, ports, attendants
        self._changed = Condition()
        self._sleeps_to: int | None = None
        """When they are asked next if nothing happens (UTC microseconds); None where only something can wake them."""

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        with self._changed:
            for one in self._attendants:
                one.hear(room, told)
            self._wake_if_due()

    def tell(self, what: Callable[[], object]) -> None:
        """Do what tells one of them something, as of a shard taken over; nobody is asked what is due meanwhile."""
        with self._changed:
            what()
            self._wake_if_due()

    def act(self) -> int:
        """Send what is due; how much that was. Where nobody waits for anything, the clock isn't looked at."""
        with self._changed:
            if self._next() is None:
                return 0
            now = self._ports.now()
            asked = [(one, command) for one in self._attendants for command in one.due(now)]
        for one, command in asked:
            try:
                self._send(command).add_done_callback(partial(self._answered, one, command))
            except RuntimeError as closed:  # the writer is closing: whoever opens the room next goes on
                self._tell(one, command, closed)
        return len(asked)

    def work(self, until: Event) -> None:
        """Act on what is heard, until the event is set and `wake` is called."""
        while not until.is_set():
            self.act()
            with self._changed:
                if not until.is_set():
                    self._sleeps_to = self._next()
                    self._changed.wait(self._pause(self._sleeps_to))

    def wake(self) -> None:
        """Have it look again."""
        with self._changed:
            self._changed.notify()

    def _wake_if_due(self) -> None:
        """A room records thousands of commits a second: only what comes sooner than what is waited for wakes them."""
        due = self._next()
        if due is not None and (self._sleeps_to is None or due < self._sleeps_to):
            self._changed.notify()

    def _next(self) -> int | None:
        return min((at for one in self._attendants if (at := one.wakes()) is not None), default=None)

    def _pause(self, due: int | None) -> float:
        return LONGEST if due is None else min(LONGEST, max(0.001, (due - self._ports.now()) / 1_000_000))

    def _answered(self, one: Attendant, command: Command, answer: "Future[Answer]") -> None:
        error = answer.exception()
        self._tell(one, command, error if isinstance(error, Exception) else answer.result())

    def _tell(self, one: Attendant, command: Command, outcome: Answer | Exception) -> None:
        with self._changed:
            one.answered(command, outcome, self._ports.now())
            self._wake_if_due()


@contextmanager
def at_work(staff: Staff, writer: Writer) -> Iterator[None]:
    """The staff works in a thread of its own for as long as the context lasts."""
    until = Event()
    thread = Thread(target=staff.work, args=(until,), name="staff", daemon=True)
    writer.look(lambda room: room.listeners.append(staff.hear)).result()
    thread.start()
    try:
        yield
    finally:
        until.set()
        staff.wake()
        thread.join()
        writer.look(lambda room: room.listeners.remove(staff.hear)).result()
