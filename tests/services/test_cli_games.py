"""`handlog games`."""

import os
import subprocess
import sys

import pytest

from domain.rules.games import GAMES
from domain.rules.registry import RULEBOOKS_BY_NAME
from domain.rules.vocabulary import Limit
from tests.services.cli import handlog, started


def test_all_games_are_listed_with_seats_deck_forced_bets_limits_and_rulebooks() -> None:
    done = handlog("games")
    assert done.code == 0
    listed = {line.split()[0]: line for line in done.out.splitlines() if line.strip()}
    for game in GAMES:
        assert game.title in listed[game.name]
        assert f"2 to {game.max_seats} " in listed[game.name]
        assert game.forced in listed[game.name]
    assert " 32 " in listed["americana"] and " 52 " in listed["holdem"]
    assert "Each under every limit: fixed, spread, pot, half-pot, no." in done.out
    assert "Each under every rulebook: ace, classic, euro, omaha-guide." in done.out


def test_the_list_as_json() -> None:
    found = handlog("games", "--json").json
    assert [one["game"] for one in found] == [game.name for game in GAMES]
    stud = found[3]
    assert (stud["title"], stud["least_seats"], stud["most_seats"], stud["deck"]) == ("7-card stud", 2, 8, 52)
    assert stud["forced"] == "ante and bring-in"
    assert stud["streets"] == ["3rd", "4th", "5th", "6th", "7th"]
    assert stud["limits"] == [limit.value for limit in Limit]
    assert stud["rulebooks"] == list(RULEBOOKS_BY_NAME)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_is_explained(game) -> None:
    done = handlog("games", game.name)
    assert done.code == 0
    assert done.out.startswith(f"{game.title}: 2 to {game.max_seats} seats, ")
    assert f" to A, {game.forced}.\n" in done.out
    for heading in ("FORCED BETS", "STREETS", "LIMITS", "SHOWDOWN", "RAKE"):
        assert f"\n{heading}\n" in done.out


def test_sentences_are_wrapped_and_tables_leave_out_what_they_would_repeat() -> None:
    out = handlog("games", "stud").out
    assert "half-\n" not in out, "no word is broken"
    rake = out[out.index("\nRAKE\n") :]
    assert rake.count("2.00/4.00 to") == rake.count("100.00/200.00") == 1
    assert rake.count(" per 20.00 ") == 3


def test_the_cards_of_a_short_deck_are_named() -> None:
    assert "seats, 32 cards, 7 to A, blinds." in handlog("games", "draw32").out
    assert "seats, 52 cards, 2 to A, blinds." in handlog("games", "holdem").out


@pytest.mark.parametrize("columns", [66, 80, 200])
def test_texts_and_tables_are_as_wide_as_the_terminal(columns: int) -> None:
    """Words wrap between them: whatever the width, the same words stand there."""
    for args in (["games"], ["games", "stud"], ["games", "draw32"]):
        out = handlog(*args, env={"COLUMNS": str(columns)}).out
        assert max(map(len, out.splitlines())) <= columns
        assert sorted(words_of(out)) == sorted(words_of(handlog(*args, env={"COLUMNS": "500"}).out))


def test_in_a_pipe_a_text_is_100_wide() -> None:
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    assert max(map(len, started("games", "stud", env=env).stdout.splitlines())) == 100


def words_of(out: str) -> list[str]:
    return out.replace("─", "").split()


def test_an_explanation_as_json() -> None:
    found = handlog("games", "draw32", "--json").json
    assert found["game"] == "draw32"
    by_heading = {section["heading"]: section for section in found["sections"]}
    assert by_heading["split vote"]["sentences"]
    assert by_heading["rake"]["columns"] == ["rulebook", "limit and stakes", "dealt in", "rake", "at most"]
    assert ["ace", "fixed limit 0.25/0.50 USD", "2 to 10", "0.05 per 1.00", "0.40"] in by_heading["rake"]["rows"]


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        (
            "replace(games.HOLDEM, name='My Game!')",
            "game 'My Game!': 'My Game!' can't name a game: use 1 to 40 of the ",
        ),
        ("replace(games.HOLDEM, max_seats=9)", "another revision 1 of game 'holdem' is known: give this one the next"),
    ],
)
@pytest.mark.parametrize("command", [["games"], ["demo", "--hands", "1"]])
def test_a_bad_declaration_is_a_sentence(added: str, sentence: str, command: list[str]) -> None:
    code = (
        "from dataclasses import replace\nfrom domain.rules import games\n"
        f"games.GAMES += ({added},)\nfrom services.cli import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"handlog: {sentence}")
    assert done.stderr.count("\n") == 1


def test_an_unknown_game_is_refused_with_the_names_that_exist() -> None:
    done = handlog("games", "badugi")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"handlog: unknown game 'badugi': one of {', '.join(game.name for game in GAMES)}\n"
