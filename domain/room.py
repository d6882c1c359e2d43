"""The room itself: the first fact of every shard of its log, its keys, and a loss that was accepted."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from domain.catalog import command, event
from domain.messages import Count, Person, SealedText, Text

KeyId = Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{16}$")]
"""Names a key of the room, and says nothing of it."""

Root = Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{64}$")]
"""The root of a Merkle tree."""


@event("shard.opened")
@dataclass(slots=True)
class ShardOpened:
    """Commit 0 of a shard (design, Format: streams).

    `room_id`: 64 random bits in hexadecimal, the same in every shard, so that two rooms of one name are told apart.
    `key_id`: the room's first key, under which cards are sealed. `checkpoint_keys`: the public keys of those that sign
    checkpoints, as verifier keys of C2SP signed notes.
    """

    room: Text
    room_id: Text
    shard: Count
    shards: Count
    time_zone: Text
    key_id: KeyId
    checkpoint_keys: tuple[Text, ...]


@command("room.open")
@dataclass(slots=True)
class OpenRoom:
    room: Text
    shards: Count
    time_zone: Text


@event("room.key-changed")
@dataclass(slots=True)
class KeyChanged:
    """From now on cards are sealed under another key: it was rotated, or lost."""

    key_id: KeyId


@command("room.change-key")
@dataclass(slots=True)
class ChangeKey:
    key_id: KeyId


@event("shard.loss-accepted")
@dataclass(slots=True)
class LossAccepted:
    """The shard's log is shorter than a checkpoint of it, or another one, and the room goes on from it all the same.

    `commits`: how many the log has; `size`, `root`: of the checkpoint. Two people take it upon them: `by`, who asks,
    and `second`.
    """

    commits: Count
    size: Count
    root: Root
    by: Person
    second: Person
    reason: SealedText


@command("shard.accept-loss")
@dataclass(slots=True)
class AcceptLoss:
    shard: Count
    commits: Count
    size: Count
    root: Root
    second: Person
    reason: SealedText
