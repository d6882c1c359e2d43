"""What a table may be opened with, and the stakes that follow (rules.md sections 1, 2, 3, 9 and 10)."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from domain.messages import Refused
from domain.rules import registry
from domain.rules.forced_bets import small_blind
from domain.rules.rake import bands_for
from domain.rules.rulebook import SmallBlind, digest
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.stakes import TableTerms, resolve
from domain.rules.vocabulary import Forced, Kind, Limit, Stakes

GAMES = tuple(registry.GAMES_BY_NAME)
LIMITS = tuple(Limit)
RULEBOOKS = ("ace", "omaha-guide", "classic", "euro")


def real(limit="no", small=1_00, big=2_00, *, game="holdem", rulebook="euro", currency="EUR", seats=9, **more):
    return resolve(game, limit, rulebook, small, big, kind="real", currency=currency, seats=seats, **more)


def play(limit="no", small=1, big=2, *, game="holdem", rulebook="euro", currency="PLAY", seats=9, **more):
    return resolve(game, limit, rulebook, small, big, kind="play", currency=currency, seats=seats, **more)


def tournament(limit="no", small=100, big=200, *, game="holdem", rulebook="euro", currency="CHIPS", seats=9, **more):
    return resolve(game, limit, rulebook, small, big, kind="tournament", currency=currency, seats=seats, **more)


def refusal(how, *args, **more):
    with pytest.raises(Refused) as refused:
        how(*args, **more)
    return str(refused.value)


# Section 2: how stakes are named


def test_fixed_limit_names_its_bets_and_the_small_bet_is_the_big_blind():
    assert real("fixed", 2_00, 4_00).stakes == Stakes(small_blind=1_00, big_blind=2_00, small_bet=2_00, big_bet=4_00)


def test_a_table_posts_the_small_blind_of_its_rulebook():
    assert real("fixed", 5_00, 10_00, rulebook="ace").stakes.small_blind == 2_00
    assert real("fixed", 5_00, 10_00, rulebook="classic").stakes.small_blind == 2_50
    assert real("spread", 0, 5_00, maxima=(5_00,) * 4, rulebook="omaha-guide").stakes.small_blind == 2_00
    assert play("fixed", 50, 100, chip_unit=10).stakes.small_blind == 20


def test_the_big_bet_is_table_data():
    assert real("fixed", 2_00, 5_00).stakes.big_bet == 5_00


@pytest.mark.parametrize("limit", ["pot", "half-pot", "no"])
def test_elsewhere_the_stakes_are_the_blinds_and_the_big_one_is_the_minimum_bet(limit):
    assert real(limit, 5_00, 10_00).stakes == Stakes(small_blind=5_00, big_blind=10_00, min_bet=10_00)


def test_spread_limit_states_a_big_blind_and_a_maximum_for_each_round():
    """The "1-2-3" table of hold'em: 1, 1, 2, 3."""
    terms = real("spread", 0, 1_00, maxima=(1_00, 1_00, 2_00, 3_00))
    assert terms.stakes == Stakes(small_blind=50, big_blind=1_00, min_bet=1_00, maxima=(1_00, 1_00, 2_00, 3_00))


def test_spread_limit_may_repeat_the_small_blind_of_its_rulebook():
    maxima = (1_00, 1_00, 2_00, 3_00)
    assert real("spread", 50, 1_00, maxima=maxima) == real("spread", 0, 1_00, maxima=maxima)


@pytest.mark.parametrize(
    ("rulebook", "small_bet", "posted"),
    [
        ("ace", 3_20, 1_00),  # half is 1.60, which gives 1
        ("ace", 5_00, 2_00),
        ("omaha-guide", 5_00, 2_00),
        ("classic", 5_00, 2_50),
        ("euro", 5_00, 2_50),
        ("classic", 2_00, 1_00),
        ("ace", 2_00, 1_00),
        ("ace", 1_98, 99),  # under one unit: half exactly
        ("ace", 50, 25),
        ("omaha-guide", 25, 12),  # down to the chip unit
        ("euro", 5, 2),
    ],
)
def test_the_small_blind_of_fixed_limit(rulebook, small_bet, posted):
    assert small_blind(registry.rulebook(rulebook).small_blind, small_bet, chip_unit=1, scale=2) == posted


