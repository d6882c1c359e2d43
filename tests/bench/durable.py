"""Durable commands on SQLite: tables at once through the writer, beside bare inserts of the same bytes.

The peers insert the records that ours made, on the same disk with WAL and `synchronous=FULL`: one and a commit for each
command, or all those of one transaction of ours and one commit.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench import sitting
from tests.bench.folder import folder
from tests.bench.rows import Row, Side, answer_rows, info, more, timed

GOAL_ONE_BY_ONE, GOAL_SAME_BATCHES = 5, 0.35


def rows(tables: int, commands: int, runs: int) -> list[Row]:
    ours, one_by_one, together, size, waits = [], [], [], [], list[float]()
    for run in range(runs):
        with folder() as home:
            seconds, batches, waited = sitting.play(sitting.SQLITE, home / "ours", tables, commands, run)
            ours.append(commands / seconds)
            waits += waited
            records = sum(map(len, batches))
            one_by_one.append(records / inserted(home / "one-by-one", [[raw] for batch in batches for raw in batch]))
            together.append(records / inserted(home / "together", batches))
            size.append(records / len(batches))
    where, unit = f"SQLite, {tables} tables at once", "commands/s"
    name = f"durable commands, {where}"
    return [
        more(name, unit, median(ours), median(one_by_one), "one bare INSERT + commit per command", GOAL_ONE_BY_ONE),
        more(name, unit, median(ours), median(together), "same bytes, same batches", GOAL_SAME_BATCHES),
        info("commands of one transaction, mean", "commands", median(size)),
        *answer_rows(f"the answer to a durable command, {where}", waits),
    ]


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
