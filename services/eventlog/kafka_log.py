"""The Kafka home: a partition is a shard's log, a record a commit, and the chain says which records count.

An append is recorded when the broker has put its records at exactly the offsets that come next: then nothing stands
between them and the head that they link to. After anything else the partition is read to its end to see what counts.

A local SQLite file, the index, holds the commits that were read or recorded and the streams that they touch. It may be
deleted at any time; it is built again from the partitions.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from domain.rules.phrases import counted
from services.eventlog import body
from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, BadRecord, Head, Record, check_room, parse
from services.eventlog.files import MACHINE, Lock
from services.eventlog.log import (
    Append,
    AppendRefused,
    AppendUnknown,
    CorruptLog,
    Entry,
    HeadMoved,
    LogError,
    LogInUse,
    NoLog,
    ReadOnly,
    Touch,
    VersionConflict,
)
from services.eventlog.sqlite_commits import Sealed, SqliteCommits
from services.eventlog.sqlite_file import build, connect
from services.kafka.clients import DELIVERY, BrokerAway
from services.kafka.partitions import Placed, Reader, Sender
from services.kafka.settings import Broker
from services.kafka.topics import create, log_topic, partitions_of

PATIENCE = DELIVERY / 1000 + 1
"""Seconds after which an append that the broker hasn't answered is unknown."""

_BATCH = 1_000
"""Commits taken over from a partition in one transaction of the index."""

Noticed = Callable[[int, int, str], object]
"""Told of each void record: its shard, its offset, and why it doesn't count."""

Readable = Callable[[body.Body], object]
"""Raises ValueError for a commit that this build can't read."""


class _Surprise(Exception):
    """The broker didn't put the records where they were expected, or didn't say where."""


class _Found(NamedTuple):
    """An accepted commit, and the offset at which it stands."""

    offset: int
    record: Record


