"""rules.md section 4, items 3 to 7, sentence by sentence; items 1 and 2 stand in `test_rankings.py`."""

from itertools import pairwise

import pytest

from domain.cards import cards, faces
from domain.rules.evaluation import beats_by_the_special_rule, best_five, category, evaluator
from domain.rules.rankings import RANKINGS


def worth(ranking: str, hand: str, board: str = "") -> int:
    return evaluator(ranking, None)(cards(hand), cards(board))


def words(ranking: str, hand: str) -> str:
    return category(ranking, worth(ranking, hand))


def assert_best_first(ranking: str, *hands: str) -> None:
    """Each hand beats the next one."""
    for better, worse in pairwise(hands):
        assert worth(ranking, better) > worth(ranking, worse), f"{better} should beat {worse}"


# 3: deuce to seven


def test_the_worst_standard_hand_wins_deuce_to_seven() -> None:
    assert_best_first(
        "deuce-to-seven",
        "7c 5d 4h 3s 2c",
        "2c 2d 5h 4s 3c",
        "3c 3d 2h 2s 4c",
        "2c 2d 2h 4s 3c",
        "6c 5d 4h 3s 2c",
        "7h 5h 4h 3h 2h",
        "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c",
        "6d 5d 4d 3d 2d",
        "As Ks Qs Js Ts",
    )


def test_in_deuce_to_seven_the_ace_is_always_high() -> None:
    assert words("deuce-to-seven", "Ac 2d 3h 4s 5c") == "A-5-4-3-2 low"
    assert_best_first("deuce-to-seven", "Kc Qd Jh Ts 8c", "Ac 2d 3h 4s 5c", "Ac 2d 3h 4s 6c", "2c 2d 3h 4s 5c")
    assert words("deuce-to-seven", "As 2s 3s 4s 5s") == "flush"


def test_in_deuce_to_seven_straights_and_flushes_count() -> None:
    assert words("deuce-to-seven", "6c 5d 4h 3s 2c") == "straight"
    assert words("deuce-to-seven", "7h 5h 4h 3h 2h") == "flush"
    assert words("deuce-to-seven", "Ac Kd Qh Js Tc") == "straight"


def test_the_best_deuce_to_seven_is_2_3_4_5_7() -> None:
    assert_best_first("deuce-to-seven", "2c 3d 4h 5s 7c", "2c 3d 4h 6s 7c", "2c 3d 5h 6s 7c", "2c 3d 4h 5s 8c")


def test_in_deuce_to_seven_no_suit_breaks_a_tie() -> None:
    assert worth("deuce-to-seven", "7c 5d 4h 3s 2c") == worth("deuce-to-seven", "7h 5s 4c 3d 2h")
    assert worth("deuce-to-seven", "Ac Kd Qh Js 9c") == worth("deuce-to-seven", "Ah Ks Qc Jd 9h")
    assert worth("deuce-to-seven", "2c 2d 5h 4s 3c") == worth("deuce-to-seven", "2h 2s 5c 4d 3h")
    assert worth("deuce-to-seven", "6c 5d 4h 3s 2c") == worth("deuce-to-seven", "6h 5s 4c 3d 2h")


# 4: Soko


def test_four_flush_and_four_straight_stand_between_two_pair_and_one_pair_the_four_flush_higher() -> None:
    best_first = [
        ("As Ks Qs Js Ts", "royal flush"),
        ("Kd Qd Jd Td 9d", "straight flush"),
        ("2c 2d 2h 2s 3c", "four of a kind"),
        ("2c 2d 2h 3s 3c", "full house"),
        ("7h 5h 4h 3h 2h", "flush"),
        ("5c 4d 3h 2s Ac", "straight"),
        ("2c 2d 2h 4s 3c", "three of a kind"),
        ("3c 3d 2h 2s 4c", "two pair"),
        ("7c 4c 3c 2c 9d", "four-flush"),
        ("Ac 2d 3h 4s 7c", "four-straight"),
        ("Ac Ad Kh Qs Tc", "one pair"),
        ("Ac Kd Qh Ts 9c", "high card"),
    ]
    assert [words("soko", hand) for hand, _ in best_first] == [name for _, name in best_first]
    assert_best_first("soko", *[hand for hand, _ in best_first])


