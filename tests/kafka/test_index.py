"""The index of a log on Kafka may be lost, damaged, another's, or unwritable: none of it loses or doubles a commit."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest
from kafka.errors import UnknownTopicOrPartitionError

from services.eventlog.commit import GENESIS, Head
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import AppendRefused, AppendUnknown, CorruptLog, HeadMoved, LogError, LogInUse
from services.kafka import topics
from services.kafka.clients import BrokerAway, admin
from tests.contract.logs import AT
from tests.kafka.rooms import KafkaRoom, sealed, table, tables
from tests.node.rooms import holds

ROOT = Path(__file__).resolve().parents[2]

LOST = "Kafka has lost records"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[KafkaRoom]:
    with KafkaRoom(tmp_path) as made:
        yield made


def recorded(room: KafkaRoom, number: int = 400) -> Head:
    """The head after so many commits, with void records among them."""
    head = room.log.append(0, GENESIS, list(tables(number // 2)))[-1]
    room.put(b"rubbish", b"rubbish")
    return room.log.append(0, head, list(tables(number // 2, first=number // 2 + 1)))[-1]


def remove(index: Path) -> None:
    for file in (index, index.with_name(index.name + "-wal"), index.with_name(index.name + "-shm")):
        file.unlink(missing_ok=True)


def cut(index: Path) -> None:
    os.truncate(index, index.stat().st_size // 2)


def cut_short(index: Path) -> None:
    os.truncate(index, 100)


def empty(index: Path) -> None:
    os.truncate(index, 0)


def overwrite(index: Path) -> None:
    index.write_bytes(b"rubbish" * 10_000)


def overwrite_the_middle(index: Path) -> None:
    """All but the first pages, so that it opens as an index."""
    with index.open("r+b") as file:
        file.seek(4 * 4096)
        file.write(b"\xff" * (index.stat().st_size - 4 * 4096))


@pytest.mark.parametrize("harm", [remove, cut, cut_short, empty, overwrite, overwrite_the_middle])
def test_a_lost_or_damaged_index_is_built_again(room: KafkaRoom, harm) -> None:
    head = recorded(room)
    room.log.close()
    harm(room.index)
    log = room.again()
    assert log.head(0) == head
    assert log.append(0, head, [table(401)])[0].height == 400
    assert len(list(log.read(0))) == 401
    assert list(log.index_faults()) == []


def test_the_index_of_another_room_is_refused(room: KafkaRoom, tmp_path: Path) -> None:
    room.log.close()
    with KafkaRoom(tmp_path) as other, pytest.raises(LogError) as refused:
        KafkaLog.open(room.broker, other.name, room.index)
    assert str(refused.value) == (
        f"{room.index} is the index of room {room.name} with 2 shards, not of room {other.name} with 2: "
        "use another home, or delete it"
    )
    assert room.again().head(0) == GENESIS


def made_anew(room: KafkaRoom) -> None:
    """The room's topics deleted and made again, empty: as a broker that lost its disk would have them."""
    names = [topic.name for topic in topics.topics_of(room.name)]
    with admin(room.broker) as client:
        client.delete_topics(names)
    holds(lambda: not topics.partitions_of(room.broker, topics.log_topic(room.name)), 60, lambda: "it stays there")
    with suppress(UnknownTopicOrPartitionError):
        topics.create(room.broker, room.name, 2)


def test_an_index_ahead_of_the_partition_says_that_kafka_has_lost_records(room: KafkaRoom) -> None:
    recorded(room, 10)
    room.log.close()
    made_anew(room)
    for _ in range(2):
        with pytest.raises(CorruptLog) as lost:
            room.again()
        assert str(lost.value) == (
            f"the index {room.index} knows shard 0 up to height 9, but the partition hasn't that commit: Kafka has "
            "lost records, or this is another log; to go on from what Kafka has, delete the index"
        )
    remove(room.index)
    assert room.again().head(0) == GENESIS


def test_an_index_of_a_log_that_was_written_anew_is_refused_too(room: KafkaRoom) -> None:
    recorded(room, 4)
    room.log.close()
    made_anew(room)
    head = GENESIS
    for made in tables(9, name="b"):
        raw, head = sealed(room, head, made)
        room.put(raw)
    with pytest.raises(CorruptLog, match="knows shard 0 up to height 3, but the partition hasn't that commit"):
        room.again()


