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
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from domain.rules.phrases import counted
from services.eventlog import body
from services.eventlog.begun_index import BegunIndex, Filled, prepare
from services.eventlog.commit import GENESIS, Head, Record, check_room
from services.eventlog.files import MACHINE, Lock
from services.eventlog.log import (
    Append,
    AppendRefused,
    AppendUnknown,
    Beginning,
    CorruptLog,
    Entry,
    HeadMoved,
    LogError,
    LogInUse,
    NoLog,
    NotHereYet,
    ReadOnly,
    Touch,
    VersionConflict,
)
from services.eventlog.placed import Found, Noticed, following, linked, with_hash
from services.eventlog.sqlite_commits import Sealed
from services.eventlog.sqlite_file import build, connect
from services.kafka.clients import DELIVERY, BrokerAway
from services.kafka.partitions import Placed, Reader, Sender
from services.kafka.settings import Broker
from services.kafka.topics import create, log_topic, partitions_of

PATIENCE = DELIVERY / 1000 + 1
"""Seconds after which an append that the broker hasn't answered is unknown."""

_BATCH = 1_000
"""Commits taken over from a partition in one transaction of the index."""

_SOON = 5.0
"""Seconds to wait for a record of the earlier part: who reads it may be told to end."""

_VOIDS = 1_000
"""The most void records among which a single commit is looked for."""

Readable = Callable[[body.Body], object]
"""Raises ValueError for a commit that this build can't read."""


BeginAt = Callable[["KafkaLog", int], Beginning | None]
"""Where the index of a shard is to begin that has none yet; None: at the first commit."""


class _Surprise(Exception):
    """The broker didn't put the records where they were expected, or didn't say where."""


