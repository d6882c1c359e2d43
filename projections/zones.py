"""The room's time zone, which decides on which of its days something happened. Events are UTC: a hand at 03:30 UTC was
played the day before in New York.
"""

from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain.room import ShardOpened
from projections.commit import Commit
from projections.view import Layout, Rows

_SECOND = 1_000_000
"""Microseconds."""


class Zone(NamedTuple):
    """The zone that a shard was opened with: `Europe/Vienna`."""

    shard: int
    name: str


ZONES = Layout("zones", Zone, key=1)


def note_zone(zones: Rows[Zone], commit: Commit) -> None:
    """The first commit of a shard names its zone."""
    if commit.height == 0:
        for _, _, event in commit.facts:
            if type(event) is ShardOpened:
                zones.put(Zone(commit.shard, event.time_zone))


def day_of(zones: Rows[Zone], commit: Commit) -> str:
    """The room's day on which it was decided: `2026-01-31`. Raises MissingRow for a shard that was never opened."""
    return local_day(commit.at, zones[commit.shard,].name)


def local_day(at: int, zone: str) -> str:
    """The day of a time in microseconds since 1970 in a zone: 03:30 UTC is the day before in New York."""
    return datetime.fromtimestamp(at // _SECOND, ZoneInfo(zone)).date().isoformat()


def local_time(at: int, zone: str) -> str:
    """The same to the second: `2026-01-31 22:30:00`."""
    return datetime.fromtimestamp(at // _SECOND, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S")


def moment(local: datetime, zone: str) -> int:
    """Microseconds since 1970 of a time on the room's clock; of an hour that comes twice, the first."""
    return int(local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).timestamp()) * _SECOND