class KafkaLog(SqliteCommits):
    """A room's log on a Kafka cluster. Make one with `create` or `open`; threads may share it.

    `voids`: how many void records were met, by shard. `stopped`: the shards that can't go on, each with the reason.
    """

    holds_voids = True
    remedy = "delete it: it is built again from Kafka"

    def __init__(
        self,
        broker: Broker,
        path: Path,
        connection: sqlite3.Connection,
        lock: Lock,
        *,
        write: bool,
        readable: Readable,
        copy: TemporaryDirectory[str] | None = None,
    ) -> None:
        """`path`, `connection`, `lock`: of the index, an SQLite file that nobody else writes. `copy`: the folder in
        which it lies, if that goes with this log."""
        super().__init__(path, connection, lock)
        topic = log_topic(self.room)
        self.broker = broker
        self.voids: Counter[int] = Counter()
        self.on_void: Noticed = lambda shard, offset, reason: None
        self._check_readable = readable
        self._may_write = write
        self._published = False
        self._copy = copy
        self._next: list[int | None] = [None] * self.shards
        """The offset after the last record that was read or recorded; None before the first look."""
        self._sender = Sender(broker, topic)
        self._reader = Reader(broker, topic)

    # Opening and closing

    @classmethod
    def create(cls, broker: Broker, room: str, index: Path, shards: int = 4, *, empty: bool = True) -> "KafkaLog":
        """A new log, open for writing: its topics are made where they aren't there, and must be empty if so.

        Raises LogError if the room has commits there already, BadRecord for a name that no record can carry.
        """
        check_room(room)
        if not 1 <= shards <= 1024:
            raise LogError(f"a log has 1 to 1024 shards, not {shards}")
        create(broker, room, shards)
        log = cls.open(broker, room, index)
        try:
            if log.shards != shards:
                raise LogError(f"topic {log_topic(room)} has {counted(log.shards, 'partition')} already, not {shards}")
            if empty and any(log.head(shard) != GENESIS for shard in range(shards)):
                raise LogError(f"Kafka at {broker} has a log of room {room} already: use it, or choose another name")
        except BaseException:
            log.close()
            raise
        return log

    @classmethod
    def open(
        cls,
        broker: Broker,
        room: str,
        index: Path,
        *,
        write: bool = True,
        alone: bool = False,
        readable: Readable = lambda said: None,
    ) -> "KafkaLog":
        """The room's log, read to its end. Who finds the index in use by another process goes on in a copy of it,
        unless he wants to be alone.

        Raises NoLog, LogInUse, CorruptLog, BrokerAway.
        """
        shards = partitions_of(broker, log_topic(room))
        if not shards:
            raise NoLog(f"Kafka at {broker} has no log of room {room}: `handlog init` makes one")
        copy, lock = None, None
        try:
            lock = MACHINE.lock(index)
        except LogInUse:
            if alone:
                raise
            copy = TemporaryDirectory(prefix="handlog-index-")
            index = _copied(index, Path(copy.name) / index.name)
            lock = MACHINE.lock(index)
        try:
            log = cls._with_index(broker, room, shards, index, lock, write=write, readable=readable, copy=copy)
        except BaseException:
            lock.release()
            raise
        try:
            for shard in range(shards):
                log.catch_up(shard)
        except BaseException:
            log.close()
            raise
        return log

    @classmethod
    def _with_index(cls, broker: Broker, room: str, shards: int, index: Path, lock: Lock, **how: Any) -> "KafkaLog":
        connection = _open_index(index, room, shards)
        try:
            return cls(broker, index, connection, lock, **how)
        except CorruptLog:  # it can't even say where it ends
            connection.close()
            return cls(broker, index, _new_index(index, room, shards), lock, **how)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        with self._mutex:
            super().close()
            self._sender.close()
            self._reader.close()
            if self._copy is not None:
                self._copy.cleanup()

    # Reading

    def catch_up(self, shard: int) -> int:
        """Take over what was appended to the partition since; the number of commits. Raises CorruptLog, BrokerAway.

        At an accepted commit that can't be read, or doesn't follow, the shard is stopped: it is never skipped.
        """
        with self._mutex:
            self._check_shard(shard)
            try:
                return self._catch_up(shard)
            except BaseException:
                self._next[shard] = None  # what was read and not taken over is read again
                raise

    def _catch_up(self, shard: int) -> int:
        head, taken, found = self._ends[shard][0], 0, list[_Found]()
        for offset, raw in self._unread(shard):
            verdict = accept(self.room, shard, head, raw)
            if isinstance(verdict, Void):
                self.voids[shard] += 1
                self.on_void(shard, offset, verdict.reason)
                continue
            found.append(_Found(offset, verdict))
            head = verdict.head
            if len(found) == _BATCH:
                taken += self._take_over(shard, found)
                found = []
        return taken + self._take_over(shard, found)

    def _unread(self, shard: int) -> Iterator[Placed]:
        """The records after those that were read, to the present end; none of a shard that is stopped."""
        if shard in self.stopped:
            return
        end = self._reader.end(shard)
        start = self._next[shard]
        if start is None:
            start = self._next[shard] = self._place_of_head(shard, end)
        elif end < start:
            raise BrokerAway(
                f"Kafka at {self.broker} ends shard {shard} at offset {end}, but had {counted(start, 'record')} of it: "
                "the broker that answers is behind, or records are lost"
            )
        for placed in self._reader.read(shard, start, end):
            self._next[shard] = placed.offset + 1
            yield placed
            if shard in self.stopped:
                return
        self._next[shard] = end

    def _place_of_head(self, shard: int, end: int) -> int:
        """The offset after the index's last commit: never before its height, and after it as many as are void."""
        begin, _ = self._reader.bounds(shard)
        if begin > 0:
            raise CorruptLog(
                f"the first {counted(begin, 'record')} of shard {shard} were deleted from {log_topic(self.room)}: "
                "bring the log back from an export, and let `handlog topics` say what lets Kafka delete"
            )
        head = self._ends[shard][0]
        if head == GENESIS:
            return 0
        for offset, raw in self._reader.read(shard, head.height, end):
            if _hash_of(raw) == head.hash:
                return offset + 1
        raise CorruptLog(
            f"the index {self.path} knows shard {shard} up to height {head.height}, but the partition hasn't that "
            "commit: Kafka has lost records, or this is another log; to go on from what Kafka has, delete the index"
        )

    def _take_over(self, shard: int, found: Sequence[_Found]) -> int:
        """Put accepted commits into the index; how many. The shard is stopped at the first that can't be."""
        sealed, unreadable = Sealed(shard, [], [], []), ""
        for one in found:
            try:
                sealed.touched.append(self._touches(one.record))
            except ValueError as error:
                unreadable = str(error)
                break
            sealed.heads.append(one.record.head)
            sealed.raws.append(one.record.raw)
        try:
            self._write([sealed], publish=False)
        except VersionConflict as error:
            if len(sealed.heads) > 1:
                return sum(self._take_over(shard, [one]) for one in found if shard not in self.stopped)
            self._stop(shard, found[0], str(error))
            return 0
        if unreadable:
            self._stop(shard, found[len(sealed.heads)], unreadable)
        return len(sealed.heads)

    def _stop(self, shard: int, found: _Found, reason: str) -> None:
        self.stopped[shard] = f"shard {shard} is stopped at height {found.record.height}: {reason}"

    def _touches(self, record: Record) -> Sequence[Touch]:
        """What the commit touches. Raises ValueError for one that can't be read."""
        said = body.decode(record.body)
        body.check(said)
        body.check_versions(said)
        self._check_readable(said)
        return body.touches(said.events)

    def head(self, shard: int) -> Head:
        with self._mutex:
            if not self._may_write:
                self.catch_up(shard)
            return super().head(shard)

    def raws(self, shard: int) -> Iterator[bytes]:
        """The partition's own records, whatever the index says; void ones too."""
        self._check_shard(shard)
        with closing(Reader(self.broker, log_topic(self.room))) as reader:
            for placed in reader.read(shard, 0):
                yield placed.raw

    # Writing

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        with self._mutex:
            self._check_writable()
            sealed = self._seal(Append(shard, expected, entries, claim))
            try:
                self._write([sealed])
            except _Surprise:
                return self._what_counts(expected, sealed)
            return sealed.heads

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        with self._mutex:
            try:
                self._check_writable()
                several = [self._seal(each) for each in appends]
                self._write(several)
            except (HeadMoved, VersionConflict, CorruptLog):
                return [self._append_alone(each) for each in appends]
            except _Surprise:
                return [self._what_counts_of(*each) for each in zip(appends, several, strict=True)]
            except LogError as error:
                return [error] * len(appends)
            return [each.heads for each in several]

    def _check_writable(self) -> None:
        if not self._may_write:
            raise ReadOnly(f"the log of {self.room} was opened for reading only")
        super()._check_writable()

    def _seal(self, append: Append) -> Sealed:
        self._check_shard(append.shard)
        if append.expected != self._ends[append.shard][0] or self._next[append.shard] is None:
            try:
                self.catch_up(append.shard)
            except BrokerAway as error:
                raise AppendRefused(f"{error}; nothing was recorded") from error
        if append.shard in self.stopped:
            raise CorruptLog(self.stopped[append.shard])
        return super()._seal(append)

    def _write(self, several: Sequence[Sealed], *, publish: bool = True) -> None:
        self._published = False
        super()._write(several, publish=publish)
        if self._published:
            for each in several:
                self._next[each.shard] = self._next_of(each.shard) + len(each.raws)

    def _publish(self, several: Sequence[Sealed]) -> None:
        """Send the records; raise _Surprise unless the broker puts them at the very next offsets."""
        records = [
            (each.shard, touches[0].stream.encode() if touches else b"", raw)
            for each in several
            for raw, touches in zip(each.raws, each.touched, strict=True)
        ]
        expected = [self._next_of(each.shard) + number for each in several for number in range(len(each.raws))]
        try:
            offsets = self._sender.send(records, PATIENCE)
        except BrokerAway as error:
            raise AppendRefused(f"{error}; nothing was recorded") from error
        if offsets != expected:
            raise _Surprise
        self._published = True

    def _next_of(self, shard: int) -> int:
        offset = self._next[shard]
        assert offset is not None, "a shard is read to its end before anything is appended to it"
        return offset

    def _what_counts(self, expected: Head, sealed: Sealed) -> list[Head]:
        """The heads, where all of the records turn out to count. Raises HeadMoved, AppendUnknown, CorruptLog where the
        shard is stopped at what stands there instead."""
        shard, heads = sealed.shard, sealed.heads
        try:
            self.catch_up(shard)
        except LogError as error:
            raise AppendUnknown(f"whether shard {shard} has what was sent is unknown: {error}") from error
        end = self._ends[shard][0]
        accepted = [
            head for head in heads if head.height <= end.height and self.record(shard, head.height).head == head
        ]
        if len(accepted) == len(heads):
            return heads
        if end.height > expected.height + len(accepted):
            raise HeadMoved(shard, expected, end, accepted)
        if shard in self.stopped and not accepted:
            raise CorruptLog(self.stopped[shard])
        raise AppendUnknown(
            f"Kafka didn't say whether it has {counted(len(heads) - len(accepted), 'commit')} that shard {shard} was "
            f"sent; it ends at height {end.height}",
            accepted,
        )

    def _what_counts_of(self, append: Append, sealed: Sealed) -> list[Head] | LogError:
        try:
            return self._what_counts(append.expected, sealed)
        except LogError as error:
            return error

    def _verdict(self, shards: Sequence[int], error: sqlite3.Error) -> LogError:
        """What an error of the index means: before the records were sent nothing was recorded, then it is unknown."""
        if not self._published:
            return AppendRefused(f"the index {self.path} can't be written ({error}); nothing was recorded")
        self._broken = f"the index {self.path} failed ({error}), but Kafka has what was sent: open the log again"
        return AppendUnknown(self._broken)

    def index_faults(self) -> Iterator[tuple[int, int, str]]:
        """Also where the index has another commit than the partition: its end is there, and what comes before is what
        that is chained to."""
        yield from super().index_faults()
        for shard in range(self.shards):
            with self._mutex:
                self._place_of_head(shard, self._reader.end(shard))
            height = 0
            try:
                for record in self.read(shard):
                    height = record.height + 1
            except CorruptLog as error:
                yield shard, height, f"the index hasn't the commit that Kafka has: {error}"


