"""A room whose snapshots stand in the middle of its log on Kafka, and indexes of it that begin there."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

from domain.messages import Command
from domain.room import ChangeKey
from domain.rulings.opening import Form, OpenCards
from services.bootstrap import INDEX_FILE, LOG_FILE
from services.demo.floor import TABLES
from services.eventlog import body, commit
from services.eventlog.kafka_log import BeginAt, KafkaLog
from services.eventlog.log import Log
from services.eventlog.sqlite_file import build
from services.eventlog.sqlite_log import SqliteLog
from services.kafka.partitions import Sender
from services.kafka.topics import log_topic, snapshots_topic
from services.node.earlier import beginning
from services.ports import seeded_ports
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.room import Room
from services.room.shards import shard_of
from services.snapshots.reader import Snapshot, find, in_log
from services.snapshots.topic import opened, send_to
from services.snapshots.writer import SnapshotWriter
from tests.bench.homes import command, on_kafka
from tests.services.homes import keys_of, room_over
from tests.services.patrons import buy_in, real_table, with_money
from tests.snapshots.floor import Floor

SHARDS = 2

OTHER = next(one.table for one in TABLES if shard_of(f"table:{one.table}", 2) != shard_of("table:t1", 2))
"""A table that doesn't lie in the shard of t1."""

GUESTS = tuple(f"guest{number}" for number in range(6))
"""Players with accounts in both shards; what guest0 has sent is under way at the snapshots, guest1 sends later."""

CAGE = seeded_ports(9)
"""From which what is asked there gets its ids."""

ELSEWHERE = "real1"
"""A table to which nobody carries what is sent there, so that it stays under way."""


class Played:
    """A room on Kafka whose snapshots stand in the middle of its log. `given`: commands before and after them."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "room"
        ports = seeded_ports(3)
        self._copies = 0
        with on_kafka(self.home, ports, SHARDS) as log, closing(Sender(log.broker, log_topic(log.room))) as hands:
            self.broker, self.name = log.broker, log.room
            room, self.floor = room_over(log, ports), Floor(3)
            for shard in range(SHARDS):
                room.restore(shard, {}, log.tables(shard))
            claims = Claims(log, Claimant("north", "", "1"), ports, Office(log, room._repository).entry_of)
            room.execute(self.floor.opening())
            self.floor.play(room, 300)
            record(room, ChangeKey("0123456789abcdef"), ChangeKey("00112233445566aa"))
            self.floor.play(room, 30)
            self.contested = [log.head(shard).height for shard in range(SHARDS)]
            put(hands, b"rubbish", *rivals(log))
            claims.claim(1)
            rich = (args for guest in GUESTS for args in with_money(guest))
            asked = [real_table(ELSEWHERE), *rich, buy_in("guest0", 1, 200, ELSEWHERE)]
            self.at_the_cage = [give(room, args) for args in asked]
            self.opened = "t1-1", f"{OTHER}-1"
            record(room, *map(opening, self.opened))
            self.floor.play(room, 200)
            put(hands, *rivals(log))
            for shard in range(SHARDS):
                claims.claim(shard)  # so that a rival of this very commit stands before it
            for shard in range(SHARDS):
                writer = SnapshotWriter(room, keys_of(log), shard)
                assert writer.gather(100)
                taken = writer.take()
                assert taken
                with closing(Sender(log.broker, snapshots_topic(log.room))) as sender:
                    writer.write(taken, send_to(sender, shard))
            self.heads = [log.head(shard) for shard in range(SHARDS)]
            self.under_way = [hand.id for shard in range(SHARDS) for hand in room.hands_under_way(shard)]
            record(room, ChangeKey("fedcba9876543210"), *map(opening, self.opened))
            for args in [*with_money("newcomer"), buy_in("guest1", 2, 200, ELSEWHERE)]:
                give(room, args)
            self.floor.play(room, 150)

    def index(self) -> Path:
        self._copies += 1
        home = self.home.parent / f"copy-{self._copies}"
        return copytree(self.home, home, ignore=ignore_patterns(f"{INDEX_FILE}*")) / INDEX_FILE

    def open(self, index: Path | None = None, begin_at: BeginAt | None = None) -> KafkaLog:
        return KafkaLog.open(self.broker, self.name, index or self.index(), begin_at=begin_at)

    def begun(self, index: Path | None = None, worth: int = 1) -> KafkaLog:
        """The log opened as a node does. `worth`: as in `earlier.beginning`."""
        log = self.open(index, self.begin_at(worth))
        assert [log.head(shard) for shard in range(SHARDS)] != self.heads, "it went on after them"
        for shard, head in enumerate(self.heads):
            began = log.began(shard)
            assert began is None or began.head == head
        return log

    def begin_at(self, worth: int = 1) -> BeginAt:
        found = beginning(self.home, None, lambda text: None, worth)
        assert found
        return found


def record(room: Room, *asked: Any) -> None:
    for outcome in room.execute([command(room.ports, args) for args in asked]):
        assert not isinstance(outcome, Exception), outcome


def give(room: Room, args: Any) -> Command:
    """The same where nothing of what is dealt may follow from it."""
    given = command(CAGE, args)
    (outcome,) = room.execute([given])
    assert not isinstance(outcome, Exception), outcome
    return given


def opening(hand: str) -> OpenCards:
    """Somebody looks at the cards of a hand that is over."""
    return OpenCards(hand, Form.FACES, (), deck=False, second="", reason="")


def put(sender: Sender, *raws: bytes) -> None:
    assert None not in sender.send([(shard, b"by hand", raw) for shard in range(SHARDS) for raw in raws], 10.0)


def rivals(log: Log) -> list[bytes]:
    """Of each shard another record of its last commit's height, and one that follows that: void, since late."""
    raws = []
    for shard in range(SHARDS):
        height = log.head(shard).height
        first, head = commit.seal(log.room, shard, log.record(shard, height - 1).head, b'{"at":1}')
        raws += [first, commit.seal(log.room, shard, head, b'{"at":2}')[0]]
    return raws


