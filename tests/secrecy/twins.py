"""Two rooms that differ in nothing but the cards that a viewer can't see, and what he can read of both."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from domain.visibility import SPECTATOR, STAFF, Viewer
from tests.secrecy.at_the_door import told_at_the_door
from tests.secrecy.readers import Readable, readable, told_without_keys
from tests.secrecy.rooms import play_out
from tests.secrecy.scenes import Scene

Viewers = Mapping[str, Viewer]
"""Who somebody is in each hand."""

Who = Callable[[Sequence[Scene], Random], Viewers]
"""Somebody at all of these tables."""


def spectator(scenes: Sequence[Scene], random: Random) -> Viewers:
    return {one.hand: SPECTATOR for one in scenes}


def staff(scenes: Sequence[Scene], random: Random) -> Viewers:
    return {one.hand: STAFF for one in scenes}


def player(scenes: Sequence[Scene], random: Random) -> Viewers:
    """In one of the seats of each hand."""
    return {one.hand: Viewer(random.choice(one.seats)) for one in scenes}


def check_that_nobody_can_tell(
    folder: Path, seed: int, scenes: Sequence[Scene], viewers: Viewers, *, house: bool = False, door: bool = False
) -> None:
    """Play the scenes twice, with other cards where the viewer can't see them, and compare all that he can read; with
    `house` also what the house prints without its keys, which is the same for everybody; with `door` what he is given
    over HTTP instead."""
    random = Random(seed)
    other = {one.hand: one.other_cards(viewers[one.hand], random) for one in scenes}
    assert any(card != laid for names in other.values() for card, laid in names.items())
    some_hand = random.choice(scenes).hand
    told: list[Readable] = []
    for name, cards in (("one", {}), ("other", other)):
        home = folder / name
        outcomes = play_out(home, seed, scenes, cards)
        found = told_at_the_door if door else readable
        told.append(found(home, outcomes, viewers) | (told_without_keys(home, some_hand) if house else {}))
    check_the_same(*told)


def check_the_same(one: Readable, other: Readable) -> None:
    """AssertionError with all places that differ, and the first difference."""
    assert one.keys() == other.keys()
    differ = [place for place, text in one.items() if text != other[place]]
    if differ:
        pairs = enumerate(zip(one[differ[0]], other[differ[0]], strict=False))
        at = next((at for at, (here, there) in pairs if here != there), 0)
        here, there = (text[differ[0]][max(at - 99, 0) : at + 99] for text in (one, other))
        raise AssertionError(f"hidden cards can be told from {', '.join(differ)}: {here!r} or {there!r}")
