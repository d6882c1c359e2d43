"""A room's commits in one SQLite file, with the index by which streams are read: what both homes of a log share."""

import re
import sqlite3
import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

from services.eventlog import commit
from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, LARGEST_NUMBER, BadRecord, Head, Record
from services.eventlog.files import Lock
from services.eventlog.log import (
    Append,
    AppendRefused,
    AppendUnknown,
    Beginning,
    CorruptLog,
    Entry,
    HeadMoved,
    LogError,
    NoLog,
    Part,
    ReadOnly,
    Touch,
    VersionConflict,
    is_counted,
)
from services.eventlog.sqlite_file import APPLICATION_ID, connect, explain
from services.eventlog.sqlite_index import index_faults

_CHUNK = 256
"""Records fetched at once while reading; no lock is held between chunks."""

_SHORT = 5_000
"""Commits that are sooner looked through than all of a shard's streams."""

_OF_PATRONS = re.compile(rb'"stream":"(?:player|account):([a-z0-9]+)').findall

_REMEMBERED = 65_536
"""Streams whose last version is kept in memory."""

Stream = tuple[int, int, int, int]
"""What is remembered of a stream: its number in the index, its last version, 1 if its events count, else 0, and its
shard."""


class Sealed(NamedTuple):
    """One shard's records, ready to be written: the head after each, its bytes, what it touches."""

    shard: int
    heads: list[Head]
    raws: list[bytes]
    touched: list[Sequence[Touch]]


