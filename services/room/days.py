"""Closing a day of the room's own time zone: that it is over, wasn't closed before, and where it ends in each shard.

A day is over in a shard once something was recorded there after it, since times never go back in a shard: then no clock
that is set right, and no node whose clock is slow, can add to it any more.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from domain import catalog
from domain.messages import SECOND, Person, Refused
from domain.room import CloseDay, DayClosed
from domain.rules.phrases import counted, listed
from services.eventlog import body
from services.eventlog.log import Log
from services.evidence.checkpointer import commits_before, opening_of
from services.room.door import AHEAD
from services.room.shards import ROOMS_SHARD

_CLOSED = catalog.event.by_class[DayClosed].name


def end_of(day: str, zone: str) -> int:
    """When a day ends (UTC microseconds): as the next one begins in the zone. Refused for a text that is none."""
    try:
        next_day = date.fromisoformat(day) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise Refused(f"{day!r:.40} is no day: write it as 2026-01-31") from error
    return int(datetime(next_day.year, next_day.month, next_day.day, tzinfo=ZoneInfo(zone)).timestamp()) * SECOND


def began(moment: int, zone: str) -> int:
    """When the day of a moment began in the zone, which is when the one before it ended (UTC microseconds)."""
    today = datetime.fromtimestamp(moment // SECOND, ZoneInfo(zone)).date()
    return end_of((today - timedelta(days=1)).isoformat(), zone)


def still_in(log: Log, ended: int, shards: Iterable[int]) -> list[int]:
    """Those of the shards in which nothing was recorded since a day ended. Raises LogError."""
    return [shard for shard in shards if _last_at(log, shard) < ended]


def _last_at(log: Log, shard: int) -> int:
    return body.decode(log.record(shard, log.head(shard).height).body).at


def closed_days(log: Log) -> Iterator[DayClosed]:
    """The days that were closed, in order."""
    for record in log.stream_commits("room"):
        for one in body.decode(record.body).events:
            if one["type"] == _CLOSED:
                yield catalog.event.load(one["type"], one["rev"], one["data"])


def close_day(log: Log, asked: CloseDay, by: Person, at: int) -> DayClosed:
    """The fact that closes the day. Refused where the day isn't over, was closed, or ends elsewhere than is said.

    `at`: of the commit. A day is over once no clock of the room can still be in it, and nothing that comes is of it.
    """
    zone = opening_of(log).time_zone
    if asked.ended != end_of(asked.day, zone):
        raise Refused(f"{asked.day} doesn't end at {asked.ended} in {zone}, but at {end_of(asked.day, zone)}")
    if at < asked.ended + AHEAD:
        raise Refused(
            f"{asked.day} can't be closed yet: on every clock of the room it is over five minutes after it ends"
        )
    behind = still_in(log, asked.ended, set(range(log.shards)) - {ROOMS_SHARD})  # this commit is its shard's next one
    if behind:
        raise Refused(
            f"{asked.day} can't be closed yet: nothing was recorded after it in {_shards(behind)}, so what comes there "
            "may still be of that day; the node that owns it writes there once its clock says that the day is over"
        )
    last = max((closed.day for closed in closed_days(log)), default="")
    if asked.day <= last:
        raise Refused(f"{asked.day} can't be closed: {last} was, and what comes now is booked to later days")
    commits = tuple(commits_before(log, shard, asked.ended) for shard in range(log.shards))
    if asked.commits != commits:
        raise Refused(
            f"{asked.day} ends after {', '.join(map(str, commits))} commits of the {counted(log.shards, 'shard')}, "
            f"not {', '.join(map(str, asked.commits))}: add it up again"
        )
    return DayClosed(asked.day, asked.ended, asked.commits, asked.totals, by)


def _shards(shards: Sequence[int]) -> str:
    return f"shard{'s' if len(shards) > 1 else ''} {listed(list(map(str, shards)))}"
