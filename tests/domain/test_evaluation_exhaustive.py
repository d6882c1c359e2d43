"""The compiled tables against counts, brute force and an evaluator that others wrote."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from phevaluator import evaluate_cards

from domain.rules.evaluation import best_five, category, evaluator

high = evaluator("standard", None)
low = evaluator("eight-or-better", None)
omaha_high = evaluator("standard", 2)
omaha_low = evaluator("eight-or-better", 2)


def phevaluator_value(cards: tuple[int, ...]) -> int:
    """phevaluator numbers the same 7,462 hands from the best, 1, to the worst."""
    return 7463 - int(evaluate_cards(*cards))


def every_ranks(size: int) -> Iterator[dict[int, int]]:
    """How often each rank occurs, for all the ways that `size` cards of one deck can share their ranks."""
    for ranks in combinations_with_replacement(range(13), size):
        counts = Counter(ranks)
        if max(counts.values()) <= 4:
            yield counts


def of_mixed_suits(counts: dict[int, int]) -> tuple[int, ...]:
    """Cards of these ranks, no five of one suit."""
    return tuple(
        rank * 4 + (first + again) % 4 for first, (rank, often) in enumerate(counts.items()) for again in range(often)
    )


def deals(number: int, size: int, seed: int) -> Iterator[tuple[int, ...]]:
    random = Random(seed)
    for _ in range(number):
        yield tuple(random.sample(range(52), size))


def test_all_2598960_hands_fall_into_their_categories() -> None:
    found: Counter[str] = Counter()
    for counts in every_ranks(5):
        ways = prod(comb(4, often) for often in counts.values())
        if len(counts) == 5:
            ways -= 4
            found[category("standard", high(tuple(rank * 4 for rank in counts), ()))] += 4
        found[category("standard", high(of_mixed_suits(counts), ()))] += ways
    assert found == {
        "royal flush": 4,
        "straight flush": 9 * 4,
        "four of a kind": 13 * 48,
        "full house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": (comb(13, 5) - 10) * 4,
        "straight": 10 * (4**5 - 4),
        "three of a kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "one pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high card": (comb(13, 5) - 10) * (4**5 - 4),
    }
    assert found.total() == comb(52, 5) == 2_598_960


def test_there_are_56_lows_and_7462_highs_without_a_gap() -> None:
    fives = [of_mixed_suits(counts) for counts in every_ranks(5)]
    suited = [tuple(rank * 4 for rank in ranks) for ranks in combinations(range(13), 5)]
    assert {high(five, ()) for five in fives + suited} == set(range(1, 7463))
    assert {low(five, ()) for five in fives + suited} == set(range(57))


@pytest.mark.parametrize(("size", "different"), [(6, 18_395), (7, 49_205)])
def test_six_and_seven_cards_are_worth_their_best_five(size: int, different: int) -> None:
    hands = [of_mixed_suits(counts) for counts in every_ranks(size)]
    assert len(hands) == different
    for hand in hands:
        fives = list(combinations(hand, 5))
        assert high(hand[:2], hand[2:]) == max([high(five, ()) for five in fives])
        assert low(hand[:2], hand[2:]) == max([low(five, ()) for five in fives])


@pytest.mark.parametrize("size", [6, 7])
def test_six_and_seven_suited_cards_are_worth_their_best_five(size: int) -> None:
    for ranks in combinations(range(13), size):
        hand = tuple(rank * 4 + 2 for rank in ranks)
        assert high(hand, ()) == max(high(five, ()) for five in combinations(hand, 5))


def test_200000_random_seven_card_hands_agree_with_phevaluator() -> None:
    for cards in deals(200_000, 7, seed=7):
        assert high(cards[:2], cards[2:]) == phevaluator_value(cards), cards


@pytest.mark.soak
def test_all_2598960_five_card_hands_agree_with_phevaluator() -> None:
    for five in combinations(range(52), 5):
        assert high(five, ()) == phevaluator_value(five), five


def allowed_in_omaha(hole: tuple[int, ...], board: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [own + shared for own in combinations(hole, 2) for shared in combinations(board, 3)]


@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_omaha_is_the_best_of_two_and_three_by_brute_force(on_board: int) -> None:
    for cards in deals(1_500, 4 + on_board, seed=on_board):
        hole, board = cards[:4], cards[4:]
        expected = max(phevaluator_value(five) for five in allowed_in_omaha(hole, board))
        assert omaha_high(hole, board) == expected, cards


def test_omaha_flushes_are_the_best_of_two_and_three_by_brute_force() -> None:
    random = Random(4)
    for _ in range(1_500):
        suit = random.randrange(4)
        cards = random.sample(range(52), 4) + random.sample(range(suit, 52, 4), 5)
        if len(set(cards)) == 9:
            random.shuffle(cards)
            hole, board = tuple(cards[:4]), tuple(cards[4:])
            expected = max(phevaluator_value(five) for five in allowed_in_omaha(hole, board))
            assert omaha_high(hole, board) == expected, cards


def lowest(fives: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The best low read from the highest card down, the ace counting 1; None if none is of five unpaired cards to 8."""
    read = [tuple(sorted((1 if card // 4 == 12 else card // 4 + 2 for card in five), reverse=True)) for five in fives]
    return min((low for low in read if len(set(low)) == 5 and low[0] <= 8), default=None)


ALL_LOWS = sorted(combinations(range(8, 0, -1), 5), reverse=True)
LOW_VALUE: dict[tuple[int, ...] | None, int] = {None: 0} | {
    reading: value for value, reading in enumerate(ALL_LOWS, start=1)
}


@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_omaha_lows_by_brute_force(on_board: int) -> None:
    for cards in deals(1_500, 4 + on_board, seed=80 + on_board):
        hole, board = cards[:4], cards[4:]
        assert omaha_low(hole, board) == LOW_VALUE[lowest(allowed_in_omaha(hole, board))], cards


def test_lows_of_seven_cards_by_brute_force() -> None:
    for cards in deals(3_000, 7, seed=8):
        assert low(cards[:2], cards[2:]) == LOW_VALUE[lowest(list(combinations(cards, 5)))], cards


@pytest.mark.parametrize("ranking", ["standard", "eight-or-better"])
def test_the_five_cards_shown_are_worth_the_hand(ranking: str) -> None:
    worth = evaluator(ranking, None)
    for used in (None, 2):
        for cards in deals(150, 7 if used is None else 9, seed=5):
            hole, board = cards[:-5], cards[-5:]
            five = best_five(ranking, used, hole, board)
            value = evaluator(ranking, used)(hole, board)
            assert value == (worth(five, ()) if five else 0), cards


def test_the_order_of_the_cards_says_nothing() -> None:
    random = Random(9)
    for cards in deals(500, 9, seed=9):
        hole, board = list(cards[:4]), list(cards[4:])
        before = omaha_high(hole, board), omaha_low(hole, board), high(hole[:2], board), low(hole[:2], board)
        two = hole[:2]
        for some in (hole, board, two):
            random.shuffle(some)
        assert (omaha_high(hole, board), omaha_low(hole, board), high(two, board), low(two, board)) == before
