"""The room itself: the first fact of every shard of its log."""

from dataclasses import dataclass

from domain.catalog import command, event
from domain.messages import Count, Text


@event("shard.opened")
@dataclass(slots=True)
class ShardOpened:
    """Commit 0 of a shard (design, Format: streams).

    `room_id`: 64 random bits in hexadecimal, the same in every shard, so that two rooms of one name are told apart.
    """

    room: Text
    room_id: Text
    shard: Count
    shards: Count
    time_zone: Text


@command("room.open")
@dataclass(slots=True)
class OpenRoom:
    room: Text
    shards: Count
    time_zone: Text
