"""rules.md section 3, Odd chips."""

import pytest

from domain.hand.pots import Share, split
from tests.hands import open_hand_for, played

ROYAL = "Ts Js Qs Ks As"


def shares(amount: int, winners: tuple[int, ...], unit: int = 1) -> dict[int, int]:
    return {seat: share for seat, share, _ in split(amount, winners, unit)}


def test_shares_are_rounded_down_and_the_rest_goes_unit_by_unit_from_the_first_winner() -> None:
    assert split(100, (1, 2, 3), 1) == [Share(1, 34, 1), Share(2, 33, 0), Share(3, 33, 0)]
    assert shares(101, (4, 5, 1)) == {4: 34, 5: 34, 1: 33}


def test_30300_split_three_ways_is_even() -> None:
    """Scenario 29."""
    assert shares(30_300, (1, 2, 3)) == {1: 10_100, 2: 10_100, 3: 10_100}


def test_101_split_two_ways() -> None:
    """Scenario 30."""
    assert shares(101, (1, 2)) == {1: 51, 2: 50}


@pytest.mark.parametrize(
    ("amount", "expected"),
    [(189, (75, 64, 50)), (159, (59, 50, 50)), (150, (50, 50, 50)), (74, (25, 25, 24)), (30, (25, 5, 0))],
)
def test_by_the_chip_unit_a_last_piece_under_a_unit_goes_to_the_next_winner(amount, expected) -> None:
    assert tuple(shares(amount, (1, 2, 3), 25).values()) == expected


@pytest.mark.parametrize("unit", [1, 5, 25])
def test_no_chip_is_made_or_lost(unit) -> None:
    assert all(sum(shares(amount, (1, 2, 3), unit).values()) == amount for amount in range(200))


def test_the_first_winner_left_of_the_button_wherever_the_button_is() -> None:
    """Seats 2, 3 and 4 are all-in for 33 each on a board that plays; seat 1 folds the big blind of 2: 101."""
    opened = open_hand_for(stacks=[33] * 4, button=3, board=ROYAL)
    table = played(opened, "2 raises to 33", "3 calls", "4 calls", "1 folds")
    assert table.won == {4: 34, 2: 34, 3: 33}


def test_100_for_three_at_the_table() -> None:
    """Scenario 29: the small blind of 1 is folded, three are all-in for 33 each."""
    opened = open_hand_for(stacks=[100, 33, 33, 33], board=ROYAL)
    table = played(opened, "3 raises to 33", "4 calls", "1 folds", "2 calls")
    assert table.won == {2: 34, 3: 33, 4: 33}


def test_101_for_two_at_the_table() -> None:
    """Scenario 30."""
    opened = open_hand_for(stacks=[100, 50, 50], board=ROYAL)
    table = played(opened, "3 raises to 50", "1 folds", "2 calls")
    assert table.won == {2: 51, 3: 50}


def test_hilo_103_with_one_high_and_two_lows_52_26_25() -> None:
    cards = {1: "Jh Th 6c 6s", 2: "Kc Ks 5d 4d", 3: "Ah 2h Qc Jc", 4: "As 2d 9h 9c"}
    opened = open_hand_for("omaha-hilo", stacks=[100, 34, 34, 34], cards=cards, board="8c 7d 3s Kh Td")
    table = played(opened, "3 raises to 34", "4 calls", "1 folds", "2 calls")
    assert table.won == {2: 52, 3: 26, 4: 25}


def test_hilo_main_101_and_side_51_a_high_and_b_low_in_both_77_and_75() -> None:
    """A is seat 2, B seat 3. Main: five put in 20, and the small blind of 1; side: 20 of A, 20 of B, 11 folded."""
    cards = {1: "9d 6d 6h 5h", 2: "Kc Ks Jd Tc", 3: "Ah 2h Qc Jc", 4: "Qd Qs 9h 9c", 5: "Jh Th 6c 6s", 6: "5s 4s 5c 4c"}
    opened = open_hand_for("omaha-hilo", stacks=[90, 90, 90, 20, 90, 90], cards=cards, board="8c 7d 3s Kh Td")
    table = played(opened, "3 calls", "4 raises to 20", "5 calls", "6 calls", "1 folds", "2 calls", "3 calls")
    table.do("2 bets 11", "3 calls", "5 calls", "6 folds", "2 bets 9", "3 calls", "5 folds", "2 checks", "3 checks")
    assert table.pots == (101, 51)
    assert table.won == {2: 77, 3: 75}


def test_each_pot_is_split_on_its_own() -> None:
    """Main 101 and side 51 of the same two: 51 and 50, 26 and 25; together they would be 76 each."""
    cards = {4: "2c 2d", 2: "Ac Kd", 3: "Ad Kc"}
    opened = open_hand_for(stacks=[90, 90, 90, 20, 90, 90], cards=cards, board="As Kh 9h 8s 3d")
    table = played(opened, "3 calls", "4 raises to 20", "5 calls", "6 calls", "1 folds", "2 calls", "3 calls")
    table.do("2 bets 11", "3 calls", "5 calls", "6 folds", "2 bets 9", "3 calls", "5 folds", "2 checks", "3 checks")
    assert table.pots == (101, 51)
    assert table.won == {2: 51 + 26, 3: 50 + 25}
