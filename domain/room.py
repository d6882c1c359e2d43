"""The room itself: its keys, its days and whether it is closed, and of every shard of its log the first fact, its
owners, its revision and a loss that was accepted."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from domain import catalog
from domain.catalog import UnknownMessage, command, event
from domain.messages import Count, Person, Refused, SealedText, Text
from domain.money import Chips

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


# --- days -------------------------------------------------------------------------------------------------------------


Day = Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
"""A day of the room's own time zone: `2026-01-31`."""


@dataclass(slots=True, frozen=True)
class DayTotal:
    """The money of a currency on a day, in minor units: what came and went, and where it lay at the day's end.

    `accounts`: all that players have off the tables, held and promotion money too. `hands`: those settled on that day,
    cancelled ones not counted.
    """

    currency: Text
    deposits: Chips
    withdrawals: Chips
    rake: Chips
    hands: Count
    accounts: Chips
    tables: Chips
    in_transit: Chips


@event("room.day-closed")
@dataclass(slots=True)
class DayClosed:
    """The books of a day are closed: nothing is booked to it any more.

    `ended`: when (UTC microseconds); `commits`: how many each shard had by then; `totals`: of every currency.
    """

    day: Day
    ended: Count
    commits: tuple[Count, ...]
    totals: tuple[DayTotal, ...]
    by: Person


@command("room.close-day")
@dataclass(slots=True)
class CloseDay:
    """As DayClosed has them."""

    day: Day
    ended: Count
    commits: tuple[Count, ...]
    totals: tuple[DayTotal, ...]


# --- closed and open --------------------------------------------------------------------------------------------------


@event("room.closed")
@dataclass(slots=True)
class RoomClosed:
    """Every table finishes its hand, then closes with the room, until it reopens: nobody sits down, no hand is dealt.

    Tables lie in other shards: each has a fact of its own that it closes (`table.closing-with-room`).
    """

    by: Person
    reason: SealedText


@command("room.close")
@dataclass(slots=True)
class CloseRoom:
    reason: SealedText


@event("room.reopened")
@dataclass(slots=True)
class RoomReopened:
    """Every table that closed with the room opens with it. One that the floor closed by itself stays closed."""

    by: Person
    reason: SealedText


@command("room.reopen")
@dataclass(slots=True)
class ReopenRoom:
    reason: SealedText


Doors = RoomClosed | RoomReopened | None
"""What was done last to the doors of the room; None where it was never closed."""


def doors_after(doors: Doors, event: Any) -> Doors:
    """The same after an event of the room's stream; total."""
    return event if isinstance(event, RoomClosed | RoomReopened) else doors


def close_room(doors: Doors, asked: CloseRoom, by: Person) -> RoomClosed:
    if isinstance(doors, RoomClosed):
        raise Refused("the room is closed already")
    _check_has_reason(asked.reason)
    return RoomClosed(by, asked.reason)


def reopen_room(doors: Doors, asked: ReopenRoom, by: Person) -> RoomReopened:
    if not isinstance(doors, RoomClosed):
        raise Refused("the room isn't closed: there is nothing to reopen")
    _check_has_reason(asked.reason)
    return RoomReopened(by, asked.reason)


def _check_has_reason(reason: SealedText) -> None:
    if not reason:
        raise Refused("a room is closed and reopened for a reason: say why")


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
    counted from its last commit (rules.md section 8, server failure). Or a day of the room's has ended, and no commit
    after this one is of it."""


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
