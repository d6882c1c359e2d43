"""Golden hands, worked by hand: one for each game and limit, one for each special rule of rules.md sections 2 and 3."""

from pathlib import Path

import pytest

from domain.rules.games import GAMES
from domain.rules.vocabulary import Limit
from tests.transcripts.runner import HERE, files, play, read

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


def test_the_golden_hands_are_spread_over_the_four_rulebooks() -> None:
    books = {read(HERE / f"{game.name}_{limit}.txt").terms["rulebook"] for game in GAMES for limit in Limit}
    assert books == {"ace", "omaha-guide", "classic", "euro"}
