"""Durable commands on SQLite: 64 tables at once through the writer, beside bare inserts of the same bytes.

Each table has one command under way and gives the next as soon as it has its answer, so the writer finds as many
together as came in while it worked. Ours is the rate from the first command to the last answer, the bots' own work
included. The peers insert the records that ours made, on the same disk with WAL and `synchronous=FULL`: one and a
commit for each command, or all those of one transaction of ours and one commit.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median
from typing import NamedTuple

from services.bootstrap import LOG_FILE
from services.eventlog.commit import Head
from services.eventlog.log import Append, Entry, LogError
from services.eventlog.sqlite_log import SqliteLog
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from services.room.writer import Writer
from tests.bench.bots import TableBots
from tests.bench.folder import folder
from tests.bench.homes import command, new_home
from tests.bench.rows import Row, Side, info, more, timed
from tests.services.homes import room_over

GOAL_ONE_BY_ONE, GOAL_SAME_BATCHES = 5, 0.35
PLAYERS = 6


Batch = list[tuple[int, int]]
"""One transaction of ours: the shard and height of each record."""


class WatchedLog(SqliteLog):
    """The log of a home, which also notes what was appended together."""

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


class Sitting(NamedTuple):
    """A room with its tables open and everybody seated."""

    writer: Writer
    log: WatchedLog
    ports: Ports
    tables: list[TableBots]


def rows(tables: int, commands: int, runs: int) -> list[Row]:
    ours, one_by_one, together, size = [], [], [], []
    for run in range(runs):
        with folder() as home:
            seconds, batches = ours_run(home / "ours", tables, commands, run)
            ours.append(commands / seconds)
            records = sum(map(len, batches))
            one_by_one.append(records / inserted(home / "one-by-one", [[raw] for batch in batches for raw in batch]))
            together.append(records / inserted(home / "together", batches))
            size.append(records / len(batches))
    name, unit = f"durable commands, SQLite, {tables} tables at once", "commands/s"
    return [
        more(name, unit, median(ours), median(one_by_one), "one bare INSERT + commit per command", GOAL_ONE_BY_ONE),
        more(name, unit, median(ours), median(together), "same bytes, same batches", GOAL_SAME_BATCHES),
        info("commands of one transaction, mean", "commands", median(size)),
    ]


def ours_run(home: Path, tables: int, commands: int, seed: int) -> tuple[float, list[list[bytes]]]:
    """(seconds, the records of each transaction, in order) of a sitting that answers so many commands."""
    ports = seeded_ports(seed)
    new_home(home, ports)
    log = WatchedLog.open(home / LOG_FILE)
    assert isinstance(log, WatchedLog)
    with closing(log):
        sitting = open_sitting(log, ports, tables, seed)
        try:
            seconds, answered = timed(Side(partial(play_sitting, commands=commands), lambda: sitting))
        finally:
            sitting.writer.close()
        assert len(answered) == commands
        batches = [[log.record(*place).raw for place in batch] for batch in log.batches]
    assert sum(map(len, batches)) == commands, "an answer stands for no record of its own"
    return seconds, batches


def open_sitting(log: WatchedLog, ports: Ports, tables: int, seed: int) -> Sitting:
    log.batches = []
    bots = [TableBots(f"t{number}", PLAYERS, Random(f"{seed}/{number}")) for number in range(1, tables + 1)]
    writer = Writer(room_over(log, ports))
    for table in bots:
        for args in table.opening():
            writer.submit(command(ports, args)).result()
    log.batches.clear()
    return Sitting(writer, log, ports, bots)


def play_sitting(sitting: Sitting, commands: int) -> list[Answer]:
    """Play on until so many commands are answered; the answers."""
    ready: SimpleQueue[tuple[TableBots, Callable[[], Answer]]] = SimpleQueue()

    def submit(table: TableBots) -> None:
        answer = sitting.writer.submit(command(sitting.ports, table.next_command()))
        answer.add_done_callback(lambda done: ready.put((table, done.result)))

    started = min(commands, len(sitting.tables))
    for table in sitting.tables[:started]:
        submit(table)
    answers: list[Answer] = []
    while len(answers) < commands:
        table, result = ready.get()
        answers.append(result())
        table.take(answers[-1])
        if started < commands:
            started += 1
            submit(table)
    return answers


def inserted(path: Path, batches: Sequence[Sequence[bytes]]) -> float:
    """Seconds to insert the batches, each in a transaction of its own; what was stored is read back and compared."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE records (height INTEGER PRIMARY KEY, record BLOB NOT NULL)")
        numbered = iter(range(sum(map(len, batches))))
        rows = [[(next(numbered), raw) for raw in batch] for batch in batches]
        seconds, _ = timed(Side(partial(_insert, db), lambda: rows))
        stored = [raw for (raw,) in db.execute("SELECT record FROM records ORDER BY height")]
    assert stored == [raw for batch in batches for raw in batch]
    return seconds


def _insert(db: sqlite3.Connection, batches: Sequence[Sequence[tuple[int, bytes]]]) -> None:
    for batch in batches:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO records VALUES (?, ?)", batch)
        db.execute("COMMIT")
