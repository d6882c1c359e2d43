"""The file of the embedded home: its tables, made whole or not at all, and opened durably.

Tables: `commits_<shard>` (height, running total of counted events, record), and the index of streams: `streams` (id,
name, shard) and `touches` (stream, first version, last version, height), one row per stream that a commit touches.
Streams are indexed by a number given at their first event, so that what is written together lies together on disk.
"""

import sqlite3
from pathlib import Path
from typing import Any

from services.eventlog.files import MACHINE, Files
from services.eventlog.log import CorruptLog, LogError, NoLog

APPLICATION_ID = 0x484C4F47
"""Marks the file as a Handlog log, for `file` and for us ("HLOG")."""

CACHE = 32 * 1024
"""KiB of pages that a connection keeps: SQLite's own 2 MiB don't hold the index of a room with 10^5 hands."""

_SCHEMA = """
CREATE TABLE log (room TEXT NOT NULL, shards INTEGER NOT NULL);
CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shard INTEGER NOT NULL);
CREATE TABLE touches (
    stream INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, height INTEGER NOT NULL,
    PRIMARY KEY (stream, first)
) WITHOUT ROWID;
"""
_SHARD = "CREATE TABLE commits_{} (height INTEGER PRIMARY KEY, counted INTEGER NOT NULL, record BLOB NOT NULL);"


def connect(path: Path, *, write: bool, files: Files = MACHINE, durable: bool = True) -> sqlite3.Connection:
    """A connection to the file; one that writes is durable (see below), or LogError is raised.

    Where the file may be lost, since it can be built again, it needn't be durable: then a power cut loses its end.
    """
    db = files.connect(path, "rw" if write else "ro")
    try:
        db.execute(f"PRAGMA cache_size = -{CACHE}")
        if write and durable:
            _make_durable(path, db)
        elif write:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        db.close()
        raise
    return db


def _make_durable(path: Path, db: sqlite3.Connection) -> None:
    """WAL and FULL, read back: SQLite keeps another mode without a word where it can't have the one asked for.

    Then a checkpoint, which syncs the WAL: a writer killed before its sync left a commit there that can be read, but
    goes with the power; nobody may be answered by it.
    """
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    settings: tuple[Any, Any] = (
        db.execute("PRAGMA journal_mode").fetchone()[0],
        db.execute("PRAGMA synchronous").fetchone()[0],
    )
    if settings != ("wal", 2):
        raise LogError(f"{path} can't be written durably here: SQLite gave {settings}, not ('wal', 2)")
    db.execute("PRAGMA wal_checkpoint")


def build(path: Path, room: str, shards: int, files: Files = MACHINE) -> None:
    """Make the file beside its place and move it there whole, so that a half-made log never stands in it."""
    draft = path.with_name(path.name + ".new")
    files.remove(draft)
    try:
        db = files.connect(draft, "rwc")
        try:
            db.executescript(
                f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1; {_SCHEMA}"
                + "".join(_SHARD.format(shard) for shard in range(shards))
            )
            db.execute("INSERT INTO log VALUES (?, ?)", (room, shards))
            db.execute("COMMIT")
        finally:
            db.close()
        files.publish(draft, path)
    except (sqlite3.Error, OSError) as error:
        files.remove(draft)
        raise LogError(f"no log could be made at {path}: {error}") from error


def check_place(path: Path, files: Files = MACHINE) -> None:
    """Raise LogError unless a new log can stand at the path: SQLite would mix another one's remains into it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        remains = path.with_name(path.name + suffix)
        if files.exists(remains):
            why = "exists already" if not suffix else "is left of another log there"
            raise LogError(f"{remains} {why}: move it away, or choose another place")


def explain(path: Path, error: sqlite3.Error, remedy: str = "restore it from a backup or an export") -> LogError:
    """The sentence for an error of SQLite's while it reads; `remedy`: what to do about a damaged file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return NoLog(f"{path} is no SQLite database, so no log; choose the right file, or restore it from a backup")
    if code == sqlite3.SQLITE_CORRUPT or "no such table" in str(error) or "decode to UTF-8" in str(error):
        return CorruptLog(f"{path} is damaged ({error}); {remedy}")
    return LogError(f"{path} can't be read: {error}")
