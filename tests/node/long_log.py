"""A room whose one partition holds as many commits as somebody wants: bots have played there, faster than people."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from services.bootstrap import open_log
from services.ids import uuid7
from services.kafka.partitions import Sender
from services.kafka.topics import snapshots_topic
from services.ports import real_ports
from services.room.recording import Answer
from services.room.room import Room as TheRoom
from services.snapshots.topic import send_to
from services.snapshots.writer import SnapshotWriter
from tests.bench.bots import TableBots
from tests.bench.homes import command
from tests.node.clients import DEALER
from tests.node.journal import RECORDED
from tests.node.rooms import Node, Room
from tests.plain_http import plain_http
from tests.services.homes import keys_of, room_over
from tests.services.patrons import with_money

SHARD = 0
"""The only one."""

PLAYERS = 6


class LongLog:
    """The bots' room at its log, which nobody else writes meanwhile."""

    def __init__(self, room: TheRoom, tables: int) -> None:
        self.room, self.log = room, room.log
        self.tables = [TableBots(f"t{number}", PLAYERS, Random(number)) for number in range(1, tables + 1)]
        self.room.restore(SHARD, {}, ())
        for table in self.tables:
            self._take(table.opening())

    def play(self, commits: int) -> None:
        """Play until the shard has at least so many commits: at each table a command, recorded together."""
        while self.log.head(SHARD).height + 1 < commits:
            answers = self._take([table.next_command() for table in self.tables])
            for table, answer in zip(self.tables, answers, strict=True):
                table.take(answer)

    def at_the_cage(self, guests: int) -> None:
        """So many players open accounts and bring money."""
        self._take([args for number in range(guests) for args in with_money(f"guest{number}")])

    def _take(self, asked: list[Any]) -> list[Answer]:
        answers = self.room.execute([command(self.room.ports, args) for args in asked])
        assert all(isinstance(one, Answer) for one in answers), answers
        return answers  # type: ignore[return-value]

    def write_snapshot(self, keys: Any = None, **changed: Any) -> None:
        """Write a snapshot of all that is there, or one that somebody has changed or sealed under other keys."""
        writer = SnapshotWriter(self.room, keys or keys_of(self.log), SHARD)
        while not writer.gather(100):
            pass
        taken = writer.take()
        assert taken
        with closing(Sender(self.log.broker, snapshots_topic(self.log.room))) as sender:  # type: ignore[attr-defined]
            writer.write(taken._replace(**changed), send_to(sender, SHARD))


@contextmanager
def playing(room: Room, tables: int = 64) -> Iterator[LongLog]:
    """Bots at so many tables of a room that has one shard and no nodes yet."""
    with room.in_its_environment(), open_log(room.home("bots"), write=True) as log:
        yield LongLog(room_over(log, real_ports()), tables)


# --- a node that comes up over it ---


class ComesUp(NamedTuple):
    """A node that was started: seconds until its log was open, then until the shard was its own, then until it had
    recorded a first command. `memory`: MiB that its process has then."""

    node: Node
    opened: float
    claimed: float
    answered: float

    @property
    def memory(self) -> float:
        return memory_of(self.node)

    @property
    def told(self) -> str:
        return (
            f"log open after {self.opened:.1f} s, shard claimed and restored in {self.claimed:.1f} s more, "
            f"first answer {self.answered:.2f} s after that, {self.memory:.0f} MiB"
        )


def memory_of(node: Node) -> float:
    """MiB of the machine's memory."""
    status = Path(f"/proc/{node._child.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def comes_up(room: Room, name: str, seconds: float = 30.0) -> ComesUp:
    """Start the node and have it record something. Raises AssertionError where that takes longer."""
    began = time.monotonic()
    node = room.node(name, "--shard", str(SHARD))
    node.says("listens", seconds)
    opened = time.monotonic()
    node.says("is this node's", seconds)
    claimed = time.monotonic()
    with Dealer(room, node) as dealer:
        dealer.opens_a_table()
    return ComesUp(node, opened - began, claimed - opened, time.monotonic() - claimed)


class Dealer:
    """Who opens tables and looks at them through a node's door, over one connection."""

    def __init__(self, room: Room, node: Node) -> None:
        headers = {"Authorization": f"Bearer {room.tokens[DEALER]}"}
        self._http = plain_http(base_url=node.door, headers=headers, timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def opens_a_table(self) -> float:
        """The seconds until that is recorded."""
        began = time.monotonic()
        terms = {"game": "holdem", "limit": "no", "rulebook": "euro", "kind": "real", "currency": "EUR"}
        args = {"table": f"x{secrets.token_hex(8)}", "name": "Elm", "small": 100, "big": 200, "seats": 6, **terms}
        id_ = uuid7(time.time_ns() // 1000, secrets.randbits(74))
        asked = {"name": "table.open", "args": args}
        found = self._http.post("/v1/commands", json=asked, headers={"Idempotency-Key": id_})
        assert found.status_code == RECORDED, found.text
        return time.monotonic() - began

    def sees(self, table: str) -> int:
        """The status with which the table is shown."""
        return self._http.get(f"/v1/tables/{table}").status_code

    def opens_tables_until(self, done: Callable[[], bool], seconds: float) -> list[float]:
        """Twenty a second at most; the seconds of each. Raises AssertionError where it takes longer."""
        last, waits = time.monotonic() + seconds, [self.opens_a_table()]
        while not done():
            assert time.monotonic() < last, f"not done after {len(waits)} tables"
            time.sleep(0.05)
            waits.append(self.opens_a_table())
        return waits
