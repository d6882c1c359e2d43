"""The door of a node as a FastAPI application."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import APIRouter, Depends, FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.exceptions import HTTPException

from domain import catalog
from domain.messages import HandId, Identifier, Refused
from domain.room import CloseRoom
from domain.rulings.recorded_shoe import NO_KEYS, Keyholder
from domain.table.play import Play, table_of_hand
from services.api import asking, problems, reasons, seen
from services.api.asking import Chosen
from services.api.closing import still_to_stop
from services.api.commands import UNREADABLE, Commands, Line
from services.api.forward import REPLAYED, Forwarder
from services.api.host import Host
from services.api.metrics import Measured, Metrics
from services.api.passes import Passes
from services.api.patrons import patron_seen
from services.api.permissions import check_is_player, check_may_look_up, check_may_send, seat_in, sender_of
from services.api.problems import Document, Problem
from services.api.reasons import Seal
from services.api.tokens import Holder, Tokens
from services.eventlog.log import NotHereYet, NotOwner
from services.room.advance import Advance, AdvanceActions
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
        self,
        host: Host,
        tokens: Tokens,
        keyholder: Keyholder,
        registry: CollectorRegistry,
        line: Line,
        advances: AdvanceActions | None,
        seal: Seal | None,
        passes: Passes | None,
    ) -> None:
        self.host, self.tokens, self.keyholder, self.advances = host, tokens, keyholder, advances
        self.seal, self.passes = seal, passes
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
            holder = None if credentials is None else self._known(credentials.credentials)
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

    def _known(self, token: str) -> Holder | None:
        node = None if self.passes is None else self.passes.holder_of(token)
        return node or self.tokens.holder_of(token)

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
    advances: AdvanceActions | None = None,
    seal: Seal | None = None,
    passes: Passes | None = None,
) -> FastAPI:
    """The door of a host, to be served by one server.

    `keyholder`: opens a player's own cards for him; without it he sees none. `registry`: shown by /metrics, with what
    the node counts. `most_waiting`: commands that may wait for the room; `patience`: seconds for which one does.
    `advances`: holds what players choose before their turn; without it the door has no place for that. `seal`: seals a
    reason, given the stream that it stands in; without it none can be given. `passes`: knows other nodes of the room;
    without it none comes in.
    """
    line = Line(most_waiting, patience)
    door = Door(host, tokens, keyholder, registry or CollectorRegistry(), line, advances, seal, passes)

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
    if advances is not None:
        app.include_router(_choices(door, advances))
    app.include_router(_views(door))
    app.include_router(_operations(door))
    for error, answer in _ANSWERS.items():
        app.add_exception_handler(error, answer)
    return app


_ABOUT = """Commands to the tables of a room and to its players' accounts, and what each viewer may see of
tables, hands and players.

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
            "same Idempotency-Key with the same command gets the same answer again, for at least 24 hours. That of "
            "room.close has `still_to_stop` beside: the shards whose node hasn't said yet that it knows, where another "
            "hand may be dealt; where it is empty, none is, anywhere."
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
    if asked.reason:
        args = replace(args, reason=await door.read(lambda: reasons.sealed(door.seal, asked.reason, args)))
    try:
        given = await door.commands.give(look, key, args, asked.cause)
    except NotOwner as error:
        return await door.forwarder.forward(request, error.shard, body), "forwarded"
    if type(args) is CloseRoom:
        given.seen["still_to_stop"] = await still_to_stop(door.host, door.passes)
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


# --- what is chosen in advance ---


