"""The clients of a door's bench, a process of their own: `python -m tests.bench.door_clients GIVEN`, where GIVEN is the
list of address, tokens, how many clients and for how many seconds, in JSON.

It prints the seconds that all took together, and those that each answer took.
"""

import asyncio
import json
import secrets
import sys
import time
from urllib.parse import urlsplit

from domain import catalog
from domain.hand.commands import Fold
from domain.table.commands import DealHand, OpenTable, SitDown
from services.ids import uuid7

PLAYERS = ("ann", "bob")
DEEP = 100_000


async def play(address: str, tokens: list[str], clients: int, seconds: float) -> tuple[float, list[float]]:
    tables = [await Table.open(address, tokens) for _ in range(clients)]
    start = time.perf_counter()
    waits = await asyncio.gather(*(table.play(start + seconds) for table in tables))
    return time.perf_counter() - start, [one for some in waits for one in some]


class Table:
    """A client with a table of its own, where hand after hand is dealt and folded by whoever has the button."""

    def __init__(
        self, name: str, tokens: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.name, self.tokens, self.reader, self.writer = name, tokens, reader, writer

    @classmethod
    async def open(cls, address: str, tokens: list[str]) -> "Table":
        url = urlsplit(address)
        table = cls(f"t{secrets.token_hex(4)}", tokens, *await asyncio.open_connection(url.hostname, url.port))
        terms = (table.name, "Elm", "holdem", "no", "euro", 1, 2, len(PLAYERS), "play", "PLAY")
        await table.send(0, OpenTable(*terms, most_buy_in=DEEP))
        for seat, player in enumerate(PLAYERS, start=1):
            await table.send(seat, SitDown(table.name, seat, player, DEEP))
        return table

    async def play(self, until: float) -> list[float]:
        waits, number = [], 0
        while time.perf_counter() < until:
            number += 1
            button = 2 - number % 2
            waits.append(await self.send(0, DealHand(self.name, number)))
            waits.append(await self.send(button, Fold(f"{self.name}-{number}", 1, button)))
        return waits

    async def send(self, who: int, args: object) -> float:
        """Seconds until a command that must be taken was answered."""
        name, _, data = catalog.command.dump(args)
        body = json.dumps({"name": name, "args": data})
        key = uuid7(time.time_ns() // 1000, secrets.randbits(74))
        head = (
            f"POST /v1/commands HTTP/1.1\r\nHost: door\r\nAuthorization: Bearer {self.tokens[who]}\r\n"
            f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        start = time.perf_counter()
        self.writer.write((head + body).encode())
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        content = await self.reader.readexactly(length)
        assert answer.startswith(b"HTTP/1.1 200"), content
        return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(*json.loads(sys.argv[1])))))
