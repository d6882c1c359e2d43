"""Reading a shard, in every home: each commit, in order, byte for byte, by height and by event number."""

import hashlib

import pytest

from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS
from services.eventlog.log import Log
from tests.contract.logs import append, entry, spans


def test_what_was_appended_is_read_in_order_and_verbatim(log: Log) -> None:
    entries = spans(5)
    log.append(1, GENESIS, entries)
    records = list(log.read(1))
    assert [record.body for record in records] == [made.body for made in entries]
    assert [record.height for record in records] == [0, 1, 2, 3, 4]
    assert {(record.room, record.shard, record.epoch) for record in records} == {(log.room, 1, 0)}


def test_the_bytes_are_those_of_the_format_in_every_home(log: Log) -> None:
    """A room moves between homes byte for byte: written out here by hand, the format has no other part."""
    entries = spans(2)
    append(log, 3, *entries)
    digests = [hashlib.sha256(made.body).hexdigest() for made in entries]
    header0 = f"HL1 {log.room} 3 0 0 {'0' * 64} {digests[0]}\n".encode()
    header1 = f"HL1 {log.room} 3 1 0 {hashlib.sha256(header0[:-1]).hexdigest()} {digests[1]}\n".encode()
    assert list(log.raws(3)) == [header0 + entries[0].body, header1 + entries[1].body]
    assert log.head(3).hash == hashlib.sha256(header1[:-1]).hexdigest()


def test_every_record_is_accepted_by_the_chain(log: Log) -> None:
    append(log, 2, *spans(3))
    append(log, 2, entry(("hand:t1-1", 7, 7)))
    head = GENESIS
    for raw in log.raws(2):
        record = accept(log.room, 2, head, raw)
        assert not isinstance(record, Void), record.reason
        head = record.head
    assert head == log.head(2)
    assert head.height == 3


def test_reading_from_a_height(log: Log) -> None:
    append(log, 0, *spans(600))
    assert [record.height for record in log.read(0, 597)] == [597, 598, 599]
    assert list(log.read(0, 600)) == []
    assert len(list(log.read(0))) == 600


def test_one_record_by_its_height(log: Log) -> None:
    heads = log.append(0, GENESIS, spans(3))
    records = [log.record(0, height) for height in range(3)]
    assert [record.head for record in records] == heads
    assert records == list(log.read(0))
    for height in (3, -1):
        with pytest.raises(IndexError, match=f"no commit of height {height}"):
            log.record(0, height)


def test_reading_goes_on_while_others_append_and_ends_where_the_log_ended_when_it_began(log: Log) -> None:
    append(log, 0, *spans(300))
    readers = [log.read(0), log.raws(0), log.numbered(0, 1), log.stream_commits("hand:t1-1")]
    for reader in readers:
        next(reader)
    append(log, 0, entry(("hand:t1-1", 601, 601)))
    assert [len(list(reader)) for reader in readers] == [299] * 4


def test_event_numbers_have_no_gap(log: Log) -> None:
    append(log, 0, *spans(3), entry(("table:a", 1, 3), ("hand:t1-1", 7, 7)))
    assert [log.counted(0, height) for height in range(4)] == [2, 4, 6, 10]
    assert [(before, record.height) for before, record in log.numbered(0, 4)] == [(2, 1), (4, 2), (6, 3)]


def test_event_numbers_leave_out_the_room_s_and_the_shard_s_own_streams(log: Log) -> None:
    append(log, 0, entry(("shard:0", 1, 1), ("room", 1, 2)))
    append(log, 0, entry(("table:a", 1, 2)), entry(("room", 3, 3)), entry(("table:a", 3, 3), ("room", 4, 4)))
    assert [log.counted(0, height) for height in range(4)] == [0, 2, 2, 3]
    assert log.counted(0) == 3
    found = {start: [(before, record.height) for before, record in log.numbered(0, start)] for start in range(1, 5)}
    assert found == {1: [(0, 1), (2, 2), (2, 3)], 2: [(0, 1), (2, 2), (2, 3)], 3: [(2, 3)], 4: []}