@pytest.mark.parametrize(
    ("rule", "big_blind", "unit", "scale", "posted"),
    [
        (SmallBlind.HALF, 25, 5, 2, 10),
        (SmallBlind.HALF, 25, 25, 2, 25),  # never under one chip
        (SmallBlind.HALF, 15, 1, 0, 7),
        (SmallBlind.HALF_IN_WHOLE_UNITS, 15, 1, 0, 7),
        (SmallBlind.HALF_IN_WHOLE_UNITS, 1, 1, 0, 1),
        (SmallBlind.HALF_IN_WHOLE_UNITS, 15_00, 5_00, 2, 5_00),
    ],
)
def test_the_small_blind_is_a_whole_number_of_chips(rule, big_blind, unit, scale, posted):
    assert small_blind(rule, big_blind, unit, scale) == posted


def test_a_tournament_level_may_add_an_ante():
    assert tournament(ante=25).stakes == Stakes(small_blind=100, big_blind=200, ante=25, min_bet=200)


def test_a_room_whose_rulebook_says_so_may_have_antes_at_its_cash_tables(monkeypatch):
    monkeypatch.setitem(registry.RULEBOOKS_BY_NAME, "ante-room", replace(EURO, name="ante-room", cash_antes=True))
    assert real(rulebook="ante-room", ante=25).stakes.ante == 25


# Section 9: rake


def test_real_money_pays_by_the_row_that_covers_the_stakes():
    assert real("fixed", 2_00, 4_00).rake == bands_for(EURO, Limit.FIXED, 2_00, 4_00)
    assert real("no", 5, 10).rake == bands_for(EURO, Limit.NO, 5, 10)


def test_spread_limit_pays_by_its_first_maximum_and_twice_that():
    """The big blind of 0.50 would fall under the row below."""
    terms = real("spread", 0, 50, maxima=(1_00, 1_00, 2_00, 3_00))
    assert terms.rake == bands_for(EURO, Limit.FIXED, 1_00, 2_00) != bands_for(EURO, Limit.FIXED, 50, 1_00)


def test_play_money_and_tournaments_pay_none():
    assert play("fixed", 2, 4).rake == tournament().rake == ()


@pytest.mark.parametrize("currency", ["EUR", "USD", "GBP", "SEK"])
def test_a_rake_table_holds_in_any_currency_with_two_decimal_places(currency):
    assert real(currency=currency, rulebook="ace").rake == bands_for(registry.rulebook("ace"), Limit.NO, 1_00, 2_00)


def test_real_money_without_a_rake_row_is_refused_with_the_rows():
    assert refusal(real, "fixed", 1_50, 3_00).startswith(
        "no rake row of rulebook 'euro' covers fixed-limit stakes of 1.50/3.00 for real money: its rows (EUR) are no, "
    )
    assert refusal(real, "spread", 0, 1_00, maxima=(1_00, 1_00, 2_00, 3_00), rulebook="ace").startswith(
        "no rake row of rulebook 'ace' covers spread-limit stakes of 1.00/2.00 for real money: its rows (USD) are "
    )
    assert play("fixed", 150, 300).rake == ()


# Any game under any rulebook and structure


