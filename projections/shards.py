"""View: which log the views were folded from: the shards, as they were opened."""

from typing import NamedTuple

from domain.room import ShardOpened
from projections.commit import Commit
from projections.view import Layout, Rows, View


class OpenedShard(NamedTuple):
    """`room_id` tells two rooms of one name apart."""

    shard: int
    room: str
    room_id: str


def fold(commit: Commit, shards: Rows[OpenedShard]) -> None:
    for _, _, event in commit.facts:
        if type(event) is ShardOpened:
            shards.put(OpenedShard(event.shard, event.room, event.room_id))


SHARDS = View("shards", 1, (Layout("shards", OpenedShard, key=1),), fold)
