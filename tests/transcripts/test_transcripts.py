"""Golden hands, worked by hand: one for each game and limit, one for each special rule of rules.md sections 2 and 3."""

from pathlib import Path

import pytest

from domain.rules.games import GAMES
from domain.rules.vocabulary import Limit
from tests.transcripts.runner import HERE, files, play, read

RULES = {
    "a short all-in reopens nothing to who has acted": "rule_short_all_in_does_not_reopen",
    "several short all-ins may add up to a full raise": "rule_short_all_ins_add_up",
    "fixed limit counts an all-in of half a bet as a level, once": "rule_half_bet_levels",
    "a level that was counted may be completed": "omaha_fixed",
    "ace: five raises at a heads-up table": "rule_five_raises_at_a_heads_up_table",
    "omaha-guide: five raises in a round that starts with two": "omaha-hilo_fixed",
    "spread limit: a raise that would pass three times the maximum goes exactly to it": "holdem_spread",
    "half-pot limit is rounded down": "omaha_half-pot",
    "the price of a call is the full big blind": "rule_short_big_blind",
    "the main pot takes from each what the shortest ante put in": "rule_antes_in_a_blind_game",
    "dead money belongs whole to the main pot": "rule_dead_money",
    "a raise that nobody can call comes back": "rule_raise_that_nobody_can_call",
    "betting ended early: all live hands are turned up": "rule_raise_that_nobody_can_call",
    "ace: an unbeaten hand may be given up unseen": "rule_give_up_at_the_showdown",
    "classic: everyone shows in Omaha": "rule_everyone_shows_in_classic_omaha",
    "a beaten hand is shown if its player asks": "rule_ask_to_show",
    "two lows tied get a quarter each": "omaha-hilo_spread",
    "one player may win both": "omaha-hilo_half-pot",
    "no low: all to the high": "omaha-hilo_pot",
    "high and low in each of several pots": "omaha-hilo_no",
    "the odd chip of two winners": "holdem_half-pot",
    "odd chips by the chip unit, a last piece to the next": "rule_odd_chips_by_the_chip_unit",
    "the odd chip between the halves, and within the low half": "rule_odd_chips_hilo",
    "the rake of main and side pot runs on the total": "rule_rake_on_the_running_total",
    "no flop, no rake": "rule_no_flop_no_rake",
}
BY_NAME = pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)


@BY_NAME
def test_the_hand_goes_as_its_transcript_says(path: Path) -> None:
    transcript = read(path)
    assert play(transcript).lines == transcript.lines


@BY_NAME
def test_every_pot_rake_return_and_odd_chip_is_derived_with_its_section(path: Path) -> None:
    transcript = read(path)
    assert sorted(play(transcript).claims) == sorted(transcript.claims)


@BY_NAME
def test_the_smallest_and_largest_legal_amount_are_tried_one_unit_beyond(path: Path) -> None:
    assert play(read(path)).bounds_tried, f"{path.name} needs the refusals one unit under and over what is legal"


@pytest.mark.parametrize("limit", Limit)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_and_limit_has_its_transcript(game, limit) -> None:
    path = HERE / f"{game.name}_{limit}.txt"
    assert path.exists(), f"no golden hand of {game.title}, {limit} limit: write {path.name}"
    terms = read(path).terms
    assert (terms["game"], terms["limit"]) == (game.name, limit)


@pytest.mark.parametrize("limit", Limit)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_its_golden_hand_reaches_the_showdown(game, limit) -> None:
    lines = read(HERE / f"{game.name}_{limit}.txt").lines
    assert any(" shows " in line for line in lines)


def test_every_special_rule_has_its_transcript() -> None:
    assert set(RULES.values()) - {path.stem for path in files()} == set()


def test_every_transcript_of_a_rule_stands_in_the_list() -> None:
    assert {path.stem for path in files() if path.stem.startswith("rule_")} <= set(RULES.values())


def test_the_golden_hands_are_spread_over_the_four_rulebooks() -> None:
    books = {read(HERE / f"{game.name}_{limit}.txt").terms["rulebook"] for game in GAMES for limit in Limit}
    assert books == {"ace", "omaha-guide", "classic", "euro"}
