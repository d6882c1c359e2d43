"""`verify` finds what must be sealed and lies open in the log, though nobody changed a result (design, Secrets)."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.services.cli import handlog
from tests.services.homes import Change, forge_event


def opens_a_down_card(data: dict[str, Any]) -> bool | None:
    if data["up"] or len(data["cards"]) < 2:
        return False
    data["cards"][1] = 7
    return None


def opens_the_deck(data: dict[str, Any]) -> None:
    data["deck"] = list(range(data["deck"]["size"]))


def opens_the_reshuffle(data: dict[str, Any]) -> None:
    data["cards"] = list(range(data["cards"]["size"]))


@pytest.mark.parametrize(
    ("event", "change", "what"),
    [
        ("hand.cards-dealt", opens_a_down_card, r"card \d+ of seat \d+ lies open in the log: it must be sealed"),
        ("hand.opened", opens_the_deck, r"the deck lies open in the log: it must be sealed"),
        ("hand.deck-reshuffled", opens_the_reshuffle, r"the order of the reshuffled cards lies open in the log"),
    ],
)
def test_what_lies_open_is_found(home: Path, event: str, change: Change, what: str) -> None:
    place = forge_event(home, event, change)
    done = handlog("verify", "--home", home, "--json")
    assert done.code == 1
    (found,) = done.json["findings"]
    assert (found["shard"], found["height"]) == (place.shard, place.height)
    assert re.match(r"hand:t\d+-\d+: " + what, found["what"])


def test_cards_that_were_dealt_up_may_lie_open(home: Path) -> None:
    assert handlog("verify", "--home", home).code == 0
