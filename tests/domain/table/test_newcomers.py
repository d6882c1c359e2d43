"""A new player waits for the big blind, or posts as much at once (rules.md section 7)."""

from dataclasses import replace

import pytest

from domain.hand import commands as of_hand
from domain.hand.events import BlindPosted, PostKind, TurnGiven
from domain.table.state import Standing
from tests.domain.table.tables import (
    HOLDEM,
    STUD,
    TEN_SEATS,
    come_back,
    deal,
    events,
    given,
    next_hand,
    playing,
    seat_of,
    sit_down,
    sit_out,
    stand_up,
    under,
)

RULEBOOKS = ["ace", "omaha-guide", "classic", "euro"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_he_posts_as_much_as_the_big_blind_live(rulebook: str) -> None:
    now = playing(1, 2, 3, 4, opening=under(rulebook))
    sit_down(now, 6)
    assert next_hand(now) == "2 button, 3 small, 4 big, 6 posts 2 live, 1"


def test_he_may_check_what_he_posted_or_raise() -> None:
    """Seat 6 acts first, after the big blind in 4: its 2 are a call already, and it may make it 4."""
    now = playing(1, 2, 3, 4)
    sit_down(now, 6)
    deal(now)
    hand = now.hand
    assert hand is not None and isinstance(hand.turn, TurnGiven)
    assert (hand.turn.seat, hand.turn.call, hand.turn.least) == (6, 0, 4)
    events(now, of_hand.Check(hand.id, hand.decision, 6))


def test_or_he_waits_for_the_big_blind() -> None:
    """Seats 1 to 4 have played one hand, with the button in 1; seat 6 sits down. He has the big blind when the small
    one is in 4."""
    now = playing(1, 2, 3, 4)
    sit_down(now, 6, posts=False)
    assert [next_hand(now) for _ in range(3)] == [
        "2 button, 3 small, 4 big, 1",
        "3 button, 4 small, 6 big, 1, 2",
        "4 button, 6 small, 1 big, 2, 3",
    ]


def test_who_waits_may_change_his_mind() -> None:
    now = playing(1, 2, 3, 4, opening=TEN_SEATS)
    sit_down(now, 6, posts=False)
    next_hand(now)
    sit_down(now, 7, posts=False)
    come_back(now, 7, posts=True)
    assert next_hand(now) == "3 button, 4 small, 6 big, 7 posts 2 live, 1, 2"


def test_between_big_blind_and_button_he_doesn_t_get_a_hand_for_nothing() -> None:
    """Scenario 38: the third sits down between big blind and button: he has the big blind at once, or posts."""
    now = playing(1, 3)
    sit_down(now, 5)
    assert next_hand(now) == "3 button, 5 small, 1 big"
    now = playing(1, 3, 5, opening=TEN_SEATS)
    sit_down(now, 7)
    assert next_hand(now) == "3 button, 5 small, 7 big, 1"
    now = playing(1, 3, 5, 7, opening=TEN_SEATS)
    sit_down(now, 8)
    assert next_hand(now) == "3 button, 5 small, 7 big, 8 posts 2 live, 1"


@pytest.mark.parametrize("posts", [True, False])
def test_he_is_not_dealt_in_as_the_small_blind(posts: bool) -> None:
    """Seat 3 sits down between the next button, 2, and the small blind, 4: the button passes him first."""
    now = playing(1, 2, 4, 5)
    sit_down(now, 3, posts=posts)
    assert next_hand(now) == "2 button, 4 small, 5 big, 1"
    after = "4 button, 5 small, 1 big, 2"
    assert next_hand(now) == (f"{after}, 3 posts 2 live" if posts else after)


def test_he_is_not_dealt_in_as_the_button() -> None:
    """Seat 2 would be the next button; 3 is, and so he sits behind it, and posts."""
    now = playing(1, 3, 4, 5)
    sit_down(now, 2)
    assert next_hand(now) == "3 button, 4 small, 5 big, 1, 2 posts 2 live"


def test_who_waits_where_the_blinds_have_passed_waits_for_a_whole_round() -> None:
    now = playing(1, 2, 4, 5)
    sit_down(now, 3, posts=False)
    assert [next_hand(now) for _ in range(4)] == [
        "2 button, 4 small, 5 big, 1",
        "4 button, 5 small, 1 big, 2",
        "5 button, 1 small, 2 big, 4",
        "1 button, 2 small, 3 big, 4, 5",
    ]


def test_a_newcomer_who_has_the_big_blind_posts_nothing_more() -> None:
    now = playing(1, 2, 3)
    sit_down(now, 4)
    assert next_hand(now) == "2 button, 3 small, 4 big, 1"


def test_several_newcomers_post_each_for_himself() -> None:
    now = playing(1, 2, 3, opening=TEN_SEATS)
    for seat in (5, 6, 7):
        sit_down(now, seat)
    assert next_hand(now) == "2 button, 3 small, 5 big, 6 posts 2 live, 7 posts 2 live, 1"


def test_after_his_first_hand_he_is_a_player_like_others() -> None:
    now = playing(1, 2, 3, 4)
    sit_down(now, 6)
    assert seat_of(now, 6).standing is Standing.NEW
    next_hand(now)
    assert seat_of(now, 6).standing is Standing.PLAYING
    assert next_hand(now) == "3 button, 4 small, 6 big, 1, 2"


def test_a_newcomer_who_sits_out_before_his_first_hand_is_still_new_when_he_comes_back() -> None:
    now = playing(1, 2, 3, 4)
    sit_down(now, 6)
    sit_out(now, 6)
    for _ in range(4):
        next_hand(now)
    assert (seat_of(now, 6).owes_small, seat_of(now, 6).owes_big) == (False, False)
    come_back(now, 6)
    assert next_hand(now) == "2 button, 3 small, 4 big, 6 posts 2 live, 1"


def test_a_game_that_starts_asks_nobody_for_more_than_the_blinds() -> None:
    now = given((1, 100), (2, 100), (3, 100), (4, 100))
    assert next_hand(now) == "1 button, 2 small, 3 big, 4"


def test_nor_does_one_that_starts_again() -> None:
    """One regular is left; whoever sits down plays at once, whatever he wished."""
    now = playing(1, 2)
    stand_up(now, 2)
    sit_down(now, 3, posts=False)
    sit_down(now, 4)
    assert next_hand(now) == "3 button, 4 small, 1 big"


def test_in_an_ante_game_he_plays_the_next_hand() -> None:
    now = playing(1, 2, 3, opening=STUD)
    sit_down(now, 5, posts=False)
    opened = deal(now)
    assert [one.seat for one in opened.seats] == [1, 2, 3, 5]
    assert [(post.seat, post.kind) for post in opened.posts] == [(seat, PostKind.ANTE) for seat in (1, 2, 3, 5)]


def test_a_short_stack_posts_what_it_has() -> None:
    """Seat 6 has 1 chip where it would post 2."""
    now = playing(1, 2, 3, 4)
    sit_down(now, 6)
    seat_of(now, 6).stack = 1
    deal(now)
    assert now.hand is not None
    (posted,) = [event for event in now.hand.facts if isinstance(event, BlindPosted) and event.seat == 6]
    assert (posted.amount, posted.live, posted.all_in) == (1, True, True)


def test_at_a_table_without_seat_rules_everybody_with_chips_plays_the_next_hand() -> None:
    now = playing(1, 2, 4, opening=replace(HOLDEM, seat_rules=False))
    sit_down(now, 3, posts=False)
    assert next_hand(now) == "2 button, 3 small, 4 big, 1"
