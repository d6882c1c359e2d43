"""A page of data that can't be played is refused when it is declared, not in the middle of a hand."""

from dataclasses import replace

import pytest

from domain.rules import registry
from domain.rules.declaration import BadDeclaration, check_declaration
from domain.rules.games import DRAW, DRAW_32, GAMES, HOLDEM, OMAHA, SOKO, STUD, TRIPLE_DRAW
from domain.rules.vocabulary import Forced, Game, Opener, Street


def with_street(game: Game, at: int, **changed) -> Game:
    streets = list(game.streets)
    streets[at] = replace(streets[at], **changed)
    return replace(game, streets=tuple(streets))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_games_of_the_house_can_be_played(game: Game) -> None:
    check_declaration(game)


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        (replace(HOLDEM, streets=()), "one street at least"),
        (replace(HOLDEM, max_seats=12), "max_seats is 12: it must be 2 to 10"),
        (replace(HOLDEM, max_seats=1), "max_seats is 1"),
        (replace(STUD, suits="shd"), "suits are 'shd': all of 'cdhs'"),
        (replace(HOLDEM, raked_from="flopp"), "raked_from is 'flopp': it must be one of its streets, preflop, flop"),
        (with_street(HOLDEM, 3, name="turn"), "two streets have one name"),
        (replace(HOLDEM, high="standrad"), "'standrad' is no ranking: one of standard, "),
        (replace(HOLDEM, low="badugi"), "'badugi' is no ranking"),
        (replace(HOLDEM, high="32-card"), "cards that don't count in the ranking '32-card'"),
        (replace(HOLDEM, streets=HOLDEM.streets[:2], raked_from="flop", high="standard", max_seats=10), ""),
        (replace(HOLDEM, streets=HOLDEM.streets[:1], raked_from="preflop"), "2 own cards and 0 on the board: five to"),
        (with_street(HOLDEM, 0, down=3), "3 own cards and 5 on the board"),
        (replace(OMAHA, hole_cards_used=3), "hole_cards_used is 3: 2, or None"),
        (replace(DRAW, hole_cards_used=2), "5 own cards and 0 on the board: a hand of exactly two and three"),
        (replace(STUD, forced=Forced.BLINDS), "3rd opens with the bring-in"),
        (replace(HOLDEM, forced=Forced.ANTE_AND_BRING_IN), "the first street of ante games does"),
        (with_street(STUD, 1, opener=Opener.BRING_IN), "4th opens with the bring-in"),
        (with_street(STUD, 0, up=0, down=3), "3rd opens with the bring-in, but deals no card face up"),
        (
            with_street(HOLDEM, 1, opener=Opener.BEST_SHOWING),
            "flop opens with the best hand showing, but 0 cards lie up",
        ),
        (with_street(STUD, 4, up=1, down=0), "7th opens with the best hand showing, but 5 cards lie up: 1 to 4"),
        (with_street(STUD, 1, opener=Opener.AFTER_BIG_BLIND), "4th opens after the big blind, but the game has none"),
        (with_street(SOKO, 3, up=0, draw=2), "cards that lie up can't be exchanged"),
        (with_street(TRIPLE_DRAW, 2, down=1), "dealt to players on or after a draw"),
        (with_street(DRAW, 1, draw=6), "draw exchanges up to 6 cards of 5"),
        (with_street(DRAW, 1, draw=0), "draw exchanges up to 0 cards of 5"),
        (replace(DRAW_32, max_seats=6), "a player may draw 4 cards in all, but 2 are in nobody's hand"),
        (with_street(DRAW_32, 1, draw=5), ""),
        (replace(TRIPLE_DRAW, max_seats=8), "a player may draw 15 cards in all, but 12 are in nobody's hand"),
        (replace(OMAHA, max_seats=10, streets=(replace(OMAHA.streets[0], down=5), *OMAHA.streets[1:])), "are left"),
        (with_street(STUD, 4, board=1), "8 players need 9 cards on 7th: 4 of 52 are left"),
    ],
)
def test_what_a_declaration_must_be(game: Game, wrong: str) -> None:
    if not wrong:
        check_declaration(game)
        return
    with pytest.raises(BadDeclaration) as refused:
        check_declaration(game)
    assert str(refused.value).startswith(f"game {game.name!r}: ")
    assert wrong in str(refused.value)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(BadDeclaration, match="max_seats is 12.*raked_from is 'nowhere'"):
        check_declaration(replace(HOLDEM, max_seats=12, raked_from="nowhere"))


def test_a_bad_game_does_not_get_into_the_registry() -> None:
    bad = replace(HOLDEM, name="bad", streets=(Street("only", Opener.AFTER_BIG_BLIND, down=2),))
    with pytest.raises(BadDeclaration):
        registry.register_game(bad)
    assert "bad" not in registry.GAMES_BY_NAME
