"""Non-interference at the door: what somebody is given over HTTP is the same, byte for byte, whatever the cards are
that he can't see."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import catalog
from domain.hand import events as fact
from domain.visibility import STAFF, VISIBLE, Seen, Sight, Viewer
from services.api import seen
from tests.secrecy.at_the_door import told_at_the_door
from tests.secrecy.rooms import play_out
from tests.secrecy.scenes import GAMES, Scene, reveals, scene, settles, until
from tests.secrecy.twins import Who, check_that_nobody_can_tell, check_the_same, player, spectator, staff

SEED = 2
FEW = ("stud", "triple-draw", "draw32")


def compare(folder: Path, scenes: Sequence[Scene], who: Who) -> None:
    check_that_nobody_can_tell(folder, SEED, scenes, who(scenes, Random(SEED)), door=True)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [scene(SEED, name) for name in GAMES]


@pytest.fixture(scope="module")
def few() -> list[Scene]:
    return [scene(SEED, name) for name in FEW]


@pytest.mark.parametrize("who", [spectator, player])
def test_the_door_tells_no_card_before_it_is_revealed(tmp_path: Path, scenes: list[Scene], who: Who) -> None:
    compare(tmp_path, until(scenes, reveals), who)


def test_the_door_tells_staff_no_card_before_the_hand_is_settled(tmp_path: Path, scenes: list[Scene]) -> None:
    compare(tmp_path, until(until(scenes, reveals), settles), staff)


@pytest.mark.parametrize("who", [spectator, player])
def test_the_door_never_tells_what_is_never_shown(tmp_path: Path, scenes: list[Scene], who: Who) -> None:
    compare(tmp_path, scenes, who)


def test_the_door_tells_staff_no_folded_card_of_a_settled_hand(tmp_path: Path, few: list[Scene]) -> None:
    """Without an opening, which would be recorded."""
    told = []
    other = {one.hand: one.other_cards(STAFF, Random(SEED)) for one in few}
    for name, cards in (("one", {}), ("other", other)):
        outcomes = play_out(tmp_path / name, SEED, few, cards)
        told.append(told_at_the_door(tmp_path / name, outcomes, staff(few, Random(SEED))))
    check_the_same(*told)


# --- leaks that are planted are found ---


def spectators_look_from_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen.Look, "viewer", lambda look, seats: Viewer(min(seats)) if seats else Viewer())
    monkeypatch.setattr(seen.Look, "keys", property(lambda look: look.keyholder))


def players_look_from_the_next_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    view = seen.Look.viewer
    monkeypatch.setattr(seen.Look, "viewer", lambda look, seats: Viewer(view(look, seats).seat % max(seats) + 1))


def the_table_calls_a_down_card_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VISIBLE[fact.CardsDealt], "cards", Sight.PUBLIC)


def facts_are_given_as_the_log_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "seen_by", lambda viewer, event, settled: Seen(*catalog.event.dump(event)))


PLANTED = [
    (spectators_look_from_a_seat, spectator, "the door's hand t"),
    (spectators_look_from_a_seat, spectator, "the door's table t"),
    (players_look_from_the_next_seat, player, "the door's hand t"),
    (the_table_calls_a_down_card_public, player, "the door's hand t"),
    (the_table_calls_a_down_card_public, player, "answers of the door, t"),
    (facts_are_given_as_the_log_has_them, spectator, "answers of the door, t"),
]


@pytest.mark.parametrize(("plant", "who", "place"), PLANTED)
def test_a_leak_at_the_door_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: list[Scene], plant: Any, who: Who, place: str
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=f"hidden cards can be told from [^:]*{place}"):
        compare(tmp_path, until(few, reveals), who)
