"""The five betting structures: how far a bet or raise may go (rules.md section 2).

Each is one function of the betting round and of what the player has live in it. It gives the least and the most live
total that he may bet or raise to, before his stack and the chip unit are looked at: (0, 0) where the structure allows
no more.
"""

from collections.abc import Callable
from typing import Protocol

from domain.rules.vocabulary import Limit

Span = tuple[int, int]
NO_RAISE: Span = (0, 0)


class Round(Protocol):
    """What a structure looks at, in minor units.

    wager: the live total to match. full_raise: the last full bet or raise, or the minimum bet. pot: all chips in the
    middle. size: the bet of the round (fixed limit) or its maximum (spread limit). bets_cap: bets allowed (fixed
    limit).
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
    def bets_cap(self) -> int: ...


def fixed_limit(now: Round, live: int) -> Span:
    """The next whole number of bets above the highest wager, up to the cap (Levels)."""
    to = (now.wager // now.size + 1) * now.size
    return (to, to) if to <= now.bets_cap * now.size else NO_RAISE


def bets_counted(to: int, size: int) -> int:
    """The level that a live total counts as: an all-in of half a bet or more over the last full level counts as the
    next one (Levels)."""
    return (2 * to + size) // (2 * size)


def no_limit(now: Round, live: int) -> Span:
    """At least the last full raise on top; at most all that the player has."""
    return now.wager + now.full_raise, UNLIMITED


def pot_limit(now: Round, live: int) -> Span:
    """A raiser calls first, then raises by at most all that is then in the pot."""
    return _up_to(now, now.pot + now.wager - live)


def half_pot_limit(now: Round, live: int) -> Span:
    """As pot limit with half of the pot after the call, never less than the minimum bet or raise."""
    return _up_to(now, (now.pot + now.wager - live) // 2)


def _up_to(now: Round, most_raise: int) -> Span:
    least = now.wager + now.full_raise
    return least, max(least, now.wager + most_raise)


def spread_limit(now: Round, live: int) -> Span:
    """From the last full raise to the round's maximum, and no live total above three times that maximum."""
    ceiling = 3 * now.size
    if now.wager >= ceiling:
        return NO_RAISE
    return min(now.wager + now.full_raise, ceiling), min(now.wager + now.size, ceiling)


UNLIMITED = 2**53 - 1

SPANS: dict[Limit, Callable[[Round, int], Span]] = {
    Limit.FIXED: fixed_limit,
    Limit.SPREAD: spread_limit,
    Limit.POT: pot_limit,
    Limit.HALF_POT: half_pot_limit,
    Limit.NO: no_limit,
}
