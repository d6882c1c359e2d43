"""What the feed says of itself: a JSON Schema for each type of event, and an AsyncAPI document over all of them.

All of it is made of the events' classes and of what `domain/visibility.py` shows of them to everybody;
`python -m services.feed.schema` writes it to deploy/feed. A schema forbids no further field: a consumer passes over
those that he doesn't know, so that an event can get more of them.
"""

import json
import re
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema

from domain import catalog
from domain.cards import Card
from domain.catalog import Entry
from domain.hand.events import DownCard, SealedDeck
from domain.visibility import VISIBLE, Sight
from services.feed.cloudevents import FEED, schema_id, type_of

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = Path(__file__).parents[2] / "deploy" / "feed"
"""Where the repository keeps what was written last."""

SEEN = (Sight.PUBLIC, Sight.DOWN, Sight.DECK)
"""Fields of which everybody is shown something."""

_FACES = {tuple[DownCard, ...]: tuple[Card, ...]}
"""What lies in a fact where cards lie face up: no box."""

_DECK = "How many cards, and the root of the Merkle tree that binds their order, which stays sealed."

_CITATION = re.compile(r"\s*\((?:design|rules\.md|sections?)\b[^)]*\)")
_LEFT_OUT = ("title", "default", "additionalProperties", "$defs")
"""What pydantic writes beside the shape: names of classes, and values for a writer who leaves a field out."""


class _AsWritten(GenerateJsonSchema):
    """Of a message that is dumped: all its fields are there, whatever their defaults."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schemas() -> dict[str, Schema]:
    """The schema of the data of each type of event of the feed, by wire name and its version: `hand.folded.v1`."""
    return {f"{entry.name}.v{FEED}": _schema_of(entry) for entry in _shown()}


def envelope() -> Schema:
    """The schema of the CloudEvent around the data."""
    number = "(0|[1-9][0-9]*)"
    texts: dict[str, Schema] = {
        "specversion": {"const": "1.0"},
        "id": {
            "pattern": f"^[a-z0-9-]{{1,40}}/{number}/{number}/{number}$",
            "description": "room/shard/height/index. A repeat has the id of the first. Within a partition, the later "
            "event has the higher (height, index).",
        },
        "source": {"pattern": "^/handlog/[a-z0-9-]{1,40}$", "description": "The room."},
        "type": {"pattern": r"^handlog(\.[a-z-]+)+\.v[1-9][0-9]*$"},
        "subject": {"minLength": 1, "description": "What it happened to, such as `hand:t1-17` or `table:t1`."},
        "time": {
            "format": "date-time",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$",
            "description": "When the room decided it, in UTC. The order of events is that of their ids.",
        },
        "datacontenttype": {"const": "application/json"},
        "dataschema": {"format": "uri", "description": "The `$id` of the schema of the data."},
    }
    properties = {name: {"type": "string", **rest} for name, rest in texts.items()} | {"data": {"type": "object"}}
    return {
        "$schema": DRAFT,
        "$id": "urn:handlog:feed:cloudevent",
        "title": "An event of the feed (CloudEvents 1.0, JSON, structured mode)",
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def asyncapi() -> Schema:
    """The AsyncAPI 3.0 document: the topic, its messages, and who sends them."""
    names = list(schemas())
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "The feed of a Handlog room",
            "version": "1",
            "description": "What everybody may see of a room's log, one CloudEvent an event. An event comes at least "
            "once: drop those whose id you had. Events of a table come in order. Pass over types and fields that you "
            "don't know. Amounts are minor units of the table's currency. A card is a number, rank * 4 + suit: ranks "
            "from the deuce (0) to the ace (12), suits clubs, diamonds, hearts, spades. No card that was folded or "
            "mucked unseen is ever in it.",
        },
        "defaultContentType": "application/cloudevents+json",
        "channels": {
            "feed": {
                "address": "handlog.{room}.feed.v1",
                "parameters": {"room": {"description": "The room's name: a-z, digits and -."}},
                "description": "One partition a shard of the room's log.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
            }
        },
        "operations": {"tell": {"action": "send", "channel": {"$ref": "#/channels/feed"}}},
        "components": {"messages": {name: _message(name) for name in names}},
    }


def documents() -> dict[str, str]:
    """Every file of the feed's folder, by its path there."""
    files = {f"schemas/{name}.json": schema for name, schema in schemas().items()}
    files |= {"cloudevent.json": envelope(), "asyncapi.json": asyncapi()}
    return {path: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for path, value in files.items()}


