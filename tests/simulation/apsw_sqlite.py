# ruff: noqa: N802 -- SQLite calls its files by names of its own
"""Real SQLite on a faulty disk, seen as the standard library's `sqlite3`: the product's log runs on it as it is.

`apsw` brings an SQLite of its own whose files can be anybody's. It has no shared memory for them, so a connection takes
the file for itself (locking_mode EXCLUSIVE) and keeps the index of the WAL in its own memory: a reader beside a writer
is told that the database is locked. Close each log, or end its process: one that is only dropped is closed when Python
likes, and a seed doesn't reproduce its run.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from errno import ENOSPC
from itertools import count
from pathlib import Path
from typing import Any, cast

import apsw

from services.eventlog.log import LogInUse
from tests.simulation.faulty_disk import Crash, Disk, OpenFile

PAGES = 1000
"""Pages in the WAL at which it is copied into the database: SQLite's own number."""

_KINDS: dict[int, type[sqlite3.Error]] = {
    apsw.SQLITE_CONSTRAINT: sqlite3.IntegrityError,
    apsw.SQLITE_MISMATCH: sqlite3.IntegrityError,
    apsw.SQLITE_INTERNAL: sqlite3.InternalError,
    apsw.SQLITE_NOTFOUND: sqlite3.InternalError,
    apsw.SQLITE_MISUSE: sqlite3.InterfaceError,
    apsw.SQLITE_RANGE: sqlite3.InterfaceError,
    apsw.SQLITE_TOOBIG: sqlite3.DataError,
    apsw.SQLITE_CORRUPT: sqlite3.DatabaseError,
    apsw.SQLITE_NOTADB: sqlite3.DatabaseError,
}
"""The class that the standard library gives an error of SQLite's; all others are OperationalError."""

_numbers = count()


class DiskFiles:
    """What an embedded log asks of the machine (`services.eventlog.files.Files`), on a faulty disk.

    Stands for one process: after a crash or a power cut take a new one.
    """

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.boot = disk.boots
        self._vfs = _Vfs(disk)

    def exists(self, path: Path) -> bool:
        return str(path) in self.disk.names

    def is_file(self, path: Path) -> bool:
        return self.exists(path)

    def connect(self, path: Path, mode: str) -> sqlite3.Connection:
        return cast(sqlite3.Connection, Connection(self.disk, self._vfs.name, str(path), mode))

    def lock(self, path: Path) -> "DiskLock":
        return DiskLock(self.disk, str(path))

    def remove(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            self.disk.remove(str(path), self.boot)

    def publish(self, draft: Path, path: Path) -> None:
        self.disk.rename(str(draft), str(path), self.boot)
        self.disk.sync_directory(self.boot)


class DiskLock:
    """The right to write a log on the disk; it ends with the process."""

    def __init__(self, disk: Disk, path: str) -> None:
        if path in disk.locked:
            raise LogInUse(f"{path} is in use by another process: one process writes a log")
        disk.locked.add(path)
        self._disk, self._path, self._boot = disk, path, disk.boots

    def release(self) -> None:
        if self._boot == self._disk.boots:
            self._disk.locked.discard(self._path)


class Connection:
    """The part of `sqlite3.Connection` that the log uses."""

    def __init__(self, disk: Disk, vfs: str, name: str, mode: str) -> None:
        self._disk, self._boot = disk, disk.boots
        # A reader, too, must be able to recover the WAL: it is kept from writing by query_only instead.
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if mode == "rwc" else 0)
        try:
            self._apsw = apsw.Connection(name, flags, vfs)
        except apsw.Error as error:
            raise _translated(error) from error
        self._apsw.set_wal_hook(_checkpoint)
        self.execute("PRAGMA locking_mode = EXCLUSIVE")
        if mode == "ro":
            self.execute("PRAGMA query_only = 1")

    def execute(self, sql: str, parameters: Any = ()) -> "Cursor":
        return self._run(self._apsw.execute, sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any]) -> "Cursor":
        return self._run(self._apsw.executemany, sql, parameters)

    def executescript(self, script: str) -> "Cursor":
        return self.execute(script)

    def _run(self, call: Callable[..., apsw.Cursor], sql: str, parameters: Any) -> "Cursor":
        """Run a statement to its end, so that all it meets is raised here; as the standard library raises it."""
        try:
            return Cursor(call(sql, parameters).fetchall(), self._apsw.last_insert_rowid())
        except apsw.Error as error:
            raise _translated(error) from error
        except UnicodeDecodeError as error:  # a text of a damaged file
            raise sqlite3.OperationalError(f"Could not decode to UTF-8: {error}") from error

    @property
    def in_transaction(self) -> bool:
        return self._apsw.in_transaction

    def close(self) -> None:
        """Let go of the file. As in the standard library, SQLite's troubles in doing so are nobody's."""
        with suppress(apsw.Error):
            self._apsw.close()
        if self._disk.is_gone(self._boot):
            raise Crash("this process has ended")

    def __del__(self) -> None:
        if hasattr(self, "_apsw"):
            with suppress(Crash):  # whoever let go of this connection has met it
                self.close()


