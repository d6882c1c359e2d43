"""A room with one of its staff and a clock that goes on when it is told to, for tests of those who keep time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from domain.hand.state import Hand
from domain.messages import SECOND
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import make_home, open_log
from services.ports import Ports
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.staff import Attendant
from tests.services.homes import START, Desk, room_over

HAND, ACTION_CLOCK, DRAW_CLOCK = "t1-1", 15, 40


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def goes_on(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)


class Floor:
    """A room with one of its staff, table t1 and a clock."""

    def __init__(self, room: Room, clock: Clock, attendant: Attendant) -> None:
        self.room, self.clock, self.desk, self.attendant = room, clock, Desk(room.ports), attendant
        room.listeners.append(self._hear)

    def _hear(self, room: Room, told: Sequence[Told]) -> None:
        """Whoever is the attendant now: another takes over in a test."""
        self.attendant.hear(room, told)

    def give(self, *all_args: Any) -> "Floor":
        for args in all_args:
            (outcome,) = self.room.execute([self.desk(args)])
            assert isinstance(outcome, Answer), outcome
        return self

    @property
    def hand(self) -> Hand:
        hand = self.room.table("t1").hand
        assert hand
        return hand

    @property
    def seat(self) -> int:
        """Who is to act."""
        assert self.hand.turn
        return self.hand.turn.seat

    def acts(self, of: Callable[..., Any], *more: Any) -> "Floor":
        """Who is to act does so."""
        return self.give(of(self.hand.id, self.hand.decision, self.seat, *more))

    def after(self, seconds: float) -> list[Any]:
        """The commands that the attendant gives once so many seconds have gone by; the room decides them."""
        self.clock.goes_on(seconds)
        commands = self.attendant.due(self.clock.now)
        for command in commands:
            (outcome,) = self.room.execute([command])
            self.attendant.answered(command, outcome, self.clock.now)
        return commands


@contextmanager
def floor_in(home: Path, of: Callable[[Ports], Attendant]) -> Iterator[Callable[..., Floor]]:
    """Makes a floor at whose table t1 three players have been dealt in; its arguments are the table's terms."""
    clock = Clock()
    ports = Ports(lambda: clock.now, Random(1).getrandbits)
    make_home(home, "riverside", ports)
    with open_log(home, write=True) as log:
        yield lambda **terms: Floor(room_over(log, ports), clock, of(ports)).give(*a_table_of_three(**terms))


def a_table_of_three(**terms: Any) -> list[Any]:
    """What opens a table of `ace`, where nobody is too late before its clock, and deals three in with 100 each."""
    usual: dict[str, Any] = {
        "game": "holdem", "limit": "no", "rulebook": "ace", "small": 1, "big": 2, "seats": 6, "kind": "play",
        "currency": "PLAY", "action_clock": ACTION_CLOCK, "draw_clock": DRAW_CLOCK,
    }  # fmt: skip
    seated = [SitDown("t1", seat, f"p{seat}", 100) for seat in (1, 2, 3)]
    return [OpenTable("t1", "Elm", **(usual | terms)), *seated, DealHand("t1", 1)]
