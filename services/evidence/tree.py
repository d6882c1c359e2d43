"""The trees of a room's shards, kept in a file beside the log so that no proof has to read the log again.

All of it comes from the log, and the file can be deleted at any time: it is built again, as it is whenever it is found
damaged or to be another log's. Each node carries a checksum, so that damage is seen where it is read; whoever *changes*
the file on purpose is found out by the signed checkpoints, which no proof from it will fit.

Table: `nodes` (shard, level, place, hash, checksum), one row for each complete subtree, as `merkle` numbers them.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from services.eventlog import sqlite_file
from services.eventlog.log import Log, LogError
from services.evidence import merkle
from services.evidence.merkle import leaf_hash

APPLICATION_ID = 0x484C5452
"""Marks the file as Handlog's trees, for `file` and for us ("HLTR")."""

LAYOUT = 1

STEP = 10_000
"""Leaves that are written at once; another process waits at most for so many."""

_PATIENCE = 30
"""Seconds that one process waits for another to finish writing."""

_SCHEMA = """
CREATE TABLE nodes (
    shard INTEGER NOT NULL, level INTEGER NOT NULL, place INTEGER NOT NULL,
    hash BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (shard, level, place)
) WITHOUT ROWID
"""

_DAMAGE = {
    sqlite3.SQLITE_ERROR,  # such as a table that isn't there
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_READONLY_DBMOVED,  # deleted while it was open
}

_T = TypeVar("_T")


class BrokenTree(LogError):
    """The file is damaged, gone, or another log's. The store mends that; what reaches the caller was broken twice."""