class Cursor:
    """The part of `sqlite3.Cursor` that the log uses."""

    def __init__(self, rows: list[Any], lastrowid: int) -> None:
        self._rows = iter(rows)
        self.lastrowid = lastrowid

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows


def _translated(error: apsw.Error) -> sqlite3.Error:
    code: int = getattr(error, "extendedresult", apsw.SQLITE_ERROR)
    translated = _KINDS.get(code & 0xFF, sqlite3.OperationalError)(str(error))
    translated.sqlite_errorcode = code
    names = apsw.mapping_extended_result_codes if code > 0xFF else apsw.mapping_result_codes
    translated.sqlite_errorname = str(names[code])
    return translated


def _checkpoint(db: apsw.Connection, name: str, pages: int) -> int:
    """SQLite's own automatic checkpoint, which passes over a failure; apsw would raise it at a COMMIT that is done."""
    if pages >= PAGES:
        with suppress(apsw.Error):
            db.wal_checkpoint(name)
    return apsw.SQLITE_OK


def _failure(error: OSError, code: int) -> Exception:
    """What SQLite is told of a call that failed, `code` unless the disk is full."""
    told = apsw.exception_for(apsw.SQLITE_FULL if error.errno == ENOSPC else code)
    told.args = (str(error),)
    return told


class _Vfs(apsw.VFS):
    """The disk, as SQLite calls it. It unregisters itself when nobody holds it any more."""

    def __init__(self, disk: Disk) -> None:
        self.name = f"disk-{next(_numbers)}"
        self._disk, self._boot = disk, disk.boots
        super().__init__(self.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        given = name.filename() if isinstance(name, apsw.URIFilename) else name
        try:
            file = self._disk.open(given, self._boot, make=bool(flags[0] & apsw.SQLITE_OPEN_CREATE))
        except OSError as error:
            raise _failure(error, apsw.SQLITE_CANTOPEN) from error
        flags[1] = flags[0]
        beside = flags[0] & (apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL)
        return cast(apsw.VFSFile, _VfsFile(file, bool(beside)))

    def xDelete(self, filename: str, syncdir: bool) -> None:
        try:
            self._disk.remove(filename, self._boot)
            if syncdir:
                self._disk.sync_directory(self._boot)
        except FileNotFoundError as error:
            raise _failure(error, apsw.SQLITE_IOERR_DELETE_NOENT) from error
        except OSError as error:
            raise _failure(error, apsw.SQLITE_IOERR_DIR_FSYNC) from error

    def xAccess(self, pathname: str, flags: int) -> bool:
        return pathname in self._disk.names

    def xFullPathname(self, name: str) -> str:
        return name


class _VfsFile:
    """One open file, as SQLite calls it."""

    def __init__(self, file: OpenFile, beside: bool) -> None:
        self._file = file
        self._names_unsafe = beside
        """As SQLite does it on Unix: the first sync of a journal or WAL syncs the directory too.

        There it passes over the directory's failure, which could lose the name of a WAL; here it is told.
        """

    def xRead(self, amount: int, offset: int) -> bytes:
        try:
            return self._file.read(amount, offset)
        except OSError as error:
            raise _failure(error, apsw.SQLITE_IOERR_READ) from error

    def xWrite(self, data: Any, offset: int) -> None:
        try:
            self._file.write(bytes(data), offset)
        except OSError as error:
            raise _failure(error, apsw.SQLITE_IOERR_WRITE) from error

    def xTruncate(self, size: int) -> None:
        try:
            self._file.truncate(size)
        except OSError as error:
            raise _failure(error, apsw.SQLITE_IOERR_TRUNCATE) from error

    def xSync(self, flags: int) -> None:
        try:
            self._file.sync()
            if self._names_unsafe:
                self._file.disk.sync_directory(self._file.boot)
                self._names_unsafe = False
        except OSError as error:
            raise _failure(error, apsw.SQLITE_IOERR_FSYNC) from error

    def xFileSize(self) -> int:
        return self._file.size()

    def xLock(self, level: int) -> None:
        """SHARED 1, RESERVED 2, EXCLUSIVE 4: who reads keeps others from EXCLUSIVE, who writes from RESERVED."""
        if self._file.disk.is_gone(self._file.boot):
            raise Crash("this process has ended")
        locks = self._file.stored.locks
        highest = max((held for who, held in locks.items() if who is not self), default=0)
        if highest >= {1: 3, 2: 2, 3: 2, 4: 1}[level]:
            raise apsw.BusyError("another connection has the file")
        locks[self] = max(level, locks.get(self, 0))

    def xUnlock(self, level: int) -> None:
        self._file.stored.locks[self] = level

    def xCheckReservedLock(self) -> bool:
        return any(held >= 2 for held in self._file.stored.locks.values())

    def xSectorSize(self) -> int:
        return 4096

    def xDeviceCharacteristics(self) -> int:
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xFileControl(self, op: int, ptr: int) -> bool:
        return False

    def xClose(self) -> None:
        self._file.stored.locks.pop(self, None)
