"""The eleven games say in the vocabulary what the table of rules.md section 1 and the sentences of sections 2, 4 and 9
say of them: written here a second time, by hand."""

from dataclasses import replace

import pytest

from domain.cards import SUITS, deck
from domain.hand.state import Hand
from domain.rules.games import GAMES, HOLDEM
from domain.rules.registry import UnknownRevision, game
from domain.rules.vocabulary import DoorCard, Forced, Game, Opener
from tests.hands import open_hand_for

BOARD = "after big blind, left of button, left of button, left of button"
SHOWING = "bring-in" + ", best showing" * 3

# game: most players, cards in the deck, forced bets, ranking and low, own cards used
TABLE = {
    "holdem": (10, 52, "blinds", "standard", "", None),
    "omaha": (9, 52, "blinds", "standard", "", 2),
    "omaha-hilo": (9, 52, "blinds", "standard", "eight-or-better", 2),
    "stud": (8, 52, "ante and bring-in", "standard", "", None),
    "stud-hilo": (8, 52, "ante and bring-in", "standard", "eight-or-better", None),
    "soko": (8, 52, "ante and bring-in", "soko", "", None),
    "draw": (6, 52, "blinds", "standard", "", None),
    "triple-draw": (6, 52, "blinds", "deuce-to-seven", "", None),
    "americana": (6, 32, "ante and bring-in", "32-card", "", None),
    "telesina": (6, 32, "ante and bring-in", "telesina", "", None),
    "draw32": (5, 32, "blinds", "32-card-draw", "", None),
}

# What is dealt before each betting round; small or big bets in fixed limit.
DEAL = {
    "holdem": ("2 down · 3 board · 1 board · 1 board", "small small big big"),
    "omaha": ("4 down · 3 board · 1 board · 1 board", "small small big big"),
    "omaha-hilo": ("4 down · 3 board · 1 board · 1 board", "small small big big"),
    "stud": ("2 down 1 up · 1 up · 1 up · 1 up · 1 down", "small small big big big"),
    "stud-hilo": ("2 down 1 up · 1 up · 1 up · 1 up · 1 down", "small small big big big"),
    "soko": ("1 down 1 up · 1 up · 1 up · 1 up", "small small big big"),
    "draw": ("5 down · draw 5", "small big"),
    "triple-draw": ("5 down · draw 5 · draw 5 · draw 5", "small small big big"),
    "americana": ("1 down 1 up · 1 up · 1 up · 1 up", "small small big big"),
    "telesina": ("1 down 1 up · 1 up · 1 up · 1 up · 1 board", "small small big big big"),
    "draw32": ("5 down · draw 4", "small big"),
}

# Who opens each round (section 2).
OPENERS = {
    "holdem": BOARD,
    "omaha": BOARD,
    "omaha-hilo": BOARD,
    "stud": f"{SHOWING}, best showing",
    "stud-hilo": f"{SHOWING}, best showing",
    "soko": SHOWING,
    "draw": "after big blind, left of button",
    "triple-draw": BOARD,
    "americana": SHOWING,
    "telesina": f"{SHOWING}, best showing",
    "draw32": "after big blind, after big blind",
}
WORDS = {
    Opener.AFTER_BIG_BLIND: "after big blind",
    Opener.LEFT_OF_BUTTON: "left of button",
    Opener.BRING_IN: "bring-in",
    Opener.BEST_SHOWING: "best showing",
}

every_game = pytest.mark.parametrize("name", TABLE)


def cards_dealt(declared: Game) -> str:
    streets = []
    for street in declared.streets:
        counts = {"down": street.down, "up": street.up, "board": street.board}
        parts = [f"{count} {way}" for way, count in counts.items() if count]
        streets.append(" ".join(parts) if street.draw is None else " ".join([*parts, f"draw {street.draw}"]))
    return " · ".join(streets)


def test_there_are_eleven_games() -> None:
    assert [declared.name for declared in GAMES] == list(TABLE)