class TreeStore:
    """The trees in the file at a path, made if it isn't there. For one thread; several processes may share the file.

    A tree answers for the commits that `catch_up` brought into it. LogError says what is wrong with a question, or why
    the file can't be read or written (a full disk, a place that may not be written to).
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._log: Log | None = None
        self._reached: dict[int, int] = {}
        """The shards that were caught up with that log, and the sizes to which they came."""
        self._db: sqlite3.Connection
        self._file: tuple[int, int]
        self._open()

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        self._db.close()

    def __enter__(self) -> "TreeStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Asking

    def size(self, shard: int) -> int:
        """The leaves of the shard's tree: its commits of heights 0 to size - 1."""
        return self._mending(lambda: self._covered(shard))

    def root(self, shard: int, size: int) -> bytes:
        """The root over the shard's first `size` commits."""
        return self._answer(shard, size, lambda nodes: merkle.root_at(nodes, size))

    def inclusion(self, shard: int, index: int, size: int) -> list[bytes]:
        """The audit path of the commit of height `index` in the tree of the first `size`."""
        if not 0 <= index < size:
            raise LogError(f"a tree of {size} commits has none of height {index}: heights begin at 0")
        return self._answer(shard, size, lambda nodes: merkle.inclusion_proof(nodes, index, size))

    def consistency(self, shard: int, old: int, new: int) -> list[bytes]:
        """Proof that the tree of the first `new` commits begins with that of the first `old`."""
        if not 0 <= old <= new:
            raise LogError(f"a tree of {new} commits can't have grown from one of {old}: the smaller one comes first")
        return self._answer(shard, new, lambda nodes: merkle.consistency_proof(nodes, old, new))

    def _answer(self, shard: int, size: int, ask: Callable[[merkle.Nodes], _T]) -> _T:
        def answer() -> _T:
            covered = self._covered(shard)
            if not 0 <= size <= covered:
                raise LogError(f"the tree of shard {shard} covers {covered} commits, not {size}: catch up with the log")
            return ask(self._nodes(shard))

        return self._mending(answer)

    # Growing

    def catch_up(self, log: Log, shard: int, step: int = STEP) -> int:
        """Append what the shard's log has beyond its tree, `step` leaves at a time, each time all or none.

        A tree whose last leaf isn't the log's record of that height is another log's: the file is built again. Returns
        the new size. Raises LogError; CorruptLog is the log's own.
        """
        if step < 1:
            raise ValueError(f"a step of {step} leaves leads nowhere: take at least 1")
        if log is not self._log:
            self._log, self._reached = log, {}
        self._reached.setdefault(shard, 0)
        return self._mending(lambda: self._grow(log, shard, step))

    def renew(self, log: Log, shard: int) -> int:
        """Build the shard's tree again from nothing but its log: it doesn't fit what was signed. Returns its size."""
        self._db.close()
        self._remove()
        self._open()
        self._reached.clear()
        return self.catch_up(log, shard)

    def frontier(self, shard: int, size: int) -> merkle.Frontier:
        """The tree of the shard's first `size` commits, to go on from."""
        return self._answer(shard, size, lambda nodes: merkle.frontier_at(nodes, size))

    def _grow(self, log: Log, shard: int, step: int) -> int:
        size, end = self._size(shard), log.head(shard).height + 1
        if size > end:
            raise BrokenTree(f"{self._path} covers {size} commits of shard {shard}, its log has {end}")
        self._check_last(log, shard, size)
        while size < end:
            with self._writing():
                size = self._append(log, shard, step)
        self._reached[shard] = size
        return self._covered(shard)

    def _append(self, log: Log, shard: int, step: int) -> int:
        # Asked again: another process may have written in between.
        frontier = merkle.frontier_at(self._nodes(shard), self._size(shard))
        leaves = [leaf_hash(bytes.fromhex(record.hash)) for record in islice(log.read(shard, frontier.size), step)]
        made = [node for leaf in leaves for node in frontier.append(leaf)]
        with self._explained():
            self._db.executemany(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?)",
                [(shard, level, place, node, _checksum(shard, level, place, node)) for level, place, node in made],
            )
        return frontier.size

    def _check_last(self, log: Log, shard: int, size: int) -> None:
        """The last leaf speaks for all before it: the records are chained."""
        if size and self._nodes(shard)(0, size - 1) != leaf_hash(bytes.fromhex(log.record(shard, size - 1).hash)):
            raise BrokenTree(f"{self._path} is another log's: its commit {size - 1} of shard {shard} isn't this one's")

    # The file

    def _covered(self, shard: int) -> int:
        """The size. It can't fall back: where the order of the rows is damaged, rows that are there aren't found."""
        size, reached = self._size(shard), self._reached.get(shard, 0)
        if size < reached:
            raise BrokenTree(f"{self._path} is damaged: of {reached} commits of shard {shard} it finds {size}")
        return size

    def _size(self, shard: int) -> int:
        ((last,),) = self._ask("SELECT max(place) FROM nodes WHERE shard = ? AND level = 0", shard)
        if last is None:
            return 0
        if not isinstance(last, int) or last < 0:
            raise BrokenTree(f"{self._path} is damaged: the last leaf of shard {shard} stands at {last!r}")
        return last + 1

    def _nodes(self, shard: int) -> merkle.Nodes:
        def node(level: int, place: int) -> bytes:
            rows = self._ask(
                "SELECT hash, checksum FROM nodes WHERE shard = ? AND level = ? AND place = ?", shard, level, place
            )
            for found, checksum in rows:
                if isinstance(found, bytes) and checksum == _checksum(shard, level, place, found):
                    return found
            raise BrokenTree(f"{self._path} is damaged: node {level}/{place} of shard {shard} isn't what it was")

        return node

    def _mending(self, ask: Callable[[], _T]) -> _T:
        """The answer; if the file turns out to be broken, the answer of another one, built from the log."""
        try:
            return ask()
        except BrokenTree:
            self._start_over()
            if self._log is not None:
                for shard in self._reached:
                    self._grow(self._log, shard, STEP)
            return ask()

    def _start_over(self) -> None:
        # What was deleted under our hands may have been made anew by another process: that one is sound.
        ours = self._identity() == self._file
        self._db.close()
        if ours:
            self._remove()
        self._open()

    def _open(self) -> None:
        try:
            self._connect()
        except BrokenTree:
            self._remove()
            self._connect()
        self._file = self._identity()

    def _connect(self) -> None:
        with self._explained():
            self._db = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        # No waiting for the disk: a node never changes, so what a power cut leaves is right, or seen to be missing.
        self._ask("PRAGMA synchronous = OFF")
        if self._marks() == (0, 0):
            with self._writing():
                if not self._ask("SELECT 1 FROM sqlite_master"):
                    self._ask(_SCHEMA)
                    self._ask(f"PRAGMA application_id = {APPLICATION_ID}")
                    self._ask(f"PRAGMA user_version = {LAYOUT}")
        if self._marks()[0] == sqlite_file.APPLICATION_ID:
            raise LogError(f"{self._path} is a log: the trees beside it need a file of their own")
        if self._marks() != (APPLICATION_ID, LAYOUT):
            raise BrokenTree(f"{self._path} is no file of trees")

    def _marks(self) -> tuple[int, int]:
        return self._ask("PRAGMA application_id")[0][0], self._ask("PRAGMA user_version")[0][0]

    def _identity(self) -> tuple[int, int]:
        """Which file stands at the path."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return (0, 0)
        return (found.st_dev, found.st_ino)

    def _remove(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _ask(self, statement: str, *arguments: int) -> list[tuple[Any, ...]]:
        with self._explained():
            return self._db.execute(statement, arguments).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction."""
        self._ask("BEGIN IMMEDIATE")
        try:
            yield
            self._ask("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._ask("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's errors as ours."""
        try:
            yield
        except sqlite3.ProgrammingError:  # a closed store, or another thread: the file is as it was
            raise
        except UnicodeError as error:  # in the description of its tables
            raise BrokenTree(f"{self._path} is damaged ({error})") from error
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # Python's own errors have none
            if code in _DAMAGE or code & 0xFF in _DAMAGE:
                raise BrokenTree(f"{self._path} is damaged ({error})") from error
            raise LogError(f"the trees in {self._path} can't be read or written: {error}") from error


def _checksum(shard: int, level: int, place: int, node: bytes) -> int:
    return crc32(b"%d %d %d %b" % (shard, level, place, node))
