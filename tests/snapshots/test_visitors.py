"""A table remembers for ever who came there: that is written when it changes, and never becomes too large."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.messages import Command
from domain.table.commands import StandUp
from domain.table.state import Table
from domain.transfers import Purpose, TableCloseTransfer, TableReceiveTransfer
from services.bootstrap import open_log
from services.ids import uuid7
from services.room.door import ROOM, TRANSFER
from services.snapshots import records, writer
from services.snapshots.states import dump_hand, dump_table
from services.snapshots.writer import SnapshotWriter
from tests.services.homes import Desk, a_table_of_two, hand_of, keys_of, new_home, room_over
from tests.services.patrons import real_table
from tests.snapshots.conftest import SHARD, Small
from tests.snapshots.partition import Partition

VISITORS = 5_000
TABLE = "t6"
"""Lies in the shard of t1 too."""

DAY = 24 * 3600 * 1_000_000


def comes(number: int, seq: int = 1, amount: int = 20) -> TableReceiveTransfer:
    """Somebody's buy-in comes to the table."""
    player = f"visitor{number}"
    account = f"account:{player}:eur"
    return TableReceiveTransfer(TABLE, account, seq, amount, "EUR", Purpose.BUY_IN, player, 1, promotion=0, posts=True)


def goes(number: int, seq: int = 1) -> list[Any]:
    """He stands up, and his money comes to his account."""
    player = f"visitor{number}"
    closed = TableCloseTransfer(TABLE, f"account:{player}:eur", seq, received=True, why="")
    return [StandUp(TABLE, 1, player), closed]


def bring(small: Small, *brought: Any) -> list[Any]:
    ports = small.desk.ports
    given = [
        small.desk(args)
        if isinstance(args, StandUp)
        else Command(uuid7(ports.now(), ports.bits(74)), args, ROOM, TRANSFER)
        for args in brought
    ]
    outcomes = small.room.execute(given)
    assert not any(isinstance(outcome, Exception) for outcome in outcomes), outcomes[:1]
    return outcomes


@pytest.fixture
def visited(tmp_path: Path) -> Iterator[Small]:
    """In 50 days, a hundred visitors each, one after the other."""
    ports, later = new_home(tmp_path / "home"), [0]
    ports = replace(ports, now=lambda now=ports.now: now() + later[0])  # type: ignore[misc]
    with open_log(tmp_path / "home", write=True) as log:
        room, keys = room_over(log, ports), keys_of(log)
        room.restore(SHARD, {}, log.tables(SHARD))
        made = Small(log, room, Desk(ports), keys, Partition(), SnapshotWriter(room, keys, SHARD))
        made.give(real_table(TABLE))
        for first in range(0, VISITORS, 100):
            later[0] += DAY
            visits = [[comes(number), *goes(number)] for number in range(first, first + 100)]
            bring(made, *(args for visit in visits for args in visit))
        yield made


def the_table(small: Small) -> Table:
    table = small.room.table(TABLE).table
    assert table
    return table


def sizes(small: Small) -> dict[str, int]:
    """Bytes of the records that the next snapshot is made of."""
    first = small.partition.next
    small.write()
    return {key.decode(): len(raw) for at, (key, raw) in small.partition.records.items() if at >= first}


def restored(small: Small) -> Any:
    return small.snapshot().tables[TABLE].desk().table


def test_a_table_of_5000_visitors_is_in_the_snapshot_and_a_visit_costs_a_drawer(visited: Small) -> None:
    first = sizes(visited)
    live = the_table(visited)
    assert (len(live.sent), len(live.received), len(live.left)) == (VISITORS, VISITORS, 100)
    assert max(first.values()) < 100_000
    assert restored(visited) == live
    assert list(restored(visited).received) == list(live.received), "in the order in which they came last"
    assert list(restored(visited).sent) == list(live.sent)
    bring(visited, comes(17, 2), comes(VISITORS))
    then = sizes(visited)
    assert sorted(key.partition("-")[0] for key in then) == ["letters:t6", "letters:t6", "manifest/1", "table:t6/1"]
    assert sum(then.values()) < 150_000
    assert restored(visited) == the_table(visited)
    stands_up, closed = goes(17, seq=2)
    for alone in (comes(VISITORS + 1), stands_up, closed):  # the first, refused, and the last make but one version
        bring(visited, alone)
        visited.write()
        assert restored(visited) == the_table(visited)
    goes_on_from_there(visited)