@every_game
def test_players_deck_forced_bets_and_ranking(name: str) -> None:
    it = game(name)
    found = (it.max_seats, len(deck(it.lowest_rank)), it.forced.value, it.high, it.low, it.hole_cards_used)
    assert found == TABLE[name]


def test_the_deck_of_32_runs_from_the_sevens_to_the_aces() -> None:
    assert {card // 4 for card in deck(game("telesina").lowest_rank)} == {5, 6, 7, 8, 9, 10, 11, 12}


@every_game
def test_the_deal_and_the_betting_rounds(name: str) -> None:
    assert cards_dealt(game(name)) == DEAL[name][0]


@every_game
def test_the_rounds_for_the_small_and_for_the_big_bet(name: str) -> None:
    """Big from the turn, from 5th street of stud, from the third round of Soko, from the second draw."""
    assert " ".join("big" if street.big else "small" for street in game(name).streets) == DEAL[name][1]


@every_game
def test_who_opens_each_round(name: str) -> None:
    assert ", ".join(WORDS[street.opener] for street in game(name).streets) == OPENERS[name]


def test_who_brings_in_where_no_rulebook_differs() -> None:
    ante_games = {one.name: one.brings_in for one in GAMES if one.forced is Forced.ANTE_AND_BRING_IN}
    assert ante_games == {
        "stud": DoorCard.LOWEST,
        "stud-hilo": DoorCard.LOWEST,
        "soko": DoorCard.HIGHEST,
        "americana": DoorCard.HIGHEST,
        "telesina": DoorCard.HIGHEST,
    }


def test_the_order_of_the_suits_that_breaks_ties_for_the_bring_in() -> None:
    """From high to low: spades, hearts, diamonds, clubs; Telesina: hearts, diamonds, clubs, spades."""
    orders = {one.name: one.suits[::-1] for one in GAMES if one.forced is Forced.ANTE_AND_BRING_IN}
    assert orders == {"stud": "shdc", "stud-hilo": "shdc", "soko": "shdc", "americana": "shdc", "telesina": "hdcs"}
    assert all(set(one.suits) == set(SUITS) and len(one.suits) == 4 for one in GAMES)


def test_only_the_4th_street_of_stud_and_its_hilo_can_have_an_open_pair() -> None:
    found = [(one.name, street.name) for one in GAMES for street in one.streets if street.open_pair]
    assert found == [("stud", "4th"), ("stud-hilo", "4th")]


def test_only_32_card_draw_has_the_split_vote() -> None:
    assert [one.name for one in GAMES if one.split_vote] == ["draw32"]


@pytest.mark.parametrize(
    ("names", "so_far"),
    [
        (["holdem"], "2 hole cards, 3 of board"),
        (["omaha", "omaha-hilo"], "4 hole cards, 3 of board"),
        (["stud", "stud-hilo"], "4 hole cards, 0 of board"),  # a fourth card
        (["soko", "americana", "telesina"], "3 hole cards, 0 of board"),  # a third card
    ],
)
def test_what_must_have_been_dealt_before_a_hand_is_raked(names: list[str], so_far: str) -> None:
    for name in names:
        streets = game(name).streets
        last = [street.name for street in streets].index(game(name).raked_from)
        dealt = streets[: last + 1]
        hole, board = sum(one.down + one.up for one in dealt), sum(one.board for one in dealt)
        assert f"{hole} hole cards, {board} of board" == so_far
        assert streets[last].up or streets[last].board


@pytest.mark.parametrize("name", ["draw", "triple-draw", "draw32"])
def test_draw_games_are_raked_once_a_draw_took_place(name: str) -> None:
    first_draw = next(street for street in game(name).streets if street.draw is not None)
    assert game(name).raked_from == first_draw.name


def test_a_hand_is_read_under_the_declaration_that_it_pinned_or_not_at_all() -> None:
    opened = open_hand_for(stacks=[100, 100])
    assert Hand(opened).game is HOLDEM
    with pytest.raises(UnknownRevision, match=r"no revision 9 of game 'holdem': it knows holdem 1, "):
        Hand(replace(opened, game_revision=9))