class SqliteCommits:
    """The commits in one SQLite file; threads may share it. What it is to a log, the classes of the two homes say."""

    holds_voids = False
    """Whether void records may stand among the commits without anything being wrong."""

    layouts: tuple[int, ...] = (1,)
    """Those of the file that can be read."""

    remedy = "restore it from a backup or an export"
    """What to do about the file when it is damaged."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Lock | None) -> None:
        self.path = path
        self.connection = connection
        """The one connection of this log, the writer's own when it was opened for writing."""
        self._lock = lock
        self._mutex = threading.RLock()
        self._broken: str | None = None
        self.room: str
        self.shards: int
        self.room, self.shards = self._settings()
        # A reader looks each time it is asked: an auditor can open a log whose last record is damaged.
        self._ends = [(GENESIS, 0) if lock is None else self._read_end(shard) for shard in range(self.shards)]
        self._versions: dict[str, Stream] = {}
        self.stopped: dict[int, str] = {}

    def close(self) -> None:
        with self._mutex:
            self._broken = f"{self.path} is closed"
            self.connection.close()
            if self._lock is not None:
                self._lock.release()

    def reader(self) -> "SqliteCommits":
        """Another handle on the same file, which reads what is recorded and waits for nothing."""
        return SqliteCommits(self.path, connect(self.path, write=False), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_pages(self) -> None:
        """Have SQLite look at every page of its file. Raises CorruptLog with what it found."""
        with self._reading() as db:
            found = [line for row in db.execute("PRAGMA quick_check(5)") for line in row[0].splitlines()]
        if found != ["ok"]:
            raise CorruptLog(f"{self.path} is damaged: {'; '.join(found)}; {self.remedy}")

    def _settings(self) -> tuple[str, int]:
        if self.connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise NoLog(f"{self.path} is an SQLite database, but no Handlog log")
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in self.layouts:
            raise NoLog(f"{self.path} has layout {version}; this build reads layout {max(self.layouts)}")
        settings = self.connection.execute("SELECT room, shards FROM log").fetchall()
        if [tuple(map(type, row)) for row in settings] != [(str, int)]:
            raise CorruptLog(
                f"{self.path} is damaged: it holds {settings!r:.60}, not one room and its number of shards"
            )
        ((room, shards),) = settings
        return room, shards

    # Writing

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        with self._mutex:
            self._check_writable()
            sealed = self._seal(Append(shard, expected, entries, claim))
            self._write([sealed])
            return sealed.heads

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        with self._mutex:
            try:
                self._check_writable()
                sealed = [self._seal(each) for each in appends]
                self._write(sealed)
            except (HeadMoved, VersionConflict):
                return [self._append_alone(each) for each in appends]
            except LogError as error:
                return [error] * len(appends)
            return [each.heads for each in sealed]

    def _append_alone(self, append: Append) -> list[Head] | LogError:
        try:
            return self.append(append.shard, append.expected, append.entries, claim=append.claim)
        except LogError as error:
            return error

    def _seal(self, append: Append) -> Sealed:
        head, _ = self._end(append.shard)
        if head != append.expected:
            raise HeadMoved(append.shard, append.expected, head)
        epoch = head.epoch + 1 if append.claim else max(head.epoch, 0)
        raws, heads = [], []
        for body, _ in append.entries:
            raw, head = commit.seal(self.room, append.shard, head, body, epoch)
            raws.append(raw)
            heads.append(head)
        return Sealed(append.shard, heads, raws, [touches for _, touches in append.entries])

    def store(self, shard: int, records: Sequence[tuple[Record, Sequence[Touch]]]) -> None:
        """Take over records of another home, byte for byte. LogError unless they continue the shard's chain."""
        with self._mutex:
            self._check_writable()
            head, _ = self._end(shard)
            for record, _ in records:
                verdict = accept(self.room, shard, head, record.raw)
                if isinstance(verdict, Void):
                    raise LogError(f"shard {shard}, height {head.height + 1}: {verdict.reason}")
                head = record.head
            heads, raws = [record.head for record, _ in records], [record.raw for record, _ in records]
            self._write([Sealed(shard, heads, raws, [touches for _, touches in records])])

    def _write(self, several: Sequence[Sealed], *, publish: bool = True) -> None:
        """One transaction: the records of some shards and what they touch."""
        several = [each for each in several if each.heads]
        if not several:
            return
        ends = {}
        with self._transaction([each.shard for each in several]):
            for each in several:
                ends[each.shard] = self._insert(each)
            if publish:
                self._publish(several)
        for shard, end in ends.items():
            self._ends[shard] = end

    def _publish(self, several: Sequence[Sealed]) -> None:
        """What must have happened before the transaction ends; where it raises, nothing is written."""

    def _insert(self, sealed: Sealed) -> tuple[Head, int]:
        """Write one shard's records; its end after them."""
        shard, heads, raws, touched = sealed
        _, counted = self._end(shard)
        rows: list[tuple[int, int, bytes]] = []
        touch_rows: list[tuple[int, int, int, int]] = []
        for (height, _, _), raw, touches in zip(heads, raws, touched, strict=True):
            for stream, first, last in touches:
                number, weight = self._advance(shard, stream, first, last)
                touch_rows.append((number, first, last, height))
                counted += weight * (last - first + 1)
            rows.append((height, counted, raw))
        self.connection.executemany(f"INSERT INTO commits_{shard} VALUES (?, ?, ?)", rows)
        self.connection.executemany("INSERT INTO touches VALUES (?, ?, ?, ?)", touch_rows)
        return heads[-1], counted

    def _advance(self, shard: int, stream: str, first: int, last: int) -> tuple[int, int]:
        """Check that the versions continue the stream, remember its new end; its number, and 1 if its events count."""
        known = self._versions.get(stream) or self._find_stream(stream)
        if known is None:
            known = self._open_stream(shard, stream, first)
        number, version, weight, own = known
        if shard != own:
            raise VersionConflict(f"{stream} stands in shard {own}, not in shard {shard}")
        if first != version + 1:
            raise VersionConflict(f"{stream} stands at version {version}: its next event is {version + 1}, not {first}")
        if last < first:
            raise VersionConflict(f"{stream}: a commit can't touch versions {first} to {last}")
        self._versions[stream] = number, last, weight, own
        return number, weight

    def _open_stream(self, shard: int, stream: str, first: int) -> Stream:
        if first != 1 and not (first == 0 and stream.startswith("opaque:")):
            raise VersionConflict(f"{stream} isn't open: its first event has version 1, not {first}")
        added = self.connection.execute("INSERT INTO streams (name, shard) VALUES (?, ?)", (stream, shard))
        assert added.lastrowid is not None
        return added.lastrowid, first - 1, int(is_counted(stream)), shard

    def _find_stream(self, stream: str) -> Stream | None:
        found = self.connection.execute(
            "SELECT id, (SELECT last FROM touches WHERE stream = id ORDER BY first DESC LIMIT 1), shard "
            "FROM streams WHERE name = ?",
            (stream,),
        ).fetchone()
        return None if found is None else (found[0], found[1], int(is_counted(stream)), found[2])

    @contextmanager
    def _transaction(self, shards: Sequence[int]) -> Iterator[None]:
        """All or nothing, in the file and in what this object remembers."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            self._versions.clear()
            self._undo()
            if isinstance(error, sqlite3.Error):
                raise self._verdict(shards, error) from error
            raise
        if len(self._versions) > _REMEMBERED:
            self._versions.clear()

    def _undo(self) -> None:
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self._broken = f"{self.path} can't be written any more ({error}): open it again"

    def _verdict(self, shards: Sequence[int], error: sqlite3.Error) -> LogError:
        """What a failed transaction means. A full disk and a lock are met before the commit; no other error is sure."""
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL:
            return AppendRefused(f"{self.path}: the disk is full; nothing was recorded. Make room and try again")
        if code is not None and code & 0xFF == sqlite3.SQLITE_BUSY:
            return AppendRefused(
                f"{self.path} is locked by another program; nothing was recorded. Close it and try again"
            )
        if isinstance(error, sqlite3.IntegrityError):
            for shard in shards:
                expected = self._ends[shard][0]
                self._ends[shard] = self._read_end(shard)
                if self._ends[shard][0] != expected:
                    return HeadMoved(shard, expected, self._ends[shard][0])
        self._broken = f"{self.path} failed while it was written ({error}): open it again to see what was recorded"
        return AppendUnknown(self._broken)

    def _check_writable(self) -> None:
        if self._lock is None:
            raise ReadOnly(f"{self.path} is open for reading only")
        if self._broken is not None:
            raise AppendUnknown(self._broken)

    # Reading

    def head(self, shard: int) -> Head:
        with self._mutex:
            return self._end(shard)[0]

    def catch_up(self, shard: int) -> int:
        """Nothing: whoever reads this file looks each time, and whoever writes it is alone."""
        self._check_shard(shard)
        return 0

    def unread(self, shard: int) -> int:
        return 0

    def tables(self, shard: int, after: int = -1) -> list[str]:
        self._check_shard(shard)
        query = (
            "SELECT name, (SELECT height FROM touches WHERE stream = id ORDER BY first LIMIT 1) AS opened "
            "FROM streams WHERE shard = ? AND name GLOB 'table:*' AND opened > ? ORDER BY opened"
        )
        with self._reading() as db:
            return [name.removeprefix("table:") for name, _ in db.execute(query, (shard, after))]

    def patrons(self, shard: int, after: int = -1) -> set[str]:
        if after >= 0 and self.head(shard).height - after <= _SHORT:
            return {name.decode() for raw in self._raws(shard, after + 1) for name in _OF_PATRONS(raw)}
        self._check_shard(shard)
        query = (
            "SELECT name FROM streams WHERE shard = :shard AND (name GLOB 'player:*' OR name GLOB 'account:*') AND "
            "(:after < 0 OR (SELECT height FROM touches WHERE stream = id ORDER BY first DESC LIMIT 1) > :after)"
        )
        with self._reading() as db:
            found = db.execute(query, {"shard": shard, "after": after})
            return {name.split(":")[1] for (name,) in found}

    def began(self, shard: int) -> Beginning | None:
        return None

    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        head = self.record(shard, start - 1).head if start > 0 else GENESIS
        for raw in self._raws(shard, start):
            record = accept(self.room, shard, head, raw)
            if isinstance(record, Void):
                raise CorruptLog(f"{self.path}: shard {shard}, height {head.height + 1}: {record.reason}")
            yield record
            head = record.head

    def raws(self, shard: int) -> Iterator[bytes]:
        return self._raws(shard, 0)

    def _raws(self, shard: int, start: int) -> Iterator[bytes]:
        self._check_shard(shard)
        query = (
            f"SELECT height, record FROM commits_{shard} WHERE height BETWEEN ? AND ? ORDER BY height LIMIT {_CHUNK}"
        )
        with self._reading() as db:
            (end,) = db.execute(f"SELECT max(height) FROM commits_{shard}").fetchone()
        while True:
            with self._reading() as db:
                rows = db.execute(query, (start, end)).fetchall()
            for height, raw in rows:
                yield self._blob(shard, height, raw)
            if len(rows) < _CHUNK:
                return
            start = rows[-1][0] + 1

    def record(self, shard: int, height: int) -> Record:
        self._check_shard(shard)
        with self._reading() as db:
            row = db.execute(f"SELECT record FROM commits_{shard} WHERE height = ?", (height,)).fetchone()
        if row is None:
            raise IndexError(f"shard {shard} of {self.room} has no commit of height {height}")
        return self._parse(shard, self._blob(shard, height, row[0]))

    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        shard = self._shard_of(stream)
        if shard is None:
            return iter(())
        low, high = 0 if gt is None else gt + 1, LARGEST_NUMBER if lte is None else lte
        return (self._parse(shard, raw) for raw, _, _, _ in self._touching(shard, stream, low, high))

    def stream_parts(
        self,
        stream: str,
        gt: int | None = None,
        lte: int | None = None,
        *,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[Part]:
        shard = self._shard_of(stream)
        if shard is None:
            return []
        low, high = 0 if gt is None else gt + 1, LARGEST_NUMBER if lte is None else lte
        return [
            Part(height, commit.body_of(raw) or self._parse(shard, raw).body, max(first, low), min(last, high))
            for raw, first, last, height in self._touching(shard, stream, low, high, desc, limit)
        ]

    def stream_version(self, stream: str) -> int | None:
        with self._reading():
            known = self._versions.get(stream) or self._find_stream(stream)
        return None if known is None else known[1]

    def counted(self, shard: int, height: int | None = None) -> int:
        with self._mutex:
            return self._end(shard)[1] if height is None else self._counted_at(shard, height)

    def numbered(self, shard: int, start: int) -> Iterator[tuple[int, Record]]:
        with self._mutex:
            head, total = self._end(shard)
            if start > total:
                return
            height = bisect_left(range(head.height + 1), start, key=lambda height: self._counted_at(shard, height))
        while height <= head.height:
            yield self._counted_at(shard, height - 1), self.record(shard, height)
            height += 1

    def _counted_at(self, shard: int, height: int) -> int:
        if height < 0:
            return 0
        with self._reading() as db:
            row = db.execute(f"SELECT counted FROM commits_{shard} WHERE height = ?", (height,)).fetchone()
        if row is None:
            raise IndexError(f"shard {shard} of {self.room} has no commit of height {height}")
        total: int = row[0]
        return total

    def index_faults(self) -> Iterator[tuple[int, int, str]]:
        self.check_pages()
        with self._reading() as db:
            yield from index_faults(db, self.shards)

    def _touching(
        self, shard: int, stream: str, low: int, high: int, desc: bool = False, limit: int | None = None
    ) -> list[tuple[bytes, int, int, int]]:
        """(record, first version, last version, height) of the commits with versions of the stream in those bounds."""
        query = (
            f"SELECT record, first, last, height FROM streams "
            f"JOIN touches ON stream = id JOIN commits_{shard} USING (height) "
            f"WHERE name = ? AND last >= ? AND first <= ? ORDER BY first {'DESC' if desc else 'ASC'} LIMIT ?"
        )
        with self._reading() as db:
            rows = db.execute(query, (stream, low, high, -1 if limit is None else limit)).fetchall()
        return [(self._blob(shard, height, raw), first, last, height) for raw, first, last, height in rows]

    def _shard_of(self, stream: str) -> int | None:
        with self._reading() as db:
            row = db.execute("SELECT shard FROM streams WHERE name = ?", (stream,)).fetchone()
        return None if row is None else row[0]

    def _end(self, shard: int) -> tuple[Head, int]:
        """The shard's head and its counted events. A reader looks each time, since another process writes."""
        self._check_shard(shard)
        if self._lock is None:
            self._ends[shard] = self._read_end(shard)
        return self._ends[shard]

    def _read_end(self, shard: int) -> tuple[Head, int]:
        with self._reading() as db:
            row = db.execute(f"SELECT counted, record FROM commits_{shard} ORDER BY height DESC LIMIT 1").fetchone()
        return (GENESIS, 0) if row is None else (self._parse(shard, self._blob(shard, -1, row[1])).head, row[0])

    def _blob(self, shard: int, height: int, value: Any) -> bytes:
        """The bytes of a record: in a damaged file something else may stand there."""
        if type(value) is not bytes:
            raise CorruptLog(f"{self.path}: shard {shard}, height {height}: there is no record but {value!r:.60}")
        return value

    def _parse(self, shard: int, raw: bytes) -> Record:
        """A record that was accepted before; that its bytes are still the same is checked."""
        try:
            record = commit.parse(raw)
        except BadRecord as error:
            raise CorruptLog(f"{self.path}: a record of shard {shard}: {error}") from error
        if record.digest != sha256(record.body).hexdigest():
            raise CorruptLog(f"{self.path}: shard {shard}, height {record.height}: the body was changed")
        return record

    def _check_shard(self, shard: int) -> None:
        if not 0 <= shard < self.shards:
            raise LogError(f"the log of {self.room} has shards 0 to {self.shards - 1}, not {shard}")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            try:
                yield self.connection
            except sqlite3.Error as error:
                raise explain(self.path, error, self.remedy) from error
