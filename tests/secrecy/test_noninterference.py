"""Non-interference (design, Secrecy): in two rooms that differ in nothing but the cards that a viewer can't see, all
that he can read is the same, byte for byte, up to the first legal reveal."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from domain.hand import events as fact
from tests.secrecy.scenes import GAMES, Scene, reveals, scene, settles, until
from tests.secrecy.twins import Who, check_that_nobody_can_tell, player, spectator, staff

SEEDS = (1, 2, 3)


@cache
def scenes_of(seed: int) -> list[Scene]:
    """A hand of every game."""
    return [scene(seed, name) for name in GAMES]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_learned_before_it_is_revealed(tmp_path: Path, seed: int) -> None:
    live = until(scenes_of(seed), reveals)
    check_that_nobody_can_tell(tmp_path, seed, live, spectator(live, Random(seed)), house=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_player_learns_another_s_card_before_it_is_revealed(tmp_path: Path, seed: int) -> None:
    live = until(scenes_of(seed), reveals)
    check_that_nobody_can_tell(tmp_path, seed, live, player(live, Random(seed)))


def test_staff_learn_no_card_before_the_hand_is_settled(tmp_path: Path) -> None:
    live = until(until(scenes_of(1), reveals), settles)
    check_that_nobody_can_tell(tmp_path, 1, live, staff(live, Random(1)))


@pytest.mark.parametrize(("seed", "who"), [*((seed, player) for seed in SEEDS), (2, spectator)])
def test_what_is_never_shown_is_never_learned(tmp_path: Path, seed: int, who: Who) -> None:
    """To the end of the hand and after it: what was folded, discarded, not dealt, or won without being shown."""
    whole = scenes_of(seed)
    check_that_nobody_can_tell(tmp_path, seed, whole, who(whole, Random(seed)))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_more(tmp_path: Path, seed: int) -> None:
    whole = scenes_of(seed)
    live = until(whole, reveals)
    for number, (scenes, who) in enumerate([(live, spectator), (live, player), (whole, spectator), (whole, player)]):
        folder = tmp_path / str(number)
        check_that_nobody_can_tell(folder, seed, scenes, who(scenes, Random(seed)), house=True)
    under_way = until(live, settles)
    check_that_nobody_can_tell(tmp_path / "staff", seed, under_way, staff(under_way, Random(seed)))


def test_the_scenes_hold_what_could_tell() -> None:
    scenes = [one for seed in SEEDS for one in scenes_of(seed)]
    before = Counter(_kind(one) for part in until(scenes, reveals) for one in part.facts)
    whole = Counter(_kind(one) for part in scenes for one in part.facts)
    refused = Counter(type(one).__name__ for part in scenes for step in part.steps for one in step.refused)
    assert BEFORE - before.keys() == set()
    assert {"HandShown", "HandMucked", "PotAwarded"} - whole.keys() == set()
    assert {"Draw", "Fold", "Check", "Call", "Raise", "BringIn", "StandUp", "DealHand"} - refused.keys() == set()
    assert any(part.passes_over() for part in scenes)


BEFORE = {
    "DeckReshuffled", "late", "CardsDiscarded", "SplitVoteCast", "ShowdownWished", "BringInOwed", "Folded",
    "UncalledBetReturned", "BoardDealt", "RakeTaken",
}  # fmt: skip
"""What must occur before a reveal."""


def _kind(one: object) -> str:
    return "late" if isinstance(one, fact.StoodPat) and one.late else type(one).__name__
