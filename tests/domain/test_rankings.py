"""rules.md section 4, sentence by sentence, for the standard ranking and eight or better."""

import pytest

from domain.cards import cards, faces
from domain.rules.evaluation import WrongNumberOfCards, best_five, category, evaluator
from domain.rules.rankings import UnknownRanking


def high(hand: str, board: str = "") -> int:
    return evaluator("standard", None)(cards(hand), cards(board))


def low(hand: str, board: str = "") -> int:
    return evaluator("eight-or-better", None)(cards(hand), cards(board))


def omaha_high(hand: str, board: str) -> int:
    return evaluator("standard", 2)(cards(hand), cards(board))


def omaha_low(hand: str, board: str) -> int:
    return evaluator("eight-or-better", 2)(cards(hand), cards(board))


def words(hand: str) -> str:
    return category("standard", high(hand))


def low_words(hand: str) -> str:
    return category("eight-or-better", low(hand))


# Standard


def test_of_three_pairs_the_two_highest_count_and_the_best_card_beside_them() -> None:
    """Scenario 56: 7c 5x on 4 8 4 7 8 is eights and sevens with a five, though fours lie there twice too."""
    board = "4c 8d 4h 7s 8h"
    assert category("standard", high("7c 5d", board)) == "two pair"
    assert high("As Kd", board) < high("7c 5d", board) < high("7c 6d", board) < high("7c Ad", board)
    assert high("7c 5d", board) == high("7d 5c", board)


def test_royal_straight_flush_four_full_house_flush_straight_three_two_pair_pair_high_card() -> None:
    best_first = [
        ("As Ks Qs Js Ts", "royal flush"),
        ("Kd Qd Jd Td 9d", "straight flush"),
        ("2c 2d 2h 2s 3c", "four of a kind"),
        ("2c 2d 2h 3s 3c", "full house"),
        ("7h 5h 4h 3h 2h", "flush"),
        ("5c 4d 3h 2s Ac", "straight"),
        ("2c 2d 2h 4s 3c", "three of a kind"),
        ("3c 3d 2h 2s 4c", "two pair"),
        ("2c 2d 5h 4s 3c", "one pair"),
        ("7c 5d 4h 3s 2c", "high card"),
    ]
    assert [words(hand) for hand, _ in best_first] == [name for _, name in best_first]
    values = [high(hand) for hand, _ in best_first]
    assert values == sorted(values, reverse=True)


def test_royal_in_spades_down_to_high_card() -> None:
    best_first = [
        "As Ks Qs Js Ts",
        "7d 8d 9d Td Jd",
        "Jc Jd Jh Js 2c",
        "Kc Kd Kh Qs Qc",
        "As Js 9s 7s 5s",
        "8c 9d Th Js Qc",
        "Kc Kd Kh 9s 2c",
        "Qc Qd Jh Js 3c",
        "Ac Ad Kh Qs Jc",
        "Ac Kd Qh Js 9c",
    ]
    values = [high(hand) for hand in best_first]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_the_ace_is_low_only_in_a_2_3_4_5() -> None:
    assert words("Qs Kd Ah 2c 3s") == "high card"
    assert words("Ks Ad 2h 3c 4s") == "high card"
    assert words("As 2d 3h 4c 5s") == "straight"
    assert high("As 2d 3h 4c 5s") < high("2s 3d 4h 5c 6s")
    assert high("As 2d 3h 4c 6s") > high("Ks Qd Jh Tc 8s")
    assert high("As Ad 4h 3c 2s") > high("Ks Kd Ah Qc Js")


def test_q_k_a_2_3_is_no_straight_even_of_one_suit() -> None:
    assert words("Qs Ks As 2s 3s") == "flush"


def test_q_q_q_6_6_beats_q_q_q_5_5() -> None:
    assert high("Qc Qd Qh 6s 6c") > high("Qc Qd Qh 5s 5c")


def test_k_7_5_3_2_of_hearts_beats_q_j_10_8_6_of_spades() -> None:
    assert high("Kh 7h 5h 3h 2h") > high("Qs Js Ts 8s 6s")


def test_a_a_k_10_6_beats_a_a_q_j_5() -> None:
    assert high("Ac Ad Kh Ts 6c") > high("Ah As Qh Js 5c")


def test_j_j_j_a_q_beats_j_j_j_a_9() -> None:
    assert high("Jc Jd Jh As Qc") > high("Jc Jd Jh As 9c")


