"""The rankings, a few lines of data each, and the vocabulary in which they are declared (rules.md section 4).

A ranking names its categories in order, strongest first. A five-card hand belongs to the first category that it fits,
and inside a category the hand whose ranks, in reading order, are higher is the better one. `evaluation.py` turns a
declaration into tables.
"""

from collections.abc import Callable
from dataclasses import dataclass

from domain.cards import RANKS


@dataclass(slots=True, frozen=True)
class Ranking:
    """An order of five-card hands (rules.md section 4).

    `categories`: words of CATEGORIES, strongest first; a hand that fits none of them does not qualify. `ranks`: the
    ranks that count, from low to high; a hand with any other does not qualify. `wheel`: the straight that the ace
    begins instead of ending it, "" where there is none. `lowest_wins`: the worst hand of this order is the best.
    """

    name: str
    categories: tuple[str, ...]
    ranks: str = RANKS
    wheel: str = ""
    lowest_wins: bool = False


@dataclass(slots=True, frozen=True)
class Five:
    """Five cards as the vocabulary sees them.

    `ranks`: places in the ranking's order of ranks, the most frequent first, then the highest; `pattern`: how often
    each different rank occurs, in the same order; `suited`: all of one suit; `wheel`: the very ranks of the wheel.
    """

    ranks: tuple[int, ...]
    pattern: tuple[int, ...]
    suited: bool
    wheel: bool


Reading = tuple[int, ...]
"""The ranks of a hand in the order in which they are compared."""


def _pattern(*pattern: int) -> Callable[[Five], Reading | None]:
    return lambda five: five.ranks if five.pattern == pattern else None


def _straight(five: Five) -> Reading | None:
    if five.wheel:
        return five.ranks[1:] + five.ranks[:1]
    unbroken = len(five.pattern) == 5 and five.ranks[0] - five.ranks[4] == 4
    return five.ranks if unbroken else None


def _flush(five: Five) -> Reading | None:
    return five.ranks if five.suited else None


def _straight_flush(five: Five) -> Reading | None:
    return _straight(five) if five.suited else None


CATEGORIES: dict[str, Callable[[Five], Reading | None]] = {
    "high card": _pattern(1, 1, 1, 1, 1),
    "one pair": _pattern(2, 1, 1, 1),
    "two pair": _pattern(2, 2, 1),
    "three of a kind": _pattern(3, 1, 1),
    "straight": _straight,
    "flush": _flush,
    "full house": _pattern(3, 2),
    "four of a kind": _pattern(4, 1),
    "straight flush": _straight_flush,
}
"""Each category's test: the reading of a hand that fits it, None for any other. The royal flush is the top straight
flush."""

SUITED_CATEGORIES = frozenset({"flush", "straight flush"})

STANDARD = Ranking(
    name="standard",
    categories=(
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "one pair",
        "high card",
    ),
    wheel="A2345",
)

EIGHT_OR_BETTER = Ranking(
    name="eight-or-better",
    categories=("high card",),
    ranks="A2345678",
    lowest_wins=True,
)

RANKINGS = {ranking.name: ranking for ranking in (STANDARD, EIGHT_OR_BETTER)}


class UnknownRanking(ValueError):
    """A name that no ranking has."""


def ranking_named(name: str) -> Ranking:
    """The ranking of that name; raises UnknownRanking for any other."""
    found = RANKINGS.get(name)
    if found is None:
        raise UnknownRanking(f"{name!r} is no ranking: use one of {', '.join(RANKINGS)}")
    return found