def test_a_writer_under_whom_kafka_loses_records_never_answers_recorded(room: KafkaRoom) -> None:
    """Nor once the partition has grown to where he expected his next record, by what he sent meanwhile."""
    head = recorded(room, 4)
    made_anew(room)
    told: list[str] = []
    end = monotonic() + 60
    while len(told) < 10 or (LOST not in told[-1] and monotonic() < end):  # a broker may be slow to know its new topic
        with pytest.raises((AppendUnknown, AppendRefused, CorruptLog, BrokerAway)) as error:
            room.log.append(0, head, [table(5, at=AT + len(told))])
        told.append(str(error.value))
    assert LOST in told[-1]
    assert room.records() == []


def test_two_processes_on_one_index(room: KafkaRoom) -> None:
    """The second goes on in a copy; who wants to be alone is told who has it."""
    head = recorded(room, 10)
    code = (
        "import sys; from pathlib import Path; from services.kafka.settings import Broker\n"
        "from services.eventlog.kafka_log import KafkaLog; from tests.kafka.rooms import table\n"
        "with KafkaLog.open(Broker(sys.argv[1]), sys.argv[2], Path(sys.argv[3])) as log:\n"
        "    print(log.append(0, log.head(0), [table(11)])[0].height)\n"
    )
    given = [room.broker.bootstrap, room.name, str(room.index)]
    done = subprocess.run([sys.executable, "-c", code, *given], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "10\n"
    with pytest.raises(HeadMoved):
        room.log.append(0, head, [table(11, at=AT + 1)])
    assert room.log.append(0, room.log.head(0), [table(12)])[0].height == 11
    assert list(room.log.index_faults()) == []
    with pytest.raises(LogInUse, match=f"is in use by process {os.getpid()}"):
        KafkaLog.open(room.broker, room.name, room.index, alone=True)


# --- a full disk -----------------------------------------------------------------------------------------------------


@contextmanager
def no_room_in(log: KafkaLog) -> Iterator[None]:
    """The index can't grow, as SQLite finds before it writes."""
    log.connection.execute("PRAGMA max_page_count = 1")
    try:
        yield
    finally:
        log.connection.execute("PRAGMA max_page_count = 1000000")


@contextmanager
def no_room_on_the_disk(log: KafkaLog) -> Iterator[None]:
    """The index's WAL can't grow, which SQLite finds when it commits."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.path.with_name(log.path.name + "-wal").stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_before_anything_is_sent_refuses_and_records_nothing(room: KafkaRoom) -> None:
    head, end = recorded(room), room.end()
    with no_room_in(room.log):
        for _ in range(2):
            with pytest.raises(AppendRefused, match="can't be written .*full.*; nothing was recorded"):
                room.log.append(0, head, list(tables(300, first=401)))
    assert room.end() == end
    assert room.log.append(0, head, list(tables(300, first=401)))[-1] == room.records()[-1].head


def test_a_disk_that_is_full_after_the_records_were_sent_leaves_it_open(room: KafkaRoom) -> None:
    head, end = recorded(room, 10), room.end()
    with no_room_on_the_disk(room.log):
        for _ in range(2):
            with pytest.raises(AppendUnknown, match="failed .*, but Kafka has what was sent: open the log again"):
                room.log.append(0, head, [table(11)])
    assert room.end() == end + 1, "what was sent once isn't sent again"
    log = room.again()
    assert log.head(0).height == 10
    with pytest.raises(HeadMoved):
        log.append(0, head, [table(11)])


def test_what_a_full_disk_kept_from_being_taken_over_is_taken_over_later(room: KafkaRoom) -> None:
    """A writer that passed it over would chain to an old head, and hold what is void to be recorded."""
    head = recorded(room, 10)
    there = room.another().append(0, head, list(tables(300, first=11)))[-1]
    with no_room_in(room.log), pytest.raises(LogError):
        room.log.catch_up(0)
    with pytest.raises(HeadMoved) as moved:
        room.log.append(0, head, [table(11)])
    assert moved.value.actual == there == room.log.head(0)


def test_a_catching_up_that_breaks_off_is_begun_again(room: KafkaRoom) -> None:
    head = recorded(room, 10)
    there = room.another().append(0, head, list(tables(3, first=11)))[-1]
    room.put(b"rubbish")

    def alarm(*_: object) -> None:
        raise BrokerAway("the broker went away")

    room.log.on_void = alarm
    with pytest.raises(BrokerAway):
        room.log.catch_up(0)
    room.log.on_void = lambda *_: None
    with pytest.raises(HeadMoved):
        room.log.append(0, head, [table(11)])
    assert room.log.head(0) == there
