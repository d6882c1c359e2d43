"""An index that may begin at a snapshot: what was recorded before is read into it later, while others work with it.

Meanwhile it never gives an incomplete answer: whoever asks for what it lacks is told so (`NotHereYet`). In the end all
is as if it had been read from the first commit on.

Tables of the file, beside those of every home: `beginnings`, a row for each shard whose earlier part isn't all there;
`begun`, the streams that stood somewhere when their shard's index began; and `begun_patrons`, the shards of which those
of all patrons are among them. What is before that version isn't there, but of the stream `room`, which is short and
comes with the snapshot. A build that doesn't know them doesn't open the file: its layout is another one as long as a
shard has a beginning.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from domain.rules.phrases import counted
from services.eventlog import canonical
from services.eventlog.commit import GENESIS, Head, Record
from services.eventlog.files import Lock
from services.eventlog.log import Beginning, CorruptLog, NotHereYet, Part, Touch, is_counted
from services.eventlog.sqlite_commits import SqliteCommits, Stream

WHOLE, BEGUN = 1, 2
"""The layout of an index, and of one in which a shard's earlier part isn't all there."""

_ROOM = "room"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS beginnings (
    shard INTEGER PRIMARY KEY, height INTEGER NOT NULL, epoch INTEGER NOT NULL, hash TEXT NOT NULL,
    counted INTEGER NOT NULL, own TEXT NOT NULL, offset INTEGER NOT NULL,
    filled INTEGER NOT NULL, place INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS begun (stream INTEGER PRIMARY KEY, version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS begun_patrons (shard INTEGER PRIMARY KEY);
"""


class Filled(NamedTuple):
    """How far the part before a beginning is there: `height`, the next commit's, and `place`, the offset where it is
    looked for. `until`: the offset of the commit at which the index began."""

    height: int
    place: int
    until: int


def prepare(db: sqlite3.Connection) -> None:
    """Make the tables of beginnings where they aren't there."""
    db.executescript(_SCHEMA)