def goes_on_from_there(visited: Small) -> None:
    """The next owner knows all visitors, and writes on in the same drawers."""
    before = dump_table(the_table(visited))
    visited.writer = visited.owner()
    visited.room.restore(SHARD, visited.snapshot().tables, ())
    again, next_one = bring(visited, comes(3), comes(3, 2))
    assert (again.events[0]["type"], again.events[0]["data"]["seq"]) == ("transfer.received", 1), "the answer of before"
    assert next_one.events[-1]["data"]["seq"] == 2
    assert dump_table(the_table(visited)) != before
    visited.write()
    visited.partition.compact()
    assert restored(visited) == the_table(visited)
    assert restored(visited).received["account:visitor3:eur"].last == 2


def test_few_visitors_stand_in_the_table_s_own_record(small: Small) -> None:
    small.give(real_table(TABLE))
    bring(small, *(comes(number, amount=1) for number in range(writer.FEW_LETTERS)))  # too little: refused
    assert not any(key.startswith("letters:") for key in sizes(small))
    bring(small, comes(writer.FEW_LETTERS, amount=1))
    assert any(key.startswith("letters:") for key in sizes(small))
    assert restored(small) == the_table(small)


# --- a record that is too large --------------------------------------------------------------------------------------


def test_a_table_that_is_too_large_costs_only_itself(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were no drawers, and records could be of 30 KB at most."""
    said: list[str] = []
    monkeypatch.setattr(writer, "FEW_LETTERS", 1000)
    monkeypatch.setattr(records, "LIMIT", 30_000)
    small.writer = writer.SnapshotWriter(small.room, small.keys, SHARD, None, said.append)
    small.give(real_table(TABLE))
    bring(small, *(comes(number, amount=1) for number in range(300)))
    small.write()
    assert [one.partition(" would be a record of ")[0] for one in said] == [f"table:{TABLE}"]
    assert "so table:t6 is in no snapshot of shard 3: who takes over reads it from the log" in said[0]
    assert small.writer.left_out == 1
    snapshot = small.snapshot()
    assert (list(snapshot.tables), snapshot.left_out) == (["t1"], (TABLE,))
    assert snapshot.beginning(SHARD).streams[f"table:{TABLE}"] == 1 + 300
    live = dump_table(the_table(small))
    small.room.restore(SHARD, snapshot.tables, snapshot.left_out)
    assert dump_table(the_table(small)) == live
    bring(small, comes(0, 2, amount=1))
    small.write()
    assert len(said) == 1, "it is said once"
    monkeypatch.undo()
    bring(small, comes(0, 3, amount=1))
    small.write()
    assert set(small.snapshot().tables) == {"t1", TABLE}
    assert small.snapshot().left_out == ()
    assert small.writer.left_out == 0


def test_a_shard_of_many_tables_has_a_manifest_that_is_small(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts stand in lists then, of which only those are written in which something has changed."""
    monkeypatch.setattr("services.snapshots.manifest.FEW", 1)
    small.give(*a_table_of_two(TABLE))
    first = sizes(small)
    assert len([key for key in first if key.startswith("list:")]) >= 2
    assert set(small.snapshot().tables) == {"t1", TABLE}
    small.go_on()
    assert sorted(key.partition(":")[0] for key in sizes(small)) == ["hand", "list", "manifest/1"]
    small.partition.compact()
    small.writer = small.owner()
    small.go_on()
    small.write()
    small.partition.compact()
    assert small.snapshot().position == small.log.head(SHARD)
    hand = small.snapshot().tables["t1"].desk().hand
    assert hand
    assert dump_hand(hand) == dump_hand(hand_of(small.room))
