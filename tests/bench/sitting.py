"""A sitting: tables at once through the writer of a room, on whichever log.

Each table has one command under way and gives the next as soon as it has its answer, so the writer finds as many
together as came in while it worked. Timed from the first command to the last answer, the bots' own work included.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import perf_counter
from typing import NamedTuple

from services.eventlog.commit import Head
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Append, Entry, LogError
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.sqlite_log import SqliteLog
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from services.room.writer import Writer
from tests.bench.bots import TableBots
from tests.bench.homes import command, in_a_file, on_kafka
from tests.bench.rows import Side, timed
from tests.services.homes import room_over

PLAYERS = 6

Batch = list[tuple[int, int]]
"""One transaction of ours: the shard and height of each record."""


class Watched(SqliteCommits):
    """A log which also notes what was appended together."""

    batches: list[Batch]

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        heads = super().append(shard, expected, entries, claim=claim)
        self.batches.append([(shard, head.height) for head in heads])
        return heads

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        outcomes = super().append_all(appends)
        recorded = zip(appends, outcomes, strict=True)
        self.batches.append([(one.shard, head.height) for one, heads in recorded for head in _told(heads)])
        return outcomes


def _told(outcome: list[Head] | LogError) -> list[Head]:
    if isinstance(outcome, LogError):
        raise outcome
    return outcome


class WatchedFile(Watched, SqliteLog):
    """On SQLite."""


class WatchedKafka(Watched, KafkaLog):
    """On Kafka."""


NewWatched = Callable[[Path, Ports], SqliteCommits]
"""Makes the log of a new room, which is of a class of those."""

SQLITE: NewWatched = partial(in_a_file, kind=WatchedFile)
KAFKA: NewWatched = partial(on_kafka, kind=WatchedKafka)


class Played(NamedTuple):
    """A sitting that was timed: its seconds, the records of each append in order, the seconds until each answer."""

    seconds: float
    batches: list[list[bytes]]
    waits: list[float]


def play(
    new: NewWatched, home: Path, tables: int, commands: int, seed: int, clock: Callable[[], int] | None = None
) -> Played:
    """A sitting in a new room, in which so many commands are answered. `clock`: the room's, where it isn't seeded."""
    ports = seeded_ports(seed)
    if clock is not None:
        ports = replace(ports, now=clock)
    log = new(home, ports)
    assert isinstance(log, Watched)
    with closing(log):
        sitting = _opened(log, ports, tables, seed)
        try:
            seconds, waits = timed(Side(partial(_play, commands=commands), lambda: sitting))
        finally:
            sitting.writer.close()
        assert len(waits) == commands
        batches = [[log.record(*place).raw for place in batch] for batch in log.batches]
    assert sum(map(len, batches)) == commands, "an answer stands for no record of its own"
    return Played(seconds, batches, waits)


class _Sitting(NamedTuple):
    """A room with its tables open and everybody seated."""

    writer: Writer
    ports: Ports
    tables: list[TableBots]


def _opened(log: Watched, ports: Ports, tables: int, seed: int) -> _Sitting:
    log.batches = []
    bots = [TableBots(f"t{number}", PLAYERS, Random(f"{seed}/{number}")) for number in range(1, tables + 1)]
    writer = Writer(room_over(log, ports))
    for opened in [writer.submit(command(ports, args)) for table in bots for args in table.opening()]:
        opened.result()
    log.batches.clear()
    return _Sitting(writer, ports, bots)


class _Answered(NamedTuple):
    table: TableBots
    result: Callable[[], Answer]
    seconds: float


def _play(sitting: _Sitting, commands: int) -> list[float]:
    """Play on until so many commands are answered; the seconds until each answer."""
    ready: SimpleQueue[_Answered] = SimpleQueue()

    def submit(table: TableBots) -> None:
        args = table.next_command()
        start = perf_counter()
        answer = sitting.writer.submit(command(sitting.ports, args))
        answer.add_done_callback(lambda done: ready.put(_Answered(table, done.result, perf_counter() - start)))

    started = min(commands, len(sitting.tables))
    for table in sitting.tables[:started]:
        submit(table)
    waits: list[float] = []
    while len(waits) < commands:
        table, result, seconds = ready.get()
        waits.append(seconds)
        table.take(result())
        if started < commands:
            started += 1
            submit(table)
    return waits
