"""The five betting structures: how far a bet or raise may go (rules.md section 2).

Each is one function of the betting round and of what the player has live in it. It gives the least and the most live
total that he may bet or raise to, in whole chip units, before his stack is looked at: (0, 0) where the structure allows
no more.
"""

from collections.abc import Callable
from typing import Protocol

from domain.money import MAX_AMOUNT, round_down, round_up
from domain.rules.vocabulary import Limit

Span = tuple[int, int]
NO_RAISE: Span = (0, 0)


class Round(Protocol):
    """What a structure looks at, in minor units.

    wager: the live total to match. full_raise: the last full bet or raise, or the minimum bet. pot: all chips in the
    middle. size: what a bet or raise adds at most (fixed and spread limit). bets, level, bets_cap: how many bets are
    counted, the live total of the last of them, how many are allowed (fixed limit). unit: the chip unit.
    """

    @property
    def wager(self) -> int: ...
    @property
    def full_raise(self) -> int: ...
    @property
    def pot(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def bets(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def bets_cap(self) -> int: ...
    @property
    def unit(self) -> int: ...


def fixed_limit(now: Round, live: int) -> Span:
    """The next level above the highest wager, up to the cap (Levels): the least or the most of the two and nothing
    between. They differ only where an open pair shows, until somebody has bet the big bet."""
    if now.wager < now.level:  # an all-in that counts as this level: it is completed, not counted again
        return now.level, now.level
    if now.bets >= now.bets_cap:
        return NO_RAISE
    return now.level + now.full_raise, now.level + now.size


def bets_counted(to: int, size: int) -> int:
    """How many bets a live total counts as: half a bet or more counts as one (Levels)."""
    return (2 * to + size) // (2 * size)


def no_limit(now: Round, live: int) -> Span:
    """At least the last full raise on top; at most all that the player has."""
    return round_up(now.wager + now.full_raise, now.unit), MAX_AMOUNT


def pot_limit(now: Round, live: int) -> Span:
    """A raiser calls first, then raises by at most all that is then in the pot."""
    return _raise_by_at_most(now, now.pot + now.wager - live)


def half_pot_limit(now: Round, live: int) -> Span:
    """As pot limit with half of the pot after the call, down to the chip unit, never less than the minimum raise."""
    return _raise_by_at_most(now, round_down((now.pot + now.wager - live) // 2, now.unit))


def _raise_by_at_most(now: Round, most: int) -> Span:
    least = round_up(now.wager + now.full_raise, now.unit)
    return least, max(least, round_down(now.wager + most, now.unit))


def spread_limit(now: Round, live: int) -> Span:
    """From the last full raise to the round's maximum, and no live total above three times that maximum.

    Over an all-in that is no multiple of the chip unit there may be no total between the two, so no raise.
    """
    ceiling = 3 * now.size
    least = min(round_up(now.wager + now.full_raise, now.unit), ceiling)
    most = min(round_down(now.wager + now.size, now.unit), ceiling)
    return (least, most) if now.wager < ceiling and least <= most else NO_RAISE


SPANS: dict[Limit, Callable[[Round, int], Span]] = {
    Limit.FIXED: fixed_limit,
    Limit.SPREAD: spread_limit,
    Limit.POT: pot_limit,
    Limit.HALF_POT: half_pot_limit,
    Limit.NO: no_limit,
}
