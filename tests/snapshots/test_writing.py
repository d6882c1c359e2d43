"""What is written, and that the newest whole snapshot can be restored whatever happens to its writer and its topic."""

from pathlib import Path
from unittest.mock import patch

import pytest

from domain.table.commands import DealHand
from services.bootstrap import NoShoes, open_log
from services.eventlog.log import NotOwner
from services.eventlog.mapper import repository
from services.room.office import Office
from services.room.owners import Alone, Claimant, Claims
from services.room.room import Room
from services.snapshots import writer
from services.snapshots.states import Stored
from services.snapshots.writer import SnapshotWriter
from tests.services.homes import a_table_of_two, hand_of, keys_of, new_home, room_over
from tests.snapshots.conftest import SHARD, Small
from tests.snapshots.floor import Floor
from tests.snapshots.takeover import Snapshots

OTHER = "t6"
"""Another table of the same shard."""


class Killed(Exception):
    """The writer died."""


def keys_sent(small: Small) -> list[str]:
    """The keys of the records that the next snapshot is made of."""
    first = small.partition.next
    small.write()
    return [key.decode() for offset, (key, _) in small.partition.records.items() if offset >= first]


def kill_at(small: Small, number: int) -> None:
    """Let the writer die before it sends the record of that number from now on."""
    left = [number]

    def dies(key: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    small.partition.before_each = dies


def restored(small: Small) -> bytes:
    """The state of the table and its hand as the newest snapshot has it, and where it stands."""
    snapshot = small.snapshot()
    return repr((snapshot.position, snapshot.tables["t1"].table, snapshot.tables["t1"].hand)).encode()


def test_a_stream_is_written_only_when_it_has_changed(small: Small) -> None:
    assert keys_sent(small) == ["table:t1/0", "hand:t1/0", "manifest/0"]
    assert small.writer.take() is None
    small.go_on()
    assert keys_sent(small) == ["hand:t1/1", "manifest/1"]
    small.go_on()
    assert keys_sent(small) == ["hand:t1/0", "manifest/0"]
    while not hand_of(small.room).settled:
        small.go_on()
    assert keys_sent(small) == ["table:t1/1", "hand:t1/1", "manifest/1"]
    small.give(DealHand("t1", 2))
    assert keys_sent(small) == ["table:t1/0", "hand:t1/0", "manifest/0"]


def test_an_idle_table_is_named_by_every_manifest(small: Small) -> None:
    small.give(*a_table_of_two(OTHER))
    small.write()
    for _ in range(3):
        small.go_on()
        small.write()
        small.partition.compact()
    assert list(small.snapshot().tables) == ["t1", OTHER]


def test_the_topic_keeps_at_most_two_records_of_each_table_hand_and_manifest(small: Small) -> None:
    number = 1
    for _ in range(40):
        if hand_of(small.room).settled:
            number += 1
            small.give(DealHand("t1", number))
        else:
            small.go_on()
        small.write()
    small.partition.compact()
    assert number >= 4
    assert sorted(key.decode() for key, _ in small.partition.records.values()) == [
        "hand:t1/0", "hand:t1/1", "manifest/0", "manifest/1", "table:t1/0", "table:t1/1",
    ]  # fmt: skip


@pytest.mark.parametrize("record", range(5))
def test_a_writer_that_dies_at_any_record_leaves_the_snapshot_before_whole(
    small: Small, record: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PAGE", 2)  # two pages, the table, the hand, the manifest
    small.write()
    before = restored(small)
    while not hand_of(small.room).settled:
        small.go_on()
    for _ in range(3):  # one after the other tries, and dies
        small.writer = small.owner()
        kill_at(small, record)
        with pytest.raises(Killed):
            small.write()
        small.partition.compact()
        assert restored(small) == before
    small.partition.before_each = lambda key: None
    small.write()
    small.partition.compact()
    assert small.snapshot().position == small.log.head(SHARD)


@pytest.mark.parametrize("new_owner", [False, True])
def test_a_manifest_of_which_nobody_knows_whether_it_was_sent_leaves_one_that_is_whole(
    small: Small, new_owner: bool
) -> None:
    small.write()
    if new_owner:
        small.writer = small.owner()
    small.go_on()
    taken = small.writer.take()
    assert taken

    def lost_answer(records: list[tuple[bytes, bytes]]) -> list[int]:
        offsets = small.partition.send(records)
        if records[0][0].startswith(b"manifest"):
            raise Killed
        return offsets

    with pytest.raises(Killed):
        small.writer.write(taken, lost_answer)  # type: ignore[arg-type]
    for record in (0, 1):
        small.go_on()
        kill_at(small, record)
        with pytest.raises(Killed):
            small.write()
        small.partition.compact()
        assert small.snapshot()
    small.partition.before_each = lambda key: None
    small.write()
    small.partition.compact()
    assert small.snapshot().position == small.log.head(SHARD)


def test_a_former_owner_who_writes_late_is_noticed_and_everything_is_written_anew(small: Small) -> None:
    small.give(*a_table_of_two(OTHER))
    small.write()
    former = small.writer
    small.go_on()
    taken = former.take()
    assert taken
    small.writer = small.owner()
    small.write()
    for _ in range(2):  # so that idle streams stand in the places that the former owner takes
        small.go_on()
        small.write()
    former.write(taken, small.partition.send)
    small.go_on()
    small.write()
    small.go_on()
    assert len(keys_sent(small)) == 5, "both tables and hands, and the manifest"
    small.partition.compact()
    assert small.snapshot().position == small.log.head(SHARD)
    assert keys_sent_after_a_move(small) == ["hand:t1", "manifest"]


def keys_sent_after_a_move(small: Small) -> list[str]:
    small.go_on()
    return [key.partition("/")[0] for key in keys_sent(small)]


def test_a_former_owner_s_snapshot_is_no_newer_for_standing_last(small: Small) -> None:
    small.write()
    former = small.writer
    small.go_on()
    taken = former.take()
    assert taken
    small.writer = small.owner()
    small.go_on()
    small.write()
    former.write(taken, small.partition.send)
    assert small.snapshot().position == small.log.head(SHARD)


def test_who_does_not_own_the_shard_takes_no_snapshot(tmp_path: Path) -> None:
    """His tables are those of before: under the new owner's head they would be false."""
    ports = new_home(tmp_path / "home")
    with open_log(tmp_path / "home", write=True) as log:
        office = Office(log, repository(log), Alone(log))
        claims = [Claims(log, Claimant(name, "", "1"), ports, office.entry_of) for name in ("one", "other")]
        room = Room(log, ports, NoShoes(), claims[0])
        snapshots = SnapshotWriter(room, keys_of(log), SHARD)
        with pytest.raises(NotOwner, match="shard 3 has another owner"):
            snapshots.take()
        claims[0].claim(SHARD)
        room.restore(SHARD, {}, log.tables(SHARD))
        assert snapshots.take()
        claims[1].claim(SHARD)
        with pytest.raises(NotOwner, match="shard 3 has another owner"):
            snapshots.take()


def test_after_an_error_everything_is_written_anew(small: Small) -> None:
    """Nobody knows what came to stand in the topic meanwhile."""
    small.write()
    small.go_on()
    kill_at(small, 1)
    with pytest.raises(Killed):
        small.write()
    small.partition.before_each = lambda key: None
    assert keys_sent(small) == ["table:t1/1", "hand:t1/1", "manifest/1"]
    small.go_on()
    assert keys_sent(small) == ["hand:t1/0", "manifest/0"]


def test_a_new_owner_writes_everything_once(small: Small) -> None:
    small.write()
    small.go_on()
    small.write()
    small.writer = small.owner()
    assert keys_sent(small) == ["table:t1/1", "hand:t1/0", "manifest/0"]


def test_the_commands_of_a_busy_table_are_written_once_and_not_at_each_change(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ports = new_home(home)
    with open_log(home, write=True) as log, patch.object(writer, "PAGE", 3):
        room, floor = room_over(log, ports), Floor(1)
        snapshots = Snapshots(room)
        room.execute(floor.opening())
        for _ in range(30):
            floor.play(room, 15)
            snapshots.write()
        commands, pages = 0, 0
        for shard, partition in enumerate(snapshots.partitions):
            sent = [key for key, _ in partition.records.values() if key.startswith(b"commands:")]
            assert len(sent) == len(set(sent)), "a page was written twice"
            for name, stored in snapshots.found(log, shard).tables.items():
                assert stored.desk().of_table == remembered(room, name)
                pages += len(stored.pages)
                commands += len(stored.desk().of_table)
        assert pages > 20
        assert commands > 3 * pages


def remembered(room: Room, table: str) -> dict[str, object]:
    return dict(room._desk(f"table:{table}").of_owner)


def test_pages_that_the_table_has_forgotten_make_room_for_others(small: Small) -> None:
    with patch.object(writer, "PAGE", 1):
        small.write()
        desk = small.room._desk("table:t1")
        assert len(pages(small)) == len(desk.of_owner) == 4
        for number in (2, 3, 4):
            while not hand_of(small.room).settled:
                small.go_on()
            small.give(DealHand("t1", number))
            oldest = next(iter(desk.of_owner))
            del desk.of_owner[oldest]
            small.write()
            assert small.snapshot().tables["t1"].desk().of_table == desk.of_owner
        small.partition.compact()
        assert len(pages(small)) == 4
        numbers = {key for key, _ in small.partition.records.values() if key.startswith(b"commands:")}
        assert len(numbers) <= 6, "their keys are used again"


def pages(small: Small) -> tuple[bytes, ...]:
    stored: Stored = small.snapshot().tables["t1"]
    return stored.pages
