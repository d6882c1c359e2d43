"""From three players to two and back: the button is counted as ever, and with two it posts the small blind (rules.md
sections 2 and 7)."""

from collections.abc import Callable

import pytest

from tests.domain.table.tables import bust, come_back, next_hand, playing, sit_down, sit_out, stand_up


@pytest.mark.parametrize(
    ("gone", "next_one"),
    [
        (1, "2 button small, 3 big"),  # the button goes: 2 posts the small blind twice and 3 the big one, which stands
        (2, "3 button small, 1 big"),  # the small blind goes: 3, who had the big blind, is the button
        (3, "2 button small, 1 big"),  # the big blind goes: 2 posts the small blind twice
    ],
)
@pytest.mark.parametrize("how", [stand_up, sit_out, bust])
def test_from_three_to_two(gone: int, next_one: str, how: Callable[..., None]) -> None:
    """Scenario 32. Of the hand before, 1 had the button, 2 the small blind, 3 the big blind."""
    now = playing(1, 2, 3)
    how(now, gone)
    assert next_hand(now) == next_one


def test_two_take_turns() -> None:
    now = playing(1, 3)
    assert [next_hand(now) for _ in range(3)] == [
        "3 button small, 1 big",
        "1 button small, 3 big",
        "3 button small, 1 big",
    ]


def test_from_two_to_three_with_the_newcomer_left_of_the_small_blind() -> None:
    """Seat 1 was button and small blind, 3 the big blind. The button comes to 3, the small blind to 1, the big one to
    2."""
    now = playing(1, 3)
    sit_down(now, 2)
    assert [next_hand(now) for _ in range(3)] == [
        "3 button, 1 small, 2 big",
        "1 button, 2 small, 3 big",
        "2 button, 3 small, 1 big",
    ]


def test_from_two_to_three_with_the_newcomer_left_of_the_button() -> None:
    """Fewer than three would play without him, so he needn't wait until the button has passed: he posts the small blind
    that he sits at. Seat 1 has the big blind, as it would have had without him."""
    now = playing(1, 3)
    sit_down(now, 4)
    assert [next_hand(now) for _ in range(3)] == [
        "3 button, 4 small, 1 big",
        "4 button, 1 small, 3 big",
        "1 button, 3 small, 4 big",
    ]


def test_there_he_may_wait_for_the_big_blind() -> None:
    now = playing(1, 3)
    sit_down(now, 4, posts=False)
    assert [next_hand(now) for _ in range(3)] == [
        "3 button small, 1 big",
        "1 button, 3 small, 4 big",
        "3 button, 4 small, 1 big",
    ]


def test_from_two_to_four_left_of_the_button() -> None:
    """Both newcomers are dealt in as what they sit, 4 with the small and 5 with the big blind."""
    now = playing(1, 3)
    sit_down(now, 4)
    sit_down(now, 5)
    assert next_hand(now) == "3 button, 4 small, 5 big, 1"


def test_from_two_to_four_on_both_sides() -> None:
    """Three play without 4, so it waits until the button has passed; 2 has the big blind."""
    now = playing(1, 3)
    sit_down(now, 4)
    sit_down(now, 2)
    assert next_hand(now) == "3 button, 1 small, 2 big"
    assert next_hand(now) == "1 button, 2 small, 3 big, 4 posts 2 live"


def test_who_comes_back_and_owes_makes_the_third() -> None:
    """Seat 3 had the big blind and sits out one hand, in which the next one passes it."""
    now = playing(1, 2, 3)
    sit_out(now, 3)
    assert next_hand(now) == "2 button small, 1 big"  # 3 lies between small and big blind: it missed the big one
    come_back(now, 3)
    assert next_hand(now) == "1 button, 2 small, 3 big"  # and has it now: nothing else to post