class BegunIndex(SqliteCommits):
    """The commits and streams as far as they are there."""

    layouts = (WHOLE, BEGUN)

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Lock | None) -> None:
        super().__init__(path, connection, lock)
        self._begun: dict[int, Beginning] = {}
        self._hands: dict[str, int] | None = None
        """By table, the newest hand that it had at a beginning: made when it is first asked for."""
        self._look_for_beginnings()

    def _look_for_beginnings(self) -> None:
        query = (
            "SELECT shard, height, epoch, hash, counted, own, shard IN (SELECT shard FROM begun_patrons) "
            "FROM beginnings"
        )
        with self._reading() as db:
            rows = db.execute(query).fetchall()
        if self._begun.keys() != {row[0] for row in rows}:
            self._hands = None
        self._begun = {
            shard: self._begun.get(shard)
            or Beginning(Head(*head), total, self._versions_begun(shard), _decoded(own), patrons=bool(patrons))
            for shard, *head, total, own, patrons in rows
        }

    def _versions_begun(self, shard: int) -> dict[str, int]:
        query = "SELECT name, version FROM begun JOIN streams ON stream = id WHERE shard = ?"
        return dict(self.connection.execute(query, (shard,)).fetchall())

    def began(self, shard: int) -> Beginning | None:
        with self._mutex:
            if self._lock is None:  # a reader: another handle fills what is missing
                self._look_for_beginnings()
            return self._begun.get(shard)

    # Beginning, and what comes before it

    def begin(self, shard: int, at: Beginning, offset: int, records: Sequence[tuple[Record, Sequence[Touch]]]) -> None:
        """Have the empty index of a shard begin there. `records`: those of `at.room`, then that of `at.head`, each with
        what it touches. `offset`: of the last one."""
        with self._mutex, self._transaction([shard]):
            assert self._ends[shard][0] == GENESIS, "an index begins where there is none yet"
            db = self.connection
            db.execute(
                "INSERT INTO beginnings VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)",
                (shard, *at.head, at.counted, canonical.write(at.own).decode(), offset),
            )
            rows = [(name, shard) for name in at.streams]
            db.executemany("INSERT OR IGNORE INTO streams (name, shard) VALUES (?, ?)", rows)
            known = [(version, name) for name, version in at.streams.items()]
            db.executemany("INSERT INTO begun SELECT id, ? FROM streams WHERE name = ?", known)
            if at.patrons:
                db.execute("INSERT OR IGNORE INTO begun_patrons VALUES (?)", (shard,))
            for record, touches in records:
                total = at.counted if record.head == at.head else 0  # set right when what is before it is there
                db.execute(f"INSERT INTO commits_{shard} VALUES (?, ?, ?)", (record.height, total, record.raw))
                for stream, first, last in touches:
                    row = (self._numbered(shard, stream), first, last, record.height)
                    db.execute("INSERT INTO touches VALUES (?, ?, ?, ?)", row)
            db.execute(f"PRAGMA user_version = {BEGUN}")
        self._begun[shard], self._hands = at, None
        self._ends[shard] = at.head, at.counted

    def _numbered(self, shard: int, stream: str) -> int:
        found = self.connection.execute("SELECT id FROM streams WHERE name = ?", (stream,)).fetchone()
        if found is not None:
            return int(found[0])
        added = self.connection.execute("INSERT INTO streams (name, shard) VALUES (?, ?)", (stream, shard))
        assert added.lastrowid is not None
        return added.lastrowid

    def filled(self, shard: int) -> Filled | None:
        """How far the part before the shard's beginning is there; None where nothing is missing."""
        with self._reading() as db:
            row = db.execute("SELECT filled, place, offset FROM beginnings WHERE shard = ?", (shard,)).fetchone()
        return None if row is None else Filled(*row)

    def fill(self, shard: int, found: Sequence[tuple[Record, Sequence[Touch]]], place: int) -> None:
        """Take over the next commits of the part before the beginning, up to the one at which the index began; `place`:
        the offset after them.

        Raises CorruptLog where they don't come to what the index began with.
        """
        with self._mutex, self._transaction([shard]):
            at = self._begun[shard]
            filled = self.filled(shard)
            assert filled is not None
            height, total = filled.height, self._counted_before(shard, filled.height)
            for record, touches in found:
                for stream, first, last in touches:
                    self._put(shard, record.height, Touch(stream, first, last))
                    total += is_counted(stream) * (last - first + 1)
                row = (record.height, total, record.raw)
                self.connection.execute(f"INSERT OR REPLACE INTO commits_{shard} VALUES (?, ?, ?)", row)
            height += len(found)
            self.connection.execute(
                "UPDATE beginnings SET filled = ?, place = ? WHERE shard = ?", (height, place, shard)
            )
            whole = height > at.head.height
            if whole:
                self._check_met(shard, at, found[-1][0].head, total)
                self._forget_beginning(shard)
        if whole:
            del self._begun[shard]

    def _counted_before(self, shard: int, height: int) -> int:
        query = f"SELECT counted FROM commits_{shard} WHERE height = ?"
        row = self.connection.execute(query, (height - 1,)).fetchone()
        return 0 if row is None else int(row[0])

    def _put(self, shard: int, height: int, touch: Touch) -> None:
        """Note what a commit of the earlier part touches, unless the index began with it. Raises CorruptLog."""
        number = self._numbered(shard, touch.stream)
        query = "SELECT last FROM touches WHERE stream = ? AND first < ? ORDER BY first DESC LIMIT 1"
        before = self.connection.execute(query, (number, touch.first)).fetchone()
        if touch.first != (1 if before is None else before[0] + 1) and not (before is None and touch.first == 0):
            raise CorruptLog(f"shard {shard}, height {height}: {touch.stream} has version {touch.first} out of turn")
        row = (number, touch.first, touch.last, height)
        query = "SELECT * FROM touches WHERE stream = ? AND first = ?"
        there = self.connection.execute(query, row[:2]).fetchone()
        if there is None:
            self.connection.execute("INSERT INTO touches VALUES (?, ?, ?, ?)", row)
        elif tuple(there) != row:
            raise CorruptLog(
                f"shard {shard}, height {height}: {touch.stream} has version {touch.first} for the second time"
            )

    def _check_met(self, shard: int, at: Beginning, head: Head, total: int) -> None:
        """Raise CorruptLog unless the commits up to the beginning come to what it says."""
        if head != at.head:
            raise CorruptLog(f"shard {shard} has another commit at height {head.height} than its index began with")
        if total != at.counted:
            raise CorruptLog(
                f"shard {shard} has {counted(total, 'event')} up to height {head.height}, not {at.counted}"
            )
        query = (
            "SELECT name, version, (SELECT max(last) FROM touches WHERE stream = id AND height <= ?) AS last "
            "FROM begun JOIN streams ON stream = id WHERE shard = ? AND version IS NOT last LIMIT 1"
        )
        wrong = self.connection.execute(query, (at.head.height, shard)).fetchone()
        if wrong is not None:
            raise CorruptLog(f"{wrong[0]} stands at version {wrong[2]} at height {head.height}, not at {wrong[1]}")
        query = (
            "SELECT name FROM streams WHERE shard = ? AND "
            "(name GLOB 'table:*' OR (? AND (name GLOB 'player:*' OR name GLOB 'account:*'))) "
            "AND id NOT IN (SELECT stream FROM begun) "
            "AND EXISTS (SELECT * FROM touches WHERE stream = id AND first = 1 AND height <= ?) LIMIT 1"
        )
        missing = self.connection.execute(query, (shard, at.patrons, at.head.height)).fetchone()
        if missing is not None:
            raise CorruptLog(f"the index of shard {shard} began at height {head.height} without {missing[0]}")

    def _forget_beginning(self, shard: int) -> None:
        db = self.connection
        db.execute("DELETE FROM beginnings WHERE shard = ?", (shard,))
        db.execute("DELETE FROM begun_patrons WHERE shard = ?", (shard,))
        db.execute("DELETE FROM begun WHERE stream IN (SELECT id FROM streams WHERE shard = ?)", (shard,))
        if db.execute("SELECT count(*) FROM beginnings").fetchone()[0] == 0:
            db.execute(f"PRAGMA user_version = {WHOLE}")

    # Streams that go on from before

    def _find_stream(self, stream: str) -> Stream | None:
        found = super()._find_stream(stream)
        if found is None or not self._begun:
            return found
        number, last, weight, shard = found
        at, version, height = self._place_of(stream)
        if at is None or stream == _ROOM:
            return found
        if version is not None:
            return number, max(version, last or 0), weight, shard
        return None if height <= at.head.height else found  # where it ends isn't known yet

    def _open_stream(self, shard: int, stream: str, first: int) -> Stream:
        """A stream of which nothing was known may have been opened before the beginning: then it goes on."""
        if shard not in self._begun or self._is_known(stream):
            return super()._open_stream(shard, stream, first)
        number = self._numbered(shard, stream)
        if first > 1:
            self.connection.execute("INSERT INTO begun VALUES (?, ?)", (number, first - 1))
        return number, first - 1, int(is_counted(stream)), shard

    def _place_of(self, stream: str) -> tuple[Beginning | None, int | None, int]:
        """Of a stream in the index: the beginning of its shard, its version there if that is known, and the height of
        its first commit that is here."""
        query = (
            "SELECT shard, version, (SELECT height FROM touches WHERE stream = id ORDER BY first LIMIT 1) "
            "FROM streams LEFT JOIN begun ON stream = id WHERE name = ?"
        )
        shard, version, height = self.connection.execute(query, (stream,)).fetchone()
        return self._begun.get(shard), version, -1 if height is None else height

    # Reading only what is there as a whole

    def _is_known(self, stream: str) -> bool:
        """Whether it is known that a stream that isn't in the index isn't in the log either."""
        kind, _, owner = stream.partition(":")
        if kind in ("table", "shard", _ROOM):
            return True  # a beginning has all of them
        if kind in ("player", "account") and all(at.patrons for at in self._begun.values()):
            return True
        table, _, number = owner.rpartition("-")
        if not any(f"table:{table}" in at.streams for at in self._begun.values()):
            return kind in ("hand", "audit")  # its table was opened later
        return kind == "hand" and number.isdecimal() and int(number) > self._newest_hand(table)

    def _newest_hand(self, table: str) -> int:
        """The number of the newest hand that the table had when the index began; 0 before the first."""
        if self._hands is None:
            hands = [name.removeprefix("hand:") for at in self._begun.values() for name in at.streams if _is_hand(name)]
            self._hands = {table: int(number) for table, _, number in (hand.rpartition("-") for hand in hands)}
        return self._hands.get(table, 0)

    def _check_here(self, stream: str, low: int) -> None:
        """Raise NotHereYet unless the stream's versions from `low` on are all there."""
        if self._lock is None:
            self._look_for_beginnings()
        if not self._begun or stream == _ROOM:
            return
        if self._shard_of(stream) is None:
            if not self._is_known(stream):
                self._raise_not_here(min(self._begun))
            return
        at, version, height = self._place_of(stream)
        if at is not None and (low <= version if version is not None else height <= at.head.height):
            self._raise_not_here(next(shard for shard, one in self._begun.items() if one is at))

    def _raise_not_here(self, shard: int) -> None:
        raise NotHereYet(shard, self._begun[shard].head.height)

    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        with self._reading():
            self._check_here(stream, _after(gt))
            return super().stream_commits(stream, gt, lte)

    def stream_parts(
        self,
        stream: str,
        gt: int | None = None,
        lte: int | None = None,
        *,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[Part]:
        with self._reading():
            self._check_here(stream, _after(gt))
            return super().stream_parts(stream, gt, lte, desc=desc, limit=limit)

    def stream_version(self, stream: str) -> int | None:
        with self._reading():
            known = super().stream_version(stream)
            if known is not None:
                return known
            self._check_here(stream, 0)
            return super().stream_version(stream)  # what is missing may have come meanwhile

    def tables(self, shard: int, after: int = -1) -> list[str]:
        with self._reading():
            at = self.began(shard)
            if at is None:
                return super().tables(shard, after)
            if 0 <= after < at.head.height:
                raise NotHereYet(shard, at.head.height)
            begun = [name.removeprefix("table:") for name in at.streams if name.startswith("table:")]
            known = set(begun)
            later = [table for table in super().tables(shard, max(after, at.head.height)) if table not in known]
            return later if after >= 0 else [*begun, *later]

    def patrons(self, shard: int, after: int = -1) -> set[str]:
        with self._reading():
            at = self.began(shard)
            if at is not None and after < at.head.height and (after >= 0 or not at.patrons):
                raise NotHereYet(shard, at.head.height)
            later = super().patrons(shard, after)
            return later if at is None or after >= 0 else later | _players_of(at)

    def record(self, shard: int, height: int) -> Record:
        with self._reading():
            try:
                return super().record(shard, height)
            except IndexError:
                self._check_there(shard, height)
                raise

    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        at = self.began(shard)
        if at is not None and start <= at.head.height:
            raise NotHereYet(shard, at.head.height)
        return super().read(shard, start)

    def _counted_at(self, shard: int, height: int) -> int:
        self._check_there(shard, height)
        return super()._counted_at(shard, height)

    def _check_there(self, shard: int, height: int) -> None:
        """Raise NotHereYet for a height of the earlier part that isn't there, with all that is before it."""
        with self._reading():
            at, filled = self.began(shard), self.filled(shard)
            if at is not None and filled is not None and filled.height <= height < at.head.height:
                raise NotHereYet(shard, at.head.height)

    def index_faults(self) -> Iterator[tuple[int, int, str]]:
        for shard in range(self.shards):
            if self.began(shard) is not None:
                self._raise_not_here(shard)
        return super().index_faults()


def _is_hand(stream: str) -> bool:
    return stream.startswith("hand:")


def _players_of(at: Beginning) -> set[str]:
    return {name.split(":")[1] for name in at.streams if name.startswith(("player:", "account:"))}


def _after(gt: int | None) -> int:
    return 0 if gt is None else gt + 1


def _decoded(own: str) -> Any:
    return canonical.decode(own.encode())
