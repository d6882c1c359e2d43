"""What a body says: {at, command: {id, name, rev, args, by, cause}, events: [{stream, version, type, rev, data}]}.

Unknown keys of these envelopes and unknown causes are kept and ignored (design, Format: body).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from services.eventlog import canonical
from services.eventlog.log import Entry, Touch

Fact = dict[str, Any]
"""One event as it stands in a body: stream, version, type, rev, data."""

_COMMAND = {"id": str, "name": str, "rev": int, "args": dict, "by": str, "cause": str}
_FACT = {"stream": str, "version": int, "type": str, "rev": int, "data": dict}


class BadBody(ValueError):
    """A body that doesn't say what a body says; the sentence names the part."""


class Body(NamedTuple):
    """A decoded body. `at` is UTC microseconds since 1970."""

    at: int
    command: dict[str, Any]
    events: list[Fact]


def fact(stream: str, version: int, type_: str, rev: int, data: dict[str, Any]) -> Fact:
    """One event for a body; `type_` is its wire name."""
    return {"stream": stream, "version": version, "type": type_, "rev": rev, "data": data}


def entry(at: int, command: dict[str, Any], events: Sequence[Fact]) -> Entry:
    """What a writer hands to a log: the body's bytes and the streams that it touches.

    Raises NotCanonical for a command that has no canonical form. The events are the catalog's, whose classes have no
    field for anything else: they aren't searched.
    """
    canonical.check(command)
    return Entry(canonical.write({"at": at, "command": command, "events": events}), touches(events))


def touches(events: Iterable[Fact]) -> tuple[Touch, ...]:
    """The streams that these events stand in, with the first and last version of each."""
    spans: dict[str, Touch] = {}
    for event in events:
        stream, version = event["stream"], event["version"]
        seen = spans.get(stream)
        spans[stream] = Touch(stream, version if seen is None else seen.first, version)
    return tuple(spans.values())


def decode(data: bytes) -> Body:
    """The body of a record. Raises BadBody where a part of the envelopes is missing or of another type."""
    try:
        value = canonical.decode(data)
    except canonical.NotCanonical as error:
        raise BadBody(f"the body is {error}") from error
    try:
        return Body(value["at"], value["command"], value["events"])
    except (KeyError, TypeError) as error:
        raise BadBody(f"the body isn't {{at, command, events}}: {error}") from error


def check(body: Body) -> None:
    """Raise BadBody unless every part of the envelopes is there and of its type; decoding alone doesn't look inside."""
    if type(body.at) is not int:
        raise BadBody(f"at is {body.at!r}, not microseconds")
    _check_parts("command", body.command, _COMMAND)
    if type(body.events) is not list:
        raise BadBody("events is no list")
    for index, event in enumerate(body.events):
        _check_parts(f"events[{index}]", event, _FACT)


def check_versions(body: Body) -> None:
    """Raise BadBody unless the versions of each stream follow one another, in a body that `check` found nothing in."""
    last: dict[str, int] = {}
    for event in body.events:
        stream, version = event["stream"], event["version"]
        if version != last.get(stream, version - 1) + 1:
            raise BadBody(f"{stream} has version {version} where {last[stream] + 1} is next")
        last[stream] = version


def _check_parts(where: str, value: Any, parts: dict[str, type]) -> None:
    if type(value) is not dict:
        raise BadBody(f"{where} is no object")
    for name, kind in parts.items():
        if type(value.get(name)) is not kind:
            raise BadBody(f"{where}.{name} is {value.get(name)!r}, not of type {kind.__name__}")
