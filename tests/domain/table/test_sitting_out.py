"""Sitting out, coming back and going (rules.md section 7)."""

import pytest

from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.state import Standing
from tests.domain.table.tables import (
    come_back,
    deal,
    events,
    fold_to_the_end,
    given,
    next_hand,
    playing,
    seat_of,
    sit_down,
    sit_out,
    stand_up,
    table,
)


def test_who_sits_out_between_hands_is_not_dealt_in() -> None:
    now = playing(1, 2, 3, 4)
    assert events(now, ask.SitOut("t1", 1, "player1")) == [fact.PlayerSatOut(1, "player1")]
    assert seat_of(now, 1).standing is Standing.OUT
    assert next_hand(now) == "2 button, 3 small, 4 big"


def test_who_sits_out_during_a_hand_plays_it_to_its_end() -> None:
    now = playing(1, 2, 3, 4)
    deal(now)
    sit_out(now, 1)
    assert now.hand is not None and 1 in now.hand.order
    fold_to_the_end(now)
    assert next_hand(now) == "3 button, 4 small, 2 big"


def test_who_sat_out_before_the_hand_can_not_return_before_it_ends() -> None:
    now = playing(1, 2, 3, 4)
    sit_out(now, 1)
    deal(now)
    come_back(now, 1)
    assert now.hand is not None and 1 not in now.hand.order
    fold_to_the_end(now)
    assert next_hand(now) == "3 button, 4 small, 1 big, 2"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (ask.SitOut("t1", 2, "player2"), "player2 sits out already"),
        (ask.SitOut("t1", 2, "player1"), "player1 doesn't sit in seat 2"),
        (ask.SitOut("t1", 5, "player5"), "player5 doesn't sit in seat 5"),
        (ask.ComeBack("t1", 1, "player1", True), "player1 doesn't sit out: there is nothing to come back from"),
        (ask.ComeBack("t1", 1, "player1", False), "player1 doesn't sit out: there is nothing to come back from"),
        (ask.LoseConnection("t1", 3, "player3"), "the connection of player3 is lost already"),
        (ask.RestoreConnection("t1", 1, "player1"), "the connection of player1 isn't lost"),
    ],
)
def test_what_says_nothing_new_is_refused(args: object, sentence: str) -> None:
    now = playing(1, 2, 3)
    sit_out(now, 2)
    events(now, ask.LoseConnection("t1", 3, "player3"))
    with pytest.raises(Refused, match=sentence):
        events(now, args)


def test_a_connection_is_lost_and_comes_back_at_a_time() -> None:
    now = playing(1, 2, 3)
    assert events(now, ask.LoseConnection("t1", 3, "player3"), 17)[0] == fact.ConnectionLost(3, "player3", 17)
    assert not seat_of(now, 3).connected
    assert events(now, ask.RestoreConnection("t1", 3, "player3"), 19) == [fact.ConnectionRestored(3, "player3", 19)]
    assert seat_of(now, 3).connected


def test_whose_connection_is_lost_is_dealt_in_until_he_sits_out() -> None:
    now = playing(1, 2, 3)
    events(now, ask.LoseConnection("t1", 3, "player3"))
    assert next_hand(now) == "2 button, 3 small, 1 big"


def test_a_hand_needs_two_who_do_not_sit_out() -> None:
    now = given((1, 100), (2, 100), (3, 100))
    sit_out(now, 1, 3)
    with pytest.raises(Refused, match="1 can be dealt in: a hand needs two with chips who don't sit out"):
        deal(now)


def test_nobody_stands_up_out_of_a_hand() -> None:
    now = playing(1, 2, 3)
    deal(now)
    with pytest.raises(Refused, match=r"hand t1-2 is under way: hand\.leave folds you when your turn comes, and takes"):
        stand_up(now, 2)


def test_who_is_not_dealt_in_may_stand_up_while_others_play() -> None:
    now = playing(1, 2, 3)
    sit_out(now, 2)
    deal(now)
    made = events(now, ask.StandUp("t1", 2, "player2"))
    assert made == [fact.ChipsTaken(2, "player2", 99), fact.PlayerLeft(2, "player2", 0, 99)]
    fold_to_the_end(now)
    assert list(table(now).seats) == [1, 3]


def test_chips_that_come_during_a_hand_play_from_the_next_one_on() -> None:
    """Seat 5 comes with 80 while a hand is open, and 50 come to seat 1, which brought 100 and wins 1."""
    now = playing(1, 2, 3)
    deal(now)
    sit_down(now, 5, 80)
    assert (seat_of(now, 5).stack, seat_of(now, 5).pending) == (0, 80)
    table(now).receive(1, 50)
    fold_to_the_end(now)
    assert (seat_of(now, 5).stack, seat_of(now, 5).pending) == (80, 0)
    assert (seat_of(now, 1).stack, seat_of(now, 1).pending) == (151, 0)


def test_who_came_during_a_hand_takes_all_of_it_along() -> None:
    now = playing(1, 2, 3)
    deal(now)
    sit_down(now, 5, 80)
    made = events(now, ask.StandUp("t1", 5, "player5"))
    assert made == [fact.ChipsTaken(5, "player5", 80), fact.PlayerLeft(5, "player5", 0, 80)]


def test_nobody_stands_up_for_another() -> None:
    now = playing(1, 2)
    with pytest.raises(Refused, match="player2 doesn't sit in seat 1"):
        events(now, ask.StandUp("t1", 1, "player2"))
