"""A change of the feed's schemas that would break a consumer is found, and named."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from services.feed.compatible import breaks
from tests.feed.freeze import published, today

BET: dict[str, Any] = {
    "$id": "urn:handlog:feed:hand.bet-made.v1",
    "type": "object",
    "properties": {
        "seat": {"type": "integer", "minimum": 1, "maximum": 10},
        "kind": {"enum": ["blind", "bet"], "type": "string"},
        "player": {"type": "string", "maxLength": 32, "pattern": "^[a-z]*$"},
        "rake": {"anyOf": [{"type": "object", "properties": {"cap": {"type": "integer"}}, "required": ["cap"]},
                           {"type": "null"}]},
        "pots": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        "cards": {"type": "array", "items": {"type": "integer", "maximum": 51}},
    },
    "required": ["seat", "kind", "player", "rake", "pots"],
    "dependentSchemas": {"cards": {"properties": {"up": {"const": True}}}},
}  # fmt: skip

Change = Callable[[dict[str, Any]], Any]


def field(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda schema: schema["properties"][name]


BREAKING: list[tuple[Change, str]] = [
    (lambda bet: bet["properties"].pop("seat"), "bet.seat: this field is gone"),
    (lambda bet: bet["properties"].pop("cards"), "bet.cards: this field is gone"),
    (lambda bet: bet["required"].remove("seat"), "bet.seat: it was always there, and may be absent"),
    (lambda bet: field("seat")(bet).update(type="string"), "bet.seat: its type was integer and is string"),
    (lambda bet: field("seat")(bet).update(type=["integer", "null"]), "bet.seat: its type was integer and is integer"),
    (lambda bet: field("seat")(bet).pop("type"), "bet.seat: its type was integer and is any"),
    (lambda bet: field("seat")(bet).update(maximum=12), "bet.seat: its maximum was 10 and is 12"),
    (lambda bet: field("seat")(bet).update(minimum=0), "bet.seat: its minimum was 1 and is 0"),
    (lambda bet: field("seat")(bet).pop("maximum"), "bet.seat: its maximum was 10 and is none"),
    (lambda bet: field("player")(bet).update(maxLength=64), "bet.player: its maxLength was 32 and is 64"),
    (lambda bet: field("player")(bet).update(pattern="."), "bet.player: pattern was '^[a-z]*$' and is '.'"),
    (lambda bet: field("player")(bet).pop("pattern"), "bet.player: pattern was '^[a-z]*$' and is 'gone'"),
    (lambda bet: field("kind")(bet)["enum"].append("raise"), "bet.kind: 'raise' may come, where it was one of"),
    (lambda bet: field("kind")(bet).pop("enum"), "bet.kind: it was one of ['blind', 'bet'], and is anything"),
    (lambda bet: field("pots")(bet)["items"].update(minimum=-1), "bet.pots[]: its minimum was 0 and is -1"),
    (lambda bet: field("cards")(bet)["items"].pop("maximum"), "bet.cards[]: its maximum was 51 and is none"),
    (lambda bet: field("rake")(bet)["anyOf"].append({"type": "string"}), "bet.rake: string may come, where it was"),
    (lambda bet: field("rake")(bet)["anyOf"][0]["required"].clear(), "bet.rake.cap: it was always there, and may be"),
    (lambda bet: field("rake")(bet).update(anyOf=[{}]), "bet.rake: anything may come, where it was"),
    (lambda bet: bet["properties"].update(pots={"anyOf": [field("pots")(bet), {"type": "null"}]}),
     "bet.pots: null may come, where it was array"),
    (lambda bet: bet.pop("dependentSchemas"), "bet: dependentSchemas was"),
    (lambda bet: bet.update({"$id": "urn:other"}), "bet: $id was"),
]  # fmt: skip

HARMLESS: list[Change] = [
    lambda bet: bet["properties"].update(street={"type": "integer"}),
    lambda bet: (bet["properties"].update(street={"type": "integer"}), bet["required"].append("street")),
    lambda bet: bet["required"].append("cards"),
    lambda bet: field("kind")(bet)["enum"].remove("blind"),
    lambda bet: field("kind")(bet).update(const="bet"),
    lambda bet: field("seat")(bet).update(maximum=8, minimum=2),
    lambda bet: field("rake")(bet)["anyOf"].pop(),
    lambda bet: bet["properties"].update(rake={"type": "null"}),
    lambda bet: bet.update(title="A bet", description="Chips"),
    lambda bet: field("seat")(bet).update(description="Where he sits"),
    lambda bet: field("pots")(bet)["items"].update(maximum=9),
]


def changed(change: Change) -> dict[str, Any]:
    bet = deepcopy(BET)
    change(bet)
    assert bet != BET
    return bet


@pytest.mark.parametrize(("change", "why"), BREAKING, ids=[why for _, why in BREAKING])
def test_this_breaks_a_consumer(change: Change, why: str) -> None:
    found = breaks({"bet": BET}, {"bet": changed(change)})
    assert len(found) == 1 and found[0].startswith(why)


@pytest.mark.parametrize("change", HARMLESS, ids=range(len(HARMLESS)))
def test_this_breaks_nobody(change: Change) -> None:
    assert breaks({"bet": BET}, {"bet": changed(change)}) == []


def test_all_that_breaks_a_consumer_is_named() -> None:
    items = changed(lambda bet: bet["properties"]["pots"].pop("items"))
    assert breaks({"bet": BET}, {"bet": items}) == [
        "bet.pots[]: its type was integer and is any", "bet.pots[]: its minimum was 0 and is none",
    ]  # fmt: skip


def test_a_type_of_event_that_is_gone_breaks_a_consumer_and_a_new_one_nobody() -> None:
    assert breaks({"bet": BET}, {"raise": BET}) == ["bet: this type of event is gone"]
    assert breaks({"bet": BET}, {"bet": BET, "raise": BET}) == []


# --- what is published -----------------------------------------------------------------------------------------------


def test_no_consumer_of_what_was_published_is_broken() -> None:
    assert breaks(published(), today()) == []


def test_all_that_the_feed_says_of_itself_is_published() -> None:
    """So that the next change is compared with it: `python -m tests.feed.freeze`."""
    assert published() == today()
