"""The door of a node as a FastAPI application."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import APIRouter, Depends, FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.exceptions import HTTPException

from domain import catalog
from domain.messages import HandId, Identifier
from domain.rulings.recorded_shoe import NO_KEYS, Keyholder
from services.api import asking, problems, seen
from services.api.commands import UNREADABLE, Commands, Line
from services.api.forward import REPLAYED, Forwarder
from services.api.host import Host
from services.api.metrics import Measured, Metrics
from services.api.permissions import check_may_send
from services.api.problems import Document, Problem
from services.api.tokens import Holder, Tokens
from services.eventlog.log import NotHereYet, NotOwner
from services.rulings import NoSuchHand
from services.sealing.private_file import BadKeys

T = TypeVar("T")

READERS = 4
"""Threads that read hands from the log."""

MOST_READS = 256
"""How many may wait for those."""

MOST_WAITING = 4096
"""How many commands may wait for the room: some batches of its writer."""

PATIENCE = 30.0
"""Seconds for which a command is waited for."""

_LOG = logging.getLogger("handlog.api")

_bearer = HTTPBearer(auto_error=False, description="A token that `handlog tokens add` has given out.")
_Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


class Door:
    """What the routes have in common."""

    def __init__(
        self, host: Host, tokens: Tokens, keyholder: Keyholder, registry: CollectorRegistry, line: Line
    ) -> None:
        self.host, self.tokens, self.keyholder = host, tokens, keyholder
        self.metrics = Metrics(host, registry, lambda: line.waiting)
        self.forwarder = Forwarder(host, self.metrics)
        self.line = line
        self.commands = Commands(host, line)
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._reading = 0

    async def look(self, credentials: _Credentials) -> seen.Look:
        """Who asks. Raises a Problem."""
        return seen.Look(self._holder(credentials), self.keyholder)

    def _holder(self, credentials: HTTPAuthorizationCredentials | None) -> Holder:
        try:
            holder = None if credentials is None else self.tokens.holder_of(credentials.credentials)
        except BadKeys as error:
            _LOG.error("the tokens can't be read: %s", error)
            detail = "The door can't tell who you are just now: whoever runs the room finds in its messages why."
            raise Problem(problems.UNREADABLE, detail, problems.AGAIN) from error
        if holder is None:
            raise Problem(
                problems.UNAUTHENTICATED,
                "Send your token in the header Authorization, as: Bearer handlog_...; whoever runs the room gives you "
                "one with `handlog tokens add`.",
                {"WWW-Authenticate": 'Bearer realm="handlog"'},
            )
        return holder

    async def read(self, ask: Callable[[], T]) -> T:
        """What is read in a thread of its own. Raises what it raises; a Problem where too many wait."""
        if self._reading >= MOST_READS:
            raise Problem(problems.BUSY, "Too many look at hands just now: ask again.", problems.AGAIN)
        self._reading += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, ask)
        finally:
            self._reading -= 1

    async def close(self) -> None:
        """Let go of threads and connections."""
        await self.forwarder.close()
        self._readers.shutdown(wait=False, cancel_futures=True)


def create_app(
    host: Host,
    tokens: Tokens,
    *,
    keyholder: Keyholder = NO_KEYS,
    registry: CollectorRegistry | None = None,
    most_waiting: int = MOST_WAITING,
    patience: float = PATIENCE,
) -> FastAPI:
    """The door of a host, to be served by one server.

    `keyholder`: opens a player's own cards for him; without it he sees none. `registry`: shown by /metrics, with what
    the node counts. `most_waiting`: commands that may wait for the room; `patience`: seconds for which one does.
    """
    door = Door(host, tokens, keyholder, registry or CollectorRegistry(), Line(most_waiting, patience))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await door.close()

    app = FastAPI(
        title=f"Handlog: room {host.room}",
        version="1",
        description=_ABOUT,
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
    )
    app.add_middleware(problems.Guarded)
    app.add_middleware(Measured, metrics=door.metrics)
    app.include_router(_commands(door))
    app.include_router(_views(door))
    app.include_router(_operations(door))
    for error, answer in _ANSWERS.items():
        app.add_exception_handler(error, answer)
    return app


_ABOUT = """Commands to the tables of a room, and what each viewer may see of its tables and hands.

Amounts are whole numbers of a currency's smallest unit, times microseconds since 1970 in UTC. What you may not see is
absent. Whatever goes wrong is a problem document (RFC 9457) whose `type` is stable. 503 and 504 say how many seconds
to wait before the same request, with the same Idempotency-Key, may be sent again; it is always safe to do so."""


# --- commands ---


def _commands(door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["commands"])

    @router.post(
        "/commands",
        summary="Send a command",
        description=(
            "Answers when the log holds the decision, with the events that it made, as far as you may see them. The "
            "same Idempotency-Key with the same command gets the same answer again, for at least 24 hours."
        ),
        responses=_responses(400, 401, 403, 408, 409, 413, 422, 500, 503, 504) | {200: {"description": "Recorded."}},
        openapi_extra=_COMMAND_SCHEMA,
    )
    async def command(request: Request, look: Annotated[seen.Look, Depends(door.look)]) -> Response:
        asked = None
        try:
            key, body = asking.key_of(request), await asking.body_of(request)
            asked = asking.parsed(body)
            answer, outcome = await _given(door, request, look, key, body, asked)
        except Problem as problem:
            door.metrics.command(_name(asked), problem.kind.name)
            raise
        door.metrics.command(_name(asked), outcome)
        return answer

    return router


async def _given(
    door: Door, request: Request, look: seen.Look, key: str, body: bytes, asked: asking.Asked
) -> tuple[Response, str]:
    """The answer to a command, here or at another door, and what to count it as."""
    if asked.name in catalog.command.by_name:
        check_may_send(look.asker, asked.name)  # first: what he may not send needn't be well-formed
    args = asked.message()
    try:
        given = await door.commands.give(look, key, args, asked.cause)
    except NotOwner as error:
        return await door.forwarder.forward(request, error.shard, body), "forwarded"
    return _json(given.seen, {REPLAYED: "true"} if given.again else {}), "repeated" if given.again else "recorded"


def _name(asked: asking.Asked | None) -> str:
    """The command's name for a label: only those that there are."""
    return asked.name if asked is not None and asked.name in catalog.command.by_name else "none"


