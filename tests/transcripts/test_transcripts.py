"""Golden hands, worked by hand: one for each game and limit, one for each special rule of rules.md sections 2 to 6."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from domain.rules.games import GAMES
from domain.rules.vocabulary import Forced, Game, Limit
from tests.transcripts.runner import HERE, Outcome, files, play, read

RULES = (
    # Section 2, structures.
    "a short all-in reopens nothing to who has acted",
    "several short all-ins may add up to a full raise",
    "fixed limit counts an all-in of half a bet as a level, once",
    "a level that was counted may be completed",
    "ace: five raises at a heads-up table",
    "omaha-guide: five raises in a round that starts with two",
    "spread limit: a raise that would pass three times the maximum goes exactly to it",
    "half-pot limit is rounded down",
    "the price of a call is the full big blind",
    "the main pot takes from each what the shortest ante put in",
    "a raise that nobody can call comes back",
    # Section 2, antes and bring-ins.
    "equal door cards: the suit decides who brings in",
    "telesina: hearts are the highest suit for the bring-in",
    "euro: the highest door card brings in outside fixed and spread limit",
    "who has nothing left after the ante doesn't bring in",
    "a bring-in all-in for less: the price of a call is the full bring-in",
    "fixed limit: completing the bring-in is the one bet, not one of the three raises",
    "ace, fixed limit: the full small bet may be brought in with",
    "a minimum bet above the bring-in: the first raise goes to it",
    "later rounds open with the best hand showing",
    "soko: a four-flush or four-straight that shows opens",
    "ace: an open pair on 4th street may be bet small or big",
    "euro: an open pair on 4th street may be bet double, and then every raise is double",
    "ace: a round is played after a community card in the place of the river",
    "euro: no betting after a community card in the place of the river",
    # Section 3.
    "dead money belongs whole to the main pot",
    "betting ended early: all live hands are turned up",
    "ace: an unbeaten hand may be given up unseen",
    "classic: everyone shows in Omaha",
    "a beaten hand is shown if its player asks",
    "two lows tied get a quarter each",
    "one player may win both",
    "no low: all to the high",
    "high and low in each of several pots",
    "the odd chip of two winners",
    "odd chips by the chip unit, a last piece to the next",
    "the odd chip between the halves, and within the low half",
    "the odd chip within the high half",
    "ante games: the odd chip goes to the winner nearest the dealer box",
    "soko: the odd chip goes to the first winner to have been dealt a card",
    "the odd chip of a pot divided by vote",
    # Section 4. That the vela leaves nothing to decide by can't come up: the test of the rankings' order says why.
    "telesina: the vela can't decide, and the next card does",
    "telesina: flush against flush, the suit decides",
    "telesina: high card, the suit before the second card",
    "telesina: of two the lowest straight flush in spades beats the highest in hearts",
    "telesina: the royal is beaten pot by pot",
    "telesina: the vela's round is the last for the order of showing",
    "americana: a flush beats a full house",
    "americana: A-7-8-9-10 is the lowest straight",
    "americana: equal hands split",
    "32-card draw: suits break a tie",
    # Section 5.
    "the deck runs out: muck and discards are shuffled, and nobody gets back his own discard",
    "late to draw: he stands pat, and may neither bet nor raise in the round that follows",
    "in time at the next draw he may bet again",
    "all are late to draw: the round is checked through",
    "who is all-in draws too",
    # Section 6.
    "all vote to split: the pot is divided without a showdown",
    "a vote to split that is refused by a bet stands as a check",
    "a vote to split that an all-in refuses stands as a check",
    "32-card draw heads-up: the button draws, acts, is offered the split and shows first",
    "a refusal by one all-in spares the side pot that he isn't in",
    # Section 7.
    "who leaves in a hand folds when his turn comes",
    # Section 8.
    "a failure of the room longer than the grace cancels the hand: every chip goes back",
    "all-in protection: he plays for what he has put in, later betting goes to a side pot, the rest comes back to him",
    # Section 9.
    "the rake of main and side pot runs on the total",
    "no flop, no rake",
)
"""Special rules that need a transcript: it says "# rule:" and these words."""

BY_NAME = pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)


def golden(games: Iterable[Game]) -> list[Path]:
    """The hands of every game and limit; one that is missing has a test of its own."""
    paths = [HERE / f"{game.name}_{limit}.txt" for game in games for limit in Limit]
    return [path for path in paths if path.exists()]


GOLDEN = golden(GAMES)
WITH_BRING_IN = golden(game for game in GAMES if game.forced is Forced.ANTE_AND_BRING_IN)


@cache
def outcome(path: Path) -> Outcome:
    return play(read(path))


@BY_NAME
def test_the_hand_goes_as_its_transcript_says(path: Path) -> None:
    assert outcome(path).lines == read(path).lines


@BY_NAME
def test_each_gets_the_cards_that_his_line_names_and_no_others(path: Path) -> None:
    assert outcome(path).cards == read(path).cards


@BY_NAME
def test_every_pot_rake_return_and_odd_chip_is_derived_with_its_section(path: Path) -> None:
    assert sorted(outcome(path).claims) == sorted(read(path).claims)


@BY_NAME
def test_the_smallest_and_largest_legal_amount_are_tried_one_unit_beyond(path: Path) -> None:
    tried = outcome(path).bounds_tried
    assert "bet or raise" in tried, f"{path.name} needs the refusals one unit under and over what is legal"


@pytest.mark.parametrize("limit", Limit)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_and_limit_has_its_transcript(game, limit) -> None:
    path = HERE / f"{game.name}_{limit}.txt"
    assert path.exists(), f"no golden hand of {game.title}, {limit} limit: write {path.name}"
    terms = read(path).terms
    assert (terms["game"], terms["limit"]) == (game.name, limit)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_hand_reaches_the_showdown(path: Path) -> None:
    assert any(" shows " in line for line in read(path).lines)


@pytest.mark.parametrize("path", WITH_BRING_IN, ids=lambda path: path.stem)
def test_so_are_the_smallest_and_largest_bring_in(path: Path) -> None:
    assert "bring-in" in outcome(path).bounds_tried


@pytest.mark.parametrize("rule", RULES)
def test_every_special_rule_has_its_transcript(rule) -> None:
    assert any(rule in read(path).rules for path in files()), f"no transcript says '# rule: {rule}'"


def test_every_rule_that_a_transcript_says_stands_in_the_list() -> None:
    assert [rule for path in files() for rule in read(path).rules if rule not in RULES] == []


def test_every_transcript_named_for_a_rule_says_which() -> None:
    assert [path.name for path in files() if path.stem.startswith("rule_") and not read(path).rules] == []


def test_the_golden_hands_are_spread_over_the_four_rulebooks() -> None:
    assert {read(path).terms["rulebook"] for path in GOLDEN} == {"ace", "omaha-guide", "classic", "euro"}
