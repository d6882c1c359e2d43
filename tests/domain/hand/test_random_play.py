"""Random play over all games, structures and rulebooks: after every event no chip is lost and no card lies twice, every
hand ends, its facts make it again, deciding again finds nothing, illegal answers are refused, and a dealer who knows
the rules by heart (dealer_model) says of every fact that the players didn't choose what it must be."""

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from random import randrange
from time import perf_counter

import pytest

from domain.hand.invariants import Broken
from domain.rules.games import GAMES
from tests.domain.hand.engine_mutants import MUTANTS, Mutant
from tests.domain.hand.random_hands import PAIRS, PLANNED, play_hand

HANDS = 50
"""Of each pair of game and structure."""

FIRST = 0 if "CI" in os.environ else randrange(10**9)
"""The first seed. CI plays the same hands each time, others new ones."""

OFTEN = frozenset({
    "a bring-in all-in for less", "a bring-in passed on", "a community card for want of cards", "a low",
    "a player left", "a pot split", "a reshuffle", "a round checked through because all were late", "a vote agreed",
    "a vote ended by an action", "all-in from the ante", "all-in from the big blind", "all-in from the small blind",
    "all-in protected", "an odd chip", "an open pair", "an own discard passed over",
    "beaten by a hand that was shown", "cancelled", "given up unseen", "hands turned up", "late to draw",
    "out of time", "rake", "the royal beaten",
})  # fmt: skip
RARE = frozenset({
    "a vote half refused", "all-in from the dead blind", "all-in from the late blind", "all-in from the table ante",
    "nobody is left to beat",
})  # fmt: skip
"""Rules that a few thousand hands are sure to come to, and a few hundred thousand."""


@cache
def hands_of(game: str, limit: str) -> Counter[str]:
    return played(game, limit, range(FIRST, FIRST + HANDS))


def played(game: str, limit: str, seeds: Sequence[int]) -> Counter[str]:
    """What the hands of these seeds came to."""
    return sum((play_hand(seed, game, limit) for seed in seeds), Counter())


def test_the_second_dealer_knows_every_game() -> None:
    unknown = [game.name for game in GAMES if game not in PLANNED]
    assert not unknown, f"no plan of {', '.join(unknown)}: write it from the rules in games_model.py, PLANS"


@pytest.mark.parametrize(("game", "limit"), PAIRS)
def test_random_play(game: str, limit: str) -> None:
    assert hands_of(game, limit)["hands"] == HANDS


def test_random_play_comes_to_the_special_rules() -> None:
    reached = sum((hands_of(game, limit) for game, limit in PAIRS), Counter())
    assert not OFTEN - set(reached)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_random_play_finds_a_broken_rule(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.breaks(monkeypatch)
    with pytest.raises((AssertionError, Broken)):
        play_until_found(mutant)


def play_until_found(mutant: Mutant) -> None:
    for seed in range(2000 // len(mutant.pairs)):
        for game, limit in mutant.pairs:
            play_hand(seed, game, limit)


MILLION = 1_000_000
CHUNK = 500
"""Hands that one process plays before it reports."""


@pytest.mark.soak
def test_a_million_random_hands(capsys: pytest.CaptureFixture[str]) -> None:
    chunks = -(-MILLION // (CHUNK * len(PAIRS)))
    work = [
        (game, limit, range(first, first + CHUNK))
        for first in range(FIRST, FIRST + chunks * CHUNK, CHUNK)
        for game, limit in PAIRS
    ]
    began = perf_counter()
    with ProcessPoolExecutor() as pool:
        reached = sum(pool.map(played, *zip(*work, strict=True), chunksize=4), Counter())
    with capsys.disabled():
        print(f"\n{reached['hands']:,} hands in {perf_counter() - began:,.0f} s:")
        for name, times in sorted(reached.items()):
            print(f"{times:>12,}  {name}")
    assert reached["hands"] >= MILLION
    assert not (OFTEN | RARE) - set(reached)
