"""The games say in the vocabulary what the table of rules.md section 1 and the sentences of sections 2, 4 and 9
say of them: written here a second time, by hand."""

from dataclasses import replace
from typing import NamedTuple

import pytest

from domain.cards import deck
from domain.hand.state import Hand
from domain.rules.games import GAMES, HOLDEM
from domain.rules.registry import UnknownRevision, game
from domain.rules.vocabulary import Game, Opener
from tests.hands import open_hand_for

BLINDS, ANTES = "blinds", "ante and bring-in"
BOARD = "after big blind, left of button, left of button, left of button"
SHOWING = "bring-in" + ", best showing" * 3
FLOP_GAME = "3 board · 1 board · 1 board"
STUD = "2 down 1 up · 1 up · 1 up · 1 up · 1 down"
FIVE_CARDS = "1 down 1 up · 1 up · 1 up · 1 up"


class Said(NamedTuple):
    """What the rules say of a game. `deal`: what is dealt before each betting round; `bets`: small or big ones in fixed
    limit; `opens`: who opens each round (section 2); `own_used`: how many of a player's own cards a hand has, None for
    any; `brings_in`: by which door card; `suits`: from high to low, where they decide that; `open_pair`: the street
    where one counts; `vote`: whether a pot can be split by one."""

    players: int
    cards: int
    forced: str
    high: str
    deal: str
    bets: str
    opens: str
    low: str = ""
    own_used: int | None = None
    brings_in: str = "the lowest"
    suits: str = "shdc"
    open_pair: str = ""
    vote: bool = False


TABLE = {
    "holdem": Said(10, 52, BLINDS, "standard", f"2 down · {FLOP_GAME}", "small small big big", BOARD),
    "omaha": Said(9, 52, BLINDS, "standard", f"4 down · {FLOP_GAME}", "small small big big", BOARD, own_used=2),
    "omaha-hilo": Said(
        9, 52, BLINDS, "standard", f"4 down · {FLOP_GAME}", "small small big big", BOARD, "eight-or-better", own_used=2
    ),
    "stud": Said(
        8, 52, ANTES, "standard", STUD, "small small big big big", f"{SHOWING}, best showing", open_pair="4th"
    ),
    "stud-hilo": Said(
        8, 52, ANTES, "standard", STUD, "small small big big big", f"{SHOWING}, best showing", "eight-or-better",
        open_pair="4th",
    ),
    "soko": Said(8, 52, ANTES, "soko", FIVE_CARDS, "small small big big", SHOWING, brings_in="the highest"),
    "draw": Said(
        6, 52, BLINDS, "standard", "5 down · draw 5", "small big", "after big blind, left of button"
    ),
    "triple-draw": Said(
        6, 52, BLINDS, "deuce-to-seven", "5 down · draw 5 · draw 5 · draw 5", "small small big big", BOARD
    ),
    "americana": Said(6, 32, ANTES, "32-card", FIVE_CARDS, "small small big big", SHOWING, brings_in="the highest"),
    "telesina": Said(
        6, 32, ANTES, "telesina", f"{FIVE_CARDS} · 1 board", "small small big big big", f"{SHOWING}, best showing",
        brings_in="the highest", suits="hdcs",
    ),
    "draw32": Said(
        5, 32, BLINDS, "32-card-draw", "5 down · draw 4", "small big", "after big blind, after big blind", vote=True
    ),
}  # fmt: skip
"""A row a game: the one place in these tests where a new game is written a second time."""

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


def test_every_game_has_its_row_in_the_table() -> None:
    assert [declared.name for declared in GAMES] == list(TABLE)


@every_game
def test_players_deck_forced_bets_and_ranking(name: str) -> None:
    it, said = game(name), TABLE[name]
    assert (it.max_seats, len(deck(it.lowest_rank)), it.forced) == (said.players, said.cards, said.forced)
    assert (it.high, it.low, it.hole_cards_used) == (said.high, said.low, said.own_used)


def test_the_deck_of_32_runs_from_the_sevens_to_the_aces() -> None:
    assert {card // 4 for card in deck(game("telesina").lowest_rank)} == {5, 6, 7, 8, 9, 10, 11, 12}


@every_game
def test_the_deal_and_the_betting_rounds(name: str) -> None:
    assert cards_dealt(game(name)) == TABLE[name].deal


@every_game
def test_the_rounds_for_the_small_and_for_the_big_bet(name: str) -> None:
    """Big from the turn, from 5th street of stud, from the third round of Soko, from the second draw."""
    assert " ".join("big" if street.big else "small" for street in game(name).streets) == TABLE[name].bets


@every_game
def test_who_opens_each_round(name: str) -> None:
    assert ", ".join(WORDS[street.opener] for street in game(name).streets) == TABLE[name].opens


@every_game
def test_who_brings_in_where_no_rulebook_differs(name: str) -> None:
    assert game(name).brings_in == TABLE[name].brings_in


@every_game
def test_the_order_of_the_suits_that_breaks_ties_for_the_bring_in(name: str) -> None:
    """From high to low: spades, hearts, diamonds, clubs; Telesina: hearts, diamonds, clubs, spades."""
    assert game(name).suits[::-1] == TABLE[name].suits


@every_game
def test_where_an_open_pair_counts(name: str) -> None:
    """On the 4th street of stud and its hi/lo."""
    assert "".join(street.name for street in game(name).streets if street.open_pair) == TABLE[name].open_pair


@every_game
def test_where_the_players_may_vote_to_split(name: str) -> None:
    """In 32-card draw."""
    assert game(name).split_vote is TABLE[name].vote


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
