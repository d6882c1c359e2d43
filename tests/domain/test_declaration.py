"""A page of data that can't be played is refused when it is declared, not in the middle of a hand."""

from dataclasses import replace
from typing import Any

import pytest

from domain.rules import games, registry
from domain.rules.declaration import BadDeclaration, check_declaration
from domain.rules.games import DRAW, DRAW_32, GAMES, HOLDEM, OMAHA, SOKO, STUD, TRIPLE_DRAW
from domain.rules.ranking_words import Ranking, SuitOf
from domain.rules.rankings import RANKINGS, TELESINA
from domain.rules.vocabulary import Forced, Game, Opener, Street


def put(game: Game, **changed: Any) -> Game:
    """With anything in its place, of its type or not."""
    return replace(game, **changed)


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
        (replace(HOLDEM, name=""), "'' can't name a game: use 1 to 40 of the letters a-z, digits and -"),
        (replace(HOLDEM, name="My Game!"), "'My Game!' can't name a game"),
        (replace(HOLDEM, title=" "), "its title is ' ': say what people call it, in printable characters"),
        (replace(HOLDEM, title="Hold\x1b[31m"), "its title is 'Hold\\x1b[31m'"),
        (replace(HOLDEM, revision=0), "its revision is 0: 1, and one more with each change"),
        (put(STUD, forced="blinds"), "forced is 'blinds': one of Forced.BLINDS, Forced.ANTE_AND_BRING_IN"),
        (put(STUD, brings_in="the highest"), "brings_in is 'the highest': one of DoorCard.LOWEST, "),
        (with_street(HOLDEM, 1, opener="the bring-in"), "the opener of flop is 'the bring-in': one of Opener.AFTER_"),
        (replace(HOLDEM, low="standard"), "its low is 'standard', by which the highest hand wins: a low is of"),
        (replace(HOLDEM, low="deuce-to-seven"), ""),
        (replace(HOLDEM, high="eight-or-better"), "ranking 'eight-or-better': it has no 'one pair', no 'two pair', no"),
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


CATEGORIES = TELESINA.categories


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"categories": ()}, "it has no category"),
        ({"categories": (*CATEGORIES, "two pairs")}, "'two pairs' is no category: one of high card, one pair, "),
        ({"categories": (*CATEGORIES, "one pair")}, "a category stands twice: straight flush, "),
        ({"categories": CATEGORIES[:-1]}, "it has no 'high card': some hands would have no rank"),
        ({"categories": CATEGORIES[::-1]}, "'flush' stands after 'high card', which its cards are too: it must stand"),
        ({"suits": "shdx"}, "its suits are 'shdx': all of 'cdhs', from low to high, or \"\" where they break no tie"),
        ({"suits": "shd"}, "its suits are 'shd'"),
        ({"suits": ""}, "its ties look at suits: say their order in `suits`"),
        ({"ranks": "AA789TJQK"}, "its ranks are 'AA789TJQK': ranks of '23456789TJQKA', from low to high, none twice"),
        ({"ranks": "789TJQKX"}, "its ranks are '789TJQKX': ranks of"),
        ({"ranks": "TJQK"}, "its ranks are 'TJQK': a hand needs five at least"),
        (
            {"wheel": "A78"},
            "its wheel is 'A78': \"\" for none; where the ace is its highest rank, the ace and the four",
        ),
        ({"wheel": "789TA"}, "its wheel is '789TA'"),
        ({"wheel": "A7899"}, "its wheel is 'A7899'"),
        ({"ranks": "A789TJQK"}, "its wheel is 'A789T'"),
        ({"ranks": "A789TJQK", "wheel": ""}, ""),
        ({"ties": {"two pairs": (SuitOf(1),)}}, "it says what breaks ties of 'two pairs': none of its categories"),
        ({"ties": {"two pair": (SuitOf(6),)}}, "its ties look at a card that a hand hasn't: 1 to 5"),
        ({"special": ("As 7s 8s 9s", "Th Jh Qh Kh Ah")}, "its special hand is 'As 7s 8s 9s': five different cards of"),
        ({"special": ("As 7s 8s 9s 9s", "Th Jh Qh Kh Ah")}, "its special hand is 'As 7s 8s 9s 9s'"),
        ({"special": ("As 7s 8s 9s Ts", "2h Jh Qh Kh Ah")}, "its special hand is '2h Jh Qh Kh Ah'"),
        ({"special": ("As 7s 8s 9s Ts",)}, "special names 1 hand: two, the one that wins and the one that it beats"),
        ({"special": None}, ""),
    ],
)
def test_what_the_ranking_of_a_declaration_must_be(
    changed: dict[str, Any], wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RANKINGS, "telesina", replace(TELESINA, **changed))
    if not wrong:
        check_declaration(games.TELESINA)
        return
    with pytest.raises(BadDeclaration) as refused:
        check_declaration(games.TELESINA)
    assert "ranking 'telesina': " + wrong in str(refused.value)


def test_a_low_may_leave_hands_without_a_rank_and_is_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Ranking("bad-low", ("high cards",), ranks="A2345678", lowest_wins=True)
    monkeypatch.setitem(RANKINGS, "bad-low", low)
    with pytest.raises(BadDeclaration) as refused:
        check_declaration(replace(HOLDEM, low="bad-low"))
    assert str(refused.value).startswith("game 'holdem': ranking 'bad-low': 'high cards' is no category")
    assert ";" not in str(refused.value)


def test_everything_that_is_wrong_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RANKINGS, "odd", Ranking("odd", ("two pairs",), suits="shdx", wheel="A23"))
    odd = put(HOLDEM, name="My Game!", max_seats=12, brings_in="lowest", raked_from="nowhere", high="odd")
    said = "'My Game!'.*brings_in.*'two pairs'.*no 'high card'.*'shdx'.*'A23'.*max_seats is 12.*raked_from is 'nowhere'"
    with pytest.raises(BadDeclaration, match=said):
        check_declaration(odd)
    with pytest.raises(BadDeclaration, match="revision is 0.*one street at least"):
        check_declaration(replace(HOLDEM, revision=0, streets=()))


def test_a_bad_game_does_not_get_into_the_registry() -> None:
    bad = replace(HOLDEM, name="bad", streets=(Street("only", Opener.AFTER_BIG_BLIND, down=2),))
    with pytest.raises(BadDeclaration):
        registry.register_game(bad)
    assert "bad" not in registry.GAMES_BY_NAME