def test_the_hands_of_ace_are_what_it_calls_them() -> None:
    assert words("5s 4s 3s 2s As") == "straight flush"
    assert words("Ac Ad Ah As Jc") == "four of a kind"
    assert words("Jc Jd Jh As Ac") == "full house"
    assert words("6c 7d 8h 9s Tc") == "straight"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("3c 3d 3h 3s 4c", "2c 2d 2h 2s Ac"),
        ("3c 3d 3h 3s 5c", "3c 3d 3h 3s 4c"),
        ("3c 3d 3h 2s 2c", "2c 2d 2h As Ac"),
        ("3c 3d 2h 2s Ac", "3h 3s 2c 2d Kc"),
        ("Ac Ad 2h 2s 3c", "Kc Kd Qh Qs Ac"),
        ("3c 3d Ah 5s 4c", "3h 3s Kc Qd Jc"),
        ("3c 3d Ah 6s 2c", "3h 3s Ac 5d 4c"),
        ("Ah Kh Qh Jh 3h", "As Ks Qs Js 2s"),
        ("Ac Kd 5h 4s 3c", "Ah Ks 5c 4d 2h"),
    ],
)
def test_kickers_decide(better: str, worse: str) -> None:
    assert high(better) > high(worse)


def test_then_a_tie() -> None:
    assert high("Ac Ad Kh Ts 6c") == high("Ah As Kc Td 6d")
    assert high("Ah Kh Qh Jh 9h") == high("As Ks Qs Js 9s")
    assert high("As Ks Qs Js Ts") == high("Ad Kd Qd Jd Td")


def test_a_sixth_and_a_seventh_card_break_no_tie() -> None:
    board = "Ac Kc Qd Jd 9h"
    assert high("8s 7s", board) == high("3c 2d", board) == high("", board)


def test_the_board_may_play() -> None:
    assert high("2c 3d", "As Ks Qs Js Ts") == high("As Ks Qs Js Ts")


def test_the_higher_two_of_three_pairs_and_the_best_kicker_among_seven_cards() -> None:
    seven_and_five = high("7c 5d", "4h 8s 4c 7d 8h")
    assert category("standard", seven_and_five) == "two pair"
    assert seven_and_five == high("8s 8h 7c 7d 5d")
    assert seven_and_five < high("Ah 7h", "4h 8s 4c 7d 8h")


def test_two_threes_among_seven_cards_make_a_full_house() -> None:
    assert high("9c 9d", "9h 4s 4c 4d Kh") == high("9c 9d 9h 4s 4c")


# Eight or better


def test_the_best_low_is_a_2_3_4_5_and_straights_and_flushes_do_not_count_against_it() -> None:
    wheel = low("As 2s 3s 4s 5s")
    assert wheel == low("Ac 2d 3h 4s 5c")
    assert wheel > low("Ac 2d 3h 4s 6c")
    assert low("2s 3s 4s 5s 6s") == low("2c 3d 4h 5s 6c") > low("Ac 2d 3h 4s 7c")


def test_a_low_is_five_unpaired_cards_of_8_or_less() -> None:
    assert low("4c 5d 6h 7s 8c") == 1
    assert low("Ac 2d 3h 4s 9c") == 0
    assert low("Ac 2d 3h 4s 4c") == 0
    assert low("Ac 2d 3h 4s 4c Kd Ks") == 0
    assert low("Ac 2d 3h 4s 4c Ad 8s") == low("Ac 2d 3h 4s 8c")


def test_lows_are_compared_from_the_highest_card_down() -> None:
    assert low("7c 6d 5h 4s 3c") > low("8c 4d 3h 2s Ac")
    assert low("8c 6d 5h 4s 3c") > low("8c 7d 3h 2s Ac")
    assert low("8c 7d 5h 2s Ac") > low("8c 7d 5h 3s Ac")


def test_seven_cards_of_which_five_are_of_one_suit_may_hold_a_better_low() -> None:
    assert low("8s 7s 6s 5s 4s Ad 2d") == low("6s 5s 4s Ad 2d")


def test_lows_are_called_by_their_cards() -> None:
    assert low_words("8c 7d 5h 2s Ac") == "8-7-5-2-A low"
    assert low_words("8c 7d 5h 2s Kc") == "no qualifying hand"


# Omaha: exactly two of the hand and three of the board

SCOOPING_BOARD = "3s 4s 5s Kd Qh"