def _open_index(path: Path, room: str, shards: int) -> sqlite3.Connection:
    """The index at the path, made anew where there is none or it is none of this layout; another log's is refused."""
    if path.exists():
        try:
            db = connect(path, write=True, durable=False)
            found = db.execute("SELECT room, shards FROM log").fetchone()
            if tuple(found) == (room, shards):
                return db
            db.close()
            raise LogError(
                f"{path} is the index of room {found[0]} with {counted(found[1], 'shard')}, not of room {room} with "
                f"{shards}: use another home, or delete it"
            )
        except sqlite3.Error:
            pass
    return _new_index(path, room, shards)


def _new_index(path: Path, room: str, shards: int) -> sqlite3.Connection:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    build(path, room, shards)
    return connect(path, write=True, durable=False)


def room_of_index(path: Path) -> str | None:
    """The room whose index stands there; None where there is none that can be read."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            found = db.execute("SELECT room FROM log").fetchone()
    except sqlite3.Error:
        return None
    return None if found is None else str(found[0])


def _copied(index: Path, place: Path) -> Path:
    """A copy of an index that another process writes, as it stands now."""
    with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as source, closing(sqlite3.connect(place)) as copy:
        source.backup(copy)
    return place


def _hash_of(raw: bytes) -> str:
    try:
        return parse(raw).hash
    except BadRecord:
        return ""
