"""What went wrong, as documents that programs and people can read (RFC 9457).

`type` says what kind of thing happened and is stable; `detail` is a sentence that a person can act on. Of what the log
or the machine says of itself nothing is passed on: it is logged where the door runs.
"""

import json
import logging
from collections.abc import Mapping
from typing import NamedTuple

from fastapi import Response
from pydantic import BaseModel, Field
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOG = logging.getLogger("handlog.api")

MEDIA_TYPE = "application/problem+json"

AGAIN = {"Retry-After": "1"}
"""Seconds after which asking again may help; a takeover takes about three."""


class Kind(NamedTuple):
    """A kind of problem: the end of its type's URI, its HTTP status, its title."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """A URI that names the kind and leads nowhere (RFC 4151)."""
        return f"tag:handlog,2026:{self.name}"


MALFORMED = Kind("malformed", 400, "The request can't be read")
KEY_MISSING = Kind("key-missing", 400, "The command has no id of its own")
UNAUTHENTICATED = Kind("unauthenticated", 401, "The door doesn't know who is asking")
FORBIDDEN = Kind("forbidden", 403, "This isn't for whoever is asking")
NOT_FOUND = Kind("not-found", 404, "There is no such thing")
NO_METHOD = Kind("no-such-method", 405, "That can't be done here")
TOO_SLOW = Kind("too-slow", 408, "The request took too long to arrive")
REFUSED = Kind("refused", 409, "A rule doesn't allow it")
TOO_LARGE = Kind("too-large", 413, "The request is too large")
INVALID = Kind("invalid", 422, "The request doesn't fit")
DEFECT = Kind("defect", 500, "Something is wrong with this software")
NO_OWNER = Kind("no-owner", 503, "Nobody takes commands for this table just now")
STOPPED = Kind("stopped", 503, "This table is stopped")
NOT_RECORDED = Kind("not-recorded", 503, "It could not be recorded")
BUSY = Kind("busy", 503, "Too many are asking at once")
UNREADABLE = Kind("unreadable", 503, "It can't be read just now")
NOT_READY = Kind("not-ready", 503, "The node isn't ready")
UNKNOWN = Kind("unknown", 504, "Whether it was recorded isn't known")

OF_STATUS = {one.status: one for one in (NOT_FOUND, NO_METHOD, TOO_LARGE, INVALID, UNAUTHENTICATED, FORBIDDEN)}
"""The kinds of what the web framework finds by itself."""


class Problem(Exception):
    """Ends a request with a problem document."""

    def __init__(self, kind: Kind, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers = kind, detail, dict(headers or {})


class Document(BaseModel):
    """A problem document (RFC 9457)."""

    type: str = Field(examples=[REFUSED.type], description="What kind of thing happened: stable, for programs.")
    title: str = Field(examples=[REFUSED.title], description="The same in words.")
    status: int = Field(examples=[REFUSED.status])
    detail: str = Field(description="What was wrong, and what would be right: a sentence for people.")


def response(problem: Problem) -> Response:
    """The document as it is sent; ASCII, so that it can carry whatever stood in a request."""
    kind = problem.kind
    said = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": problem.detail}
    return Response(json.dumps(said).encode(), kind.status, problem.headers, MEDIA_TYPE)


def unknown() -> Problem:
    """Nobody knows what came of a command."""
    return Problem(
        UNKNOWN,
        "The command may have been recorded or not: send it again with the same Idempotency-Key. If it was recorded, "
        "you get its answer; else it is decided then. It is never recorded twice.",
        AGAIN,
    )


def no_owner(shard: int) -> Problem:
    """A shard is changing hands."""
    return Problem(
        NO_OWNER,
        f"Shard {shard} has no owner just now, and this request recorded nothing: send the same again, with the same "
        "Idempotency-Key if it is a command. Another node takes over within seconds.",
        AGAIN,
    )


def not_here_yet() -> Problem:
    """A node that came up from a snapshot still reads what was recorded before it."""
    return Problem(
        UNREADABLE,
        "What was played some time ago is still being read here, and nothing was recorded: ask again in a while.",
        {"Retry-After": "10"},
    )


def defect() -> Problem:
    """Something that nobody foresaw."""
    return Problem(
        DEFECT,
        "This shouldn't happen, and whoever runs the room finds it in its messages. If it was a command, it may have "
        "been recorded: send it again with the same Idempotency-Key, or look at the table.",
    )


class Guarded:
    """An application whose defects are logged and answered; of what they say nothing is passed on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception:
            _LOG.exception("a defect")
            if begun or scope["type"] != "http":
                raise
            await response(defect())(scope, receive, send)
