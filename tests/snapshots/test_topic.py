"""Snapshots in a real topic that a real broker compacts."""

import time
from collections.abc import Iterator
from secrets import token_hex

import pytest

from services.kafka.clients import admin
from services.kafka.partitions import Sender
from services.kafka.settings import Broker
from services.kafka.topics import snapshots_topic
from services.snapshots.batch import Send
from services.snapshots.reader import Missing, Snapshot, find, in_log
from services.snapshots.topic import opened, send_to
from tests.kafka.brokers import shared_broker
from tests.services.homes import hand_of
from tests.snapshots.conftest import SHARD, Small

EAGER = {
    "cleanup.policy": "compact",
    "segment.ms": "500",
    "min.cleanable.dirty.ratio": "0.01",
    "max.compaction.lag.ms": "500",
}
"""Settings under which a broker compacts as soon as it can."""


@pytest.fixture
def broker() -> Broker:
    return shared_broker()


@pytest.fixture
def room(broker: Broker) -> str:
    """The name of a room with a topic of its own."""
    name = f"snapshots-{token_hex(4)}"
    topic = {snapshots_topic(name): {"num_partitions": 4, "replication_factor": 1, "configs": EAGER}}
    with admin(broker) as client:
        client.create_topics(topic, wait_for_metadata=True)
    return name


@pytest.fixture
def send(broker: Broker, room: str) -> Iterator[Send]:
    sender = Sender(broker, snapshots_topic(room))
    yield send_to(sender, SHARD)
    sender.close()


def found(small: Small, broker: Broker, room: str) -> Snapshot | Missing:
    with opened(broker, room) as topic:
        return find(topic, small.keys, SHARD, in_log(small.log, SHARD))


def offsets(broker: Broker, room: str) -> list[int]:
    with opened(broker, room) as topic:
        return [offset for offset, _ in topic.read(SHARD, 0, topic.end(SHARD))]


def write(small: Small, send: Send) -> None:
    taken = small.writer.take()
    assert taken
    small.writer.write(taken, send)


def test_a_snapshot_is_found_in_the_topic_before_and_after_it_was_compacted(
    small: Small, broker: Broker, room: str, send: Send
) -> None:
    assert isinstance(found(small, broker, room), Missing)
    write(small, send)
    rounds = 1
    while not hand_of(small.room).settled:
        small.go_on()
        write(small, send)
        rounds += 1
    assert rounds > 5
    snapshot = found(small, broker, room)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.position == small.log.head(SHARD)
    before = offsets(broker, room)
    compacted(broker, room, send)
    after = offsets(broker, room)
    assert len(after) < len(before)
    again = found(small, broker, room)
    assert isinstance(again, Snapshot)
    assert again.tables == snapshot.tables
    assert again.position == snapshot.position


def compacted(broker: Broker, room: str, send: Send) -> None:
    """Wait until the broker has compacted what was sent: other records make it begin another segment."""
    end = time.monotonic() + 60
    size = len(offsets(broker, room))
    while time.monotonic() < end:
        time.sleep(0.7)
        send([(b"other", b"nothing of ours")])
        if len(offsets(broker, room)) < size:
            return
    pytest.fail("the broker compacted nothing in 60 s")


def test_a_former_owner_s_late_records_are_noticed_by_their_offsets(
    small: Small, broker: Broker, room: str, send: Send
) -> None:
    write(small, send)
    small.go_on()
    former, late = small.writer, small.writer.take()
    snapshot = found(small, broker, room)
    assert isinstance(snapshot, Snapshot)
    assert late
    small.writer = type(former)(small.room, small.keys, SHARD, snapshot)
    write(small, send)
    former.write(late, send)
    small.go_on()
    write(small, send)
    again = small.writer.take()
    assert again, "everything is to be written anew"
    assert len(again.changed) == 2
