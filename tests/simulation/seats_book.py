"""What the auditor says on his own of a table's next hand: who plays it and who posts what (rules.md section 7)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from tests.simulation.books import Data

Post = tuple[int, str, int, bool]
"""Seat, kind, amount, live."""


@dataclass
class Seat:
    """Who sits there. `pending`: chips that came while a hand was open. `owes`: "small", "big". `freezes`: "seat",
    "money". `took`: with what he has left. `promotion`: how much of what his account sent here was promotion credit."""

    player: str
    posts: bool
    stack: int = 0
    pending: int = 0
    entered: bool = False
    out: bool = False
    owes: set[str] = field(default_factory=set)
    missed: int = 0
    leaving: str = ""
    freezes: set[str] = field(default_factory=set)
    connected: bool = True
    protection: str = ""
    promotion: int = 0
    took: int = 0

    @property
    def frozen(self) -> bool:
        return bool(self.freezes)

    @property
    def able(self) -> bool:
        return self.stack > 0 and not (self.out or self.frozen or self.leaving)

    @property
    def enters(self) -> bool:
        """Whether he must post, or have the big blind, before he plays."""
        return not self.entered or bool(self.owes)

    @property
    def absent(self) -> bool:
        """Whether blinds pass him by: he has played here, and can't now by his own doing."""
        return self.entered and (self.out or not self.stack) and not self.frozen and not self.leaving


@dataclass
class LineUp:
    """What the next hand must be."""

    button: int
    dealt: set[int]
    posts: list[Post]
    entered: set[int] = field(default_factory=set)
    missed_small: set[int] = field(default_factory=set)
    missed_big: set[int] = field(default_factory=set)


def line_up(seats: Mapping[int, Seat], last: int, opened: Data, *, has_button: bool) -> LineUp:
    """`last`: the seat of the last button. `opened`: the table's first fact."""
    stakes, rules = opened["terms"]["stakes"], opened["seating"]
    able = {number for number, seat in seats.items() if seat.able}
    entering = {number for number in able if seats[number].enters} if rules else set()
    if not has_button:
        return LineUp(0, able, _antes(able, stakes["ante"]), entering)
    regulars = able - entering
    if len(regulars) < 2:
        button, dealt = _next(able, last), able
        small, big = _blinds(dealt, button)
    else:
        button = _next(regulars, last)
        dealt, small, big = _with_newcomers(seats, able, regulars, button)
    posts = _antes(dealt, stakes["ante"])
    if stakes["big_blind"]:
        posts += [(small, "small blind", stakes["small_blind"], True), (big, "big blind", stakes["big_blind"], True)]
        for number in (dealt & entering) - {small, big} if len(regulars) >= 2 else ():
            posts += _to_enter(number, seats[number], stakes, rules)
    line = LineUp(button, dealt, posts, dealt & entering)
    if rules and stakes["big_blind"]:
        absent = {number for number, seat in seats.items() if seat.absent}
        line.missed_big = _between(absent, small, big)
        line.missed_small = {one for one in _between(absent, button, small) if "small" not in seats[one].owes}
    return line


def _with_newcomers(
    seats: Mapping[int, Seat], able: set[int], regulars: set[int], button: int
) -> tuple[set[int], int, int]:
    """Nobody enters between button and small blind, unless fewer than three would play; all in between wait."""
    posting = {number for number in able - regulars if seats[number].posts}
    small = _next(regulars, button)
    plays = regulars | {_next(able, small)} | (posting - _between(posting, button, small))
    passed_over = _between(posting, button, small)
    if len(plays) < 3 and passed_over:
        small = _next(passed_over, button)
        plays = regulars | {small, _next(able, small)} | (posting - _between(posting, button, small))
    return plays, *_blinds(plays, button)


def _to_enter(number: int, seat: Seat, stakes: Data, rules: Data) -> Iterable[Post]:
    big = "big" in seat.owes
    if big or not seat.entered:
        yield number, "late blind", stakes["big_blind"], True
    if "small" in seat.owes or (big and rules["missed_big_costs_both"]):
        yield number, "dead blind", stakes["small_blind"], False


def _antes(dealt: Iterable[int], ante: int) -> list[Post]:
    return [(number, "ante", ante, False) for number in dealt if ante]


def _blinds(dealt: Collection[int], button: int) -> tuple[int, int]:
    """Heads-up the button has the small one."""
    small = button if len(dealt) == 2 else _next(dealt, button)
    return small, _next(dealt, small)


def _next(seats: Iterable[int], after: int) -> int:
    return min(seats, key=lambda seat: (seat - after - 1) % 10)


def _between(seats: Iterable[int], start: int, end: int) -> set[int]:
    return {seat for seat in seats if 0 < (seat - start) % 10 < (end - start) % 10}
