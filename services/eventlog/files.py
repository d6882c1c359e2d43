"""The files that an embedded log stands in: the machine's own, or a test's that fail as it is told."""

import os
import sqlite3
from pathlib import Path
from typing import Protocol

from services.eventlog.lock import WriterLock


class Lock(Protocol):
    """The right to write one log."""

    def release(self) -> None:
        """Give the right back; safe to call twice."""
        ...


class Files(Protocol):
    """All that an embedded log asks of the machine. Every method but `lock` may raise OSError or sqlite3.Error."""

    def exists(self, path: Path) -> bool:
        """Whether anything stands at the path."""
        ...

    def is_file(self, path: Path) -> bool:
        """Whether a file stands at the path."""
        ...

    def connect(self, path: Path, mode: str) -> sqlite3.Connection:
        """A connection without transactions of its own; `mode` is SQLite's: ro, rw, or rwc, which makes the file."""
        ...

    def lock(self, path: Path) -> Lock:
        """The right to write the log at the path. Raises LogInUse if another has it, LogError."""
        ...

    def remove(self, path: Path) -> None:
        """Remove a file; one that isn't there is as good."""
        ...

    def publish(self, draft: Path, path: Path) -> None:
        """Move a finished file to its place, durably."""
        ...


class MachineFiles:
    """The machine's own files."""

    def exists(self, path: Path) -> bool:
        return path.exists()

    def is_file(self, path: Path) -> bool:
        return path.is_file()

    def connect(self, path: Path, mode: str) -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode={_reading_mode(path) if mode == 'ro' else mode}"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    def lock(self, path: Path) -> Lock:
        return WriterLock(path)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def publish(self, draft: Path, path: Path) -> None:
        os.rename(draft, path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


MACHINE = MachineFiles()


def _reading_mode(path: Path) -> str:
    """A reader of a WAL file makes a -shm beside it; where nothing can be written, as on a backup, nobody writes the
    file either, so SQLite may be told that it doesn't change."""
    closed = not path.with_name(path.name + "-wal").exists()
    return "ro&immutable=1" if closed and not os.access(path.parent, os.W_OK) else "ro"
