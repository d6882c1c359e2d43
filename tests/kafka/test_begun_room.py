"""A room over a log whose earlier part is still being read."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from domain.messages import Refused
from services.eventlog.log import NotHereYet
from services.ports import seeded_ports
from services.room.load import ShardFold
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.shards import shard_of
from tests.bench.homes import command
from tests.kafka.begun import SHARDS, Played, as_in_a_file, begun, finish, opening, record, restored, rows
from tests.services.homes import room_over
from tests.snapshots.takeover import LATER
from tests.snapshots.test_restoring import said

pytestmark = pytest.mark.soak


def test_a_room_over_it_answers_byte_for_byte_and_repeats_too(tmp_path: Path) -> None:
    """But that a refusal may not yet say what players have done since, where they did so before the snapshot."""
    own = Played(tmp_path)
    with ExitStack() as open_:
        whole = open_.enter_context(own.open())
        expected = room_over(open_.enter_context(as_in_a_file(whole, own.index().parent)), seeded_ports(7, LATER))
        log = open_.enter_context(begun(own))
        room = restored(log, seeded_ports(7, LATER))
        again = own.floor.given[-400:]
        taken = shorter = 0
        for number in range(500):
            given = again[number] if number < len(again) else own.floor.next(expected)
            (right,), (found,) = expected.execute([given]), room.execute([given])
            if isinstance(right, Refused) and "; since then: " in str(right) and said(found) != said(right):
                shorter += 1
                assert str(found) == str(right).partition("; since then: ")[0]
            else:
                assert said(found) == said(right), given
            taken += not isinstance(right, Exception)
            if number % 100 == 99:
                log.read_earlier(number // 100 % SHARDS, 40)
        assert taken > 150
        assert log.began(0)
        assert log.began(1)
        finish(log)
        for shard in range(SHARDS):
            assert list(log.read(shard)) == list(expected.log.read(shard))
        assert list(log.index_faults()) == []


def test_an_audit_that_began_before_the_snapshot_goes_on(tmp_path: Path) -> None:
    """Nobody knows yet at which version it stands: the log's own writer wasn't asked, and says what he knows."""
    own = Played(tmp_path)
    hand = own.opened[0]
    with own.open() as whole, begun(own) as log:
        room = restored(log, seeded_ports(8, LATER))
        (unknown,) = room.execute([command(room.ports, opening("t1-2"))])
        assert isinstance(unknown, NotHereYet), unknown
        shard = shard_of("table:t1", SHARDS)
        while log.began(shard):
            assert log.stream_version(f"audit:{hand}") == whole.stream_version(f"audit:{hand}") == 2
            log.read_earlier(shard, 50)
        record(room, opening(hand), opening("t1-2"))
        finish(log)
        with own.open() as fresh:
            assert rows(fresh.path) == rows(log.path)


def test_what_comes_meanwhile_is_recorded_and_found(played: Played, tmp_path: Path) -> None:
    own = Played(tmp_path)
    with begun(own) as log:
        ports, number = seeded_ports(8, LATER), 0
        office = Office(log, room_over(log, ports)._repository)
        claims = [Claims(log, Claimant("south", "", "1"), ports, office.entry_of) for _ in range(SHARDS)]
        for number in range(6):
            claimed = claims[number % 2].claim(number % 2)
            assert log.record(number % 2, claimed.head.height).head == claimed.head
            log.read_earlier(number % 2, 50)
        version = log.stream_version("shard:1")
        finish(log)
        with own.open() as fresh:
            assert rows(fresh.path) == rows(log.path)
            assert version == fresh.stream_version("shard:1") == 6
            assert ShardFold(fresh).now(1) == ShardFold(log).now(1)
