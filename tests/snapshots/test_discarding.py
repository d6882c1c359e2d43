"""A snapshot that isn't the room's own, whole, of this build and of this log is passed over, and it is said why."""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import pytest

from domain import catalog
from services.bootstrap import KEY_FILE
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.sealing.keyfile import RoomKeys
from services.snapshots import manifest, records
from services.snapshots.reader import Missing, find
from services.snapshots.records import Title, seal
from services.snapshots.writer import SnapshotWriter
from tests.snapshots.conftest import SHARD, Small

TABLE, HAND, MANIFEST = b"table:t1/0", b"hand:t1/0", b"manifest/0"


@pytest.fixture
def written(small: Small) -> Small:
    small.write()
    assert small.found()
    return small


class KeysOfAnother:
    """Somebody without the room's key, who says that he used it."""

    def __init__(self, keys: RoomKeys) -> None:
        self.room, self.current = keys.room, keys.current

    def of_snapshots(self, key_id: bytes) -> bytes:
        return bytes(32)


def richer(body: bytes) -> bytes:
    """The same state with a thousand chips for seat 1."""
    value = canonical.decode(body)
    value["state"]["seats"][0][1]["stack"] += 1000
    return canonical.encode(value)


def with_body(change: Callable[[bytes], bytes], *, digest: bool) -> Callable[[bytes], bytes]:
    """Another body under the same header, with its right digest there or not."""

    def changed(raw: bytes) -> bytes:
        line, _, body = raw.partition(b"\n")
        new = change(body)
        if digest:
            line = line.replace(sha256(body).hexdigest().encode(), sha256(new).hexdigest().encode())
        return line + b"\n" + new

    return changed


def test_one_that_is_true_is_restored_and_what_came_after_it_is_in_the_log(written: Small) -> None:
    written.go_on()
    written.go_on()
    snapshot = written.snapshot()
    height = written.log.head(SHARD).height - 2
    assert snapshot.position == written.log.record(SHARD, height).head
    assert snapshot.counted == written.log.counted(SHARD, height)
    assert snapshot.passed_over == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda raw: raw[:40], "isn't of the form HS1"),
        (lambda raw: raw[:-1], "is torn"),
        (lambda raw: b"", "isn't of the form HS1: b''"),
        (with_body(lambda body: body.replace(b"1", b"2"), digest=False), "its body hasn't the digest"),
        (with_body(lambda body: body.replace(b"1", b"2"), digest=True), "wasn't sealed under the room's key"),
        (lambda raw: raw.replace(b"HS1 riverside", b"HS1 lakeside"), "is of room lakeside, not of riverside"),
        (lambda raw: raw.replace(b" 3 ", b" 2 ", 1), "is of shard 2, not of shard 3"),
        (
            lambda raw: re.sub(rb" [0-9a-f]{16} ", b" 0123456789abcdef ", raw, count=1),
            "can't be checked: room key 01234",
        ),
    ],
    ids=["cut in the header", "cut in the body", "empty", "changed", "its digest too", "room", "shard", "key id"],
)
def test_a_record_that_is_not_as_it_was_written(written: Small, change: Callable[[bytes], bytes], why: str) -> None:
    as_written = dict(written.partition.records)
    for key in (TABLE, HAND, MANIFEST):
        written.partition.change(key, change)
        assert why in written.why_none(), key
        written.partition.records = dict(as_written)


def test_chips_that_were_made_up(written: Small) -> None:
    written.partition.change(TABLE, with_body(richer, digest=True))
    assert "table:t1 wasn't sealed under the room's key: it was changed, or made by another" in written.why_none()


def test_chips_that_were_made_up_with_a_whole_snapshot_around_them(small: Small) -> None:
    """Everything fits together, but the seals were made under another key."""
    forger = SnapshotWriter(small.room, KeysOfAnother(small.keys), SHARD)  # type: ignore[arg-type]
    taken = forger.take()
    assert taken
    taken.changed[0].state["seats"][0][1]["stack"] += 1000
    forger.write(taken, small.partition.send)
    assert "wasn't sealed under the room's key" in small.why_none()


