"""Money from an account to a table: sent by the one, received by the other, closed by the one, three durable commits.

Through the writer of a room and its staff: many players each buy in to a seat, then bring more as soon as that is
closed, again and again. The peer inserts the records of all those commits, one by one.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any, NamedTuple

from domain.account.commands import BuyIn, Deposit, OpenAccount, TopUp
from domain.catalog import event
from domain.table.commands import OpenTable
from domain.table.events import Funds
from domain.transfers import TransferClosed
from services.bootstrap import open_log
from services.eventlog.body import Fact
from services.eventlog.log import Log
from services.ports import Ports, real_ports
from services.room.recording import Told
from services.room.room import Room
from services.room.writer import Writer
from services.staffing import staffed
from tests.bench.bots import DEEP, EUROS
from tests.bench.durable import inserted
from tests.bench.folder import folder
from tests.bench.homes import command, in_a_file
from tests.bench.rows import Row, Side, more, timed
from tests.services.homes import room_over

PLAYERS = 6
"""At each table."""

COMMITS = 3
"""Of a transfer."""

PATIENCE = 30
"""Seconds after which one that isn't closed stops the bench."""

AMOUNT = 100_00
"""Cents that are brought each time."""

_CLOSED = event.by_class[TransferClosed].name


def rows(tables: int, transfers: int, runs: int) -> list[Row]:
    ours, bare = [], []
    for _ in range(runs):
        with folder() as place:
            seconds, records = play(place / "ours", tables, transfers)
            ours.append(transfers / seconds)
            bare.append(len(records) / COMMITS / inserted(place / "bare", [[raw] for raw in records]))
    return [
        more(
            f"transfers from an account to a table, SQLite, {tables} tables at once", "transfers/s", median(ours),
            median(bare), "three bare INSERTs + commits per transfer", None,
        )
    ]  # fmt: skip


class Buyer(NamedTuple):
    """A player with an account, and the seat that is his."""

    player: str
    table: str
    seat: int

    @property
    def account(self) -> str:
        return f"account:{self.player}:eur"

    def opening(self) -> list[Any]:
        return [OpenAccount(self.player, "EUR"), Deposit(self.player, "EUR", DEEP, f"payment of {self.player}")]

    def brings(self, again: bool) -> BuyIn | TopUp:
        return (TopUp if again else BuyIn)(self.player, "EUR", self.table, self.seat, AMOUNT)


def play(home: Path, tables: int, transfers: int) -> tuple[float, list[bytes]]:
    """The seconds in which so many transfers came to their end, in a new room; the records of their commits."""
    ports = real_ports()
    with closing(in_a_file(home, ports)) as log, _at_work(home, log, ports) as writer:
        buyers = _opened(writer, ports, tables)
        before = [log.head(shard).height for shard in range(log.shards)]
        closed = writer.look(_closings).result()
        seconds, _ = timed(Side(lambda _: _bring(writer, ports, buyers, closed, transfers)))
        records = [one.raw for shard, height in enumerate(before) for one in log.read(shard, height + 1)]
    assert len(records) == COMMITS * transfers, f"{len(records)} commits of {transfers} transfers"
    return seconds, records


@contextmanager
def _at_work(home: Path, log: Log, ports: Ports) -> Iterator[Writer]:
    """The writer of a room, with its staff."""
    writer = Writer(room_over(log, ports))
    try:
        with open_log(home) as reading, staffed(home, writer, reading, ports):
            yield writer
    finally:
        writer.close()


def _opened(writer: Writer, ports: Ports, tables: int) -> list[Buyer]:
    """Everybody has an account with money; the tables are open and empty."""
    names = [f"t{number}" for number in range(1, tables + 1)]
    buyers = [Buyer(f"{table}p{seat}", table, seat) for table in names for seat in range(1, PLAYERS + 1)]
    asked: list[Any] = [
        OpenTable(
            table, "Bots", "holdem", "no", "euro", 50, 100, PLAYERS, *EUROS, most_buy_in=DEEP, funds=Funds.ACCOUNTS
        )
        for table in names
    ]
    asked += [args for one in buyers for args in one.opening()]
    for opened in [writer.submit(command(ports, args)) for args in asked]:
        opened.result()
    return buyers


def _closings(room: Room) -> "SimpleQueue[Fact]":
    """The transfers that are closed from now on, as they are."""
    closed: SimpleQueue[Fact] = SimpleQueue()

    def hear(_: Room, told: Sequence[Told]) -> None:
        for one in told:
            for fact in one.answer.events:
                if fact["type"] == _CLOSED:
                    closed.put(fact)

    room.listeners.append(hear)
    return closed


def _bring(writer: Writer, ports: Ports, buyers: Sequence[Buyer], closed: "SimpleQueue[Fact]", transfers: int) -> None:
    """Everybody brings chips, and more as soon as they are his, until so many transfers are closed."""
    by_account = {one.account: one for one in buyers}
    started = min(transfers, len(buyers))
    for one in buyers[:started]:
        writer.submit(command(ports, one.brings(again=False)))
    for _ in range(transfers):
        fact = closed.get(timeout=PATIENCE)
        assert fact["data"]["received"], f"{fact} was refused"
        if started < transfers:
            started += 1
            writer.submit(command(ports, by_account[fact["stream"]].brings(again=True)))
