"""How long a node takes to come up over a long log, with a snapshot and without, and that it then lacks nothing."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from statistics import median

import pytest

from services.bootstrap import INDEX_FILE, open_log
from services.eventlog.commit import Head
from services.kafka.settings import KAFKA, Broker
from services.snapshots.cabinet import Cabinet
from services.snapshots.reader import Snapshot, find
from services.snapshots.topic import opened
from tests.node.long_log import SHARD, Dealer, comes_up, memory_of, playing
from tests.node.rooms import Room, a_room, holds
from tests.services.homes import keys_of
from tests.snapshots.test_discarding import KeysOfAnother

GUESTS = 40
"""Players with accounts."""


@pytest.fixture
def room(kafka, tmp_path: Path) -> Iterator[Room]:
    """A new room whose log is one partition."""
    with a_room(tmp_path, kafka.bootstrap, shards=1) as room:
        yield room


@pytest.mark.soak
@pytest.mark.parametrize("commits", [3_000, 1_000_000])
def test_a_takeover_does_not_read_the_whole_log(room: Room, count: Callable[[str], None], commits: int) -> None:
    patience, bots = 30 + commits / 1_000, 256 if commits > 100_000 else 16
    with playing(room, bots) as long:
        long.at_the_cage(GUESTS)
        long.play(commits)
    for what in ("without index or snapshot", "with its index, without a snapshot"):
        up = comes_up(room, "first", patience)
        assert "the tables of shard 0 are read from the log: shard 0 has no manifest" in up.node.said
        count(f"{commits:,} commits, {what}: {up.told}")
        up.node.kill()
    up = comes_up(room, "first", patience)
    holds(lambda: has_snapshot(room), patience, lambda: up.node.said)
    holds(lambda: patrons_in_snapshot(room) == GUESTS, patience, lambda: up.node.said)
    up.node.kill()
    up = comes_up(room, "first", patience)
    assert "read from" not in up.node.said
    count(f"{commits:,} commits, with its index and a snapshot: {up.told}")
    up.node.kill()
    node = room.node("second", "--shard", str(SHARD))
    node.says("listens", patience)
    node.kill()
    assert missing(room, "second"), "it was killed while it read the earlier part"
    comes_up(room, "second", patience).node.kill()
    up = comes_up(room, "third", patience)
    assert "shard 0 is read from height" in up.node.said
    count(f"{commits:,} commits, with a snapshot, without an index: {up.told}")
    began = time.monotonic()
    with Dealer(room, up.node) as dealer:
        waits = dealer.opens_tables_until(lambda: "shard 0 is read as a whole" in up.node.said, 30 * patience)
        count(
            f"the earlier part was read {time.monotonic() - began:.0f} s later, in {memory_of(up.node):.0f} MiB; "
            f"{in_short(waits)} meanwhile"
        )
        assert dealer.sees("t1") == 200
        count(f"{in_short([dealer.opens_a_table() for _ in range(100)])} afterwards")
    up.node.tell_to_end()
    up.node.ended()
    assert not missing(room, "third")
    with room.in_its_environment():
        for home in ("second", "third", "bots"):
            with open_log(room.home(home)) as log:
                assert list(log.index_faults()) == []
    assert digest(room.home("second")) == digest(room.home("third")) == digest(room.home("bots"))


@pytest.mark.soak
@pytest.mark.parametrize("harm", ["forged", "of another head"])
def test_a_snapshot_that_is_not_to_be_believed_is_passed_over(room: Room, harm: str) -> None:
    with playing(room, tables=4) as long:
        long.play(300)
        if harm == "forged":
            long.write_snapshot(KeysOfAnother(keys_of(long.log)))
            why = "wasn't sealed under the room's key"
        else:
            long.write_snapshot(head=Head(long.log.head(SHARD).height, 0, "0" * 64))
            why = "the log has another commit than 000000000000 at its height, or none"
    for tables in (4, 5):  # without an index, and with it
        up = comes_up(room, "first")
        assert f"shard 0 is this node's: {tables} tables" in up.node.said
        reason = up.node.said.partition("the tables of shard 0 are read from the log: ")[2]
        assert why in reason.partition("\n")[0]
        with Dealer(room, up.node) as dealer:
            assert dealer.sees("t3") == 200
        up.node.kill()
    assert not missing(room, "first")


def has_snapshot(room: Room) -> bool:
    """Whether one was written to its end."""
    with opened(Broker(room.env[KAFKA]), room.name) as topic:
        return any(b" manifest " in raw[:100] for _, raw in topic.read(SHARD, 0, topic.end(SHARD)))


def patrons_in_snapshot(room: Room) -> int:
    """How many patrons the newest one has, all of whom the node has found in its log."""
    with (
        room.in_its_environment(),
        open_log(room.home("bots")) as log,
        opened(Broker(room.env[KAFKA]), room.name) as topic,
    ):
        found = find(topic, keys_of(log), SHARD, lambda head: True)
    drawers = found.patrons if isinstance(found, Snapshot) else None
    return len(dict(Cabinet(drawers or ()).items()))


def missing(room: Room, node: str) -> bool:
    """Whether the node's index still lacks what was recorded before the snapshot."""
    with closing(sqlite3.connect(room.home(node) / INDEX_FILE)) as db:
        return bool(db.execute("SELECT count(*) FROM beginnings").fetchone()[0])


def in_short(waits: list[float]) -> str:
    return f"{len(waits)} commands, {1e3 * median(waits):.1f} ms at the median, {1e3 * max(waits):.0f} ms at worst,"


def digest(home: Path) -> str:
    """Of all that an index says, its streams by name."""
    touches = "SELECT name, first, last, height FROM touches JOIN streams ON stream = id ORDER BY 4, 1"
    found = sha256()
    with closing(sqlite3.connect(home / INDEX_FILE)) as db:
        for query in ("SELECT * FROM commits_0 ORDER BY height", touches):
            for row in db.execute(query):
                found.update(repr(row).encode())
    return found.hexdigest()
