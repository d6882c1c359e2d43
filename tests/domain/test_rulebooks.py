"""The four rulebooks as data, and a fifth without code (rules.md, head, sections 2, 3 and 10)."""

import sys
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

import pytest

from domain.messages import Refused
from domain.rules import registry, rulebooks
from domain.rules.rulebook import EVERY_GAME, BringIn, RakeRow, SmallBlind, digest
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import DoorCard, Kind, Limit, OddHalf, RakeBand, RakeSchedule

FOUR = ("ace", "omaha-guide", "classic", "euro")
BLIND_GAMES = ("holdem", "omaha", "omaha-hilo", "draw", "triple-draw", "draw32")
ANTE_GAMES = ("stud", "stud-hilo", "soko", "americana", "telesina")
GAMES = BLIND_GAMES + ANTE_GAMES
FIXED, POT, HALF, NO = Limit.FIXED, Limit.POT, Limit.HALF_POT, Limit.NO


@pytest.fixture
def room_for_more(monkeypatch):
    """The registry gets its rulebooks back after the test."""
    monkeypatch.setattr(registry, "RULEBOOKS_BY_NAME", dict(registry.RULEBOOKS_BY_NAME))


def rules(rulebook, game="holdem", limit=Limit.FIXED, kind=Kind.REAL, seats=9):
    return house_rules(registry.rulebook(rulebook), registry.game(game), limit, kind, seats)


def test_the_four_rulebooks_are_found():
    assert set(registry.RULEBOOKS_BY_NAME) >= set(FOUR)
    assert all(registry.rulebook(name).name == name for name in FOUR)


@pytest.mark.parametrize(
    ("rulebook", "seats", "cap", "cap_with_two"),
    [
        ("ace", 10, 4, 4),
        ("ace", 3, 4, 4),
        ("omaha-guide", 9, 4, 6),
        ("omaha-guide", 2, 4, 6),
        ("classic", 9, 4, 4),
        ("classic", 2, 4, 4),
        ("euro", 9, 4, 4),
        ("euro", 2, 4, 4),
    ],
)
def test_four_bets_a_round_and_where_two_players_may_make_six(rulebook, seats, cap, cap_with_two):
    found = rules(rulebook, seats=seats)
    assert (found.bets_cap, found.bets_cap_two) == (cap, cap_with_two)


def test_ace_allows_five_raises_at_a_table_with_two_seats_where_every_round_starts_with_two():
    assert rules("ace", seats=2).bets_cap_two == 6


@pytest.mark.parametrize("rulebook", FOUR)
@pytest.mark.parametrize("seats", [2, 9])
def test_tournaments_have_one_bet_and_three_raises_whatever_the_rulebook(rulebook, seats):
    found = rules(rulebook, kind=Kind.TOURNAMENT, seats=seats)
    assert (found.bets_cap, found.bets_cap_two) == (4, 4)


@pytest.mark.parametrize(
    ("rulebook", "everyone_shows"),
    [("ace", ()), ("omaha-guide", ()), ("classic", ("omaha", "omaha-hilo")), ("euro", ())],
)
def test_in_which_games_everyone_shows(rulebook, everyone_shows):
    assert tuple(game for game in GAMES if rules(rulebook, game).everyone_shows) == everyone_shows


@pytest.mark.parametrize(
    ("rulebook", "may_give_up"), [("ace", GAMES), ("omaha-guide", ()), ("classic", ("holdem",)), ("euro", ())]
)
def test_in_which_games_an_unbeaten_hand_may_be_laid_down(rulebook, may_give_up):
    assert tuple(game for game in GAMES if rules(rulebook, game).may_give_up) == may_give_up


@pytest.mark.parametrize("rulebook", FOUR)
def test_the_odd_chip_between_the_halves_goes_to_the_high_half(rulebook):
    assert rules(rulebook).odd_half is OddHalf.HIGH


HIGHEST_CARD_GAMES = {(game, limit) for game in ("soko", "americana", "telesina") for limit in Limit}


@pytest.mark.parametrize(
    ("rulebook", "more"),
    [
        ("ace", set()),
        *((name, {("stud", POT), ("stud", HALF), ("stud", NO)}) for name in ("omaha-guide", "classic", "euro")),
    ],
)
def test_in_which_games_and_structures_the_highest_door_card_brings_in(rulebook, more):
    """Stud hi/lo: always the lowest; stud: by rulebook and structure; Soko, Americana, Telesina: the highest."""
    found = {(game, limit): rules(rulebook, game, limit).brings_in for game in ANTE_GAMES for limit in Limit}
    assert {pair for pair, who in found.items() if who is DoorCard.HIGHEST} == HIGHEST_CARD_GAMES | more


@pytest.mark.parametrize(
    ("rulebook", "games"),
    [("ace", ["stud", "stud-hilo"]), ("omaha-guide", ["stud"]), ("classic", ["stud"]), ("euro", ["stud"])],
)
def test_an_open_pair_lets_players_bet_big_in_fixed_limit_only(rulebook, games):
    found = [(game, limit) for game in GAMES for limit in Limit if rules(rulebook, game, limit).open_pair]
    assert found == [(game, FIXED) for game in games]


@pytest.mark.parametrize(
    ("rulebook", "played"), [("ace", True), ("omaha-guide", False), ("classic", False), ("euro", False)]
)
def test_whether_the_round_after_a_community_card_is_played(rulebook, played):
    assert {rules(rulebook, game, limit).plays_community_round for game in GAMES for limit in Limit} == {played}


