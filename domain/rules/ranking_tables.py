"""The compilation of a ranking's declaration into look-up tables.

Ranks are added up as digits of base five, so the sum over some cards says how often each rank occurs, whatever the
order; a set of ranks of one suit is an int of 13 bits. Values are dense: 1 for the weakest hand that qualifies, 0 for
those that don't. `evaluation.py` builds a table when it is first needed and keeps it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from domain.cards import RANKS
from domain.rules.rankings import CATEGORIES, SUITED_CATEGORIES, Five, Ranking, Reading

RANK_DIGIT = tuple(5**rank for rank in range(len(RANKS)))
RANK_BIT = tuple(1 << rank for rank in range(len(RANKS)))

Hand = tuple[int, Reading]
"""Minus the place of the category in the declaration, and the reading: as tuples compare, so do the hands."""


@dataclass(slots=True, frozen=True)
class FiveCardTables:
    """`ranks`: value by sum of rank digits; `suited`: value by the rank bits of five suited cards, empty where suits
    say nothing; `hands`: the hand of each value."""

    ranks: dict[int, int]
    suited: dict[int, int]
    hands: tuple[Hand | None, ...]


def five_card_tables(ranking: Ranking) -> FiveCardTables:
    """Classify every five ranks, suited or not, and number the different hands."""
    suits_matter = not SUITED_CATEGORIES.isdisjoint(ranking.categories)
    hand_of = {five: _classify(ranking, *five) for five in _every_five(suits_matter)}
    weakest_first = sorted({hand for hand in hand_of.values() if hand is not None}, reverse=ranking.lowest_wins)
    hands = (None, *weakest_first)
    value_of = {hand: value for value, hand in enumerate(hands)}
    ranks: dict[int, int] = {}
    suited: dict[int, int] = {}
    for (five, of_one_suit), hand in hand_of.items():
        if of_one_suit:
            suited[sum(RANK_BIT[rank] for rank in five)] = value_of[hand]
        else:
            ranks[sum(RANK_DIGIT[rank] for rank in five)] = value_of[hand]
    return FiveCardTables(ranks, suited, hands)


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


def _every_five(suits_matter: bool) -> Iterator[tuple[tuple[int, ...], bool]]:
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        if ranks[0] != ranks[4]:
            yield ranks, False
        if suits_matter and len(set(ranks)) == 5:
            yield ranks, True


def _classify(ranking: Ranking, ranks: tuple[int, ...], suited: bool) -> Hand | None:
    five = _seen_by(ranking, ranks, suited)
    if five is None:
        return None
    for place, word in enumerate(ranking.categories):
        reading = CATEGORIES[word](five)
        if reading is not None:
            return -place, reading
    return None


def _seen_by(ranking: Ranking, ranks: tuple[int, ...], suited: bool) -> Five | None:
    places = [ranking.ranks.find(RANKS[rank]) for rank in ranks]
    if -1 in places:
        return None
    counts = sorted({(places.count(place), place) for place in places}, reverse=True)
    return Five(
        ranks=tuple([place for often, place in counts for _ in range(often)]),
        pattern=tuple([often for often, _ in counts]),
        suited=suited,
        wheel={ranking.ranks[place] for place in places} == set(ranking.wheel),
    )


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