def _choices(door: Door, advances: AdvanceActions) -> APIRouter:
    """A player's own seat in the hand is meant; nobody chooses for another."""
    router = APIRouter(prefix="/v1", tags=["commands"], responses=_responses(401, 403, 409, 422, 503))
    look_of = Annotated[seen.Look, Depends(door.look)]
    hand_of = Annotated[HandId, Path(description="The hand under way: t1-17.")]

    async def held_after(request: Request, look: seen.Look, hand: str, do: Callable[[Play, int], object]) -> Response:
        """What the room holds of the player once that is done, null where nothing is."""
        check_is_player(look.asker)

        def done(now: Play) -> Any:
            seat = seat_in(look.asker, now, hand)
            do(now, seat)
            held = advances.held(now, seat)
            return None if held is None else {"choice": held.choice, "amount": held.amount, "price": held.price}

        try:
            held = await _readable(door.line.wait(lambda: door.host.look(table_of_hand(hand), done)))
        except Refused as refused:
            raise Problem(problems.REFUSED, str(refused)) from None
        except NotOwner as error:
            return await door.forwarder.forward(request, error.shard, await asking.body_of(request))
        return _json({"hand": hand, "held": held})

    @router.get("/hands/{hand}/advance", summary="What the room will do for you when your turn comes")
    async def held(request: Request, look: look_of, hand: hand_of) -> Response:
        return await held_after(request, look, hand, lambda now, seat: None)

    @router.put(
        "/hands/{hand}/advance",
        summary="Choose your next action before your turn",
        description=(
            "It is done when your turn comes, if it is still legal and not dearer than you saw. It lapses when the "
            "street ends; check, call, bet and raise when the call becomes dearer; all of them when the node that "
            "holds them ends."
        ),
    )
    async def choose(request: Request, look: look_of, hand: hand_of, chosen: Chosen) -> Response:
        def take(now: Play, seat: int) -> None:
            advance = Advance(hand, seat, chosen.choice, chosen.amount, chosen.price)
            advances.take(now, advance, sender_of(look.asker))

        return await held_after(request, look, hand, take)

    @router.delete("/hands/{hand}/advance", summary="Take back what you chose")
    async def take_back(request: Request, look: look_of, hand: hand_of) -> Response:
        return await held_after(request, look, hand, advances.take_back)

    return router


# --- views ---


def _views(door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["views"], responses=_responses(401, 404, 422, 503))
    look_of = Annotated[seen.Look, Depends(door.look)]

    @router.get("/room", summary="Whether the floor has closed the room, as this node knows it")
    async def room(look: look_of) -> Response:
        closed = await _readable(door.line.wait(door.host.is_closed))
        return _json({"room": door.host.room, "closed": closed})

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

    @router.get(
        "/players/{player}",
        summary="A player's accounts, limits and protection: your own, or anybody's if you are staff",
        description=_PLAYER,
        responses=_responses(403),
    )
    async def player(
        request: Request, look: look_of, player: Annotated[Identifier, Path(description="His id, such as ann.")]
    ) -> Response:
        check_may_look_up(look.asker, player)
        try:
            found = await _readable(door.line.wait(lambda: door.host.look_up(player, patron_seen)))
        except NotOwner as error:
            return await door.forwarder.forward(request, error.shard)
        if found is None:
            raise Problem(problems.NOT_FOUND, f"Nothing is recorded of a player {player}: the cage opens his accounts.")
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


_PLAYER = """For each account: `balance`, what he may withdraw or play; `held`, what waits under `holds` to be paid out;
`promotion`, credit that he may play and not withdraw; `tables` where he has money, since when, and what he has brought
there (which chips came of it the table shows); `under_way`, what has left the account and not arrived yet; `returned`,
what a table wouldn't take when it was last asked, and why: the money is back.

For each limit: `most` (of a deposit or loss limit, minor units of its `currency`; of a session limit, seconds at
tables; null for no limit any more) and, where he has loosened it, `then`: what will hold, and from when. The period
counts back from now: 24 hours, 7 days, 30 days.

`excluded` with `excluded_until` null is for good. `protections`: the hands of the last 24 hours in which all-in
protection was granted to him."""


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
        problems.NOT_FOUND: "There is nothing at this address: POST /v1/commands, GET /v1/tables/t1, "
        "/v1/hands/t1-17, /v1/players/ann.",
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
