"""The values of a ranking whose suits break ties (rules.md section 4): its hands by ranks, each divided by the suits
that decide.

Which card's suit decides is known from the ranks alone: the table of `ranking_tables.py` finds the hand, this one the
ranks whose suits are looked at, and the value for each answer.
"""

from dataclasses import dataclass
from itertools import product

from domain.cards import RANKS, SUITS
from domain.rules.ranking_tables import Hand
from domain.rules.ranking_words import SUITED_CATEGORIES, Look, Ranking, Reading, SuitOf

_EVERY_SUIT = range(len(SUITS))


@dataclass(slots=True, frozen=True)
class Tie:
    """How suits divide the hands that are equal by ranks.

    `looks`: the ranks whose highest suit decides, in turn; `values`: the value by those suits, read as digits of base
    four, the first look's the highest, whether or not cards can give that answer; `suited`: only the cards of the flush
    are looked at.
    """

    looks: tuple[int, ...]
    values: tuple[int, ...]
    suited: bool


@dataclass(slots=True, frozen=True)
class SuitTables:
    """`ties`: by the value that the ranks give; `hands`: the hand of each final value."""

    ties: tuple[Tie, ...]
    hands: tuple[Hand | None, ...]


def suit_tables(ranking: Ranking, by_ranks: tuple[Hand | None, ...]) -> SuitTables:
    """Number all hands anew, told apart by ranks and by the suits that decide."""
    keys = [_keys(ranking, hand) for hand in by_ranks]
    different = {key: hand for hand, row in zip(by_ranks, keys, strict=True) for key in row if hand is not None}
    weakest_first = sorted(different, reverse=ranking.lowest_wins)
    value_of = {key: value for value, key in enumerate(weakest_first, start=1)}
    ties = [
        Tie(_looks(ranking, hand), tuple([value_of.get(key, 0) for key in row]), _is_suited(ranking, hand))
        for hand, row in zip(by_ranks, keys, strict=True)
    ]
    return SuitTables(tuple(ties), (None, *[different[key] for key in weakest_first]))


def _keys(ranking: Ranking, hand: Hand | None) -> list[Reading]:
    """For each answer of the looks, what compares as the hands do."""
    if hand is None:
        return [()]
    strength, reading = hand
    script = _script(ranking, hand)
    rows = [_EVERY_SUIT if isinstance(look, SuitOf) else (reading[look.card - 1],) for look in script]
    return [(strength, *answers, *reading) for answers in product(*rows)]


def _looks(ranking: Ranking, hand: Hand | None) -> tuple[int, ...]:
    if hand is None:
        return ()
    read = [ranking.ranks[place] for place in hand[1]]
    return tuple([RANKS.index(read[look.card - 1]) for look in _script(ranking, hand) if isinstance(look, SuitOf)])


def _script(ranking: Ranking, hand: Hand) -> tuple[Look, ...]:
    return ranking.ties.get(ranking.categories[-hand[0]], ())


def _is_suited(ranking: Ranking, hand: Hand | None) -> bool:
    return hand is not None and ranking.categories[-hand[0]] in SUITED_CATEGORIES
