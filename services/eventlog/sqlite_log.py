"""The embedded home: SQLite *is* the log (WAL, synchronous=FULL). One process writes; others may read meanwhile."""

import sqlite3
from pathlib import Path

from services.eventlog import commit
from services.eventlog.files import MACHINE, Files, Lock
from services.eventlog.log import CorruptLog, LogError, NoLog
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.sqlite_file import build, check_place, connect, explain


class SqliteLog(SqliteCommits):
    """A room's log in one SQLite file. Make one with `create` or `open`; threads may share it."""

    @classmethod
    def create(cls, path: Path | str, room: str, shards: int = 4, *, files: Files = MACHINE) -> "SqliteLog":
        """A new, empty log, open for writing. The caller appends the first commit of every shard.

        Raises LogError if something stands at the path, BadRecord for a room's name that no record can carry.
        """
        path = Path(path)
        commit.check_room(room)
        if not 1 <= shards <= 1024:
            raise LogError(f"a log has 1 to 1024 shards, not {shards}")
        check_place(path, files)
        lock = files.lock(path)
        try:
            build(path, room, shards, files)
        except BaseException:
            lock.release()
            raise
        return cls._opened(path, lock, files)

    @classmethod
    def open(cls, path: Path | str, *, write: bool = True, files: Files = MACHINE) -> "SqliteLog":
        """The log at the path; only one process at a time may have it open for writing.

        Raises NoLog (nothing there, or no log), LogInUse, CorruptLog.
        """
        path = Path(path)
        if not files.is_file(path):
            raise NoLog(f"there is no log at {path}: `handlog init` makes one")
        return cls._opened(path, files.lock(path) if write else None, files)

    @classmethod
    def _opened(cls, path: Path, lock: Lock | None, files: Files) -> "SqliteLog":
        """The log that stands there; the lock of its writer is given back if it can't be opened."""
        connection = None
        try:
            connection = connect(path, write=lock is not None, files=files)
            return cls(path, connection, lock)
        except BaseException as error:
            if connection is not None:
                connection.close()
            if lock is not None:
                lock.release()
            if isinstance(error, sqlite3.Error):
                raise explain(path, error) from error
            raise

    def check_heights(self) -> None:
        """Count the commits of every shard. Raises CorruptLog where some are missing before the last."""
        with self._reading() as db:
            for shard in range(self.shards):
                count, last = db.execute(f"SELECT count(*), max(height) FROM commits_{shard}").fetchone()
                if count and count != last + 1:
                    raise CorruptLog(
                        f"{self.path} is damaged: shard {shard} ends at height {last}, but has {count} commits; "
                        "restore it from a backup or an export"
                    )
