"""A room on a real Kafka, or in a home alone, with nodes and clients that are processes of their own."""

import os
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from deploy.kafka.ports import free_ports
from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import INDEX_FILE
from services.cli import main
from services.kafka.settings import KAFKA, ROOM
from services.node import suggestions
from services.ports import real_ports
from tests.node import clients
from tests.node.clients import DEALER, Plan
from tests.node.forks import Fork
from tests.node.journal import Reader, Sent
from tests.plain_http import plain_http
from tests.services.cli import handlog

PLAYERS = ("ann", "bob", "cyd")
"""Who sits at every table."""

Program = Callable[[], object]
"""What a process runs; its arguments stand in `sys.argv`."""


def unhurried() -> None:
    """`handlog` for a node that nobody means to lose: its group waits long for a sign of life, lest it take a slow
    machine for a dead node."""
    suggestions.SESSION = 60_000
    main()


def next_build() -> None:
    """The next build's `handlog`, unhurried too."""
    from tests.node import next_build  # noqa: PLC0415 -- whoever imports it is of that build from then on

    suggestions.SESSION = 60_000
    next_build.main()


class Process:
    """A process of the tests, whose messages go to a file."""

    def __init__(
        self, folder: Path, name: str, program: Program, *arguments: str, env: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self._messages = folder / f"{name}.messages"
        self._messages.touch()
        self._from = self._messages.stat().st_size
        self._child = Fork(program, arguments, self._messages, {**os.environ, **(env or {})})

    @property
    def said(self) -> str:
        """All that it has said."""
        return self._messages.read_bytes()[self._from :].decode()

    @property
    def running(self) -> bool:
        return self._child.poll() is None

    def says(self, text: str, seconds: float = 60.0) -> None:
        """Return when it has said that. Raises AssertionError where it doesn't within so many seconds."""
        holds(lambda: text in self.said or not self.running, seconds, lambda: self._lacks(text))
        assert text in self.said, self._lacks(text)

    def _lacks(self, text: str) -> str:
        return f"{self.name} doesn't say {text!r}:\n{self.said}"

    def kill(self) -> None:
        self._child.kill()
        self.ended()

    def pause(self) -> None:
        """Stop it where it stands (SIGSTOP); its connections stay open."""
        self._child.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._child.send_signal(signal.SIGCONT)

    def tell_to_end(self) -> None:
        self._child.send_signal(signal.SIGTERM)

    def ended(self, seconds: float = 60.0) -> int:
        """Its exit code, once it has ended. Raises TimeoutExpired."""
        return self._child.wait(seconds)


class Node(Process):
    """A node of a room: `handlog node`, at the same door however often it is started."""

    def __init__(self, room: "Room", name: str, port: int, *options: str, build: Program = main) -> None:
        self.home, self.door = room.home(name), f"http://127.0.0.1:{port}"
        self._http = room.http
        given = ("node", "--home", str(self.home), "--name", name, "--listen", f"127.0.0.1:{port}", *options)
        super().__init__(room.folder, name, build, *given, env=room.env)

    def readiness(self) -> tuple[int, str]:
        """The status of /readyz, and what it says; 0 where nobody answers."""
        try:
            found = self._http.get(f"{self.door}/readyz")
        except httpx.HTTPError as error:
            return 0, type(error).__name__
        return found.status_code, found.text

    def becomes_ready(self, seconds: float = 60.0) -> None:
        self.says("listens")
        holds(lambda: self.readiness()[0] == 200, seconds, lambda: f"{self.name}: {self.readiness()}\n{self.said}")

    def owned(self) -> list[int]:
        """The shards that it writes, or is about to, by its /readyz once it is ready; none before."""
        with suppress(httpx.HTTPError):
            found = self._http.get(f"{self.door}/readyz")
            if found.status_code == 200:
                return [one["shard"] for one in found.json()["shards"] if one["owned"]]
        return []


class Client(Process):
    """A client at work."""

    def __init__(self, room: "Room", plan: Plan) -> None:
        self.plan, self.journal = plan, Path(plan.journal)
        self._reader = Reader(self.journal)
        path = plan.write(room.folder / f"{plan.table}.plan")
        super().__init__(room.folder, f"client-{plan.table}", clients.main, str(path))

    def sent(self) -> list[Sent]:
        """Its commands so far, in the order in which they were first sent."""
        return list(self._reader.commands().values())

    def finish(self, seconds: float = 60.0) -> None:
        """Wait until it knows what came of all that it sent, and ends. Raises AssertionError where it failed."""
        code = self.ended(seconds)
        assert code == 0, f"{self.name} ended with {code}: {self.said}"


class Room:
    """A room with its homes and processes. `bootstrap`: of its Kafka; empty for one whose log is in its home."""

    def __init__(self, folder: Path, bootstrap: str, name: str, shards: int) -> None:
        self.folder, self.name = folder, name
        self.env = {KAFKA: bootstrap, ROOM: name if bootstrap else ""}
        self.http = plain_http(timeout=2)
        self.processes: list[Process] = []
        self._ports: dict[str, int] = {}
        self._made = folder / "made"
        made = handlog("init", "--home", self._made, "--room", name, "--shards", shards, env=self.env)
        assert made.code == 0, made.err
        tokens = Tokens(self._made / TOKENS_FILE)
        self.tokens = {
            who: tokens.add(who, Role(who.partition(":")[0]), "a test", real_ports())
            for who in (DEALER, *(f"player:{player}" for player in PLAYERS))
        }

    def home(self, node: str) -> Path:
        """The home of a node: a copy of the one that was made, without its index; without a Kafka that one itself."""
        if not self.env[KAFKA]:
            return self._made
        home = self.folder / node
        if not home.exists():
            shutil.copytree(self._made, home, ignore=shutil.ignore_patterns(f"{INDEX_FILE}*"))
        return home

    def node(self, name: str, *options: str, build: Program = main) -> Node:
        if name not in self._ports:
            (self._ports[name],) = free_ports(1)
        started = Node(self, name, self._ports[name], *options, build=build)
        self.processes.append(started)
        return started

    def client(self, table: str, nodes: Sequence[Node], **more: Any) -> Client:
        """A client that plays at that table from now on; it knows the doors of these nodes."""
        doors, journal = tuple(node.door for node in nodes), str(self.folder / f"{table}.journal")
        started = Client(self, Plan(table, PLAYERS, doors, self.tokens, journal, seed=len(self.processes), **more))
        self.processes.append(started)
        return started

    @property
    def clients(self) -> list[Client]:
        return [one for one in self.processes if isinstance(one, Client)]

    @contextmanager
    def in_its_environment(self) -> Iterator[None]:
        """The log of a home is this room's meanwhile."""
        before = {name: os.environ.get(name, "") for name in self.env}
        os.environ.update(self.env)
        try:
            yield
        finally:
            os.environ.update(before)

    def fresh_home(self) -> Path:
        """A home with the room's keys whose log was never looked at; without a Kafka the room's own."""
        return self.home(f"fresh-{len(list(self.folder.iterdir()))}")


@contextmanager
def a_room(folder: Path, bootstrap: str, shards: int = 4) -> Iterator[Room]:
    """A room of a name that no other has on that Kafka, or with a log in its home where `bootstrap` is empty.

    In the end its processes are ended. None may have said anything but sentences.
    """
    room = Room(folder, bootstrap, f"n{secrets.token_hex(6)}", shards)
    try:
        yield room
        for process in room.processes:
            assert "Traceback" not in process.said, process.said
    finally:
        for process in room.processes:
            process.kill()
        room.http.close()


def holds(what: Any, seconds: float, otherwise: Any) -> None:
    """Return when something holds. Raises AssertionError with what `otherwise` says where it doesn't in that time."""
    last = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < last, otherwise()
        time.sleep(0.05)