_COMMAND_SCHEMA: dict[str, Any] = {
    "parameters": [
        {
            "name": asking.KEY,
            "in": "header",
            "required": True,
            "description": "The command's id: a UUID of version 7, in lower case. Give a repeat the same one.",
            "schema": {"type": "string", "format": "uuid"},
        }
    ],
    "requestBody": {"required": True, "content": {"application/json": {"schema": asking.Asked.model_json_schema()}}},
}


# --- views ---


def _views(door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["views"], responses=_responses(401, 404, 422, 503))
    look_of = Annotated[seen.Look, Depends(door.look)]

    @router.get("/tables/{table}", summary="A table, and its hand as it stands, as you may see them")
    async def table(
        request: Request, look: look_of, table: Annotated[Identifier, Path(description="Its id, such as t1.")]
    ) -> Response:
        try:
            found = await _readable(door.line.wait(lambda: door.host.look(table, seen.table_seen)))
            if found is None:
                raise Problem(problems.NOT_FOUND, f"There is no table {table} in this room.")
            if "open_hand" in found:
                hand = found["open_hand"]
                found["hand"] = await _readable(door.read(lambda: seen.hand_now(door.host.facts(hand), look)))
        except NotOwner as error:
            return await door.forwarder.forward(request, error.shard)
        return _json(found)

    @router.get("/hands/{hand}", summary="A hand frame by frame, as you may see it")
    async def hand(
        request: Request, look: look_of, hand: Annotated[HandId, Path(description="Table and number: t1-17.")]
    ) -> Response:
        try:
            found = await _readable(door.read(lambda: seen.hand_seen(door.host.facts(hand), look)))
        except NoSuchHand:
            raise Problem(problems.NOT_FOUND, f"There is no hand {hand} in this room.") from None
        except NotOwner as error:
            return await door.forwarder.forward(request, error.shard)
        return _json(found)

    return router


async def _readable(found: Any) -> Any:
    """What is looked at. Raises a Problem where it can't be read, NotOwner where it can elsewhere."""
    try:
        return await found
    except NotOwner:
        raise
    except NotHereYet as error:
        raise problems.not_here_yet() from error
    except UNREADABLE as error:
        _LOG.warning("not readable: %s", error)
        raise Problem(problems.UNREADABLE, "This can't be read just now: ask again.", problems.AGAIN) from error


# --- operations ---


def _operations(door: Door) -> APIRouter:
    router = APIRouter(tags=["operations"])

    @router.get("/healthz", summary="Whether the server answers")
    async def health() -> Response:
        return _json({"alive": True})

    @router.get("/readyz", summary="Whether the node is caught up with its shards", responses=_responses(503))
    async def ready() -> Response:
        standing = door.host.readiness()
        if standing.reason:
            raise Problem(problems.NOT_READY, f"Not yet: {standing.reason}.", problems.AGAIN)
        shards = [
            {"shard": one.shard, "owned": one.owned, "lag": one.lag, "stopped": one.stopped} for one in standing.shards
        ]
        return _json({"ready": True, "shards": shards})

    @router.get("/metrics", summary="What is counted, for Prometheus")
    async def metrics() -> Response:
        return Response(generate_latest(door.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return router


# --- answers ---


def _json(value: Any, headers: dict[str, str] | None = None) -> Response:
    kept_nowhere = {"Cache-Control": "no-store"}  # it is for one viewer, at this moment
    return Response(orjson.dumps(value), headers=kept_nowhere | (headers or {}), media_type="application/json")


def _responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Problems as OpenAPI describes them."""
    schema = {problems.MEDIA_TYPE: {"schema": Document.model_json_schema()}}
    titles: dict[int, list[str]] = {}
    for kind in vars(problems).values():
        if isinstance(kind, problems.Kind):
            titles.setdefault(kind.status, []).append(f"{kind.title} ({kind.type}).")
    return {status: {"description": " ".join(titles[status]), "content": schema} for status in statuses}


def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    if error.__cause__ is not None:
        _LOG.warning("%s: %s", error.kind.name, error.__cause__)
    return problems.response(error)


def _of_the_framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = problems.OF_STATUS.get(error.status_code, problems.MALFORMED)
    said = {
        problems.NOT_FOUND: "There is nothing at this address: POST /v1/commands, GET /v1/tables/t1, /v1/hands/t1-17.",
        problems.NO_METHOD: f"{request.method} can't be done here: the header Allow says what can.",
    }
    detail = said.get(kind, str(error.detail))
    return problems.response(Problem(kind._replace(status=error.status_code), detail, error.headers))


def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problems.response(Problem(problems.INVALID, f"{asking.faults(error.errors())}."))


_ANSWERS: dict[type[Exception], Callable[[Request, Exception], Response]] = {
    Problem: _problem,
    HTTPException: _of_the_framework,
    RequestValidationError: _invalid,
}
