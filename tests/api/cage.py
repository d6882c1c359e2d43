"""A door with a cage, a floor and players, at which money moves to tables and back when the test says so."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from secrets import token_bytes
from typing import Any

import httpx

from domain.messages import Command
from services.room.recording import Answer
from services.room.staff import Staff
from services.room.transit import ChipRunner
from services.sealing.texts import TextKeys
from tests.api.doors import PORTS, Door, door_of, must, problem

ANN, BOB, CAGE, FLOOR = "player:ann", "player:bob", "cage:cara", "floor:fay"


class Cage:
    """What people ask for there, and what they are told."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self._writer: Any = door.host._writer  # type: ignore[attr-defined]
        self._runner = ChipRunner(PORTS)
        self._staff = Staff(self._send, PORTS, [self._runner])
        self._writer.look(lambda room: room.listeners.append(self._staff.hear)).result()

    def done(self, who: str, args: Any) -> Any:
        """The events of a command that was taken; whatever money it sent has arrived, or is back."""
        events = must(self.sent(who, args))["events"]
        self.carry()
        return events

    def refused(self, who: str, args: Any) -> str:
        """The sentence of one that wasn't; nothing was recorded of it."""
        return problem(self.sent(who, args), 409, "refused")

    def sent(self, who: str, args: Any) -> httpx.Response:
        """`args`: a command, or its body as it goes over the wire."""
        client = self.door.client(who)
        return client.post(args) if isinstance(args, dict) else client.give(args)

    def seen(self, who: str = ANN, player: str = "ann") -> Any:
        return self.door.client(who).look(f"/v1/players/{player}")

    def account(self, player: str = "ann") -> Any:
        """The player's only account, as the cage sees it."""
        (account,) = self.seen(CAGE, player)["accounts"]
        return account

    def carry(self) -> None:
        """Until nothing is under way any more."""
        while self._runner.under_way:
            self._staff.act()

    def _send(self, command: Command) -> "Future[Answer]":
        answer: Future[Answer] = self._writer.submit(command)
        answer.exception()  # one after the other: it is there before anybody goes on
        return answer


@contextmanager
def cage_of(home: Path) -> Iterator[Cage]:
    texts = TextKeys(home.with_suffix(".texts"))

    def seal(text: str, stream: str) -> str:
        return texts.seal(text, stream, token_bytes(32), token_bytes(12))

    with door_of(home, seal=seal) as door:
        yield Cage(door)
