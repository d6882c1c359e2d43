"""Hands showing (rules.md section 2): who opens the later rounds."""

from itertools import combinations, pairwise

import pytest

from domain.cards import cards, deck, suit_of
from domain.rules.evaluation import WrongNumberOfCards, evaluator
from domain.rules.ranking_words import Ranking
from domain.rules.rankings import RANKINGS, UnknownRanking
from domain.rules.showing import showing_value
from tests.domain.ranking_model import rank

HIGH = ("standard", "soko", "32-card", "32-card-draw", "telesina")


def worth(ranking: str, up_cards: str) -> int:
    return showing_value(ranking, cards(up_cards))


def assert_best_first(ranking: str, *hands: str) -> None:
    for better, worse in pairwise(hands):
        assert worth(ranking, better) > worth(ranking, worse), f"{better} should open before {worse}"


@pytest.mark.parametrize("ranking", HIGH)
def test_hands_showing_rank_by_four_three_two_pair_pair_high_cards(ranking: str) -> None:
    assert_best_first(
        ranking, "7c 7d 7h 7s", "Ac Ad Ah Ks", "7c 7d 7h 9s", "Ac Ad Kh Ks", "Ac Ad Qh 8s", "Ac Kd Jh 9s", "Ac Kd Jh 8s"
    )
    assert_best_first(ranking, "7c 7d 7h", "Ac Ad Kh", "Ac Ad Qh", "Kc Kd Ah", "Ac Kd Qh", "Ac Kd Jh")
    assert_best_first(ranking, "7c 7d", "Ac Kd", "Ac Qd", "Kc Qd", "8c 7d")
    assert_best_first(ranking, "Ac", "Kc", "7c")


@pytest.mark.parametrize("ranking", HIGH)
def test_suits_do_not_count(ranking: str) -> None:
    assert worth(ranking, "Ah") == worth(ranking, "As")
    assert worth(ranking, "Ah Ad 9h") == worth(ranking, "As Ac 9s")
    assert worth(ranking, "Ah Kd 9h 8c") == worth(ranking, "As Kc 9s 8d")


@pytest.mark.parametrize("ranking", ["standard", "32-card", "32-card-draw", "telesina"])
def test_four_of_one_suit_or_in_a_row_are_high_cards(ranking: str) -> None:
    assert worth(ranking, "Ts 9s 8s 7s") == worth(ranking, "Td 9s 8h 7c") < worth(ranking, "7c 7d 9h 8s")


def test_in_soko_four_flush_and_four_straight_count_once_four_are_up() -> None:
    assert_best_first(
        "soko", "3c 3d 2h 2s", "Ah 5h 3h 2h", "Kh Qh Jh Th", "Ac Kd Qh Js", "5c 4d 3h 2s", "Ac 2d 3h 4s", "Ac Ad Kh Qs"
    )
    assert_best_first("soko", "Ac Ad 2h", "Ah Kh Qh")
    assert worth("soko", "9h 8h 7h") == worth("soko", "9c 8d 7h")


def test_an_ace_showing_is_high_even_beside_a_2() -> None:
    assert_best_first("standard", "Ac 2d", "Kc Qd")


@pytest.mark.parametrize("ranking", HIGH)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_up_to_three_cards_every_hand_showing_stands_where_its_groups_and_ranks_put_it(ranking: str, size: int) -> None:
    def by_hand(up_cards: tuple[int, ...]) -> list[tuple[int, int]]:
        ranks = [rank(card) for card in up_cards]
        return sorted(((ranks.count(one), one) for one in ranks), reverse=True)

    key_of: dict[int, list[tuple[int, int]]] = {}
    for up_cards in combinations(deck(5), size):
        value = showing_value(ranking, up_cards)
        assert key_of.setdefault(value, by_hand(up_cards)) == by_hand(up_cards)
    in_order = [key_of[value] for value in sorted(key_of)]
    assert all(worse < better for worse, better in pairwise(in_order))


def test_four_cards_showing_stand_as_the_same_four_with_a_deuce_that_helps_none() -> None:
    value = evaluator("soko", None)
    key_of: dict[int, int] = {}
    for up_cards in combinations(deck(5), 4):
        suits = {suit_of(card) for card in up_cards}
        deuce = next((suit for suit in range(4) if suit not in suits), 0)
        with_deuce = value((*up_cards, deuce), ())
        assert key_of.setdefault(showing_value("soko", up_cards), with_deuce) == with_deuce
    in_order = [key_of[value] for value in sorted(key_of)]
    assert all(worse < better for worse, better in pairwise(in_order))


def test_where_the_lowest_hand_wins_the_lowest_shows_best(monkeypatch: pytest.MonkeyPatch) -> None:
    ace_to_five = Ranking(
        name="ace-to-five",
        categories=("four of a kind", "full house", "three of a kind", "two pair", "one pair", "high card"),
        ranks="A23456789TJQK",
        lowest_wins=True,
    )
    monkeypatch.setitem(RANKINGS, "ace-to-five", ace_to_five)
    assert_best_first(
        "ace-to-five", "Ac 2d 3h 4s", "Ac 2d 3h 5s", "Kc Qd Jh Ts", "Ac Ad 2h 3s", "2c 2d Ah 3s", "Ac Ad 2h 2s"
    )


def test_one_to_four_cards_show() -> None:
    for up_cards in ("", "As Ks Qs Js Ts"):
        with pytest.raises(WrongNumberOfCards, match="cards showing: a hand shows one to four"):
            worth("standard", up_cards)


def test_cards_that_no_category_fits_are_refused() -> None:
    with pytest.raises(ValueError, match="Ac Ad is no hand of the ranking eight-or-better"):
        worth("eight-or-better", "Ac Ad")
    with pytest.raises(UnknownRanking):
        worth("badugi", "Ac")
