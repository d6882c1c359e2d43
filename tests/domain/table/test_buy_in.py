"""With how much a player sits down, tops up and comes back (rules.md section 7)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.messages import Refused
from domain.table import commands as ask
from domain.table.buy_in import check_buy_in, check_top_up
from domain.table.play import Play
from domain.table.state import Left
from tests.domain.table.tables import (
    HOLDEM,
    MINUTE,
    STUD,
    deal,
    events,
    given,
    sit_down,
    stand_up,
    table,
)

EURO_FIXED = replace(HOLDEM, limit="fixed", kind="real", currency="EUR")


def opened(terms: ask.OpenTable) -> Any:
    (made,) = events(Play("t1"), terms)
    return made


@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha-hilo"])
@pytest.mark.parametrize(
    ("small", "big", "least"),
    [(25, 50, 3_00), (1_00, 2_00, 10_00), (2_00, 4_00, 20_00), (3_00, 6_00, 30_00), (5_00, 10_00, 50_00)],
)
def test_the_examples_of_euro(game: str, small: int, big: int, least: int) -> None:
    made = opened(replace(EURO_FIXED, game=game, small=small, big=big))
    assert (made.least_buy_in, made.most_buy_in) == (least, 0)


@pytest.mark.parametrize(
    ("change", "least"),
    [
        ({"small": 10, "big": 20}, 1_00),  # not among euro's examples: ten times 0.10
        ({"small": 25, "big": 50, "rulebook": "ace", "currency": "USD"}, 2_50),  # the examples are euro's
        ({"small": 25, "big": 50, "kind": "play", "currency": "PLAY"}, 250),  # and of real money
        ({"small": 25, "big": 50, "game": "draw"}, 2_50),  # and of hold'em and Omaha
    ],
)
def test_elsewhere_it_is_ten_small_bets(change: dict[str, Any], least: int) -> None:
    assert opened(replace(EURO_FIXED, **change)).least_buy_in == least


def test_without_small_bets_it_is_ten_minimum_bets() -> None:
    stated = (HOLDEM, STUD, replace(STUD, big=0, bring_in=3), replace(STUD, limit="fixed", small=5, big=10))
    assert [opened(terms).least_buy_in for terms in stated] == [20, 40, 30, 50]


@pytest.mark.parametrize(("limit", "most"), [("pot", 200), ("half-pot", 200), ("no", 200), ("fixed", 0), ("spread", 0)])
def test_pot_half_pot_and_no_limit_have_a_maximum(limit: str, most: int) -> None:
    """A big blind of 2: at least 20, at most ten times that; in fixed and spread limit whatever the account holds."""
    change: dict[str, Any] = {"fixed": {"small": 2, "big": 4}, "spread": {"small": 0, "maxima": (4, 4, 8, 8)}}
    made = opened(replace(HOLDEM, limit=limit, **change.get(limit, {})))
    assert (made.least_buy_in, made.most_buy_in) == (20, most)


def test_a_table_may_state_its_own() -> None:
    made = opened(replace(HOLDEM, least_buy_in=50, most_buy_in=90))
    assert (made.least_buy_in, made.most_buy_in) == (50, 90)
    assert opened(replace(HOLDEM, least_buy_in=50)).most_buy_in == 500


# --- coming back -----------------------------------------------------------------------------------------------------


def left_with(chips: int, **terms: Any) -> Play:
    """A table of 40 to 200 that player 5 has left at minute 0 with so many chips."""
    now = given((1, 100), (2, 100), opening=replace(HOLDEM, least_buy_in=40, most_buy_in=200, **terms))
    sit_down(now, 5, 100)
    table(now).seats[5].stack = chips
    stand_up(now, 5)
    return now


@pytest.mark.parametrize("minutes", [0, 30, 60])
def test_who_comes_back_within_the_hour_brings_what_he_left_with(minutes: int) -> None:
    """Scenario 51: he leaves with 180, and would come back with 100."""
    now = left_with(180)
    with pytest.raises(
        Refused, match=r"100 is too little: player5 left with 180 within the last 60 minutes, and comes"
    ):
        sit_down(now, 5, 100, at=minutes * MINUTE)
    sit_down(now, 5, 180, at=minutes * MINUTE)
    assert table(now).seats[5].stack == 180


def test_a_larger_wish_is_as_good() -> None:
    sit_down(left_with(180), 5, 200, at=MINUTE)


def test_after_the_hour_he_brings_what_he_likes() -> None:
    sit_down(left_with(180), 5, 40, at=60 * MINUTE + 1)


def test_what_he_left_with_may_be_more_than_the_maximum() -> None:
    now = left_with(500)
    with pytest.raises(Refused, match="200 is too little: player5 left with 500"):
        sit_down(now, 5, 200, at=MINUTE)
    with pytest.raises(Refused, match="501 is too much: at most 500 to sit down"):
        sit_down(now, 5, 501, at=MINUTE)
    sit_down(now, 5, 500, at=MINUTE)


def test_or_less_than_the_minimum_which_holds_then() -> None:
    now = left_with(10)
    with pytest.raises(Refused, match="39 is too little: at least 40 to sit down"):
        sit_down(now, 5, 39, at=MINUTE)
    sit_down(now, 5, 40, at=MINUTE)


def test_a_try_that_is_refused_or_given_up_resets_nothing() -> None:
    """Scenario 51: whatever he asks for in between, it is 300 that he left with."""
    now = left_with(300)
    for amount in (100, 1000, 39):
        with pytest.raises(Refused):
            sit_down(now, 5, amount, at=10 * MINUTE)
    with pytest.raises(Refused, match="299 is too little: player5 left with 300"):
        sit_down(now, 5, 299, at=60 * MINUTE)


def test_it_goes_by_the_player_and_not_by_the_seat() -> None:
    now = left_with(180)
    with pytest.raises(Refused, match="100 is too little: player5 left with 180"):
        events(now, ask.SitDown("t1", 6, "player5", 100), MINUTE)
    events(now, ask.SitDown("t1", 5, "ann", 40), MINUTE)


def test_who_left_is_forgotten_after_the_hour() -> None:
    """The table keeps nobody for ever: the next one who leaves clears those away."""
    now = left_with(180)
    stand_up(now, 2, at=60 * MINUTE + 1)
    assert table(now).left == {"player2": Left(100, 60 * MINUTE + 1)}


def test_a_table_without_seat_rules_remembers_nobody() -> None:
    now = left_with(180, seat_rules=False)
    assert table(now).left == {}
    check_buy_in(table(now), "player5", 40, 0)


# --- topping up ------------------------------------------------------------------------------------------------------


def test_a_top_up_ends_at_the_maximum() -> None:
    now = given((1, 150), (2, 100), opening=replace(HOLDEM, most_buy_in=200))
    check_top_up(table(now), 1, 50)
    with pytest.raises(
        Refused, match=r"51 is too much: seat 1 has 150, the table's maximum is 200, so .* at most 50 more"
    ):
        check_top_up(table(now), 1, 51)
    table(now).seats[1].stack = 200
    with pytest.raises(Refused, match="so it takes no more"):
        check_top_up(table(now), 1, 1)


def test_chips_on_their_way_into_play_count() -> None:
    now = given((1, 150), (2, 100), opening=replace(HOLDEM, most_buy_in=200))
    deal(now)
    table(now).receive(1, 30)
    check_top_up(table(now), 1, 20)
    with pytest.raises(Refused, match="21 is too much: seat 1 has 180"):
        check_top_up(table(now), 1, 21)


def test_without_a_maximum_there_is_no_end() -> None:
    now = given((1, 150), (2, 100), opening=replace(HOLDEM, limit="fixed", small=2, big=4))
    check_top_up(table(now), 1, 10**9)
