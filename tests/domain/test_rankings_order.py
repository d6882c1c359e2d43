"""The orders of hands against a model that is written for reading (`ranking_model.py`), and what a total order needs.

Values are ints, so an order is total and transitive if each value stands for the hands that the model holds equal, and
for no others. Telesina's model compares two hands and knows the vela: there the values must decide as it does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, islice, pairwise, product
from random import Random

import pytest

from domain.cards import RANKS, cards, deck, faces, rank_of
from domain.rules.evaluation import WrongNumberOfCards, best_five, category, evaluator
from domain.rules.rankings import RANKINGS
from tests.domain import ranking_model as model
from tests.domain.test_rankings_counts import patterns_of_52_cards

ALL = sorted(RANKINGS)


def assert_same_order(ranking: str, hands: Iterator[tuple[int, ...]]) -> None:
    words, key = model.KEYS[ranking]
    value = evaluator(ranking, None)
    key_of: dict[int, model.Key] = {}
    for hand in hands:
        expected = key(hand)
        assert key_of.setdefault(value(hand, ()), expected) == expected, faces(hand)
    weakest_first = sorted(key_of)
    for worse, better in pairwise(weakest_first):
        assert key_of[worse] < key_of[better]
    for worth, of_worth in key_of.items():
        assert called(ranking, worth) == words[abs(of_worth[0])]


def called(ranking: str, value: int) -> str:
    word = category(ranking, value)
    return "high card" if word.endswith(" low") else {"royal flush": "straight flush"}.get(word, word)


@pytest.mark.parametrize("ranking", ["standard", "deuce-to-seven", "soko"])
def test_all_patterns_of_52_cards_stand_in_the_order_of_the_model(ranking: str) -> None:
    assert_same_order(ranking, (hand for hand, _ in patterns_of_52_cards()))


@pytest.mark.soak
@pytest.mark.parametrize("ranking", ["standard", "deuce-to-seven", "soko"])
def test_all_2598960_hands_stand_in_the_order_of_the_model(ranking: str) -> None:
    assert_same_order(ranking, combinations(deck(0), 5))


def test_all_patterns_of_32_cards_stand_in_the_order_of_the_model() -> None:
    assert_same_order("32-card", (hand for hand, _ in patterns_of_52_cards() if min(hand) >= deck(5)[0]))


def test_one_hand_in_seven_of_32_card_draw_stands_in_the_order_of_the_model() -> None:
    assert_same_order("32-card-draw", islice(combinations(deck(5), 5), 0, None, 7))


@pytest.mark.soak
@pytest.mark.parametrize("ranking", ["32-card", "32-card-draw"])
def test_all_201376_hands_stand_in_the_order_of_the_model(ranking: str) -> None:
    assert_same_order(ranking, combinations(deck(5), 5))


# No two hands that can meet are equal where suits break ties


@pytest.mark.parametrize(("ranking", "shared"), [("32-card-draw", 0), ("telesina", 1)])
def test_hands_of_equal_value_share_too_many_cards_to_meet(ranking: str, shared: int) -> None:
    """Of all 201,376 hands. Two players have no card in common in 32-card draw, in Telesina only the vela. Hands of one
    value all hold the same cards, more than those; or each holds three of the same four."""
    value = evaluator(ranking, None)
    of_value: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for hand in combinations(deck(5), 5):
        of_value[value(hand, ())].append(hand)
    for worth, hands in of_value.items():
        if called(ranking, worth) in {"three of a kind", "full house", "four of a kind"}:
            assert len({threes_rank(hand) for hand in hands}) == 1  # two threes of one rank have two cards in common
        else:
            assert len(set(hands[0]).intersection(*hands)) > shared, faces(hands[0])


def threes_rank(hand: tuple[int, ...]) -> int:
    ranks = [rank_of(card) for card in hand]
    return max(ranks, key=ranks.count)


# Telesina: two hands and the vela


def telesina_deals(number: int, seed: int) -> Iterator[tuple[list[int], list[int], int]]:
    """Two hands of almost the same ranks: the vela is often the card that should decide between them."""
    random = Random(seed)
    for _ in range(number):
        ranks = random.sample(range(5, 13), 5)
        pairs = random.choice((0, 1, 2))
        ranks[:pairs] = ranks[2 : 2 + pairs]
        others = [random.choice(range(5, 13)) if random.random() < 0.15 else which for which in ranks]
        left = random.sample(deck(5), 32)
        hands = [take(left, wanted) for wanted in (ranks, others)]
        yield hands[0], hands[1], left[0]


def take(left: list[int], ranks: list[int]) -> list[int]:
    """Cards of these ranks, any card where all four of a rank are gone."""
    hand = []
    for which in ranks:
        hand.append(next((card for card in left if rank_of(card) == which), left[-1]))
        left.remove(hand[-1])
    return hand


def wins(mine: list[int], theirs: list[int], vela: int) -> bool:
    """Some five of mine beats every five of theirs."""
    return any(
        all(model.telesina(five, other, vela) > 0 for other in combinations((*theirs, vela), 5))
        for five in combinations((*mine, vela), 5)
    )


def assert_decided_by_the_rule(mine: list[int], theirs: list[int], vela: int) -> None:
    value = evaluator("telesina", None)
    difference = value(mine, (vela,)) - value(theirs, (vela,))
    said = f"{faces(mine)} against {faces(theirs)} with the vela {faces((vela,))}"
    assert (difference > 0, difference < 0) == (wins(mine, theirs, vela), wins(theirs, mine, vela)), said


def test_telesina_hands_with_a_vela_are_decided_as_the_rule_says() -> None:
    for mine, theirs, vela in telesina_deals(2_500, seed=32):
        assert_decided_by_the_rule(mine, theirs, vela)


@pytest.mark.soak
def test_telesina_hands_with_a_vela_are_decided_as_the_rule_says_in_many_deals() -> None:
    for mine, theirs, vela in telesina_deals(50_000, seed=33):
        assert_decided_by_the_rule(mine, theirs, vela)


def test_those_deals_meet_every_case_in_which_the_vela_cannot_decide() -> None:
    deciding = {"straight": 0, "two pair": 4, "one pair": 2, "high card": 0}
    value = evaluator("telesina", None)
    met: Counter[str] = Counter()
    for mine, theirs, vela in telesina_deals(2_500, seed=32):
        word, other = (category("telesina", value(hand, (vela,))) for hand in (mine, theirs))
        if word == other and word in deciding:
            at = deciding[word]
            a, b = (best_five("telesina", None, hand, (vela,)) for hand in (mine, theirs))
            met[word] += a[at] == b[at] == vela and rank_of(a[0]) == rank_of(b[0])
    assert all(met[word] >= 10 for word in deciding), met


def test_every_two_telesina_hands_without_a_vela_are_decided_as_the_rule_says() -> None:
    value = evaluator("telesina", None)
    for mine, theirs, _ in telesina_deals(10_000, seed=7):
        decided = model.telesina(mine, theirs, None)
        difference = value(mine, ()) - value(theirs, ())
        assert decided != 0
        assert (difference > 0) == (decided > 0), f"{faces(mine)} against {faces(theirs)}"


# Six and seven cards, and exactly two and three


@pytest.mark.parametrize("ranking", ALL)
@pytest.mark.parametrize("size", [6, 7])
def test_six_and_seven_cards_are_worth_their_best_five(ranking: str, size: int) -> None:
    value = evaluator(ranking, None)
    random = Random(size)
    lowest_rank = 0 if RANKINGS[ranking].ranks == RANKS else 5
    for _ in range(1_000):
        dealt = random.sample(deck(lowest_rank), size)
        assert value(dealt[:5], dealt[5:]) == max(value(five, ()) for five in combinations(dealt, 5)), faces(dealt)


@pytest.mark.parametrize("ranking", ["32-card", "32-card-draw", "telesina"])
def test_six_of_32_cards_are_worth_their_best_five_with_five_or_six_of_a_suit(ranking: str) -> None:
    value = evaluator(ranking, None)
    for five, other in product(combinations(deck(5)[::4], 5), deck(5)):
        if other not in five:
            six = (*five, other)
            assert value(six, ()) == max(value(best, ()) for best in combinations(six, 5)), faces(six)


@pytest.mark.parametrize("ranking", ALL)
@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_two_and_three_are_the_best_that_is_allowed(ranking: str, on_board: int) -> None:
    value, of_five = evaluator(ranking, 2), evaluator(ranking, None)
    random = Random(on_board)
    for _ in range(150):
        dealt = random.sample(deck(5), 4 + on_board)
        hole, board = dealt[:4], dealt[4:]
        fives = [(*own, *shared) for own in combinations(hole, 2) for shared in combinations(board, 3)]
        assert value(hole, board) == max(of_five(five, ()) for five in fives), faces(dealt)


@pytest.mark.parametrize("ranking", ALL)
def test_the_order_of_the_cards_says_nothing(ranking: str) -> None:
    random = Random(11)
    value = evaluator(ranking, None)
    for _ in range(300):
        dealt = random.sample(deck(5), 5)
        before = value(dealt, ())
        random.shuffle(dealt)
        assert value(dealt[:2], dealt[2:]) == before


@pytest.mark.parametrize("ranking", ALL)
def test_the_five_cards_shown_are_worth_the_hand(ranking: str) -> None:
    random = Random(6)
    value = evaluator(ranking, None)
    for _ in range(200):
        dealt = random.sample(deck(5), 6)
        five = best_five(ranking, None, dealt[:5], dealt[5:])
        assert value(dealt[:5], dealt[5:]) == (value(five, ()) if five else 0)
        assert len(set(five)) == len(five) and set(five) <= set(dealt)


@pytest.mark.parametrize("ranking", ALL)
def test_a_wrong_number_of_cards_is_refused(ranking: str) -> None:
    with pytest.raises(WrongNumberOfCards, match="4 cards given: a hand needs five to seven"):
        evaluator(ranking, None)(cards("As Ks Qs Js"), ())
    with pytest.raises(WrongNumberOfCards, match="8 cards given"):
        evaluator(ranking, None)(cards("As Kd Qh Jc Ts 9d 8h 7c"), ())
    with pytest.raises(WrongNumberOfCards, match="1 own cards and 3 on the board given"):
        evaluator(ranking, 2)(cards("As"), cards("Kd Qh Jc"))
