"""A log as a file and back: the commits of shard 0, 1, ... in order, each followed by LF, nothing else.

Both ways byte for byte; a file is complete in its place or not there at all.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

from services.eventlog import body
from services.eventlog.commit import GENESIS, Record
from services.eventlog.files import MACHINE
from services.eventlog.log import Log, LogError
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.sqlite_file import check_place
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.verify import Report, Verifier, file_records, verify_file

_BATCH = 1000
"""Commits stored in one transaction while importing."""


def export(log: Log, out: BinaryIO, step: Callable[[], object] = lambda: None) -> int:
    """Write the log's commits; the number written. Raises CorruptLog at a record that the chain doesn't accept."""
    written = 0
    for shard in range(log.shards):
        for record in log.read(shard):
            out.write(record.raw + b"\n")
            written += 1
            step()
    return written


def export_file(log: Log, path: Path | str, step: Callable[[], object] = lambda: None) -> int:
    """Write the log's commits to a new file; the number written. Raises LogError if the file can't be written."""
    path = Path(path)
    if path.exists():
        raise LogError(f"{path} exists already: choose another file")
    with draft_of(path) as draft, draft.open("xb") as out:
        written = export(log, out, step)
        out.flush()
        os.fsync(out.fileno())
    return written


def import_file(
    file: Path | str,
    path: Path | str,
    step: Callable[[], object] = lambda: None,
    verify: Callable[[Path | str, Callable[[], object]], Report] = verify_file,
) -> Report:
    """Make a log at `path` of an exported file, which is verified first: its chains, or more by the caller's `verify`.

    Raises LogError if the file isn't sound (nothing is made then), or something stands at `path`.
    """
    path = Path(path)
    check_place(path)
    report = _verified(file, step, verify)
    assert report.room is not None
    with draft_of(path) as draft, SqliteLog.create(draft, report.room, _shards_of(report)) as log:
        _store_all(log, file, step)
    return report


def import_into(
    make: Callable[[str, int], SqliteCommits],
    file: Path | str,
    step: Callable[[], object] = lambda: None,
    verify: Callable[[Path | str, Callable[[], object]], Report] = verify_file,
) -> Report:
    """The same into a home that can't be put in its place all at once: `make` opens it, empty or as a broken-off import
    of this very file has left it, which is then gone on with. Raises LogError where it holds anything else.
    """
    report = _verified(file, step, verify)
    assert report.room is not None
    with make(report.room, _shards_of(report)) as log:
        _store_all(log, file, step)
    return report


def _verified(
    file: Path | str,
    step: Callable[[], object],
    verify: Callable[[Path | str, Callable[[], object]], Report],
) -> Report:
    report = verify(file, step)
    if not report.sound:
        raise LogError(f"{file} isn't sound, so nothing was imported: {report.findings[0]}")
    return report


def _shards_of(report: Report) -> int:
    return report.shards or max(report.heads) + 1


def _store_all(log: SqliteCommits, file: Path | str, step: Callable[[], object]) -> None:
    _check_begun(log, file)
    for shard, records in groupby(_records(file), key=lambda record: record.shard):
        end = log.head(shard).height
        _store(log, shard, (record for record in records if record.height > end), step)


def _check_begun(log: SqliteCommits, file: Path | str) -> None:
    """Raise LogError unless what the log has already is how the file begins, in every shard."""
    ends = {shard: log.head(shard) for shard in range(log.shards)}
    begun = {shard: end for shard, end in ends.items() if end != GENESIS}
    if not begun:
        return
    for record in _records(file):
        if begun.get(record.shard) == record.head:
            del begun[record.shard]
    if begun:
        shard, end = min(begun.items())
        raise LogError(
            f"the log of {log.room} has commits in shard {shard} already, up to height {end.height}, with which the "
            "file doesn't begin: nothing was imported"
        )


def copy_into(log: SqliteCommits, source: Log) -> None:
    """Take over all commits of another log into an empty one, byte for byte. Raises LogError."""
    for shard in range(source.shards):
        _store(log, shard, source.read(shard), lambda: None)


def _store(log: SqliteCommits, shard: int, records: Iterator[Record], step: Callable[[], object]) -> None:
    batch = []
    for record in records:
        batch.append((record, body.touches(body.decode(record.body).events)))
        if len(batch) == _BATCH:
            log.store(shard, batch)
            batch.clear()
        step()
    log.store(shard, batch)


def _records(file: Path | str) -> Iterator[Record]:
    """The records of a file that was verified. It is verified again on the way: it may have changed since."""
    verifier = Verifier()
    for shard, raw in file_records(file, verifier):
        record = verifier.take(shard, raw)
        if record is not None:
            yield record
    if not verifier.report.sound:
        raise LogError(f"{file} changed while it was imported: {verifier.report.findings[0]}")


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """A place beside `path` to write in, moved there when all went well and cleared away when not."""
    draft = path.with_name(path.name + ".part")
    _clear(draft)
    try:
        yield draft
        MACHINE.publish(draft, path)
    except OSError as error:
        raise LogError(f"{path} can't be written: {error.strerror or error}") from error
    finally:
        _clear(draft)


def _clear(draft: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal", ".new", ".lock"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
