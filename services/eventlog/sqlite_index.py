"""Whether the index of an embedded log says what its records say: the room reads its streams by it."""

import sqlite3
from collections.abc import Iterator
from itertools import groupby

from services.eventlog import body
from services.eventlog.commit import body_of
from services.eventlog.log import is_counted


def index_faults(db: sqlite3.Connection, shards: int) -> Iterator[tuple[int, int, str]]:
    """(shard, height, what is wrong), the first of each shard; a shard whose records can't be read is passed over."""
    for shard in range(shards):
        fault = _first_fault(db, shard)
        if fault is not None:
            yield shard, *fault


def _first_fault(db: sqlite3.Connection, shard: int) -> tuple[int, str] | None:
    indexed = _indexed(db, shard)
    at, touched = next(indexed, (None, set()))
    counted, expected = 0, 0
    for height, total, raw in db.execute(f"SELECT height, counted, record FROM commits_{shard} ORDER BY height"):
        if height != expected:
            return expected, f"the home has no commit here: its next one stands at height {height}"
        try:
            touches = body.touches(body.decode(body_of(raw)).events)
        except (body.BadBody, KeyError, TypeError, AttributeError, ValueError):
            return None  # the records themselves are at fault, and named elsewhere
        found = touched if at == height else set()
        if found != set(touches):
            return height, f"the index of streams says {sorted(found, key=repr)}, the record {sorted(touches)}"
        counted += sum(last - first + 1 for stream, first, last in touches if is_counted(stream))
        if total != counted:
            return height, f"the home counts {total} events up to here, the records have {counted}"
        if at == height:
            at, touched = next(indexed, (None, set()))
        expected += 1
    return None if at is None else (expected, f"the index of streams names a commit at height {at} that isn't there")


def _indexed(db: sqlite3.Connection, shard: int) -> Iterator[tuple[int | None, set[tuple[str, int, int]]]]:
    rows = db.execute(
        "SELECT height, name, first, last FROM touches JOIN streams ON stream = id WHERE shard = ? ORDER BY height",
        (shard,),
    )
    for height, group in groupby(rows, key=lambda row: row[0]):
        yield height, {(name, first, last) for _, name, first, last in group}
