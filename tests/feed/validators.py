"""Says whether an event is what the feed says of itself."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from services.feed.schema import documents, envelope, schemas

SCHEMAS = schemas()

FILES = {f"file:///feed/{path}": json.loads(text) for path, text in documents().items()}
"""What deploy/feed holds, each as a document of its own."""

ASYNCAPI: dict[str, Any] = FILES.pop("file:///feed/asyncapi.json")

REGISTRY: Registry[Any] = Registry().with_resources((uri, Resource.from_contents(one)) for uri, one in FILES.items())


def check(event: dict[str, Any]) -> None:
    """Raise ValidationError unless an event is as its schemas say: the CloudEvent, its data, and both as a message."""
    name = event["dataschema"].removeprefix("urn:handlog:feed:")
    _validator("cloudevent").validate({**event, "data": {}})
    _validator(name).validate(event["data"])
    _message(name).validate(event)


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(closed({**SCHEMAS, "cloudevent": envelope()}[name]))


@cache
def _message(name: str) -> Draft202012Validator:
    """A message's schema as the AsyncAPI document has it."""
    payload = ASYNCAPI["components"]["messages"][name]["payload"]["schema"]
    return Draft202012Validator({**payload, "$id": "file:///feed/asyncapi.json"}, registry=REGISTRY)


def closed(value: Any) -> Any:
    """A schema by which no object has a field that it doesn't name: a consumer may meet one, but none is written."""
    if isinstance(value, list):
        return [closed(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: closed(part) for key, part in value.items()}
    return made | ({"additionalProperties": False} if value.get("type") == "object" and "properties" in value else {})
