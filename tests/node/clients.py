"""A client: plays at one table through the doors of a room's nodes, and keeps a journal, until it is told to end.

`main` is what its process runs, with the path of its plan as argument. It asks the same door until that fails it, then
the next. What it sends it sends again under the same id until it knows what came of it; told that nothing was recorded,
it sometimes believes that and gives the command up. Now and then it asks for what no rule allows.
"""

import json
import secrets
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import httpx

from services.ids import uuid7
from tests.node.journal import DOUBTFUL, NOBODY, RECORDED, REFUSED, Journal
from tests.plain_http import plain_http

DEALER = "floor:fay"
BUY_IN = 20_000
LOW = 4_000
"""Chips with which a player stands up and buys in anew."""

PAUSE = 0.1
"""Seconds before the same is sent again."""


@dataclass(frozen=True)
class Plan:
    """What a client is to do. `tokens`: by who. `think`: seconds before it acts. `patience`: seconds for an answer."""

    table: str
    players: tuple[str, ...]
    doors: tuple[str, ...]
    tokens: dict[str, str]
    journal: str
    seed: int
    think: float = 0.01
    patience: float = 3.0

    def write(self, path: Path) -> Path:
        path.write_text(json.dumps(asdict(self)))
        return path


class GivenUp(Exception):
    """The client believes that a command isn't recorded, and looks at the table anew."""


class Client:
    """Somebody who plays for everybody at his table."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._journal = Journal(Path(plan.journal))
        self._random = Random(plan.seed)
        self._http = plain_http(timeout=plan.patience)
        self._doors = cycle(self._random.sample(plan.doors, len(plan.doors)))
        self._door = next(self._doors)
        self.told = threading.Event()

    def play(self) -> None:
        """Play until told to end; everything that was sent is known then."""
        while not self.told.wait(self._random.uniform(0, 2 * self._plan.think)):
            try:
                self._play_once()
            except GivenUp:
                continue

    def _play_once(self) -> None:
        seen = self._look()
        if seen is None:
            self._open()
        elif len(seen["seats"]) < len(self._plan.players):
            self._seat(seen)
        elif "open_hand" in seen:
            self._act(seen)
        else:
            self._between_hands(seen)

    def _open(self) -> None:
        terms = {"game": "holdem", "limit": "no", "rulebook": "euro", "kind": "real", "currency": "EUR"}
        stakes = {"small": 100, "big": 200, "seats": 6}
        self._give(DEALER, "table.open", {"table": self._plan.table, "name": "Elm", **terms, **stakes})

    def _seat(self, seen: dict[str, Any]) -> None:
        seated = {one["player"] for one in seen["seats"]}
        seat, player = next((at, one) for at, one in enumerate(self._plan.players, 1) if one not in seated)
        args = {"table": self._plan.table, "seat": seat, "player": player, "amount": BUY_IN}
        self._give(f"player:{player}", "table.sit-down", args)

    def _between_hands(self, seen: dict[str, Any]) -> None:
        poor = next((one for one in seen["seats"] if one["stack"] < LOW), None)
        if poor:
            args = {"table": self._plan.table, "seat": poor["seat"], "player": poor["player"]}
            self._give(f"player:{poor['player']}", "table.stand-up", args)
            return
        number = seen["hands"] + 1
        if self._random.randrange(20) == 0:
            self._must_be_refused(DEALER, "table.deal-hand", {"table": self._plan.table, "number": number + 5})
        self._give(DEALER, "table.deal-hand", {"table": self._plan.table, "number": number})

    def _act(self, seen: dict[str, Any]) -> None:
        hand = seen["hand"]
        turn = hand["frame"]["turn"]
        if hand["over"] or turn is None:
            return  # it ended between two looks
        who = next(f"player:{one['player']}" for one in seen["seats"] if one["seat"] == turn["seat"])
        answer = {"hand": hand["hand"], "decision": hand["decision"], "seat": turn["seat"]}
        if self._random.randrange(30) == 0:
            self._must_be_refused(who, "hand.call", answer | {"decision": answer["decision"] + 7})
        name, more = self._choice(turn, hand["frame"]["wager"])
        self._give(who, name, answer | more)

    def _choice(self, turn: dict[str, Any], wager: int) -> tuple[str, dict[str, int]]:
        chance = self._random.randrange(100)
        if turn["most"] and chance < 18:
            to = turn["most"] if chance < 2 else turn["least"]
            return ("hand.raise" if wager else "hand.bet"), {"to": to}
        if not turn["call"]:
            return "hand.check", {}
        return ("hand.fold" if chance > 90 else "hand.call"), {}

    def _must_be_refused(self, who: str, name: str, args: dict[str, Any]) -> None:
        status = self._give(who, name, args)
        assert status == REFUSED, f"{name} {args} was taken"

    def _give(self, who: str, name: str, args: dict[str, Any]) -> int:
        """Send until it is known what came of it; whether it was recorded or refused. Raises GivenUp."""
        id_, doubt = uuid7(time.time_ns() // 1000, secrets.randbits(74)), False
        while True:
            status, said = self._send(id_, who, name, args)
            if status in (RECORDED, REFUSED):
                return status
            if status == 503 and not doubt and self._random.randrange(3) == 0:
                self._journal.given_up(id_)
                raise GivenUp
            assert status == 503 or status in DOUBTFUL, f"{name} {args}: {status} {said}"
            doubt = doubt or status in DOUBTFUL
            self._door = next(self._doors)
            time.sleep(PAUSE)

    def _send(self, id_: str, who: str, name: str, args: dict[str, Any]) -> tuple[int, Any]:
        self._journal.sent(id_, self._door, who, name, args)
        try:
            found = self._http.post(
                f"{self._door}/v1/commands",
                json={"name": name, "args": args},
                headers=self._token(who) | {"Idempotency-Key": id_},
            )
        except httpx.HTTPError as error:
            self._journal.answered(id_, NOBODY, type(error).__name__)
            return NOBODY, ""
        said = found.json()
        self._journal.answered(id_, found.status_code, said, "Idempotency-Replayed" in found.headers)
        return found.status_code, said

    def _look(self) -> dict[str, Any] | None:
        """The table as its dealer sees it; None where there is none yet."""
        while True:
            try:
                found = self._http.get(f"{self._door}/v1/tables/{self._plan.table}", headers=self._token(DEALER))
            except httpx.HTTPError:
                pass
            else:
                if found.status_code in (200, 404):
                    return found.json() if found.status_code == 200 else None
            self._door = next(self._doors)
            time.sleep(PAUSE)

    def _token(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._plan.tokens[who]}"}


def main() -> None:
    client = Client(Plan(**json.loads(Path(sys.argv[1]).read_text())))
    signal.signal(signal.SIGTERM, lambda *_: client.told.set())
    client.play()
