"""View: which log the views were folded from: its shards, as they were opened, and who owns them now."""

from typing import NamedTuple

from domain.room import RevisionRaised, ShardClaimed, ShardOpened
from projections.commit import Commit
from projections.view import Layout, Rows, View


class ShardNow(NamedTuple):
    """`room_id` tells two rooms of one name apart. `epoch` counts the claims; `node`, `address` and `software` are
    those of the last one, empty before the first. `revision`: that of the log in which the shard is written."""

    shard: int
    room: str
    room_id: str
    epoch: int = 0
    node: str = ""
    address: str = ""
    software: str = ""
    revision: int = 1


def fold(commit: Commit, shards: Rows[ShardNow]) -> None:
    for _, _, event in commit.facts:
        match event:
            case ShardOpened():
                shards.put(ShardNow(event.shard, event.room, event.room_id))
            case ShardClaimed():
                now = shards[commit.shard,]
                epoch = now.epoch + 1
                shards.put(now._replace(epoch=epoch, node=event.node, address=event.address, software=event.software))
            case RevisionRaised():
                shards.put(shards[commit.shard,]._replace(revision=event.revision))


SHARDS = View("shards", 2, (Layout("shards", ShardNow, key=1),), fold)
