"""Commands through the HTTP door, on either log: each client, one connection with its own table, sends the next command
as soon as it has its answer. Clients are a process of their own. The peer is the same server with a route that reads
the same requests and does nothing.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fastapi import FastAPI, Request

from domain.rules.phrases import counted
from services.api.app import create_app
from services.api.host import RoomHost
from services.api.roles import Role
from services.api.serve import serving
from services.api.tokens import TOKENS_FILE, Tokens
from services.ports import real_ports
from services.room.writer import Writer
from tests.bench.door_clients import PLAYERS
from tests.bench.folder import folder
from tests.bench.homes import SHARDS, NewLog, in_a_file, on_kafka
from tests.bench.rows import Row, answer_rows, more
from tests.services.homes import opener, room_over

LOGS: dict[str, NewLog] = {"SQLite": in_a_file, "Kafka": on_kafka}


def rows(log: str, clients: Sequence[int], seconds: float) -> list[Row]:
    """`log`: one of LOGS."""
    with folder() as home, room_door(home / "home", LOGS[log]) as (address, tokens), idle_door() as idle:
        return [row for count in clients for row in _rows(log, address, idle, tokens, count, seconds)]


def _rows(log: str, address: str, idle: str, tokens: list[str], clients: int, seconds: float) -> list[Row]:
    ours, waits = sent(address, tokens, clients, seconds)
    peer, _ = sent(idle, tokens, clients, seconds)
    where = f"through the door, {log}, {counted(clients, 'client')}"
    return [
        more(f"commands {where}", "commands/s", ours, peer, "a route that does nothing", None),
        *answer_rows(f"an answer {where}", waits),
    ]


@contextmanager
def room_door(home: Path, new: NewLog) -> Iterator[tuple[str, list[str]]]:
    """The door of a room with a table for each client; its address, and the tokens of floor, ann and bob."""
    ports = real_ports()
    with new(home, ports, SHARDS) as log, log.reader() as read:
        tokens = Tokens(home / TOKENS_FILE)
        given = [tokens.add("floor:fay", Role.FLOOR, "", ports)]
        given += [tokens.add(f"player:{player}", Role.PLAYER, "", ports) for player in PLAYERS]
        writer = Writer(room_over(log, ports))
        app = create_app(RoomHost(writer, read), tokens, keyholder=opener(log))
        try:
            with serving(app) as address:
                yield address, given
        finally:
            writer.close()


@contextmanager
def idle_door() -> Iterator[str]:
    app = FastAPI()

    @app.post("/v1/commands")
    async def commands(request: Request) -> dict[str, int]:
        await request.body()
        return {"at": 1}

    with serving(app) as address:
        yield address


def sent(address: str, tokens: list[str], clients: int, seconds: float) -> tuple[float, list[float]]:
    """Commands a second of so many clients, and the seconds that each answer took."""
    given = json.dumps([address, tokens, clients, seconds])
    command = [sys.executable, "-m", "tests.bench.door_clients", given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    took, waits = json.loads(done.stdout)
    return len(waits) / took, waits
