"""Games in plain words: what rules.md says of each is told out of its declaration."""

import ast
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from domain.rules import explained, games
from domain.rules.explained import explain
from domain.rules.explained.cards_needed import fewest_for_reshuffle, short_street
from domain.rules.games import GAMES, HOLDEM, STUD, TELESINA
from domain.rules.ranking_words import Ranking, SuitOf
from domain.rules.rankings import RANKINGS
from domain.rules.registry import GAMES_BY_NAME, RULEBOOKS_BY_NAME
from domain.rules.rulebook import BringIn, Rulebook, Seating, SmallBlind
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.vocabulary import DoorCard, Forced, Game, Limit, OddHalf, Opener, Street

ROOMS = tuple(RULEBOOKS_BY_NAME.values())


def told(game: Game, heading: str, books: Sequence[Rulebook] = ROOMS) -> str:
    """The sentences under a heading, "" where the game has no such section."""
    return " ".join(" ".join(one.sentences) for one in explain(game, books) if one.heading == heading)


def headings(game: Game) -> list[str]:
    return [section.heading for section in explain(game, ROOMS)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_is_explained_in_whole_sentences(game: Game) -> None:
    sections = explain(game, ROOMS)
    for heading in ("forced bets", "streets", "limits", "showdown", "rake"):
        assert heading in [section.heading for section in sections]
    for section in sections:
        assert section.sentences or section.rows
        for sentence in section.sentences:
            assert sentence.endswith("."), sentence
            assert "  " not in sentence and ".." not in sentence, sentence
        assert all(len(row) == len(section.columns) for row in section.rows)


@pytest.mark.parametrize(
    ("game", "heading", "said"),
    [
        ("holdem", "forced bets", "the first seat left of the button posts the small blind, the next the big blind"),
        ("holdem", "forced bets", "it acts first on preflop, last on the flop, the turn and the river"),
        ("draw32", "forced bets", "the button posts the small blind; it acts first on predraw and the draw."),
        ("stud", "forced bets", "There is no button: the dealer box stands before seat 1"),
        ("stud", "forced bets", "Door cards rank from 2 up to A; equal ones go by suit"),
        ("telesina", "forced bets", "Door cards rank from 7 up to A; equal ones go by suit"),
        ("stud", "forced bets", "from high to low spades, hearts, diamonds, clubs"),
        ("telesina", "forced bets", "from high to low hearts, diamonds, clubs, spades"),
        ("stud-hilo", "forced bets", "Who brings in: the lowest door card."),
        ("soko", "forced bets", "Who brings in: the highest door card."),
        ("stud", "forced bets", "half of the small bet, up to the chip unit (ace)"),
        ("holdem", "forced bets", "a whole currency unit, or exactly half where that is under one unit (ace and"),
        ("holdem", "forced bets", "It goes down to the chip unit and is never under one."),
        ("stud-hilo", "streets", "small bet only (classic, euro and omaha-guide); small or big bet"),
        ("stud", "forced bets", "the highest in pot, half-pot and no limit (classic, euro and omaha-guide)"),
        ("stud", "streets", "3rd: 2 cards down and 1 card up to each player. The bring-in opens. Small bet."),
        ("stud", "streets", "7th: 1 card down to each player. The best hand showing opens. Big bet."),
        ("stud", "streets", "The best hand showing opens. Small bet, or the big one where a pair shows."),
        ("stud-hilo", "streets", "Small bet, or the big one where a pair shows (by rulebook)."),
        ("telesina", "streets", "vela: 1 community card face up. The best hand showing opens. Big bet."),
        ("soko", "streets", "three of a kind, two pair, four-flush, four-straight, one pair and high card"),
        ("omaha", "streets", "flop: 3 community cards face up. The first seat left of the button opens. Small bet."),
        ("draw32", "streets", "each player may exchange up to 4 cards. The first seat after the big blind opens."),
        ("holdem", "limits", "the small bet on preflop and the flop, the big bet on the turn and the river"),
        ("holdem", "limits", "At 2/4 with three raises nobody puts in more than 8, 8, 16 and 16."),
        ("soko", "limits", "the small bet on 2nd street and 3rd street, the big bet on 4th street and 5th street"),
        ("triple-draw", "limits", "the big bet on the second draw and the third draw"),
        ("draw", "limits", "the table states two maxima, one for each round (predraw, draw)"),
        ("telesina", "limits", "five maxima"),
        ("holdem", "limits", "five at a two-seat table (ace)"),
        ("holdem", "limits", "five in a round that starts with two players (omaha-guide)"),
        ("holdem", "limits", "In tournaments it is always one bet and three raises."),
        ("holdem", "limits", "at least half of the step to the next level counts as that bet or raise and reopens"),
        ("holdem", "limits", "less is only a dearer call. Either way the next raise goes to that same level."),
        ("omaha", "limits", "Pot limit: a bet is from the big blind to the pot"),
        ("stud", "limits", "Pot limit: a bet is from the minimum bet to the pot"),
        ("stud", "limits", "The first raise completes the bring-in to the small bet: that is the round's one bet"),
        ("triple-draw", "draws", "In turn from the first seat left of the button, all-in players too"),
        ("triple-draw", "draws", "in time at the next draw, he may bet again"),
        ("triple-draw", "draws", "The deck can run out with three players or more: "),
        ("draw", "draws", "The deck can run out with six players: "),
        ("draw", "draws", "If all are late, the round is checked through."),
        ("draw32", "draws", "In turn from the first seat after the big blind"),
        ("draw32", "draws", "each discards from none to 4 cards and gets as many"),
        ("draw32", "draws", "nobody is dealt a card that he himself discarded in this hand"),
        ("stud", "too few cards", "If fewer undealt cards are left before 7th street than players still in, one card"),
        ("stud", "too few cards", "that can happen with eight players dealt in."),
        ("stud", "too few cards", "nobody bets on that round (classic, euro and omaha-guide); the round is played"),
        ("draw32", "split vote", "With all of them all-in, or one with chips, the first one still in opens the offer."),
        ("draw32", "split vote", "it is divided equally between them without a showdown"),
        ("holdem", "ranking", "straight flush (to the ace: royal flush), four of a kind, full house, flush, straight"),
        ("holdem", "ranking", "The ace is low only in A-2-3-4-5"),
        ("americana", "ranking", "four of a kind, flush, full house, straight"),
        ("americana", "ranking", "The ace is low only in A-7-8-9-10, the lowest straight; its top card is the 10."),
        ("soko", "ranking", "two pair, four-flush, four-straight, one pair, high card"),
        ("soko", "ranking", "A-2-3-4 is the lowest, J-Q-K-A the highest"),
        ("triple-draw", "ranking", "The lowest hand wins; from best to worst: high card, one pair"),
        ("triple-draw", "ranking", "The ace is always high: A-2-3-4-5 is no straight."),
        ("triple-draw", "ranking", "The best hand is 2-3-4-5-7."),
        ("omaha-hilo", "ranking, low", "A hand with 9, 10, J, Q or K doesn't qualify."),
        ("omaha-hilo", "ranking, low", "A hand with two cards of one rank doesn't qualify."),
        ("omaha-hilo", "ranking, low", "Straights and flushes don't count."),
        ("omaha-hilo", "ranking, low", "The best hand is A-2-3-4-5."),
        ("draw32", "ranking", "Flush against flush: the ranks, then the suit."),
        ("draw32", "ranking", "One pair against one pair: the ranks, then the suit of the highest side card."),
        ("draw32", "ranking", "So no two hands tie."),
        ("telesina", "ranking", "Flush against flush: the suit, then the ranks."),
        ("telesina", "ranking", "then the suit of the fifth card, then the highest suit in the higher pair"),
        ("telesina", "ranking", "the rank of the top card, then its suit, then the rank of the second card"),
        ("telesina", "ranking", "A community card that would decide for both hands decides nothing"),
        ("telesina", "ranking", "that exactly two contest, As 7s 8s 9s 10s beats 10h Jh Qh Kh Ah, and only it."),
        ("draw32", "showdown", "The best hand wins: no pot is split by cards, only by vote."),
        ("telesina", "showdown", "The best hand wins; hands that tie share the pot."),
        ("holdem", "showdown", "can win or share no part of any pot it is in."),
        ("holdem", "showdown", "Where all others were mucked, the last one left needn't be shown."),
        ("holdem", "showdown", "all hands are turned up, and none is mucked."),
        ("draw", "showdown", "all hands are turned up as soon as no draw is left, and none is mucked."),
        ("draw32", "showdown", "all hands are turned up as soon as no draw and no vote is left, and none is mucked."),
        ("holdem", "showdown", "any five of the player's two cards and the five community cards"),
        ("omaha", "showdown", "exactly two of the player's four cards and three of the board"),
        ("stud", "showdown", "any five of the player's seven cards"),
        ("telesina", "showdown", "any five of the player's five cards and the community card"),
        ("omaha-hilo", "showdown", "without a low all goes to the high"),
        ("omaha-hilo", "showdown", "The odd chip between the halves goes to the high half."),
        ("holdem", "showdown", "shows first; if nobody did, the first seat left of the button"),
        ("stud", "showdown", "shows first; if nobody did, the best hand showing"),
        ("draw32", "showdown", "shows first; if nobody did, the first seat after the big blind"),
        ("omaha", "showdown", "everyone who is left shows (classic)"),
        ("holdem", "showdown", "may be laid down unseen if its player asked for it in advance (ace and classic)"),
        ("stud", "rake", "only once 4th street was dealt"),
        ("stud", "rake", "In pot, half-pot and no limit the minimum bet counts as the big blind."),
        ("holdem", "rake", "only once the flop was dealt"),
        ("triple-draw", "rake", "only once the first draw took place"),
    ],
)  # fmt: skip
def test_what_the_rules_say_of_a_game_is_told(game: str, heading: str, said: str) -> None:
    assert said in told(GAMES_BY_NAME[game], heading)


def test_what_a_game_lacks_is_not_told() -> None:
    assert not {"draws", "split vote", "too few cards", "ranking, low"} & set(headings(HOLDEM))
    assert "split vote" not in headings(games.DRAW)
    assert "board" not in told(STUD, "showdown")
    assert "button" not in told(STUD, "showdown")


def test_how_far_the_deck_goes() -> None:
    """Seven cards each of eight are 56. Six hands of triple draw are 30 cards before the first draw."""
    enough = ("holdem", "omaha", "omaha-hilo", "soko", "americana", "telesina")
    short = {name: short_street(game) for name, game in GAMES_BY_NAME.items()}
    for name in (*enough, "draw", "triple-draw", "draw32"):
        assert short[name] is None
    for name in ("stud", "stud-hilo"):
        street, players = short[name] or (None, 0)
        assert (street, players) == (STUD.streets[-1], 8)
    reshuffled = {name: fewest_for_reshuffle(game) for name, game in GAMES_BY_NAME.items()}
    for name in (*enough, "stud", "stud-hilo"):
        assert reshuffled[name] is None
    assert (reshuffled["draw"], reshuffled["triple-draw"], reshuffled["draw32"]) == (6, 3, 4)


def constants() -> set[Any]:
    """Everything that stands as a literal in the explanations' source."""
    folder = Path(explained.__path__[0])
    trees = [ast.parse(file.read_text()) for file in folder.glob("*.py")]
    return {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_no_game_and_no_rulebook_is_named_in_the_explanations() -> None:
    names = {game.name for game in GAMES} | {game.title for game in GAMES} | set(RULEBOOKS_BY_NAME)
    assert len(constants()) > 100
    assert not names & constants()


# --- every field of a declaration is told ----------------------------------------------------------------------------


def streets_with(**other: Any) -> tuple[Street, ...]:
    """The streets of stud, another 4th one among them."""
    return (STUD.streets[0], replace(STUD.streets[1], **other), *STUD.streets[2:])


GAME_FIELDS: dict[str, dict[str, Any]] = {
    "max_seats": {"max_seats": 7},
    "forced": {"forced": Forced.BLINDS},
    "raked_from": {"raked_from": "5th"},
    "high": {"high": "soko"},
    "low": {"low": "eight-or-better"},
    "hole_cards_used": {"hole_cards_used": 2},
    "lowest_rank": {"lowest_rank": 5},
    "suits": {"suits": "scdh"},
    "brings_in": {"brings_in": DoorCard.HIGHEST},
    "split_vote": {"split_vote": True},
    "streets": {"streets": STUD.streets[:-1]},
}
STREET_FIELDS: dict[str, Any] = {
    "name": "fourth", "opener": Opener.LEFT_OF_BUTTON, "down": 1, "up": 2, "board": 1, "draw": 3, "big": True,
    "open_pair": False,
}  # fmt: skip
NOT_TOLD = {"name", "title", "revision"}
"""What a game is called, which whoever asks has said."""


@pytest.mark.parametrize("field", GAME_FIELDS)
def test_another_game_is_told_otherwise(field: str) -> None:
    assert explain(replace(STUD, **GAME_FIELDS[field]), ROOMS) != explain(STUD, ROOMS)


@pytest.mark.parametrize("field", STREET_FIELDS)
def test_another_street_is_told_otherwise(field: str) -> None:
    other = replace(STUD, streets=streets_with(**{field: STREET_FIELDS[field]}), raked_from="5th")
    assert explain(other, ROOMS) != explain(replace(STUD, raked_from="5th"), ROOMS)


BOOK_FIELDS: dict[str, Any] = {
    "small_blind": SmallBlind.HALF_IN_WHOLE_UNITS,
    "bets_cap": 5,
    "bets_cap_two": 6,
    "bets_cap_two_needs_two_seats": True,
    "cash_antes": True,
    "fixed_bring_in": BringIn.HALF_THE_SMALL_BET,
    "highest_brings_in": (("stud", Limit.FIXED),),
    "open_pair_in": (),
    "plays_community_round": True,
    "everyone_shows_in": ("holdem",),
    "may_give_up_in": ("holdem",),
    "odd_half": OddHalf.LOW,
    "rake_currency": "GBP",
    "rake": EURO.rake[:-1],
    "seating": replace(EURO.seating, taken_off_after=5),
}


@pytest.mark.parametrize("field", BOOK_FIELDS)
def test_another_rulebook_is_told_otherwise(field: str) -> None:
    capped = replace(EURO, bets_cap_two=6)
    before, after = (replace(book, name="sixth") for book in (capped, replace(capped, **{field: BOOK_FIELDS[field]})))
    if field == "bets_cap_two":
        before = replace(EURO, name="sixth")
    assert any(explain(game, [before]) != explain(game, [after]) for game in GAMES)


SEATING_FIELDS: dict[str, Any] = {
    "missed_big_costs_both": True,
    "taken_off_after": 5,
    "stack_remembered": 30,
    "least_buy_ins": (),
    "protections": 0,
    "protected_limits": (Limit.FIXED,),
}


@pytest.mark.parametrize("field", SEATING_FIELDS)
def test_another_sentence_about_seats_is_told_otherwise(field: str) -> None:
    other = replace(EURO, seating=replace(EURO.seating, **{field: SEATING_FIELDS[field]}))
    assert explain(HOLDEM, [EURO]) != explain(HOLDEM, [other])


RANKING_FIELDS: dict[str, Any] = {
    "categories": RANKINGS["standard"].categories,
    "ranks": "789TJQK",
    "wheel": "",
    "lowest_wins": True,
    "suits": "cdhs",
    "ties": {"flush": (SuitOf(1),)},
    "special": None,
}


@pytest.mark.parametrize("field", RANKING_FIELDS)
def test_another_ranking_is_told_otherwise(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = explain(TELESINA, ROOMS)
    monkeypatch.setitem(RANKINGS, "telesina", replace(RANKINGS["telesina"], **{field: RANKING_FIELDS[field]}))
    assert explain(TELESINA, ROOMS) != before


def test_no_field_of_a_declaration_was_forgotten() -> None:
    assert {field.name for field in fields(Game)} - NOT_TOLD == GAME_FIELDS.keys()
    assert {field.name for field in fields(Street)} == STREET_FIELDS.keys()
    assert {field.name for field in fields(Rulebook)} - {"name", "title", "source"} == BOOK_FIELDS.keys()
    assert {field.name for field in fields(Seating)} == SEATING_FIELDS.keys()
    assert {field.name for field in fields(Ranking)} - {"name"} == RANKING_FIELDS.keys()


def test_community_cards_leave_fewer_for_the_players() -> None:
    last = replace(STUD.streets[-1], board=4)
    assert short_street(replace(STUD, streets=(*STUD.streets[:-1], last))) == (last, 7), "48 are six hands of seven"


# --- games that no rulebook names ------------------------------------------------------------------------------------


def test_door_cards_rank_as_the_games_ranking_has_them() -> None:
    assert "Door cards rank from A up to 8;" in told(replace(STUD, high="eight-or-better"), "forced bets")
    assert "Door cards rank from 7 up to A;" in told(replace(STUD, lowest_rank=5), "forced bets")


def test_an_open_pair_is_told_only_where_a_rulebook_names_the_game() -> None:
    other = replace(STUD, name="other")
    assert "4th: 1 card up to each player. The best hand showing opens. Small bet. 5th" in told(other, "streets")
    assert "a pair shows" not in told(other, "streets")
    assert "open pair" not in told(other, "limits")
    assert ", an open pair apart." in told(STUD, "limits")


# --- other rulebooks -------------------------------------------------------------------------------------------------


def test_another_rulebook_stands_beside_the_others() -> None:
    five_raises = replace(EURO, name="sixth", bets_cap=6, bets_cap_two=6)
    assert "one bet and five raises (sixth)" in told(HOLDEM, "limits", [*ROOMS, five_raises])
    assert "At 2/4" not in told(HOLDEM, "limits", [*ROOMS, five_raises]), "they no longer agree"


def test_the_rake_table_has_a_row_for_every_band() -> None:
    (rake,) = [section for section in explain(HOLDEM, ROOMS) if section.heading == "rake"]
    assert (
        "classic, euro and omaha-guide",
        "fixed, spread limit 1.00/2.00 EUR",
        "4 to 10",
        "0.25 per 5.00",
        "2.00",
    ) in rake.rows
    assert ("ace", "fixed limit 0.25/0.50 USD", "2 to 10", "0.05 per 1.00", "0.40") in rake.rows
    bands = {(book.rake_currency, row, band) for book in ROOMS for row in book.rake for band in row.bands}
    assert len(rake.rows) == len(bands)
