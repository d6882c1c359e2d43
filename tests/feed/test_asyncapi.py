"""The AsyncAPI document: of the form that version 3.0.0 of its specification gives, as far as ours goes."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from services.feed.cloudevents import schema_id, type_of
from services.kafka.topics import feed_topic
from tests.feed.validators import ASYNCAPI, SCHEMAS


def record(may: str, must: str = "", **parts: Any) -> dict[str, Any]:
    """An object of the specification: the fields that it may and must have, and what is said of some of them."""
    fields: dict[str, Any] = {field: parts.get(field, True) for field in (may + " " + must).split()}
    return {"type": "object", "properties": fields, "required": must.split(), "additionalProperties": False}


def named(part: Any) -> dict[str, Any]:
    """A map from names that a component may have."""
    return {"type": "object", "propertyNames": {"pattern": r"^[\w.-]+$"}, "additionalProperties": part}


TEXT = {"type": "string"}
REFERENCE = record("", "$ref", **{"$ref": TEXT})
KAFKA = record("key schemaIdLocation schemaIdPayloadEncoding schemaLookupStrategy bindingVersion")
MESSAGE = record(
    "headers correlationId title summary description tags externalDocs examples traits",
    "name contentType payload bindings",
    payload=record("", "schemaFormat schema", schemaFormat=TEXT, schema={"type": "object"}),
    bindings=record("", "kafka", kafka=KAFKA),
)
CHANNEL = record(
    "title summary servers tags externalDocs bindings description",
    "address messages parameters",
    address=TEXT,
    messages=named(REFERENCE),
    parameters=named(record("enum default examples location description", description=TEXT)),
)
OPERATION = record(
    "title summary description security tags externalDocs bindings traits messages reply",
    "action channel",
    action={"enum": ["send", "receive"]},
    channel=REFERENCE,
)
FORM = record(
    "id servers defaultContentType",
    "asyncapi info channels operations components",
    asyncapi={"const": "3.0.0"},
    info=record("termsOfService contact license tags externalDocs description", "title version", version=TEXT),
    channels=named(CHANNEL),
    operations=named(OPERATION),
    components=record("schemas servers channels operations parameters", "messages", messages=named(MESSAGE)),
)
"""The objects of the specification that the document uses, with all the fields that they may have."""


def faults_of(document: dict[str, Any]) -> list[str]:
    """What is wrong with a document: its form, and what it refers to within itself that isn't there."""
    faults = [fault.message for fault in Draft202012Validator(FORM).iter_errors(document)]
    registry: Registry[Any] = Registry().with_resource("", DRAFT202012.create_resource(document))
    resolver = registry.resolver("")
    for reference in references_in(document):
        if reference.startswith("#"):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                faults.append(f"{reference} leads nowhere")
    return faults


def references_in(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from [part["$ref"]] if "$ref" in part else []
        for one in part.values():
            yield from references_in(one)
    elif isinstance(part, list):
        for one in part:
            yield from references_in(one)


def test_the_document_is_of_its_form() -> None:
    assert faults_of(ASYNCAPI) == []


Change = Callable[[dict[str, Any]], Any]

WRONG: list[Change] = [
    lambda one: one.pop("info"),
    lambda one: one.update(asyncapi="2.6.0"),
    lambda one: one.update(chanels={}),
    lambda one: one["info"].pop("version"),
    lambda one: one["channels"]["feed"].update(adress="x"),
    lambda one: one["channels"].update({"the feed": one["channels"]["feed"]}),
    lambda one: one["channels"]["feed"]["messages"].update(more={"$ref": "#/components/messages/nothing"}),
    lambda one: one["operations"]["tell"].update(action="publish"),
    lambda one: one["operations"]["tell"].update(channel={"$ref": "#/channels/food"}),
    lambda one: one["components"]["messages"]["hand.folded.v1"].update(payloads={}),
    lambda one: one["components"]["messages"]["hand.folded.v1"]["payload"].pop("schemaFormat"),
    lambda one: one["components"]["messages"]["hand.folded.v1"]["bindings"]["kafka"].update(keys={}),
]


@pytest.mark.parametrize("change", WRONG, ids=range(len(WRONG)))
def test_a_document_that_is_not_is_found(change: Change) -> None:
    wrong = deepcopy(ASYNCAPI)
    change(wrong)
    assert faults_of(wrong) != []


def test_every_type_of_event_is_a_message_of_the_channel_with_its_own_schema() -> None:
    (channel,) = ASYNCAPI["channels"].values()
    messages = ASYNCAPI["components"]["messages"]
    assert list(channel["messages"]) == list(messages) == list(SCHEMAS)
    for name, message in messages.items():
        wire = name.rpartition(".v")[0]
        envelope, own = message["payload"]["schema"]["allOf"]
        assert envelope == {"$ref": "./cloudevent.json"}
        assert own["properties"] == {
            "type": {"const": type_of(wire)},
            "dataschema": {"const": schema_id(wire)},
            "data": {"$ref": f"./schemas/{name}.json"},
        }


def test_the_topic_is_the_one_that_the_worker_sends_to() -> None:
    assert ASYNCAPI["channels"]["feed"]["address"].format(room="riverside") == feed_topic("riverside")
