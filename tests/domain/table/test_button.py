"""The button moves one seat clockwise each hand to the next seat dealt in; the blinds are counted from it (rules.md
section 7)."""

import pytest

from domain.table.play import Play
from tests.domain.table.tables import bust, come_back, deal, given, next_hand, playing, sit_out, stand_up


def test_the_button_of_the_first_hand_is_the_lowest_active_seat() -> None:
    assert deal(given((5, 100), (2, 100), (4, 100))).button == 2


def test_who_sits_out_isn_t_active_in_the_first_hand() -> None:
    now = given((1, 100), (2, 100), (4, 100), (5, 100))
    sit_out(now, 1)
    assert next_hand(now) == "2 button, 4 small, 5 big"


def test_the_button_moves_one_seat_clockwise_to_the_next_seat_dealt_in() -> None:
    now = given((1, 100), (2, 100), (4, 100))
    assert [next_hand(now) for _ in range(4)] == [
        "1 button, 2 small, 4 big",
        "2 button, 4 small, 1 big",
        "4 button, 1 small, 2 big",
        "1 button, 2 small, 4 big",
    ]


def four() -> Play:
    """Of the hand that was dealt, seat 1 had the button, 2 the small blind, 3 the big blind."""
    return playing(1, 2, 3, 4)


def test_the_small_blind_leaves_and_nobody_owes_the_blind_that_is_skipped() -> None:
    """The rule's own example. Seat 3 had the big blind and has the button now: its small blind is skipped, and not
    owed; seats 4 and 1 post theirs."""
    now = four()
    stand_up(now, 2)
    assert [next_hand(now) for _ in range(3)] == [
        "3 button, 4 small, 1 big",
        "4 button, 1 small, 3 big",
        "1 button, 3 small, 4 big",
    ]


@pytest.mark.parametrize(
    ("busts", "next_one"),
    [
        ([], "2 button, 3 small, 4 big, 1"),
        ([3], "2 button, 4 small, 1 big"),  # the big blind
        ([2], "3 button, 4 small, 1 big"),  # the small blind
        ([1], "2 button, 3 small, 4 big"),  # the button
        ([2, 3], "4 button small, 1 big"),  # two at once, two are left: the button posts the small blind
        ([1, 2], "3 button small, 4 big"),
        ([1, 3], "2 button small, 4 big"),
        ([3, 4], "2 button small, 1 big"),
    ],
)
def test_after_busts_each_hand_has_one_small_and_one_big_blind(busts: list[int], next_one: str) -> None:
    """Scenario 36."""
    now = four()
    bust(now, *busts)
    assert next_hand(now) == next_one


def test_the_button_never_stops_at_a_seat_that_sits_out() -> None:
    """Scenario 35: seat 3 has the button and sits out; 1 and 2 go on, each with the big blind every other hand."""
    now = playing(1, 2, 3)
    next_hand(now)
    assert next_hand(now) == "3 button, 1 small, 2 big"
    sit_out(now, 3)
    assert [next_hand(now) for _ in range(4)] == [
        "1 button small, 2 big",
        "2 button small, 1 big",
        "1 button small, 2 big",
        "2 button small, 1 big",
    ]


def test_who_sat_out_beside_the_blinds_and_missed_none_comes_back_as_he_was() -> None:
    """Seat 6 sits out one hand, in which others had the blinds."""
    now = playing(1, 2, 3, 4, 5, 6)
    sit_out(now, 6)
    assert next_hand(now) == "2 button, 3 small, 4 big, 5, 1"
    come_back(now, 6)
    assert next_hand(now) == "3 button, 4 small, 5 big, 6, 1, 2"