@pytest.mark.parametrize("rulebook", FOUR)
def test_rulebooks_name_games_that_exist(rulebook):
    book = registry.rulebook(rulebook)
    named = {*book.everyone_shows_in, *book.may_give_up_in, *book.open_pair_in}
    assert named <= {*registry.GAMES_BY_NAME, *EVERY_GAME}
    assert {game for game, _ in book.highest_brings_in} <= {*registry.GAMES_BY_NAME}


def test_what_a_rulebook_leaves_open_it_takes_from_euro():
    own = {
        name: {
            field.name
            for field in fields(EURO)
            if getattr(registry.rulebook(name), field.name) != getattr(EURO, field.name)
        }
        for name in FOUR
    }
    about = {"name", "title", "source"}
    assert own == {
        "ace": about
        | {"small_blind", "bets_cap_two", "bets_cap_two_needs_two_seats", "may_give_up_in", "rake_currency", "rake"}
        | {"fixed_bring_in", "highest_brings_in", "open_pair_in", "plays_community_round", "seating"},
        "omaha-guide": about | {"small_blind", "bets_cap_two", "seating"},
        "classic": about | {"everyone_shows_in", "may_give_up_in"},
        "euro": set(),
    }


def test_an_unknown_rulebook_is_refused_with_the_known_ones():
    with pytest.raises(Refused, match=r"^unknown rulebook 'acme': one of ace, classic, euro, omaha-guide$"):
        registry.rulebook("acme")


FIFTH = """
from dataclasses import replace
from domain.rules.rulebooks.euro import RULEBOOK as EURO

RULEBOOK = replace(EURO, name="fifth-room", title="A fifth room", bets_cap=5)
"""


def test_a_fifth_rulebook_is_a_new_file_and_no_code(tmp_path, monkeypatch):
    (tmp_path / "fifth_room.py").write_text(FIFTH)
    monkeypatch.setattr(rulebooks, "__path__", [*rulebooks.__path__, str(tmp_path)])
    try:
        found = {book.name: book for book in registry.in_files()}
    finally:
        sys.modules.pop("domain.rules.rulebooks.fifth_room", None)
    assert set(found) == {*FOUR, "fifth-room"}
    assert found["fifth-room"].bets_cap == 5
    assert found["fifth-room"].rake == EURO.rake


@pytest.mark.usefixtures("room_for_more")
def test_a_rulebook_can_be_registered_as_an_object():
    low_room = replace(EURO, name="low-room", odd_half=OddHalf.LOW)
    registry.register(low_room)
    registry.register(low_room)
    assert rules("low-room").odd_half is OddHalf.LOW


@pytest.mark.usefixtures("room_for_more")
def test_two_different_rulebooks_of_one_name_are_an_error():
    with pytest.raises(ValueError, match=r"^another rulebook is named 'euro': give this one a name of its own$"):
        registry.register(replace(EURO, bets_cap=5))
    assert registry.rulebook("euro") == EURO


def test_a_digest_pins_every_sentence_of_a_rulebook():
    other = {
        "name": "other",
        "title": "other",
        "source": "other",
        "small_blind": SmallBlind.HALF_IN_WHOLE_UNITS,
        "bets_cap": 5,
        "bets_cap_two": 5,
        "bets_cap_two_needs_two_seats": True,
        "cash_antes": True,
        "fixed_bring_in": BringIn.HALF_THE_SMALL_BET,
        "highest_brings_in": (("stud", POT),),
        "open_pair_in": (),
        "plays_community_round": True,
        "everyone_shows_in": ("omaha",),
        "may_give_up_in": ("omaha",),
        "odd_half": OddHalf.LOW,
        "rake_currency": "USD",
        "rake": EURO.rake[1:],
    }
    assert set(other) == {field.name for field in fields(EURO)} - {"seating"}
    changed: list[dict[str, Any]] = [{name: value} for name, value in other.items()]
    digests = {digest(replace(EURO, **change)) for change in changed} | {digest(EURO)}
    assert len(digests) == len(other) + 1


def test_a_digest_pins_nothing_of_seats_which_a_table_pins_as_values():
    """So what hands pinned before there were seat rules is still the digest of the same book."""
    assert digest(replace(EURO, seating=replace(EURO.seating, taken_off_after=5))) == digest(EURO)


def test_a_digest_is_the_same_for_equal_rulebooks():
    assert digest(replace(EURO)) == digest(EURO)
    assert len(digest(EURO)) == 64
    assert set(digest(EURO)) <= set("0123456789abcdef")


def test_a_digest_is_taken_over_sorted_data():
    written = (
        '{"bets_cap":4,"bets_cap_two":4,"bets_cap_two_needs_two_seats":false,"cash_antes":false,'
        '"everyone_shows_in":["omaha"],"fixed_bring_in":"what the table states, or twice the ante",'
        '"highest_brings_in":[["stud","pot"]],"may_give_up_in":[],"name":"small","odd_half":"high",'
        '"open_pair_in":["stud"],"plays_community_round":false,"rake":[],"rake_currency":"EUR",'
        '"small_blind":"half of the big blind","source":"none","title":"A small room"}'
    )
    small = replace(
        EURO, name="small", title="A small room", source="none", everyone_shows_in=("omaha",),
        highest_brings_in=(("stud", POT),), rake=(),
    )  # fmt: skip
    assert digest(small) == sha256(written.encode()).hexdigest()


@pytest.mark.parametrize("counted", [[(2, 9)], [(3, 10)], [(2, 4), (6, 10)], [(2, 5), (5, 10)], []])
def test_the_bands_of_a_rake_row_cover_two_to_ten_players_once(counted):
    schedule = RakeSchedule(per=1_00, each=5, cap=1_00)
    with pytest.raises(ValueError, match="they must cover 2 to 10, each once"):
        RakeRow((Limit.NO,), (0, 0), None, tuple(RakeBand(fewest, most, schedule) for fewest, most in counted))