def ordinary(game, limit):
    """What a table of 1/2, or with a minimum bet of 2, states beside its game, structure and house."""
    declared = registry.game(game)
    antes = declared.forced is Forced.ANTE_AND_BRING_IN
    return {
        "game": game,
        "limit": limit,
        "seats": declared.max_seats,
        "small": 0 if limit is Limit.SPREAD or (antes and limit is not Limit.FIXED) else 1_00,
        "big": 2_00,
        "maxima": (2_00,) * len(declared.streets) if limit is Limit.SPREAD else (),
        "ante": 25 if antes else 0,
    }


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_under_every_structure_and_rulebook(game, limit, rulebook):
    asked = ordinary(game, limit)
    terms = play(**asked, rulebook=rulebook)
    assert (terms.game, terms.limit, terms.rulebook, terms.rake) == (game, limit, rulebook, ())
    assert terms.rulebook_digest == digest(registry.rulebook(rulebook))
    assert tournament(**asked, rulebook=rulebook).stakes == play(**asked, rulebook=rulebook).stakes
    if rulebook == "ace" and limit in (Limit.SPREAD, Limit.HALF_POT):
        assert "no rake row" in refusal(real, **asked, rulebook=rulebook)
    else:
        assert real(**asked, rulebook=rulebook).rake


@pytest.mark.parametrize(
    ("most", "games"),
    [
        (10, ["holdem"]),
        (9, ["omaha", "omaha-hilo"]),
        (8, ["stud", "stud-hilo", "soko"]),
        (6, ["draw", "triple-draw", "americana", "telesina"]),
        (5, ["draw32"]),
    ],
)
@pytest.mark.parametrize("limit", LIMITS)
def test_a_table_has_two_seats_up_to_the_most_that_its_game_allows(limit, most, games):
    for game in games:
        asked, title = ordinary(game, limit), registry.game(game).title
        assert [play(**asked | {"seats": seats}).seats for seats in range(2, most + 1)] == [*range(2, most + 1)]
        for seats in (1, most + 1):
            sentence = refusal(play, **asked | {"seats": seats})
            assert sentence == f"a table of {title} has 2 to {most} seats, not {seats}"


def test_terms_hold_what_the_table_was_opened_with():
    terms = real("no", 1_00, 2_00, game="omaha", rulebook="ace", currency="USD", seats=2, chip_unit=5)
    assert (terms.game, terms.game_revision, terms.limit, terms.kind) == ("omaha", 1, Limit.NO, Kind.REAL)
    assert (terms.currency, terms.seats, terms.chip_unit, terms.rulebook) == ("USD", 2, 5, "ace")
    assert terms.house_rules.bets_cap_two == 6
    assert terms.house_rules.may_give_up


def test_terms_survive_the_way_to_data_and_back():
    terms, adapter = real(), TypeAdapter(TableTerms)
    assert adapter.validate_json(adapter.dump_json(terms)) == terms


