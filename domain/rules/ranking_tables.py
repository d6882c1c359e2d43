"""The compilation of a ranking's declaration into look-up tables.

Ranks are added up as digits of base five, so the sum over some cards says how often each rank occurs, whatever the
order; a set of ranks of one suit is an int of 13 bits. Values are dense: 1 for the weakest hand that qualifies, 0 for
those that don't. `evaluation.py` builds a table when it is first needed and keeps it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

from domain.cards import RANKS
from domain.rules.ranking_words import CATEGORIES, SUITED_CATEGORIES, Ranking, Reading, Seen

RANK_DIGIT = tuple(5**rank for rank in range(len(RANKS)))
RANK_BIT = tuple(1 << rank for rank in range(len(RANKS)))

Hand = tuple[int, Reading]
"""Minus the place of the category in the declaration, and the reading: as tuples compare, so do the hands."""


@dataclass(slots=True, frozen=True)
class FiveCardTables:
    """What five cards are worth, before suits break ties.

    `ranks`: value by sum of rank digits, for hands whose suits say nothing; `suited`: value by the rank bits of five
    suited cards, empty where no category asks for them; `four_suited`: value by the rank bits of four suited cards and
    the fifth card's rank, empty in the same way; `hands`: the hand of each value.
    """

    ranks: dict[int, int]
    suited: dict[int, int]
    four_suited: dict[tuple[int, int], int]
    hands: tuple[Hand | None, ...]


def five_card_tables(ranking: Ranking) -> FiveCardTables:
    """Classify every five ranks under every pattern of suits that counts, and number the different hands."""
    hand_of = {(suited, others): classify(ranking, suited, others) for suited, others in _every_five(ranking)}
    weakest_first = sorted({hand for hand in hand_of.values() if hand is not None}, reverse=ranking.lowest_wins)
    hands = (None, *weakest_first)
    value_of = {hand: value for value, hand in enumerate(hands)}
    tables = FiveCardTables({}, {}, {}, hands)
    for (suited, others), hand in hand_of.items():
        bits = sum([RANK_BIT[rank] for rank in suited])
        if not suited:
            tables.ranks[sum([RANK_DIGIT[rank] for rank in others])] = value_of[hand]
        elif not others:
            tables.suited[bits] = value_of[hand]
        else:
            tables.four_suited[bits, others[0]] = value_of[hand]
    return tables


def classify(ranking: Ranking, suited: Sequence[int], others: Sequence[int]) -> Hand | None:
    """The hand that one to five cards make; None where they fit no category.

    `suited`: the ranks of the cards of one suit where four or five are; `others`: those of all other cards.
    """
    seen = _seen_by(ranking, suited, others)
    if seen is None:
        return None
    for place, word in enumerate(ranking.categories):
        reading = CATEGORIES[word](seen)
        if reading is not None:
            return -place, reading
    return None


def five_to_seven_ranks(five: dict[int, int]) -> dict[int, int]:
    """The value of the best five among five, six or seven cards, by sum of rank digits."""
    six = _with_one_more_card(five)
    return five | six | _with_one_more_card(six)


def five_to_seven_suited(five: dict[int, int]) -> dict[int, int]:
    """The value of the best five among five, six or seven cards of one suit, by their rank bits."""
    six = _with_one_more_suited_card(five)
    return five | six | _with_one_more_suited_card(six)


def pair_rows(five: dict[int, int], counted: list[int]) -> dict[int, tuple[int, ...]]:
    """For each board of three to five cards, the best value that each pair of own cards makes with three of them.

    The key is the sum of the rank digits of the board's cards of `counted` ranks, the only ones that can be in a hand;
    where they are fewer than three there is no row. A row is in the order of pairs (0, 0), (1, 0), (1, 1), (2, 0) ...,
    so the pair of a rank and one not above it stands at rank * (rank + 1) / 2 + the other.
    """
    pairs = [high + RANK_DIGIT[low] for rank, high in enumerate(RANK_DIGIT) for low in range(rank + 1)]
    digits = [RANK_DIGIT[rank] for rank in counted]
    rows: dict[int, tuple[int, ...]] = {}
    for three in combinations_with_replacement(digits, 3):
        total = sum(three)
        rows[total] = tuple([five.get(total + pair, 0) for pair in pairs])
    for size in (4, 5):
        for board in combinations_with_replacement(digits, size):
            if size == 4 or board[0] != board[4]:
                total = sum(board)
                # Any three of the board leave out one of its first four cards.
                rows[total] = tuple(map(max, *[rows[total - digit] for digit in board[:4]]))
    return rows


def _every_five(ranking: Ranking) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ranks of five cards: those of one suit, as far as the ranking's categories ask, and the others."""
    every_rank = range(len(RANKS))
    for ranks in combinations_with_replacement(every_rank, 5):
        if ranks[0] != ranks[4]:
            yield (), ranks
    if not SUITED_CATEGORIES.isdisjoint(ranking.categories):
        for five in combinations(every_rank, 5):
            yield five, ()
    if "four-flush" in ranking.categories:
        for four in combinations(every_rank, 4):
            for rank in every_rank:
                yield four, (rank,)


def _seen_by(ranking: Ranking, suited: Sequence[int], others: Sequence[int]) -> Seen | None:
    places = [ranking.ranks.find(RANKS[rank]) for rank in (*suited, *others)]
    if -1 in places:
        return None
    counts = sorted({(places.count(place), place) for place in places}, reverse=True)
    return Seen(
        ranks=tuple([place for often, place in counts for _ in range(often)]),
        alike=tuple([often for often, _ in counts if often > 1]),
        suited=tuple(sorted(places[: len(suited)], reverse=True)),
        wheel=_places_of(ranking.wheel[::-1], ranking.ranks),
    )


@cache
def _places_of(some: str, ranks: str) -> tuple[int, ...]:
    return tuple([ranks.index(rank) for rank in some])


def _with_one_more_card(values: dict[int, int]) -> dict[int, int]:
    weakest_first = sorted(values.items(), key=lambda entry: entry[1])
    return {
        total + digit: value  # of all the ways to come to a sum, the strongest is written last
        for total, value in weakest_first
        for digit in RANK_DIGIT
        if total // digit % 5 < 4
    }


def _with_one_more_suited_card(values: dict[int, int]) -> dict[int, int]:
    weakest_first = sorted(values.items(), key=lambda entry: entry[1])
    return {ranks | bit: value for ranks, value in weakest_first for bit in RANK_BIT if not ranks & bit}