@contextmanager
def begun(played: Played) -> Iterator[KafkaLog]:
    with played.begun() as log:
        assert all(log.began(shard) for shard in range(SHARDS))
        yield log


def finish(log: KafkaLog) -> None:
    for shard in range(SHARDS):
        while not log.read_earlier(shard, 40):
            pass


def rows(path: Path) -> dict[str, list[Any]]:
    """All that an index says; a stream by its name, since its number says only when it was first met."""
    with closing(sqlite3.connect(path)) as db:
        tables = ("log", "commits_0", "commits_1")
        found = {name: db.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in tables}
        found["streams"] = db.execute("SELECT name, shard FROM streams ORDER BY 1").fetchall()
        query = "SELECT name, first, last, height FROM touches JOIN streams ON stream = id ORDER BY 1, 2"
        found["touches"] = db.execute(query).fetchall()
        found["begun"] = [*db.execute("SELECT * FROM beginnings"), *db.execute("SELECT * FROM begun")]
        found["layout"] = db.execute("PRAGMA user_version").fetchall()
    return found


def as_in_a_file(whole: KafkaLog, home: Path) -> SqliteLog:
    """The same log in a home of its own, for a room that has read all of it."""
    build(home / LOG_FILE, whole.room, SHARDS)
    log = SqliteLog.open(home / LOG_FILE)
    for shard in range(SHARDS):
        records = list(whole.read(shard))
        log.store(shard, [(one, body.touches(body.decode(one.body).events)) for one in records])
    return log


def restored(log: KafkaLog, ports: Any) -> Room:
    """The room as a node has it that has taken its shards over."""
    room = room_over(log, ports)
    for shard in range(SHARDS):
        began = log.began(shard)
        assert began
        with opened(log.broker, log.room) as topic:
            snapshot = find(topic, keys_of(log), shard, in_log(log, shard))
        assert isinstance(snapshot, Snapshot)
        height = snapshot.position.height
        changed = log.patrons(shard, height)
        room.restore(shard, snapshot.tables, log.tables(shard, height), snapshot.patrons or (), changed)
    return room
