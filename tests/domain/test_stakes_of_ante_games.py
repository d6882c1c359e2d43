"""The stakes of games with an ante and a bring-in (rules.md sections 2, 3 and 9)."""

import pytest

from domain.messages import Refused
from domain.rules import registry
from domain.rules.rake import bands_for
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.stakes import resolve
from domain.rules.vocabulary import Limit, Stakes

RULEBOOKS = ("ace", "omaha-guide", "classic", "euro")
TABLE_DATA = ("omaha-guide", "classic", "euro")
ANTE_GAMES = ("stud", "stud-hilo", "soko", "americana", "telesina")


def play(limit, small=0, big=0, *, game="stud", rulebook="euro", seats=6, **more):
    return resolve(game, limit, rulebook, small, big, kind="play", currency="PLAY", seats=seats, **more)


def real(limit, small=0, big=0, *, game="stud", rulebook="euro", seats=6, **more):
    return resolve(game, limit, rulebook, small, big, kind="real", currency="EUR", seats=seats, **more)


def refusal(how, *args, **more):
    with pytest.raises(Refused) as refused:
        how(*args, **more)
    return str(refused.value)


# Fixed limit


def test_fixed_limit_names_its_bets_and_has_no_blinds_and_no_minimum_bet():
    assert play("fixed", 20, 40, ante=3, bring_in=7).stakes == Stakes(ante=3, bring_in=7, small_bet=20, big_bet=40)


@pytest.mark.parametrize(
    ("small", "unit", "bring_in"),
    [
        (2_00, 1, 1_00),  # $2/$4: 1
        (5_00, 1, 2_50),
        (25, 1, 13),  # up
        (25, 5, 15),
        (15, 5, 10),
        (1, 1, 1),
        (25, 25, 25),  # one chip is the least half
    ],
)
@pytest.mark.parametrize("game", ANTE_GAMES)
def test_in_ace_the_bring_in_of_fixed_limit_is_half_of_the_small_bet_up_to_the_chip_unit(game, small, unit, bring_in):
    terms = play("fixed", small, 2 * small, game=game, rulebook="ace", ante=unit, chip_unit=unit)
    assert terms.stakes.bring_in == bring_in


def test_in_ace_some_low_games_have_no_ante():
    assert play("fixed", 4, 8, rulebook="ace").stakes == Stakes(bring_in=2, small_bet=4, big_bet=8)


def test_in_ace_the_bring_in_may_be_stated_as_it_is_and_not_otherwise():
    assert play("fixed", 4, 8, rulebook="ace", bring_in=2) == play("fixed", 4, 8, rulebook="ace")
    for other in (1, 3, 4):
        assert refusal(play, "fixed", 4, 8, rulebook="ace", ante=1, bring_in=other) == (
            f"the bring-in of a fixed-limit table with a small bet of 4 is 2 under rulebook 'ace', not {other}"
        )


@pytest.mark.parametrize("rulebook", TABLE_DATA)
@pytest.mark.parametrize("game", ANTE_GAMES)
def test_elsewhere_the_bring_in_of_fixed_limit_is_twice_the_ante_or_what_the_table_states(game, rulebook):
    assert play("fixed", 20, 40, game=game, rulebook=rulebook, ante=3).stakes.bring_in == 6
    assert play("fixed", 20, 40, game=game, rulebook=rulebook, ante=3, bring_in=5).stakes.bring_in == 5
    assert play("fixed", 20, 40, game=game, rulebook=rulebook, bring_in=5).stakes.bring_in == 5


def test_a_bring_in_may_be_the_small_bet_and_no_more():
    assert play("fixed", 20, 40, bring_in=20).stakes.bring_in == 20
    assert play("fixed", 20, 40, ante=10).stakes.bring_in == 20
    assert refusal(play, "fixed", 20, 40, ante=1, bring_in=21) == (
        "the bring-in of 21 is above the small bet of 20: it may be that at most"
    )
    assert refusal(play, "fixed", 20, 40, ante=11) == (
        "the bring-in of 22 (twice the ante of 11) is above the small bet of 20: it may be that at most"
    )


# The other structures


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("limit", ["pot", "half-pot", "no"])
def test_elsewhere_the_table_states_a_minimum_bet_and_its_bring_in_is_twice_the_ante(limit, rulebook):
    stakes = play(limit, 0, 10, rulebook=rulebook, ante=2).stakes
    assert stakes == Stakes(ante=2, bring_in=4, min_bet=10)