def write(folder: Path) -> None:
    """Write them there, and remove those that are no more."""
    wanted = documents()
    for old in folder.rglob("*.json"):
        if old.relative_to(folder).as_posix() not in wanted:
            old.unlink()
    for path, text in wanted.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def _shown() -> Iterator[Entry]:
    """The events of which everybody sees something."""
    for _, entry in sorted(catalog.event.by_name.items()):
        if any(sight in SEEN for sight in VISIBLE[entry.cls].values()):
            yield entry


def _schema_of(entry: Entry) -> Schema:
    head = {"$schema": DRAFT, "$id": schema_id(entry.name), "title": type_of(entry.name)}
    schema = {**head, **_plain(_public(entry.cls))}
    sights = VISIBLE[entry.cls]
    for field in schema["properties"]:
        if sights[field] is not Sight.PUBLIC:
            schema["required"].remove(field)
        if sights[field] is Sight.DOWN:
            schema["dependentSchemas"] = {field: {"properties": {"up": {"const": True}}}}
    return schema


def _public(cls: type[Any]) -> Schema:
    """What pydantic says of a message, without the fields that aren't everybody's."""
    hints = get_type_hints(cls, include_extras=True)
    shown: dict[str, Any] = {}
    for field, sight in VISIBLE[cls].items():
        if sight is Sight.PUBLIC:
            shown[field] = (hints[field], ...)
        elif sight is Sight.DOWN:
            shown[field] = (_FACES[hints[field]], ...)
        elif sight is Sight.DECK:
            shown[field] = (_deck(), ...)
    model: Any = create_model(cls.__name__, __doc__=_words(cls), **shown)
    return TypeAdapter(model).json_schema(mode="serialization", schema_generator=_AsWritten)


def _deck() -> Any:
    hints = get_type_hints(SealedDeck, include_extras=True)
    public = [field for field, sight in VISIBLE[SealedDeck].items() if sight is Sight.PUBLIC]
    shown: dict[str, Any] = {field: (hints[field], ...) for field in public}
    return create_model("Deck", __doc__=_DECK, **shown)


def _words(cls: type[Any]) -> str:
    """What the class says of itself; dataclasses without a word list their fields, which says nothing more."""
    said = cls.__doc__ or ""
    return "" if said.startswith(f"{cls.__name__}(") else said


def _plain(schema: Schema) -> Schema:
    """The same with all that it refers to written in its place, and nothing but the shape and words for a reader."""
    parts = schema.get("$defs", {})

    def plain(node: Any) -> Any:
        if isinstance(node, list):
            return [plain(one) for one in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return plain(parts[node["$ref"].rpartition("/")[2]])
        return {key: _value(key, value) for key, value in node.items() if key not in _LEFT_OUT and value != ""}

    def _value(key: str, value: Any) -> Any:
        if key == "properties":
            return {name: plain(one) for name, one in value.items()}
        return _CITATION.sub("", cleandoc(value)) if key == "description" else plain(value)

    made: Schema = plain(schema)
    return made


def _message(name: str) -> Schema:
    wire = name.rpartition(".v")[0]
    type_ = type_of(wire)
    own = {
        "type": {"const": type_},
        "dataschema": {"const": schema_id(wire)},
        "data": {"$ref": f"./schemas/{name}.json"},
    }
    return {
        "name": type_,
        "contentType": "application/cloudevents+json",
        "payload": {
            "schemaFormat": "application/schema+json;version=draft-2020-12",
            "schema": {"allOf": [{"$ref": "./cloudevent.json"}, {"properties": own}]},
        },
        "bindings": {
            "kafka": {
                "key": {"type": "string", "description": "The table; the stream for what happens at none."},
                "bindingVersion": "0.5.0",
            }
        },
    }


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
