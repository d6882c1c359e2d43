"""What the feed says of itself: current, valid, and true of every event."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from domain import catalog
from domain.cards import cards
from domain.hand import events as fact
from domain.visibility import VISIBLE, Sight
from services.feed.cloudevents import events_of
from services.feed.schema import FOLDER, documents, envelope, write
from tests.feed.rooms import commit, read, told_of
from tests.feed.validators import SCHEMAS, check

# --- current ---------------------------------------------------------------------------------------------------------


def test_the_folder_holds_what_is_generated_now() -> None:
    """`python -m services.feed.schema` writes it."""
    found = {path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob("*") if path.is_file()}
    assert found == documents()


def test_writing_removes_what_is_no_more(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "hand.abducted.v1.json").write_text("{}")
    write(tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json")} == documents().keys()


# --- valid, and true of every event ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SCHEMAS, "cloudevent"])
def test_every_schema_is_one_and_is_named_by_its_id(name: str) -> None:
    schema = {**SCHEMAS, "cloudevent": envelope()}[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:handlog:feed:{name}"
    assert "$ref" not in json.dumps(schema)


def test_every_event_that_is_told_is_what_its_schema_says(log, kept) -> None:
    """And every type is told: a new one stands in a log that is kept (tests/history)."""
    events = [read(event) for event in told_of(log, *kept)]
    for event in events:
        check(event)
    assert {event["type"] for event in events} == {f"handlog.{name}" for name in SCHEMAS}


@pytest.mark.parametrize("name", sorted(catalog.event.by_name))
def test_an_event_has_a_schema_if_everybody_may_see_something_of_it(name: str) -> None:
    entry = catalog.event.by_name[name]
    public = any(sight in (Sight.PUBLIC, Sight.DECK, Sight.DOWN) for sight in VISIBLE[entry.cls].values())
    assert (f"{name}.v1" in SCHEMAS) == public


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_schema_has_a_field_that_isn_t_everybody_s(name: str) -> None:
    entry = catalog.event.by_name[name.rpartition(".v")[0]]
    hidden = {field for field, sight in VISIBLE[entry.cls].items() if sight in (Sight.SEAT, Sight.STAFF, Sight.NEVER)}
    assert hidden & SCHEMAS[name]["properties"].keys() == set()
    assert not any(one == "box" for one in names_in(SCHEMAS[name]))


def names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from names_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from names_in(part)


def dealt(**changed: Any) -> dict[str, Any]:
    """A card dealt face up, as it is told, with its data changed."""
    (event,) = events_of(commit(("hand:t1-1", fact.CardsDealt(3, (7,), cards("2c"), True))))
    told = read(event)
    return told | {"data": told["data"] | changed}


def test_a_card_dealt_face_up_is_as_its_schema_says() -> None:
    check(dealt())


@pytest.mark.parametrize(
    "leak",
    [{"up": False}, {"cards": ["b0x"]}, {"cards": [52]}, {"cards": None}, {"seat": 0}, {"seat": 1.5}, {"box": "b0x"}],
    ids=str,
)
def test_what_must_not_be_told_is_not_as_the_schema_says(leak: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        check(dealt(**leak))


@pytest.mark.parametrize("attribute", envelope()["required"])
def test_a_cloudevent_lacks_no_attribute(attribute: str) -> None:
    event = dealt()
    del event[attribute]
    with pytest.raises((ValidationError, KeyError)):
        check(event)


@pytest.mark.parametrize(
    ("attribute", "wrong"),
    [
        ("id", "riverside/0/0"), ("id", "riverside/0/01/0"), ("source", "handlog"), ("type", "hand.cards-dealt"),
        ("type", "handlog.hand.folded.v1"), ("time", "2026-01-01T00:00:00Z"), ("specversion", "0.3"),
    ],
)  # fmt: skip
def test_a_cloudevent_is_of_its_form(attribute: str, wrong: str) -> None:
    with pytest.raises(ValidationError):
        check(dealt() | {attribute: wrong})


def test_a_field_that_is_always_written_is_always_there() -> None:
    """Whatever a class has a default for: what is dumped has all fields."""
    assert SCHEMAS["hand.opened.v1"]["properties"]["clocks"]["required"] == ["action", "draw", "failure_grace"]
    assert set(SCHEMAS["hand.opened.v1"]["properties"]) - set(SCHEMAS["hand.opened.v1"]["required"]) == {"deck"}