def test_a_record_of_ours_in_the_place_of_another(written: Small) -> None:
    """An older state of the table, put back where the newer one stood."""
    old = written.partition.last(TABLE)[1]
    while not written.room.table("t1").hand.settled:  # type: ignore[union-attr]
        written.go_on()
    written.write()
    written.partition.lose(b"manifest/0")
    written.partition.change(b"table:t1/1", lambda raw: old)
    assert "another record stands at offset" in written.why_none()


@pytest.mark.parametrize("key", [TABLE, HAND])
def test_a_record_that_is_gone(written: Small, key: bytes) -> None:
    written.partition.lose(key)
    name = {TABLE: "table:t1", HAND: "hand:t1-1"}[key]
    assert re.search(rf"the record of {name} at offset \d is gone", written.why_none())


def test_a_topic_without_a_manifest(written: Small) -> None:
    written.partition.lose(MANIFEST)
    assert written.why_none() == "shard 3 has no manifest in the topic of snapshots"


def test_a_partition_of_another_shard(written: Small) -> None:
    found = find(written.partition, written.keys, 2, lambda head: True)
    assert isinstance(found, Missing)
    assert "is of shard 3, not of shard 2" in found.reason


def test_another_fold_revision(written: Small) -> None:
    with patch.object(manifest, "fold_revision", lambda: "9-0123456789abcdef"):
        assert re.search(r"its states are of fold revision 2-\w{16}, this build's is 9-0123", written.why_none())


def test_a_build_that_reads_more_than_this_one(written: Small) -> None:
    """The shard may have been raised to a revision at which this build must stop: the log says so, no snapshot."""
    with patch.object(catalog, "READS", 2):
        written.go_on()
        written.writer = written.owner()
        written.write()
        assert written.snapshot().position == written.log.head(SHARD)
    assert written.snapshot().position.height == written.log.head(SHARD).height - 1
    assert "reads the log up to revision 2, this build only up to 1" in written.snapshot().passed_over[0]


@pytest.mark.parametrize("stands", [None, Head(5, 0, "0" * 64)], ids=["no such commit", "another commit"])
def test_a_head_that_the_log_has_not(written: Small, stands: Head | None) -> None:
    """The log lost its end, or is another one: the snapshot is ahead of it, or beside it."""
    found = find(written.partition, written.keys, SHARD, lambda head: head == stands)
    assert isinstance(found, Missing)
    assert "the log has another commit than" in found.reason


def test_an_older_one_is_taken_where_the_newest_is_bad(written: Small) -> None:
    written.go_on()
    written.write()
    written.partition.change(b"manifest/1", with_body(lambda body: body.replace(b"1", b"2"), digest=True))
    snapshot = written.snapshot()
    assert snapshot.position.height == written.log.head(SHARD).height - 1
    (why,) = snapshot.passed_over
    assert why.startswith("1 record can't be used, such as the record at offset ")


def test_a_snapshot_under_a_key_that_was_the_room_s_before(written: Small) -> None:
    """The room has rotated its key since: the old one is still among its keys."""
    home = written.log.path.parent  # type: ignore[attr-defined]
    secret = canonical.decode((home / KEY_FILE).read_bytes())["keys"][0]["key"]
    rotated = RoomKeys("riverside", [bytes.fromhex(secret), bytes(32)])
    assert not isinstance(find(written.partition, rotated, SHARD, lambda head: True), Missing)


def test_a_record_that_would_be_too_large_is_not_written(small: Small) -> None:
    with pytest.raises(records.BadSnapshot, match=r"table:t1 would be a record of 900,\d+ bytes: at most 900,000"):
        seal(small.keys, SHARD, Title("table:t1", 0, 1, 1), bytes(900_000))


def test_what_lies_far_from_the_end_is_found(written: Small) -> None:
    """Records of a snapshot that never came to its manifest, and idle tables that were written long ago."""
    other: list[Any] = [(b"table:t2/0", seal(written.keys, SHARD, Title("table:t2", 0, 1, 1), b"{}")[0])]
    written.partition.send(other * 2_000)
    assert written.snapshot().position == written.log.head(SHARD)
    written.go_on()
    written.write()
    written.partition.lose(MANIFEST)
    assert list(written.snapshot().tables) == ["t1"]
