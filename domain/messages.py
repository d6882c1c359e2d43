"""What commands and events have in common: refusals, streams, and an event with the stream that it belongs to."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

SECOND = 1_000_000
"""Microseconds, in which the log counts time."""

MOST_SEATS = 10
"""The seats of the largest table (rules.md section 1)."""

SeatNumber = Annotated[int, Field(strict=True, ge=1, le=MOST_SEATS)]
"""A seat of a table, counted clockwise from 1."""

ButtonSeat = Annotated[int, Field(strict=True, ge=0, le=MOST_SEATS)]
"""The seat of the button; 0 in ante games, whose dealer box stands before seat 1 (rules.md section 1)."""

Count = Annotated[int, Field(strict=True, ge=0, le=2**53 - 1)]
"""A whole number that is no money: a version, a height, a hand number."""

Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, max_length=200)]
Person = Annotated[str, Field(strict=True, max_length=64, pattern=r"^[a-z0-9:._-]*$")]
"""The reference of somebody who works for the room, such as `floor:ann`; his name lives elsewhere. Empty: nobody."""

SealedText = Annotated[str, Field(strict=True, max_length=4000, pattern=r"^[A-Za-z0-9_-]*$")]
"""Free text in a box of its own (design, Format: body), as base64url; empty where there is none."""

Identifier = Annotated[str, Field(strict=True, pattern=r"^[a-z0-9]{1,32}$")]
"""The id of a table or player (design, Format: streams)."""

HandId = Annotated[str, Field(strict=True, pattern=r"^[a-z0-9]{1,32}-[0-9]{1,12}$")]
"""A hand is named by its table and its number there: `t1-17`."""


class Refused(Exception):
    """A command that breaks a rule: its sentence says what was wrong and what would be right.

    A refused command is no event; nothing has changed.
    """


class AlreadyDone(Refused):
    """A command that asks for what was done before, which is known for ever: no event, and the same answer as then.

    `outcome`: the fact that came of it then; None where nobody need know it.
    """

    def __init__(self, outcome: Any) -> None:
        super().__init__("this was done before" + ("" if outcome is None else f": {outcome}"))
        self.outcome = outcome


@dataclass(slots=True, frozen=True)
class Queued:
    """That a command was chosen in advance: `at`, when (UTC microseconds), and `price`, the call that the player saw
    then."""

    at: int
    price: int


@dataclass(slots=True)
class Command:
    """A command in full, as the log keeps it (design, Format: body). `queued`: only of an advance action that the room
    held until its turn."""

    id: str
    args: Any
    by: str
    cause: str
    queued: Queued | None = None


Facts = tuple[str, list[Any]]
"""A stream, and the events that extend it, in order."""


def table_stream(table: str) -> str:
    return f"table:{table}"


def player_stream(player: str) -> str:
    return f"player:{player}"


def account_stream(player: str, currency: str) -> str:
    return f"account:{player}:{currency.lower()}"


def hand_stream(hand: str) -> str:
    return f"hand:{hand}"


ROOM_STREAM = "room"
"""In shard 0."""


def shard_stream(shard: int) -> str:
    return f"shard:{shard}"