def test_a_four_flush_compares_its_four_cards_then_the_fifth() -> None:
    assert_best_first("soko", "Ah 9h 3h 2h 4c", "Kd Qd Jd 9d Ac")
    assert_best_first("soko", "Ah 9h 3h 2h Kc", "Ad 9d 3d 2d Qs")
    assert worth("soko", "Ah 9h 3h 2h Kc") == worth("soko", "Ad 9d 3d 2d Ks")


def test_a_four_flush_may_hold_a_pair_or_a_four_straight() -> None:
    assert words("soko", "Ah Kh 3h 2h Ac") == "four-flush"
    assert words("soko", "9h 8h 7h 6h Ac") == "four-flush"
    assert_best_first("soko", "Ah Kh 3h 2h Ac", "Ad Kd 3d 2d Ks", "Ad Kd 3d 2d Qs")


def test_a_four_straight_compares_its_top_card_then_the_fifth() -> None:
    assert_best_first("soko", "9c 8d 7h 6s 2c", "8c 7d 6h 5s Ac", "8c 7d 6h 5s Kc", "8c 7d 6h 5s 8d", "8c 7d 6h 5s 5d")
    assert words("soko", "8c 7d 6h 5s 5d") == "four-straight"
    assert worth("soko", "8c 7d 6h 5s Ac") == worth("soko", "8h 7c 6d 5h As")


def test_a_2_3_4_is_the_lowest_four_straight_j_q_k_a_the_highest() -> None:
    assert_best_first("soko", "Jc Qd Kh As 2c", "Tc Jd Qh Ks 2c", "2c 3d 4h 5s 7c", "Ac 2d 3h 4s Kc")
    assert_best_first("soko", "Ac 2d 3h 4s Ad", "Ac 2d 3h 4s Kc", "Ac 2d 3h 4s 2h", "Ac Ad Kh Qs Tc")
    assert words("soko", "Qc Kd Ah 2s 3c") == words("soko", "Kc Ad 2h 3s 7c") == "high card"


def test_a_four_straight_needs_four_in_a_row() -> None:
    assert words("soko", "9c 8d 7h 5s 4c") == "high card"
    assert words("soko", "8c 7d 6h 6s 5c") == "four-straight"
    assert words("soko", "8c 7d 6h 6s 2c") == "one pair"


def test_soko_is_otherwise_standard() -> None:
    assert_best_first("soko", "Qc Qd Qh 6s 6c", "Qc Qd Qh 5s 5c", "Kh 7h 5h 3h 2h", "Qs Js Ts 8s 6s")
    assert_best_first("soko", "Jc Jd Jh As Qc", "Jc Jd Jh As 9c", "Ac Ad Kh Ts 6c", "Ac Ad Qh Js 5c")


# 5: 32-card

AS_IN_THE_32_CARD_DECK = ("32-card", "32-card-draw", "telesina")


@pytest.mark.parametrize("ranking", AS_IN_THE_32_CARD_DECK)
def test_flush_beats_full_house(ranking: str) -> None:
    best_first = [
        ("As Ks Qs Js Ts", "royal flush"),
        ("Kd Qd Jd Td 9d", "straight flush"),
        ("7c 7d 7h 7s 8c", "four of a kind"),
        ("7s 8s 9s Ts Qs", "flush"),
        ("Ac Ad Ah Ks Kc", "full house"),
        ("7c 8d 9h Ts Jc", "straight"),
        ("Ac Ad Ah Ks Qc", "three of a kind"),
        ("Ac Ad Kh Ks Qc", "two pair"),
        ("Ac Ad Kh Qs Jc", "one pair"),
        ("Ac Kd Qh Js 9c", "high card"),
    ]
    assert [words(ranking, hand) for hand, _ in best_first] == [name for _, name in best_first]
    assert_best_first(ranking, *[hand for hand, _ in best_first])


