"""A command as it comes over the wire: its size, its form, its id."""

import asyncio
from typing import Any

import orjson
from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from domain import catalog
from domain.catalog import InvalidMessage, UnknownMessage
from domain.money import Chips
from services.api.problems import INVALID, KEY_MISSING, MALFORMED, TOO_LARGE, TOO_SLOW, Problem
from services.ids import BadId, time_of, uuid7
from services.room.advance import Choice

LARGEST = 64 * 1024
"""Bytes of a body: a command has a few hundred."""

_SWALLOWED = 1024 * 1024

PATIENCE = 10.0
"""Seconds for a body to arrive."""

KEY = "Idempotency-Key"
FORWARDED = "Handlog-Forwarded"


class Asked(BaseModel):
    """A command, as the body of a request. Its id is the header Idempotency-Key, its sender the token's holder."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(max_length=80, examples=["hand.call"], description="The command's name.")
    rev: int | None = Field(None, description="The revision of its arguments; the newest where it isn't said.")
    args: dict[str, Any] = Field(
        examples=[{"hand": "t1-17", "decision": 3, "seat": 2}],
        description="Its arguments. Amounts are whole numbers of the currency's smallest unit.",
    )
    cause: str | None = Field(None, description="Why it comes, such as advance: chosen before it was his turn.")

    @property
    def reason(self) -> str:
        """Why somebody of the staff asks for it, in plain text as it comes over the wire; empty where nothing is
        said."""
        said = self.args.get("reason", "")
        return said if isinstance(said, str) else ""

    def message(self) -> Any:
        """The command's arguments, validated, without the reason. Raises a Problem that names each that is wrong."""
        args = self.args | {"reason": ""} if self.reason else self.args
        try:
            rev = catalog.command.by_name[self.name].rev if self.rev is None else self.rev
            return catalog.command.load(self.name, rev, args)
        except KeyError:
            raise Problem(
                INVALID, f"There is no command {self.name!r:.90}: such as hand.call, table.sit-down."
            ) from None
        except (UnknownMessage, InvalidMessage) as error:
            raise Problem(INVALID, f"{error}"[:2000]) from None


class Chosen(BaseModel):
    """What a player chooses before his turn."""

    model_config = ConfigDict(extra="forbid")

    choice: Choice
    amount: Chips = Field(0, description="To how much to bet or raise; 0 with any other choice.")
    price: Chips = Field(0, description="The chips of the call that you saw; 0 where you could check.")


def key_of(request: Request) -> str:
    """The command's id, from its header. Raises a Problem that says how to make one."""
    key = request.headers.get(KEY, "").strip('"')  # a string of structured headers, or a bare one
    how = (
        f"a UUID of version 7 in lower case, such as {uuid7(1_700_000_000_000_000, 1)}: 48 bits of the time in "
        "milliseconds since 1970, the version 7, 74 random bits (RFC 9562). If no answer comes, send the same command "
        "with the same one again: it is decided once"
    )
    if not key:
        raise Problem(KEY_MISSING, f"Give the command an id of its own in the header {KEY}: {how}.")
    try:
        time_of(key)
    except BadId:
        raise Problem(KEY_MISSING, f"The header {KEY} is {key!r:.80}, but it must be {how}.") from None
    return key


async def body_of(request: Request) -> bytes:
    """The body. Raises a Problem for one that is too large, or takes too long to arrive.

    One that is somewhat too large is swallowed: who is still sending when the connection ends may never read why.
    """
    parts, size = [], 0
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                size += len(part)
                if size > _SWALLOWED:
                    break
                if size <= LARGEST:
                    parts.append(part)
    except TimeoutError:
        raise Problem(TOO_SLOW, f"The body didn't arrive within {PATIENCE:.0f} seconds: send it again.") from None
    if size > LARGEST:
        close = {"Connection": "close"}  # the rest of it isn't read
        raise Problem(TOO_LARGE, f"A command has at most {LARGEST:,} bytes: send one command a request.", close)
    return b"".join(parts)


def parsed(body: bytes) -> Asked:
    """The command that a body says. Raises a Problem for one that isn't JSON, or has not the form of a command."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Problem(MALFORMED, f"The body is no JSON: {error}. Send one object with name and args.") from None
    if not isinstance(value, dict):
        raise Problem(INVALID, "The body must be one object, with name and args.")
    try:
        return Asked.model_validate(value)
    except ValidationError as error:
        raise Problem(INVALID, f"{faults(error.errors(include_url=False))}."[:2000]) from None


def faults(errors: Any) -> str:
    """What is wrong with a request, part by part."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'the body'}: {one['msg'][:1].lower()}{one['msg'][1:]}" for one in errors
    )
