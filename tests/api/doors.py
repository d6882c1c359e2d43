"""Doors for tests: a room in a home, served at a free port of this machine, and clients that come in there."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import httpx

from domain import catalog
from services.api.app import create_app
from services.api.host import Host, RoomHost
from services.api.roles import Role
from services.api.serve import serving
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import make_home, open_log
from services.eventlog.log import Log
from services.ids import uuid7
from services.ports import real_ports
from services.room.room import Room
from services.room.writer import Writer
from services.sealing.shoe import Order
from services.sealing.shuffle import shuffled
from tests.plain_http import plain_http
from tests.services.homes import opener, room_over

PORTS = real_ports()


def key() -> str:
    """A new command id."""
    return uuid7(time.time_ns() // 1000, secrets.randbits(74))


class Door:
    """A served room. `host`: what stands behind the door."""

    def __init__(self, address: str, tokens: Tokens, host: Host, stack: ExitStack) -> None:
        self.address, self.tokens, self.host = address, tokens, host
        self._stack = stack
        self._clients: dict[str, Client] = {}

    def client(self, who: str) -> "Client":
        """Who comes in, such as player:ann; always with the same token."""
        if who not in self._clients:
            token = self.tokens.add(who, Role(who.partition(":")[0]), "a test", PORTS)
            self._clients[who] = self.with_token(token)
        return self._clients[who]

    def with_token(self, token: str | None) -> "Client":
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return Client(self._stack.enter_context(plain_http(base_url=self.address, headers=headers)))


class Client:
    """Somebody at the door."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def give(self, args: Any, id_: str | None = None, **more: Any) -> httpx.Response:
        """Send a command."""
        name, _, data = catalog.command.dump(args)
        return self.post({"name": name, "args": data, **more}, id_)

    def post(self, said: Any, id_: str | None = None) -> httpx.Response:
        return self.http.post("/v1/commands", json=said, headers={"Idempotency-Key": id_ or key()})

    def look(self, path: str) -> Any:
        """What is at a path, which must be there."""
        found = self.http.get(path)
        assert found.status_code == 200, found.text
        return found.json()


@contextmanager
def busy(door: Door) -> Iterator[Event]:
    """The room's writer is held up, until the event is set or this ends.

    It begins only once the writer stands still: what is sent while it only fetches its work would be decided first.
    """
    stands_still, go_on = Event(), Event()

    def hold(_: Room) -> None:
        stands_still.set()
        go_on.wait(60)

    door.host._writer.look(hold)  # type: ignore[attr-defined]
    assert stands_still.wait(60), "the writer never came to it"
    try:
        yield go_on
    finally:
        go_on.set()


def until(ask: Callable[[], Any], enough: Callable[[Any], bool]) -> Any:
    """What is found once it is enough; each asks again and again for at most a minute."""
    end = time.monotonic() + 60
    while not enough(found := ask()):
        assert time.monotonic() < end, found
    return found


def must(response: httpx.Response) -> Any:
    """What a command made that was taken."""
    assert response.status_code == 200, response.text
    return response.json()


def problem(response: httpx.Response, status: int, kind: str) -> str:
    """The sentence of a problem document, which must be of that status and kind."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    said = response.json()
    assert said["type"] == f"tag:handlog,2026:{kind}"
    assert said["status"] == status
    assert said["title"]
    detail: str = said["detail"]
    return detail


@contextmanager
def served(home: Path, host: Host, **more: Any) -> Iterator[Door]:
    """The door of a host; its tokens are those of the home."""
    tokens = Tokens(home / TOKENS_FILE)
    with ExitStack() as stack, serving(create_app(host, tokens, **more)) as address:
        yield Door(address, tokens, host, stack)


@contextmanager
def door_of(
    home: Path,
    *,
    over: Callable[[Log], Log] = lambda log: log,
    host: Callable[[Writer, Log], Host] = RoomHost,
    order: Order = shuffled,
    **more: Any,
) -> Iterator[Door]:
    """The door of the room in a home, which is made if need be.

    `over`: what wraps the log that the room writes. `host`: what stands between the room and the door. `order`: stacks
    the room's decks.
    """
    if not home.exists():
        make_home(home, "riverside", PORTS)
    with open_log(home, write=True) as log, open_log(home) as read:
        writer = Writer(room_over(over(log), PORTS, order))
        keyholder = opener(log, order if order is shuffled else None)
        try:
            with served(home, host(writer, read), keyholder=keyholder, **more) as door:
                yield door
        finally:
            writer.close()