@pytest.mark.parametrize("ranking", AS_IN_THE_32_CARD_DECK)
def test_a_7_8_9_10_is_the_lowest_straight_its_top_card_is_the_ten(ranking: str) -> None:
    assert words(ranking, "Ac 7d 8h 9s Tc") == "straight"
    assert words(ranking, "As 7s 8s 9s Ts") == "straight flush"
    assert_best_first(ranking, "Ts Jd Qh Ks Ac", "9s Td Jh Qs Kc", "7s 8d 9h Ts Jc", "Ah 7h 8d 9h Th", "Ac Ad Ah Ks Qc")
    assert_best_first(ranking, "7s 8s 9s Ts Js", "Ah 7h 8h 9h Th")
    assert words(ranking, "Kc Ad 7h 8s 9c") == "high card"


def test_in_americana_equal_hands_split() -> None:
    assert worth("32-card", "Ah Kh Qh Jh 9h") == worth("32-card", "As Ks Qs Js 9s")
    assert worth("32-card", "Ac Kd Qh Js 9c") == worth("32-card", "Ah Ks Qc Jd 9h")
    assert worth("32-card", "As Ks Qs Js Ts") == worth("32-card", "Ah Kh Qh Jh Th")
    assert worth("32-card", "Ac Kd Qh Js Tc") == worth("32-card", "Ah Ks Qc Jd Th")
    assert worth("32-card", "Ac 7d 8h 9s Tc") == worth("32-card", "Ah 7s 8c 9d Th")
    assert worth("32-card", "As Ac Kd Kh Qs") == worth("32-card", "Ah Ad Ks Kc Qh")
    assert worth("32-card", "As Ac Kd Qh Jc") == worth("32-card", "Ah Ad Ks Qc Jd")


@pytest.mark.parametrize("ranking", AS_IN_THE_32_CARD_DECK)
def test_a_card_under_the_seven_makes_no_hand_of_the_32_cards(ranking: str) -> None:
    assert words(ranking, "Ac Kd Qh Js 6c") == "no qualifying hand"


# 6: 32-card draw: hearts, diamonds, clubs, spades


def test_every_tie_is_broken_hearts_diamonds_clubs_spades() -> None:
    assert_best_first("32-card-draw", "Ah Kd Qc Js 9h", "Ad Kh Qh Jh 9d", "Ac Ks Qd Jd 9c", "As Kc Qs Jc 9s")


def test_straight_flush_and_straight_the_suit_of_the_top_card() -> None:
    assert_best_first("32-card-draw", "Ah Kh Qh Jh Th", "Ad Kd Qd Jd Td", "Ac Kc Qc Jc Tc", "As Ks Qs Js Ts")
    assert_best_first("32-card-draw", "Kh Qs Js Ts 9s", "Kd Qh Jh Th 9h", "Kc Qd Jd Td 9d")
    assert_best_first("32-card-draw", "Th 9s 8s 7s As", "Td 9h 8h 7h Ah")


def test_flush_the_five_ranks_then_the_suit() -> None:
    assert_best_first("32-card-draw", "As Ks Qs Js 8s", "Ah Kh Qh Jh 7h", "Ad Kd Qd Jd 7d")


def test_two_pair_equal_the_fifth_cards_suit() -> None:
    assert_best_first("32-card-draw", "As Ac Ks Kc Qd", "Ah Ad Kh Kd Qc", "Ah Ad Kh Kd Jh")


def test_pair_equal_in_all_ranks_the_suit_of_the_highest_side_card() -> None:
    assert_best_first("32-card-draw", "As Ac Kd Qs Jc", "Ah Ad Kc Qh Jh", "Ah Ad Kh Qh Th")