@pytest.mark.parametrize("limit", ["pot", "half-pot", "no"])
def test_where_the_table_states_no_minimum_bet_it_is_the_bring_in(limit):
    """The eight antes of 1 with a bring-in of 2 of section 2."""
    assert play(limit, ante=1, seats=8).stakes == Stakes(ante=1, bring_in=2, min_bet=2)
    assert play(limit, ante=1, bring_in=3).stakes == Stakes(ante=1, bring_in=3, min_bet=3)


def test_an_ante_may_be_larger_than_the_bring_in():
    """No rule has it otherwise: both are table data."""
    assert play("no", 0, 5, ante=10, bring_in=5).stakes == Stakes(ante=10, bring_in=5, min_bet=5)


@pytest.mark.parametrize(("game", "rounds"), [("stud", 5), ("stud-hilo", 5), ("soko", 4), ("telesina", 5)])
def test_spread_limit_states_a_maximum_for_each_round_of_the_game(game, rounds):
    maxima = (10, 10, 20, 30, 30)[:rounds]
    stakes = play("spread", 0, 10, game=game, ante=2, maxima=maxima).stakes
    assert stakes == Stakes(ante=2, bring_in=4, min_bet=10, maxima=maxima)
    assert play("spread", game=game, ante=2, maxima=maxima).stakes.min_bet == 4
    assert refusal(play, "spread", 0, 10, game=game, ante=2, maxima=maxima[1:]).startswith(
        f"a spread-limit table of {registry.game(game).title} states {rounds} maxima, one for each betting round ("
    )


def test_no_maximum_is_under_the_least_bet():
    maxima = (10, 10, 10, 9, 10)
    assert refusal(play, "spread", 0, 10, ante=1, maxima=maxima) == (
        "the 6th maximum of 9 is under the minimum bet of 10, the least bet: no maximum may be"
    )
    assert refusal(play, "spread", ante=1, bring_in=11, maxima=(10,) * 5) == (
        "the 3rd maximum of 10 is under the bring-in of 11, the least bet: no maximum may be"
    )


def test_the_minimum_bet_is_the_bring_in_or_more():
    assert play("no", 0, 4, ante=2).stakes.min_bet == 4
    assert refusal(play, "no", 0, 3, ante=2) == (
        "the minimum bet of 3 is under the bring-in of 4 (twice the ante of 2): state at least that, or 0 to have the "
        "bring-in as the minimum bet"
    )
    assert refusal(play, "spread", 0, 3, bring_in=4, maxima=(9,) * 5) == (
        "the minimum bet of 3 is under the bring-in of 4: state at least that, or 0 to have the bring-in as the "
        "minimum bet"
    )


# Refusals


@pytest.mark.parametrize(
    ("rulebook", "limit", "small", "big"),
    [("euro", "fixed", 4, 8), ("classic", "no", 0, 8), ("ace", "pot", 0, 0), ("ace", "half-pot", 0, 8)],
)
def test_where_no_bring_in_can_be_told_the_table_is_refused(rulebook, limit, small, big):
    assert refusal(play, limit, small, big, rulebook=rulebook) == (
        "a table of 7-card stud needs a bring-in: state one, or an ante, of which it is twice as much"
    )


@pytest.mark.parametrize("limit", ["spread", "pot", "half-pot", "no"])
def test_outside_fixed_limit_there_is_no_small_stake(limit):
    maxima = (10,) * 5 if limit == "spread" else ()
    assert refusal(play, limit, 5, 10, ante=1, maxima=maxima) == (
        f"a {limit}-limit table of 7-card stud has one stake, the minimum bet: state it as the big one and no small "
        "one, not 5"
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"limit": "fixed", "ante": 1}, "the small stake is 0: it must be more than 0"),
        ({"limit": "fixed", "small": 4, "ante": 1}, "the big stake is 0: it must be more than 0"),
        (
            {"limit": "fixed", "small": 8, "big": 4, "ante": 1},
            "stakes of 8/4: the small one stands first and is not above the big one",
        ),
        ({"limit": "no", "big": -1, "ante": 1}, "the big stake is -1: it must be 0 or more"),
        ({"limit": "no", "ante": -1}, "the ante is -1: it must be 0 or more"),
        ({"limit": "no", "ante": 1, "bring_in": -1}, "the bring-in is -1: it must be 0 or more"),
        ({"limit": "no", "ante": 1, "maxima": (5,) * 5}, "maxima belong to spread limit: a no-limit table states none"),
        ({"limit": "no", "ante": 1, "seats": 9}, "a table of 7-card stud has 2 to 8 seats, not 9"),
    ],
)
def test_a_table_is_refused(asked, sentence):
    assert refusal(play, **asked) == sentence


