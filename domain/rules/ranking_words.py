"""The words in which the rankings of `rankings.py` are declared (rules.md section 4).

A ranking names its categories in order, strongest first. Some cards belong to the first category that they fit, and
inside a category the hand that is higher at the first difference in reading order is the better one. Suits are read
only where the ranking says so. `ranking_tables.py` and `suit_tables.py` turn a declaration into tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from domain.cards import RANKS


@dataclass(slots=True, frozen=True)
class RankOf:
    """Compare the rank of this card of the hand, 1 for the first in reading order."""

    card: int


@dataclass(slots=True, frozen=True)
class SuitOf:
    """Compare the suit of this card, 1 for the first in reading order; of a pair, its highest suit."""

    card: int


Look = RankOf | SuitOf

EVERY_RANK = tuple(RankOf(card) for card in range(1, 6))


@dataclass(slots=True, frozen=True)
class Ranking:
    """An order of five-card hands (rules.md section 4).

    `categories`: words of CATEGORIES, strongest first; a hand that fits none of them does not qualify. `ranks`: the
    ranks that count, from low to high; a hand with any other does not qualify. `wheel`: the straight that the ace
    begins instead of ending it, "" where there is none. `lowest_wins`: the worst hand of this order is the best.

    `suits`: from low to high, "" where they break no tie. `ties`: what is compared first between two hands of a
    category; ranks that it leaves out follow in reading order. `special`: a hand, and the one that it beats in a pot
    that exactly two contest although it is lower.
    """

    name: str
    categories: tuple[str, ...]
    ranks: str = RANKS
    wheel: str = ""
    lowest_wins: bool = False
    suits: str = ""
    ties: Mapping[str, tuple[Look, ...]] = field(default_factory=dict)
    special: tuple[str, str] | None = None


Reading = tuple[int, ...]
"""The ranks of a hand in the order in which they are compared."""


@dataclass(slots=True, frozen=True)
class Seen:
    """One to five cards as the vocabulary sees them, ranks as places in the ranking's order.

    `ranks`: the most frequent first, then the highest; `alike`: how many cards are of one rank, for each rank of which
    more than one are, in the same order; `suited`: the ranks of the cards of one suit, highest first, where four or
    five are; `wheel`: the ranking's wheel from its top card down to the ace.
    """

    ranks: Reading
    alike: tuple[int, ...]
    suited: Reading
    wheel: Reading


def _alike(*often: int) -> Callable[[Seen], Reading | None]:
    return lambda seen: seen.ranks if seen.alike == often else None


def _straight(seen: Seen) -> Reading | None:
    if len(seen.ranks) != 5 or seen.alike:
        return None
    if set(seen.ranks) == set(seen.wheel):
        return seen.wheel
    return seen.ranks if seen.ranks[0] - seen.ranks[4] == 4 else None


def _flush(seen: Seen) -> Reading | None:
    return seen.suited if len(seen.suited) == 5 else None


def _straight_flush(seen: Seen) -> Reading | None:
    return _straight(seen) if _flush(seen) else None


def _four_flush(seen: Seen) -> Reading | None:
    return _then_the_fifth(seen.suited, seen) if len(seen.suited) == 4 else None


def _four_straight(seen: Seen) -> Reading | None:
    different = sorted(set(seen.ranks), reverse=True)
    for first in range(len(different) - 3):
        if different[first] - different[first + 3] == 3:
            return _then_the_fifth(tuple(different[first : first + 4]), seen)
    lowest = seen.wheel[1:]
    return _then_the_fifth(lowest, seen) if lowest and set(lowest) <= set(different) else None


def _then_the_fifth(four: Reading, seen: Seen) -> Reading:
    others = list(seen.ranks)
    for rank in four:
        others.remove(rank)
    return (*four, *others)


CATEGORIES: dict[str, Callable[[Seen], Reading | None]] = {
    "high card": _alike(),
    "one pair": _alike(2),
    "four-straight": _four_straight,
    "four-flush": _four_flush,
    "two pair": _alike(2, 2),
    "three of a kind": _alike(3),
    "straight": _straight,
    "flush": _flush,
    "full house": _alike(3, 2),
    "four of a kind": _alike(4),
    "straight flush": _straight_flush,
}
"""Each category's test: the reading of cards that fit it, None for any other. The royal flush is the top straight
flush."""

SUITED_CATEGORIES = frozenset({"flush", "straight flush"})