def test_high_card_the_suit_of_the_highest_card_after_all_ranks() -> None:
    assert_best_first("32-card-draw", "As Kd Qh Js 9c", "Ah Kc Qs Jc 8h", "Ad Kh Qc Jh 8d")


# 7: Telesina


def test_telesina_flush_against_flush_the_higher_suit_whatever_the_ranks() -> None:
    assert_best_first("telesina", "7h 8h 9h Th Qh", "Ad Kd Qd Jd 9d", "Ac Kc Qc Jc 9c", "As Ks Qs Js 9s")


def test_telesina_straights_equal_at_the_top_the_suit_of_the_top_card() -> None:
    assert_best_first("telesina", "Ks Qs Js Tc 9s", "Qh Jh Th 9d 8h", "Qd Js Ts 9s 8s")
    assert_best_first("telesina", "Th 9s 8s 7s As", "Td 9h 8h 7h Ah")
    assert_best_first("telesina", "Qh Jh Th 9h 8h", "Qd Jd Td 9d 8d", "Js Ts 9s 8s 7s")


def test_telesina_pair_against_equal_pair_the_highest_side_card_by_rank_then_its_suit() -> None:
    assert_best_first("telesina", "As Ac Ks 8s 7c", "Ah Ad Qh Jh Th")
    assert_best_first("telesina", "As Ac Kh 8s 7c", "Ah Ad Kd Qh Jh")


def test_telesina_high_card_the_top_card_by_rank_then_by_its_suit_before_the_second_card() -> None:
    assert_best_first("telesina", "Ah Qc Js 9s 8s", "Ad Kc Jh 9h 8h", "Kh Qh Jd 9d 8d")


def test_telesina_two_pair_equal_the_fifth_card_by_rank_then_its_suit() -> None:
    assert_best_first("telesina", "As Ac Ks Kc Qs", "Ah Ad Kh Kd Jh")
    assert_best_first("telesina", "As Ac Ks Kc Qh", "Ah Ad Kh Kd Qd")


def test_telesina_two_pair_and_the_fifth_card_is_the_vela_for_both_the_highest_suit_in_the_higher_pair() -> None:
    vela = "Qs"
    assert worth("telesina", "Ah As Kc Ks 7d", vela) > worth("telesina", "Ad Ac Kh Kd Jh", vela)
    assert worth("telesina", "Ah As Kc Ks 7d", vela) < worth("telesina", "Ad Ac Kh Kd Qc", vela)


def test_telesina_pair_and_the_highest_side_card_is_the_vela_for_both_the_highest_suit_in_the_pair() -> None:
    vela = "Ks"
    assert worth("telesina", "Ah As 9c 8s 7c", vela) > worth("telesina", "Ad Ac Qd Jh 9h", vela)


def test_telesina_a_vela_that_only_one_hand_has_decides() -> None:
    vela = "Kh"
    assert worth("telesina", "Ad As Qs 8s 7c", vela) > worth("telesina", "Ah Ac Qd Jh 9h", "Kd")


def test_telesina_a_vela_that_is_the_top_card_of_one_straight_only_decides_by_its_suit() -> None:
    assert worth("telesina", "Jh Tc 9s 8s 7c", "Qs") < worth("telesina", "Qd Jd Th 9h 8c", "Qs")
    assert worth("telesina", "Jc Td 9s 8s 7c", "Qh") < worth("telesina", "Qd Jd Th 9h 8c", "Qh")
    assert worth("telesina", "Jh Tc 9s 8s 7c", "Qh") > worth("telesina", "Qd Jd Th 9h 8c", "Qh")


