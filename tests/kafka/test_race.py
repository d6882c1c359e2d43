"""Three writers race on one partition: every reader folds the same list, and each was told the truth."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.eventlog.commit import GENESIS
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Append, HeadMoved
from tests.contract.logs import AT
from tests.kafka.rooms import KafkaRoom, hashes, table, tables
from tests.kafka.writers import audit, start

NAMES = ("ann", "bob", "cleo")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[KafkaRoom]:
    with KafkaRoom(tmp_path) as made:
        yield made


def test_of_two_writers_with_the_same_head_the_slower_is_told_what_stands_there(room: KafkaRoom) -> None:
    other = room.another()
    heads = room.log.append(0, GENESIS, list(tables(2)))
    with pytest.raises(HeadMoved) as moved:
        other.append(0, GENESIS, list(tables(3, name="b")))
    assert (moved.value.expected, moved.value.actual, moved.value.accepted) == (GENESIS, heads[-1], ())
    assert [record.head for record in room.records()] == heads
    assert other.voids == {0: 3}


def test_of_two_writers_with_the_same_head_both_sending_for_several_shards_each_shard_has_one_winner(
    room: KafkaRoom,
) -> None:
    other = room.another()
    one = room.log.append(0, GENESIS, [table(1)])
    told = other.append_all([Append(0, GENESIS, [table(1, "b")]), Append(1, GENESIS, [table(1, "c")])])
    assert isinstance(told[0], HeadMoved)
    assert told[1] == [record.head for record in room.records(1)]
    assert one == [record.head for record in room.records(0)]


def test_a_claim_fences_an_idle_writer(room: KafkaRoom) -> None:
    """What the old owner sends then is void, and the one who claimed isn't hindered by it."""
    old, head = room.another(), room.log.append(0, GENESIS, [table(1)])[0]
    old.catch_up(0)
    claim = room.log.append(0, head, [table(2)], claim=True)[0]
    assert claim.epoch == 1
    with pytest.raises(HeadMoved):
        old.append(0, head, [table(2, at=AT + 1)])
    after = room.log.append(0, claim, [table(3)])
    assert [record.head for record in room.records()] == [head, claim, *after]


@pytest.mark.parametrize("seconds", [3, pytest.param(240, marks=pytest.mark.soak)])
def test_three_writers_race(tmp_path: Path, seconds: int) -> None:
    with KafkaRoom(tmp_path) as room:
        writers = [start(room.broker, room.name, tmp_path, name, seconds, 0.05, len(NAMES)) for name in NAMES]
        assert [writer.wait(seconds + 120) for writer in writers] == [0, 0, 0]

        records, voids = _folded(room, tmp_path / "fresh.sqlite")
        found = audit(records, [tmp_path / f"{name}.journal" for name in NAMES])
        print(f"{found}; {voids:,} void")
        assert voids > 0
        assert found.accepted + voids == room.end()
        for name in (*NAMES, "another"):
            again, _ = _folded(room, tmp_path / f"{name}.sqlite")
            assert hashes(again) == hashes(records)
        assert {record.body.split(b'"id":"')[1][:3] for record in records} == {name[:3].encode() for name in NAMES}


def _folded(room: KafkaRoom, index: Path):
    """The commits and the number of void records that a reader with that index finds."""
    with KafkaLog.open(room.broker, room.name, index, write=False) as log:
        return list(log.read(0)), log.voids[0]
