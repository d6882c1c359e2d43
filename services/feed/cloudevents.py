"""A commit as the feed tells of it: one CloudEvent 1.0 (JSON, structured mode) for each event that everybody may see.

An event's data are those fields of it that `domain/visibility.py` shows to a spectator; an event of which he sees
nothing is left out. Equal commits make equal bytes, whenever and by whichever worker they are sent.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from domain.visibility import PRIVATE, SPECTATOR, Seen, seen_by
from services.eventlog import body, canonical
from services.eventlog.commit import Record
from services.eventlog.mapper import UnreadableEvent
from services.rulings import facts_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_OF_A_TABLE = ("hand", "audit", "dispute")
"""Kinds of streams that a table owns (design, Format: streams)."""


class Place(NamedTuple):
    """Where an event stands in its shard: the height of its commit, and its index among that commit's events."""

    height: int
    nth: int


class FeedEvent(NamedTuple):
    """One event for the feed. `key`: whose order must be kept, the table for what happens at one."""

    place: Place
    key: str
    value: bytes


class NotOfTheFeed(ValueError):
    """Bytes that no feed has written; the sentence says why."""


def events_of(record: Record) -> list[FeedEvent]:
    """What the feed tells of a commit, in its order; an event that isn't told keeps its index, so that ids stay.

    Raises UnreadableEvent for a commit that this build can't read.
    """
    try:
        said = body.decode(record.body)
        time = moment(said.at)
        seen = [(stream, _seen(stream, event)) for stream, _, event in facts_of(said)]
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise _unreadable(record, error) from error
    return [
        FeedEvent(Place(record.height, nth), key_of(stream), _value(record, nth, stream, time, shown))
        for nth, (stream, shown) in enumerate(seen)
        if shown is not None
    ]


def _seen(stream: str, event: Any) -> Seen | None:
    return None if stream.startswith(PRIVATE) else seen_by(SPECTATOR, event, settled=True)


FEED = 1
"""The feed's version, which its topic and its types of events bear.

An event's later revision comes under the same type, as long as that breaks no consumer (`compatible.py`): he passes
over a field that he doesn't know. What would break one begins another feed beside this one.
"""


def type_of(name: str) -> str:
    """The type of a CloudEvent, of an event's wire name."""
    return f"handlog.{name}.v{FEED}"


def schema_id(name: str) -> str:
    """What names the schema of its data; the schema bears it as its `$id`."""
    return f"urn:handlog:feed:{name}.v{FEED}"


def key_of(stream: str) -> str:
    """The table that a stream belongs to; the stream itself where it belongs to none."""
    kind, _, rest = stream.partition(":")
    if kind in _OF_A_TABLE:
        return rest.rpartition("-")[0]
    return rest if kind == "table" else stream


def moment(at: int) -> str:
    """UTC microseconds since 1970 as RFC 3339 has them, always with six places. Raises OverflowError past year 9999."""
    return (_EPOCH + timedelta(microseconds=at)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment_of(record: Record) -> str:
    """The time that the events of a commit bear. Raises UnreadableEvent."""
    try:
        return moment(body.decode(record.body).at)
    except (ValueError, TypeError, OverflowError) as error:
        raise _unreadable(record, error) from error


def place_of(value: bytes, room: str, shard: int) -> tuple[Place, str]:
    """Where the event of a feed's record stands in the log, and its time. Raises NotOfTheFeed."""
    try:
        event = canonical.decode(value)
        own_room, own_shard, height, nth = event["id"].split("/")
        place, time = Place(int(height), int(nth)), str(event["time"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotOfTheFeed(f"{value[:60]!r} is no event of a feed") from error
    if (own_room, own_shard) != (room, str(shard)):
        raise NotOfTheFeed(f"event {event['id']} is none of shard {shard} of room {room}")
    return place, time


def _unreadable(record: Record, why: Exception) -> UnreadableEvent:
    return UnreadableEvent(f"shard {record.shard}, height {record.height}: {why}")


def _value(record: Record, nth: int, stream: str, time: str, seen: Seen) -> bytes:
    event: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"{record.room}/{record.shard}/{record.height}/{nth}",
        "source": f"/handlog/{record.room}",
        "type": type_of(seen.type),
        "subject": stream,
        "time": time,
        "datacontenttype": "application/json",
        "dataschema": schema_id(seen.type),
        "data": seen.data,
    }
    return canonical.write(event)