def test_a_2_of_spades_scoops_on_3_4_5_of_spades() -> None:
    assert category("standard", omaha_high("As 2s Jd Tc", SCOOPING_BOARD)) == "straight flush"
    assert omaha_low("As 2s Jd Tc", SCOOPING_BOARD) == low("Ac 2d 3h 4s 5c")


def test_unless_another_holds_6_7_of_spades_who_then_has_the_high() -> None:
    assert omaha_high("6s 7s Jd Tc", SCOOPING_BOARD) > omaha_high("As 2s Jd Tc", SCOOPING_BOARD)
    assert omaha_low("6s 7s Jd Tc", SCOOPING_BOARD) < omaha_low("As 2s Jd Tc", SCOOPING_BOARD)


def test_or_ace_deuce_who_gets_a_quarter() -> None:
    assert omaha_high("Ad 2c Jd Tc", SCOOPING_BOARD) < omaha_high("As 2s Jd Tc", SCOOPING_BOARD)
    assert omaha_low("Ad 2c Jd Tc", SCOOPING_BOARD) == omaha_low("As 2s Jd Tc", SCOOPING_BOARD)


def test_the_flush_has_the_high_and_8_7_5_2_a_the_low() -> None:
    board, flush, better_low = "5s 7s 8h Qs Kd", "As 3s Jd Tc", "Ad 2s Qc 9h"
    assert category("standard", omaha_high(flush, board)) == "flush"
    assert category("eight-or-better", omaha_low(flush, board)) == "8-7-5-3-A low"
    assert category("eight-or-better", omaha_low(better_low, board)) == "8-7-5-2-A low"
    assert omaha_high(flush, board) > omaha_high(better_low, board)
    assert omaha_low(flush, board) < omaha_low(better_low, board)


def test_the_board_never_plays_in_omaha_nor_do_three_cards_of_a_hand() -> None:
    assert category("standard", omaha_high("2c 3d 4h 6c", "As Ks Qs Js Ts")) == "high card"
    assert category("standard", omaha_high("9c 9d 9h 9s", "As Kd 5h 4c 2s")) == "one pair"
    assert category("standard", omaha_high("As 2c 3d 4h", "Ks Qs Js 9s 7d")) == "high card"
    assert category("standard", omaha_high("As 2s 3s 4s", "Ks Qs Jd 9d 7c")) == "high card"


# The five cards shown


@pytest.mark.parametrize(
    ("ranking", "used", "hole", "board", "shown"),
    [
        ("standard", None, "7c 5d", "4h 8s 4c 7d 8h", "8s 8h 7d 7c 5d"),
        ("standard", None, "Ad 9c", "2c 3h 4s 5d Kh", "5d 4s 3h 2c Ad"),
        ("standard", 2, "As 2s Jd Tc", SCOOPING_BOARD, "5s 4s 3s 2s As"),
        ("eight-or-better", 2, "Ad 2s Qc 9h", "5s 7s 8h Qs Kd", "8h 7s 5s 2s Ad"),
        ("eight-or-better", 2, "Kd Ks Qc 9h", "5s 7s 8h Qs Kh", ""),
    ],
)
def test_the_hand_is_shown_as_one_reads_it(ranking: str, used: int | None, hole: str, board: str, shown: str) -> None:
    assert faces(best_five(ranking, used, cards(hole), cards(board))) == shown


# Refusals


def test_an_unknown_ranking_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UnknownRanking, match="'badugi' is no ranking: use one of standard, eight-or-better"):
        evaluator("badugi", None)
    with pytest.raises(UnknownRanking, match="'badugi' is no ranking"):
        category("badugi", 0)


def test_a_wrong_number_of_cards_is_refused() -> None:
    with pytest.raises(WrongNumberOfCards, match="4 cards given: a hand needs five to seven"):
        high("As Ks Qs Js")
    with pytest.raises(WrongNumberOfCards, match="8 cards given"):
        high("As Ks Qs Js Ts 9s", "8s 7s")
    with pytest.raises(WrongNumberOfCards, match="4 own cards and 2 on the board given"):
        omaha_high("As Ks Qs Js", "Ts 9s")
    with pytest.raises(WrongNumberOfCards, match="1 own cards"):
        omaha_low("As", "2s 3s 4s 5s")


def test_only_two_own_cards_can_be_asked_for() -> None:
    with pytest.raises(ValueError, match="no game uses exactly 3 own cards"):
        evaluator("standard", 3)
