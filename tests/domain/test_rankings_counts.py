"""How many hands each category of each ranking holds: what combinatorics gives (rules.md section 4).

By default every five ranks are taken with every pattern of suits that can count, and weighed by how often it occurs; in
the 32-card deck, and in the soak, every hand by itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from domain.cards import deck
from domain.rules.evaluation import category, evaluator
from domain.rules.rankings import EIGHT_OR_BETTER, RANKINGS

FIVE_RANKS = comb(13, 5)
OF_MIXED_SUITS = 4**5 - 4
FOUR_OF_ONE_SUIT = 5 * 4 * 3
"""Which card is the odd one, the suit of the four, the odd one's suit."""

STANDARD = {
    "royal flush": 4,
    "straight flush": 9 * 4,
    "four of a kind": 13 * 48,
    "full house": 13 * comb(4, 3) * 12 * comb(4, 2),
    "flush": (FIVE_RANKS - 10) * 4,
    "straight": 10 * OF_MIXED_SUITS,
    "three of a kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
    "two pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
    "one pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
    "high card": (FIVE_RANKS - 10) * OF_MIXED_SUITS,
}

# The ace is always high: nine straights instead of ten, A-2-3-4-5 is one more set of ranks without.
DEUCE_TO_SEVEN = STANDARD | {
    "straight flush": 8 * 4,
    "flush": (FIVE_RANKS - 9) * 4,
    "straight": 9 * OF_MIXED_SUITS,
    "high card": (FIVE_RANKS - 9) * OF_MIXED_SUITS,
}

# Four cards of one suit and one of the 39 others; but in a straight they are a straight.
FOUR_FLUSHES = 4 * comb(13, 4) * 39 - 10 * FOUR_OF_ONE_SUIT
FOUR_FLUSHES_WITH_A_PAIR = 4 * comb(13, 4) * 4 * 3
# A-2-3-4 and J-Q-K-A become a straight with one further rank, the nine between with two. Or the fifth pairs one of
# the four.
FOUR_STRAIGHTS_UNPAIRED = (2 * (9 - 1) + 9 * (9 - 2)) * (4**5 - 4 - FOUR_OF_ONE_SUIT)
FOUR_STRAIGHTS_WITH_A_PAIR = 11 * 4 * (comb(4, 2) * 4**3 - 4 * 3)

SOKO = STANDARD | {
    "four-flush": FOUR_FLUSHES,
    "four-straight": FOUR_STRAIGHTS_UNPAIRED + FOUR_STRAIGHTS_WITH_A_PAIR,
    "one pair": STANDARD["one pair"] - FOUR_FLUSHES_WITH_A_PAIR - FOUR_STRAIGHTS_WITH_A_PAIR,
    "high card": STANDARD["high card"] - (FOUR_FLUSHES - FOUR_FLUSHES_WITH_A_PAIR) - FOUR_STRAIGHTS_UNPAIRED,
}

QUALIFYING_LOWS = comb(8, 5) * 4**5
EIGHT = {"low": QUALIFYING_LOWS, "no qualifying hand": comb(52, 5) - QUALIFYING_LOWS}

OF_52_CARDS = {
    "standard": STANDARD,
    "eight-or-better": EIGHT,
    "deuce-to-seven": DEUCE_TO_SEVEN,
    "soko": SOKO,
}

# Five straights: A-7-8-9-10 and those to the jack, queen, king and ace.
OF_32_CARDS = {
    "royal flush": 4,
    "straight flush": 4 * 4,
    "four of a kind": 8 * 28,
    "flush": (comb(8, 5) - 5) * 4,
    "full house": 8 * comb(4, 3) * 7 * comb(4, 2),
    "straight": 5 * OF_MIXED_SUITS,
    "three of a kind": 8 * comb(4, 3) * comb(7, 2) * 4**2,
    "two pair": comb(8, 2) * comb(4, 2) ** 2 * 24,
    "one pair": 8 * comb(4, 2) * comb(7, 3) * 4**3,
    "high card": (comb(8, 5) - 5) * OF_MIXED_SUITS,
}


def patterns_of_52_cards() -> Iterator[tuple[tuple[int, ...], int]]:
    """One hand for all that differ only in which suits make the same pattern, and how many those are."""
    for ranks in combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        if max(counts.values()) == 5:
            continue
        ways = prod(comb(4, often) for often in counts.values())
        for hand, alike in of_four_or_five_suited(counts):
            ways -= alike
            yield hand, alike
        yield of_no_four_suited(counts), ways


def of_four_or_five_suited(counts: Counter[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    ranks = list(counts)
    if len(ranks) == 5:
        yield tuple(which * 4 for which in ranks), 4
        for odd in ranks:
            yield tuple(which * 4 + (which == odd) for which in ranks), 4 * 3
    elif len(ranks) == 4:
        ((pair, _),) = counts.most_common(1)
        yield (pair * 4 + 1, *(which * 4 for which in ranks)), 4 * 3


def of_no_four_suited(counts: Counter[int]) -> tuple[int, ...]:
    """Suits taken in turn, rank by rank, so that no four cards are of one suit."""
    return tuple(
        which * 4 + (first + again) % 4 for first, (which, often) in enumerate(counts.items()) for again in range(often)
    )


def counted(ranking: str, hands: Iterable[tuple[tuple[int, ...], int]]) -> Counter[str]:
    """How many hands each category got. A low called by its cards is a high card, under eight or better a low."""
    value = evaluator(ranking, None)
    by_value: Counter[int] = Counter()
    for hand, ways in hands:
        by_value[value(hand, ())] += ways
    called_by_cards = "low" if ranking == EIGHT_OR_BETTER.name else "high card"
    found: Counter[str] = Counter()
    for worth, often in by_value.items():
        word = category(ranking, worth)
        found[called_by_cards if word.endswith(" low") else word] += often
    return found


def one_by_one(lowest_rank: int) -> Iterator[tuple[tuple[int, ...], int]]:
    return ((hand, 1) for hand in combinations(deck(lowest_rank), 5))


def test_the_patterns_stand_for_all_hands_and_none_twice() -> None:
    assert sum(ways for _, ways in patterns_of_52_cards()) == comb(52, 5) == 2_598_960
    for hand, _ in patterns_of_52_cards():
        assert len(set(hand)) == 5


@pytest.mark.parametrize("ranking", OF_52_CARDS)
def test_all_2598960_hands_fall_into_their_categories(ranking: str) -> None:
    found = counted(ranking, patterns_of_52_cards())
    assert found == OF_52_CARDS[ranking]
    assert found.total() == 2_598_960


@pytest.mark.soak
@pytest.mark.parametrize("ranking", OF_52_CARDS)
def test_hand_by_hand_they_are_as_many(ranking: str) -> None:
    assert counted(ranking, one_by_one(lowest_rank=0)) == OF_52_CARDS[ranking]


def test_soko_has_110940_four_flushes_and_92208_four_straights() -> None:
    assert (SOKO["four-flush"], SOKO["four-straight"]) == (110_940, 92_208)


@pytest.mark.parametrize("ranking", ["32-card", "32-card-draw", "telesina"])
def test_all_201376_hands_of_32_cards_fall_into_their_categories(ranking: str) -> None:
    found = counted(ranking, one_by_one(lowest_rank=5))
    assert found == OF_32_CARDS
    assert found.total() == comb(32, 5) == 201_376


def test_every_ranking_is_counted() -> None:
    assert {*OF_52_CARDS, "32-card", "32-card-draw", "telesina"} == set(RANKINGS)