def test_telesina_a_deciding_card_that_is_the_vela_for_both_cannot_decide_go_on_to_the_next() -> None:
    vela = "Ah"
    assert worth("telesina", "Ks Jc 9s 8s 7c", vela) > worth("telesina", "Qh Jh 9h 8d 7d", vela)
    assert worth("telesina", "Kd Jc 9s 8s 7c", vela) > worth("telesina", "Kc Qh Jh 8d 7d", vela)
    straight = "Jc Td 9s 8s", "Jd Th 9h 8h"
    assert worth("telesina", f"{straight[0]} 7s", "Qs") < worth("telesina", f"{straight[1]} 7h", "Qs")
    assert worth("telesina", "Jh Ts 9s 8s 7s", "Qs") > worth("telesina", "Jd Th 9h 8h 7h", "Qs")


def test_telesina_a_pair_that_both_make_with_the_vela_is_decided_by_the_side_card() -> None:
    vela = "Kh"
    assert worth("telesina", "Kd Qs 9c 8s 7c", vela) < worth("telesina", "Ks Qd Jc 9h 8h", vela)


SPADES_LOW, HEARTS_HIGH = "As 7s 8s 9s Ts", "Th Jh Qh Kh Ah"


def test_telesina_special_the_lowest_straight_flush_in_spades_beats_the_highest_in_hearts_and_only_it() -> None:
    low, royal = worth("telesina", SPADES_LOW), worth("telesina", HEARTS_HIGH)
    assert low < royal
    assert beats_by_the_special_rule("telesina", low, royal)
    assert not beats_by_the_special_rule("telesina", royal, low)
    others = [
        "Td Jd Qd Kd Ad",
        "9h Th Jh Qh Kh",
        "7s 8s 9s Ts Js",
        "Ac 7c 8c 9c Tc",
        "Ah 7h 8h 9h Th",
        "7c 7d 7h 7s Ac",
    ]
    for other in others:
        assert not beats_by_the_special_rule("telesina", low, worth("telesina", other)), other
        assert not beats_by_the_special_rule("telesina", worth("telesina", other), royal), other
    assert_best_first("telesina", "Td Jd Qd Kd Ad", SPADES_LOW, "7c 7d 7h 7s Ac")


def test_telesina_special_a_sixth_card_changes_nothing() -> None:
    low, royal = worth("telesina", SPADES_LOW, "Ks"), worth("telesina", HEARTS_HIGH, "Ks")
    assert beats_by_the_special_rule("telesina", low, royal)
    assert not beats_by_the_special_rule("telesina", worth("telesina", SPADES_LOW, "Js"), royal)


@pytest.mark.parametrize("ranking", sorted(RANKINGS.keys() - {"telesina"}))
def test_no_other_ranking_has_a_special_rule(ranking: str) -> None:
    low, royal = worth(ranking, SPADES_LOW), worth(ranking, HEARTS_HIGH)
    assert not beats_by_the_special_rule(ranking, low, royal)
    assert not beats_by_the_special_rule(ranking, royal, low)


# The five cards shown


@pytest.mark.parametrize(
    ("ranking", "hole", "board", "shown"),
    [
        ("deuce-to-seven", "2c 3d 4h 5s 7c", "", "7c 5s 4h 3d 2c"),
        ("soko", "Kc Ac 4c 9c Ks", "", "Ac Kc 9c 4c Ks"),
        ("soko", "Kc Ad 4s 2s 3s", "", "4s 3s 2s Ad Kc"),
        ("32-card", "Ac Td 9s 8s 7s", "", "Td 9s 8s 7s Ac"),
        ("32-card-draw", "As Kc Ah Kd Qs", "", "Ah As Kd Kc Qs"),
        ("telesina", "As Kc Ah 7d Qs", "Jd", "Ah As Kc Qs Jd"),
        ("telesina", "Ks Kc Ah Ad Qs", "Qh", "Ah Ad Kc Ks Qh"),
        ("telesina", "Qs Js Td 9d 8c", "Qh", "Qh Js Td 9d 8c"),
    ],
)
def test_the_hand_is_shown_as_one_reads_it(ranking: str, hole: str, board: str, shown: str) -> None:
    assert faces(best_five(ranking, None, cards(hole), cards(board))) == shown