# Refusals


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"game": "badugi"}, f"unknown game 'badugi': one of {', '.join(GAMES)}"),
        ({"limit": "cap"}, "unknown limit 'cap': one of fixed, spread, pot, half-pot, no"),
        ({"rulebook": "acme"}, "unknown rulebook 'acme': one of ace, classic, euro, omaha-guide"),
        ({"currency": "JPY"}, "unknown currency 'JPY': one of EUR, USD, GBP, SEK, PLAY, CHIPS"),
        ({"seats": 1}, "a table of Texas hold'em has 2 to 10 seats, not 1"),
        ({"seats": 11}, "a table of Texas hold'em has 2 to 10 seats, not 11"),
        ({"game": "omaha", "seats": 10}, "a table of Omaha has 2 to 9 seats, not 10"),
        ({"small": 0}, "the small stake is 0.00: it must be more than 0"),
        ({"small": -5}, "the small stake is -0.05: it must be more than 0"),
        ({"small": 0, "big": 0}, "the small stake is 0.00: it must be more than 0"),
        ({"limit": "spread", "small": 0, "big": 0}, "the big stake is 0.00: it must be more than 0"),
        ({"limit": "spread", "small": -5}, "the small stake is -0.05: it must be 0 or more"),
        ({"chip_unit": 0}, "the chip unit is 0.00: it must be more than 0"),
        ({"ante": -1}, "the ante is -0.01: it must be 0 or more"),
        (
            {"small": 2_00, "big": 1_00},
            "stakes of 2.00/1.00: the small one stands first and is not above the big one",
        ),
        (
            {"ante": 25},
            "a real table with blinds has no ante under rulebook 'euro': only a tournament may add one",
        ),
        ({"bring_in": 50}, "Texas hold'em is played with blinds: state no bring-in, not 0.50"),
        ({"bring_in": -50}, "the bring-in is -0.50: it must be 0 or more"),
        ({"maxima": (2_00,)}, "maxima belong to spread limit: a no-limit table states none"),
        (
            {"limit": "spread", "maxima": (2_00, 2_00, 4_00)},
            "a spread-limit table of Texas hold'em states 4 maxima, one for each betting round "
            "(preflop, flop, turn, river), not 3",
        ),
        (
            {"limit": "spread", "maxima": (1_00, 2_00, 4_00, 6_00)},
            "the preflop maximum of 1.00 is under the big blind of 2.00, the least bet: no maximum may be",
        ),
        (
            {"limit": "spread", "maxima": (2_00, 2_00, 2_00, 1_99)},
            "the river maximum of 1.99 is under the big blind of 2.00, the least bet: no maximum may be",
        ),
        (
            {"limit": "spread", "small": 50, "maxima": (2_00, 2_00, 4_00, 6_00)},
            "the small blind of a spread-limit table with a big blind of 2.00 is 1.00 under rulebook 'euro', not 0.50",
        ),
        (
            {"chip_unit": 3},
            "the chip unit of 0.03 doesn't divide the stake of 1.00: the largest that divides all stakes, antes and "
            "rake steps here is 0.01",
        ),
        (
            {"rulebook": "ace", "chip_unit": 25},
            "the chip unit of 0.25 doesn't divide the rake step of 0.05: the largest that divides all stakes, antes "
            "and rake steps here is 0.05",
        ),
        (
            {"limit": "fixed", "chip_unit": 50},
            "the chip unit of 0.50 doesn't divide the rake step of 0.25: the largest that divides all stakes, antes "
            "and rake steps here is 0.25",
        ),
        (
            {"limit": "fixed", "small": 2_00, "big": 4_00, "chip_unit": 50},
            "the chip unit of 0.50 doesn't divide the rake cap of 0.75: the largest that divides all stakes, antes "
            "and rake steps here is 0.25",
        ),
    ],
)
def test_a_real_money_table_is_refused(asked, sentence):
    assert refusal(real, **asked) == sentence


@pytest.mark.parametrize(
    ("how", "asked", "sentence"),
    [
        (
            real,
            {"currency": "PLAY"},
            "a real-money table needs a currency with 2 decimal places (EUR, USD, GBP, SEK), not PLAY",
        ),
        (play, {"currency": "EUR"}, "a play table is played in PLAY, not in EUR"),
        (tournament, {"currency": "PLAY"}, "a tournament table is played in CHIPS, not in PLAY"),
        (
            play,
            {"ante": 1},
            "a play table with blinds has no ante under rulebook 'euro': only a tournament may add one",
        ),
        (
            tournament,
            {"ante": 30, "chip_unit": 25},
            "the chip unit of 25 doesn't divide the ante of 30: the largest that divides all stakes, antes and rake "
            "steps here is 10",
        ),
        (
            play,
            {"limit": "spread", "small": 0, "big": 10, "maxima": (10, 10, 20, 25), "chip_unit": 10},
            "the chip unit of 10 doesn't divide the maximum of 25: the largest that divides all stakes, antes and rake "
            "steps here is 5",
        ),
    ],
)
def test_a_table_of_another_kind_is_refused(how, asked, sentence):
    assert refusal(how, **asked) == sentence


def test_an_unknown_kind_of_chips_is_refused():
    assert refusal(resolve, "holdem", "no", "euro", 1, 2, kind="cash", currency="EUR", seats=9) == (
        "unknown kind of chips 'cash': one of real, play, tournament"
    )


def test_a_chip_of_a_quarter_suits_a_table_whose_rake_is_taken_in_quarters():
    assert real("fixed", 1_00, 2_00, chip_unit=25).chip_unit == 25


def test_the_chip_unit_defaults_to_the_smallest_unit():
    assert real().chip_unit == 1
