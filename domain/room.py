"""The room itself: its keys, and of every shard of its log the first fact, its owners, its revision and a loss that was
accepted."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from domain import catalog
from domain.catalog import UnknownMessage, command, event
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


# --- owners ----------------------------------------------------------------------------------------------------------


@event("shard.claimed")
@dataclass(slots=True)
class ShardClaimed:
    """Another node writes the shard from here on: the first commit of its epoch, which fences the owner before (design,
    Owners).

    `node`: its name; `address`: of its door, `http://host:port`, empty where it has none; `software`: its version;
    `reads`: the newest revision of the log that it reads.
    """

    node: Text
    address: Text
    software: Text
    reads: Count


@command("shard.claim")
@dataclass(slots=True)
class ClaimShard:
    shard: Count
    node: Text
    address: Text
    software: Text
    reads: Count


@event("shard.alive")
@dataclass(slots=True)
class ShardAlive:
    """The owner is there, though nobody has acted for a while: a hand is open, and how long a shard had no owner is
    counted from its last commit (rules.md section 8, server failure)."""


@command("shard.keep-alive")
@dataclass(slots=True)
class KeepAlive:
    shard: Count


@event("shard.revision-raised")
@dataclass(slots=True)
class RevisionRaised:
    """From here on what came with that revision of the log may stand in the shard; before it, nothing but what came
    with an earlier one. A build that doesn't read it stops here."""

    revision: Count


@command("shard.raise-revision")
@dataclass(slots=True)
class RaiseRevision:
    shard: Count
    revision: Count


@dataclass(slots=True, frozen=True)
class Shard:
    """What a shard's own stream comes to: who owns it (nobody before the first claim), and the revision of the log in
    which it is written."""

    owner: ShardClaimed | None = None
    revision: int = 1


UNCLAIMED = Shard()
"""A shard that was opened, and nothing more."""


def evolve(shard: Shard, event: Any) -> Shard:
    """The shard after an event of its stream; total."""
    match event:
        case ShardClaimed():
            return replace(shard, owner=event)
        case RevisionRaised():
            return replace(shard, revision=event.revision)
        case _:
            return shard


class Outdated(UnknownMessage):
    """The log was raised to a revision that this build doesn't read."""


def check_revision(event: Any) -> None:
    """Raise Outdated for an event after which this build can't read the shard any more."""
    if type(event) is RevisionRaised and event.revision > catalog.READS:
        raise Outdated(
            f"it was raised to revision {event.revision} here, this build reads up to {catalog.READS}: upgrade it"
        )