@pytest.mark.parametrize(
    ("asked", "unit", "named", "largest"),
    [
        ({"limit": "no", "big": 20, "ante": 3, "bring_in": 10}, 5, "ante of 3", 1),
        ({"limit": "no", "big": 20, "ante": 5, "bring_in": 8}, 5, "bring-in of 8", 1),
        ({"limit": "no", "big": 24, "ante": 5}, 5, "stake of 24", 1),
        ({"limit": "no", "ante": 6}, 4, "ante of 6", 6),
        ({"limit": "fixed", "small": 20, "big": 42, "ante": 4}, 4, "stake of 42", 2),
        ({"limit": "fixed", "small": 6, "big": 12, "rulebook": "ace"}, 4, "stake of 6", 6),
        ({"limit": "spread", "ante": 5, "maxima": (10, 10, 10, 10, 12)}, 5, "maximum of 12", 1),
    ],
)
def test_the_chip_unit_divides_all_that_a_table_states(asked, unit, named, largest):
    assert refusal(play, **asked, chip_unit=unit) == (
        f"the chip unit of {unit} doesn't divide the {named}: the largest that divides all stakes, antes and rake "
        f"steps here is {largest}"
    )
    assert play(**asked, chip_unit=largest).chip_unit == largest


def test_the_chip_unit_divides_every_rake_step_too():
    asked = {"limit": "fixed", "small": 1_00, "big": 2_00, "ante": 50}
    assert "divide the rake step of 0.25: the largest" in refusal(real, **asked, chip_unit=50)
    assert real(**asked, chip_unit=25).chip_unit == 25


# Rake


@pytest.mark.parametrize("game", ANTE_GAMES)
def test_fixed_limit_pays_by_its_bets(game):
    assert real("fixed", 1_00, 2_00, game=game, ante=10).rake == bands_for(EURO, Limit.FIXED, 1_00, 2_00)
    assert refusal(real, "fixed", 1_50, 3_00, game=game, ante=10).startswith(
        "no rake row of rulebook 'euro' covers fixed-limit stakes of 1.50/3.00 for real money: "
    )


@pytest.mark.parametrize("limit", [Limit.POT, Limit.NO])
@pytest.mark.parametrize("game", ANTE_GAMES)
def test_other_structures_pay_by_their_minimum_bet_as_the_big_blind(game, limit):
    """`ace` has one row, from 0.01/0.02 to 25/50."""
    by_ace = registry.rulebook("ace").rake[-1].bands
    for covered in (2, 3, 1_00, 50_00):
        assert real(limit, 0, covered, game=game, rulebook="ace", bring_in=1).rake == by_ace
    for bare in (1, 50_01):
        assert refusal(real, limit, 0, bare, game=game, rulebook="ace", bring_in=1).startswith(
            f"no rake row of rulebook 'ace' covers a {limit}-limit minimum bet of {bare // 100}.{bare % 100:02} for "
            "real money: its rows (USD) are fixed limit 0.02/0.04; "
        )
    assert real(limit, 0, 50_01, game=game, bring_in=1).rake == bands_for(EURO, limit, 1_00, 2_00)


def test_a_minimum_bet_left_open_counts_as_the_bring_in_for_the_rake():
    assert real("no", rulebook="ace", ante=1).rake == registry.rulebook("ace").rake[-1].bands
    assert "minimum bet of 52.00" in refusal(real, "no", rulebook="ace", ante=26_00)


def test_spread_limit_pays_by_its_first_maximum_and_twice_that():
    """The minimum bet of 0.50 and twice that, 0.50/1.00, would fall under another row."""
    maxima = (1_00, 1_00, 2_00, 3_00, 3_00)
    rake = real("spread", 0, 50, ante=10, maxima=maxima).rake
    assert rake == bands_for(EURO, Limit.FIXED, 1_00, 2_00) != bands_for(EURO, Limit.FIXED, 50, 1_00)