class KafkaLog(BegunIndex):
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
        self._earlier: dict[int, Iterator[Found]] = {}
        """What comes next of the parts that are still to be read, by shard."""
        self._next: list[int | None] = [None] * self.shards
        """The offset after the last record that was read or recorded; None before the first look."""
        self._unread_records = [0] * self.shards
        self._sender = Sender(broker, topic)
        self._reader = Reader(broker, topic)
        self._earlier_reader: Reader | None = None

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
        begin_at: BeginAt | None = None,
    ) -> "KafkaLog":
        """The room's log, read to its end. Who finds the index in use by another process goes on in a copy of it,
        unless he wants to be alone.

        `begin_at`: who gives it reads what was recorded before afterwards (`read_earlier`), and lives with NotHereYet
        until then.

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
                log.come_up(shard, begin_at)
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

    def come_up(self, shard: int, begin_at: BeginAt | None) -> None:
        """Take over what the index lacks of a shard; without what is before a beginning if `begin_at` is given."""
        if begin_at is None:
            while not self.read_earlier(shard):
                pass
        elif self._ends[shard][0] == GENESIS and (beginning := begin_at(self, shard)) is not None:
            self._begin_at(shard, beginning)
        self.catch_up(shard)

    def _begin_at(self, shard: int, beginning: Beginning) -> None:
        """Have the index begin there, unless what it needs for that lies among too many void records."""
        found = self._found(shard, beginning.head)
        assert found is not None, "who says where to begin has asked whether that head stands"
        try:
            records = [self._single(shard, height, found) for _, _, height in beginning.room]
        except NotHereYet:
            return
        records.append(found.record)
        self.begin(shard, beginning, found.offset, [(one, self._touches(one)) for one in dict.fromkeys(records)])

    def reader(self) -> BegunIndex:
        return BegunIndex(self.path, connect(self.path, write=False), None)

    def close(self) -> None:
        with self._mutex:
            super().close()
            self._sender.close()
            self._reader.close()
            if self._earlier_reader is not None:
                self._earlier_reader.close()
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
        taken, found = 0, list[Found]()
        for one in following(self.room, shard, self._ends[shard][0], self._unread(shard), self._notice):
            found.append(one)
            if len(found) == _BATCH:
                taken += self._take_over(shard, found)
                found = []
        return taken + self._take_over(shard, found)

    def unread(self, shard: int) -> int:
        return self._unread_records[shard]

    def _notice(self, shard: int, offset: int, reason: str) -> None:
        self.voids[shard] += 1
        self.on_void(shard, offset, reason)

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
        self._unread_records[shard] = end - start
        for placed in self._reader.read(shard, start, end):
            self._next[shard] = placed.offset + 1
            self._unread_records[shard] = end - placed.offset - 1
            yield placed
            if shard in self.stopped:
                return
        self._next[shard] = end
        self._unread_records[shard] = 0

    def _place_of_head(self, shard: int, end: int) -> int:
        """The offset after the index's last commit: never before its height, and after it as many as are void."""
        begin = self._reader.begin(shard)
        if begin > 0:
            raise CorruptLog(
                f"the first {counted(begin, 'record')} of shard {shard} were deleted from {log_topic(self.room)}: "
                "bring the log back from an export, and let `handlog topics` say what lets Kafka delete"
            )
        head = self._ends[shard][0]
        if head == GENESIS:
            return 0
        found = self._found(shard, head, end)
        if found is not None:
            return found.offset + 1
        raise CorruptLog(
            f"the index {self.path} knows shard {shard} up to height {head.height}, but the partition hasn't that "
            "commit: Kafka has lost records, or this is another log; to go on from what Kafka has, delete the index"
        )

    def stands(self, shard: int, head: Head) -> bool:
        """Whether the partition has the commit with that hash at that height. Raises BrokerAway."""
        return self._found(shard, head) is not None

    def _found(self, shard: int, head: Head, end: int | None = None) -> Found | None:
        """The commit with that hash: it stands at its height, and after it by as many as are void before."""
        with self._mutex:
            return with_hash(self.room, shard, head, self._reader.read(shard, head.height, end))

    def _single(self, shard: int, height: int, begun: Found) -> Record:
        """The commit of a height before the one at which the index began, and in front of which so many void records
        stand. A chain of more records than that has one that counts, and then all before it count too.

        Raises NotHereYet where they are too many to look among them.
        """
        head = begun.record.head
        voids = begun.offset - head.height
        if voids > _VOIDS:
            raise NotHereYet(shard, head.height)
        last = min(height + voids, head.height)
        with self._mutex:
            placed = self._reader.read(shard, height, min(last + voids, begun.offset) + 1)
            found = linked(self.room, shard, height, last, placed, head.hash if last == head.height else "")
        if found is None:
            raise CorruptLog(f"the partition of shard {shard} hasn't the commit of height {height}")
        return found

    def record(self, shard: int, height: int) -> Record:
        try:
            return super().record(shard, height)
        except NotHereYet:
            with self._mutex:
                at, filled = self.began(shard), self.filled(shard)
                if at is None or filled is None:
                    return super().record(shard, height)
                return self._single(shard, height, Found(filled.until, super().record(shard, at.head.height)))

    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        at = self.began(shard)
        if at is None or start > at.head.height:
            return super().read(shard, start)
        return self._read_past(shard, start, at.head)

    def _read_past(self, shard: int, start: int, begun: Head) -> Iterator[Record]:
        """What the index lacks comes from the partition itself."""
        with closing(Reader(self.broker, log_topic(self.room))) as reader:
            for _, record in following(self.room, shard, GENESIS, reader.read(shard, 0), lambda *_: None):
                if record.height >= start:
                    yield record
                if record.height == begun.height:
                    break
        yield from super().read(shard, begun.height + 1)

    def read_earlier(self, shard: int, most: int = _BATCH) -> bool:
        """Take over at most so many of the commits before the shard's beginning; whether nothing is missing any more.

        For one thread. Where they can't be read, or aren't what the index began with, the shard is stopped. Raises
        BrokerAway.
        """
        filled = self.filled(shard)
        if filled is None or shard in self.stopped:
            return True
        height = filled.height
        try:
            found = list(islice(self._earlier_of(shard, filled), most))
            if not found:
                raise CorruptLog("the partition hasn't what its index began with")
            taken = []
            for one in found:
                height = one.record.height
                taken.append((one.record, self._touches(one.record)))
            with self._mutex:
                self._published = False
                self.fill(shard, taken, found[-1].offset + 1)
        except (ValueError, CorruptLog) as error:
            self.stopped[shard] = (
                f"shard {shard} is stopped at height {height}, before its index began: {error}; if Kafka is as it was, "
                f"delete the index {self.path} and let `handlog verify` read all of it"
            )
        except BaseException:
            self._earlier.pop(shard, None)  # what was read and not taken over is read again
            raise
        return shard in self.stopped or self.filled(shard) is None

    def _earlier_of(self, shard: int, filled: Filled) -> Iterator[Found]:
        """What comes next of the part before the beginning."""
        if shard not in self._earlier:
            if self._earlier_reader is None:
                self._earlier_reader = Reader(self.broker, log_topic(self.room), _SOON)
            head = super().record(shard, filled.height - 1).head if filled.height else GENESIS
            placed = self._earlier_reader.read(shard, filled.place, filled.until + 1)
            self._earlier[shard] = following(self.room, shard, head, placed, self._notice)
        return self._earlier[shard]

    def _take_over(self, shard: int, found: Sequence[Found]) -> int:
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

    def _stop(self, shard: int, found: Found, reason: str) -> None:
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

    def records(self, shard: int) -> int:
        """How many records the partition has, void ones too. Raises BrokerAway."""
        with self._mutex:
            self._check_shard(shard)
            return self._reader.end(shard)

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

    def store(self, shard: int, records: Sequence[tuple[Record, Sequence[Touch]]]) -> None:
        try:
            super().store(shard, records)
        except _Surprise:
            self.catch_up(shard)
            if self._ends[shard][0] != records[-1][0].head:
                raise AppendUnknown(
                    f"Kafka didn't say whether it has all that shard {shard} was sent: do the same again, it goes on"
                ) from None

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
            db = _connected(path)
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
    return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    db = connect(path, write=True, durable=False)
    prepare(db)
    return db


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
