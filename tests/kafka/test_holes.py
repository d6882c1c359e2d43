"""Offsets that aren't dense: another's transaction leaves markers in the partition that no reader is given."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka import KafkaProducer

from services.eventlog.commit import GENESIS
from services.kafka.topics import log_topic
from tests.kafka.rooms import KafkaRoom, sealed, table, tables
from tests.node.rooms import holds


@pytest.fixture
def room(tmp_path: Path) -> Iterator[KafkaRoom]:
    with KafkaRoom(tmp_path) as made:
        yield made


def transact(room: KafkaRoom, *values: bytes, commit: bool = True) -> None:
    """Put records into shard 0 in a transaction, and its marker, which the broker writes a moment after it said so."""
    before = room.end()
    producer = KafkaProducer(bootstrap_servers=room.broker.bootstrap, transactional_id=room.name)
    try:
        producer.init_transactions()
        producer.begin_transaction()
        for value in values:
            producer.send(log_topic(room.name), value, partition=0).get(timeout=60)
        producer.commit_transaction() if commit else producer.abort_transaction()
    finally:
        producer.close(timeout=2)
    holds(lambda: room.end() == before + len(values) + 1, 60, lambda: "there is no marker")


@pytest.mark.parametrize("commit", [True, False], ids=["committed", "aborted"])
def test_the_log_goes_on_after_a_transaction_s_marker(room: KafkaRoom, commit: bool) -> None:
    """All readers read what was aborted too, so all fold the same list."""
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    raw, after = sealed(room, head, table(3))
    transact(room, raw, commit=commit)
    assert room.end() == 4, "the marker has an offset of its own"

    assert room.log.catch_up(0) == 1
    assert room.log.head(0) == after
    heads = room.log.append(0, after, list(tables(2, first=4)))
    assert [record.head for record in room.records()][2:] == [after, *heads]
    for log in (room.again(), room.another()):
        assert log.head(0) == heads[-1]


def test_a_writer_that_knows_of_no_marker_answers_what_was_recorded(room: KafkaRoom) -> None:
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    transact(room, b"rubbish")
    heads = room.log.append(0, head, [table(3)])
    assert [record.head for record in room.records()][2:] == heads
    assert room.log.voids == {0: 1}


def test_a_marker_at_the_very_end_is_no_record_to_wait_for(room: KafkaRoom) -> None:
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    transact(room, b"rubbish")
    for log in (room.again(), room.another(), room.another(write=False)):
        assert log.head(0) == head
        assert log.catch_up(0) == 0
    assert len(list(room.log.raws(0))) == 3
