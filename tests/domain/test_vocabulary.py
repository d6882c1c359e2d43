"""The vocabulary is wide enough for all eleven games of rules.md section 1, and the declared ones say what it says."""

from dataclasses import replace

import pytest

from domain.hand.state import Hand
from domain.rules.games import GAMES, HOLDEM
from domain.rules.registry import UnknownRevision
from domain.rules.vocabulary import Forced, Game, Opener, Street
from tests.hands import open_hand_for

BLINDS, ANTES = Forced.BLINDS, Forced.ANTE_AND_BRING_IN
FIRST, BUTTON = Opener.AFTER_BIG_BLIND, Opener.LEFT_OF_BUTTON
BRING_IN, SHOWING = Opener.BRING_IN, Opener.BEST_SHOWING


def up_streets(*names: str, big_from: int) -> tuple[Street, ...]:
    return tuple(Street(name, SHOWING, up=1, big=at >= big_from) for at, name in enumerate(names))


STUD = (
    Street("3rd", BRING_IN, down=2, up=1),
    *up_streets("4th", "5th", "6th", big_from=1),
    Street("7th", SHOWING, down=1, big=True),
)
FIVE_CARD_STUD = (Street("2nd", BRING_IN, down=1, up=1), *up_streets("3rd", "4th", "5th", big_from=1))
DRAW = Street("predraw", FIRST, down=5)

NOT_YET_DEALT = (
    Game("stud", "7-card stud", 1, 8, ANTES, STUD, "4th", "standard"),
    Game("stud-hilo", "7-card stud hi/lo", 1, 8, ANTES, STUD, "4th", "standard", low="eight-or-better"),
    Game("soko", "Soko", 1, 8, ANTES, FIVE_CARD_STUD, "3rd", "soko"),
    Game("draw", "5-card draw", 1, 6, BLINDS, (DRAW, Street("draw", BUTTON, draw=5, big=True)), "draw", "standard"),
    Game(
        "triple-draw", "2-7 triple draw", 1, 6, BLINDS,
        (DRAW, *(Street(f"draw{n}", BUTTON, draw=5, big=n > 1) for n in (1, 2, 3))), "draw1", "deuce-to-seven",
    ),
    Game("americana", "Americana", 1, 6, ANTES, FIVE_CARD_STUD, "3rd", "32-card", lowest_rank=5),
    Game(
        "telesina", "Telesina", 1, 6, ANTES, (*FIVE_CARD_STUD, Street("vela", SHOWING, board=1, big=True)), "3rd",
        "telesina", lowest_rank=5, suits="scdh", vela=True,
    ),
    Game(
        "draw32", "32-card draw", 1, 5, BLINDS, (DRAW, Street("draw", FIRST, draw=4, big=True)), "draw",
        "32-card-draw", lowest_rank=5, suits="scdh", split_vote=True,
    ),
)  # fmt: skip


def test_all_eleven_games_can_be_declared() -> None:
    assert len({game.name for game in (*GAMES, *NOT_YET_DEALT)}) == 11


@pytest.mark.parametrize(
    ("name", "players", "rounds", "down", "board"),
    [("holdem", 10, 4, 2, 5), ("omaha", 9, 4, 4, 5), ("omaha-hilo", 9, 4, 4, 5)],
)
def test_a_declared_game_is_that_of_the_rules(name: str, players: int, rounds: int, down: int, board: int) -> None:
    (game,) = (one for one in GAMES if one.name == name)
    assert (game.max_seats, len(game.streets)) == (players, rounds)
    assert sum(street.down for street in game.streets) == down
    assert sum(street.board for street in game.streets) == board


@pytest.mark.parametrize("game", [*GAMES, *NOT_YET_DEALT], ids=lambda game: game.name)
def test_the_street_after_which_a_game_is_raked_is_one_of_its_own(game: Game) -> None:
    assert game.raked_from in [street.name for street in game.streets]


@pytest.mark.parametrize("game", [*GAMES, *NOT_YET_DEALT], ids=lambda game: game.name)
def test_small_bets_come_before_big_ones(game: Game) -> None:
    bets = [street.big for street in game.streets]
    assert bets == sorted(bets)
    assert any(bets)
    assert not bets[0]


def test_a_hand_is_read_under_the_declaration_that_it_pinned_or_not_at_all() -> None:
    opened = open_hand_for(stacks=[100, 100])
    assert Hand(opened).game is HOLDEM
    with pytest.raises(UnknownRevision, match=r"no revision 9 of game 'holdem': it knows holdem 1, "):
        Hand(replace(opened, game_revision=9))
