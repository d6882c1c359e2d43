"""A room over a log whose earlier part is still being read."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain.account import commands as ask
from domain.messages import Refused
from services.eventlog.log import NotHereYet
from services.node.crew import Crew
from services.ports import seeded_ports
from services.room.load import ShardFold
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.room import Room
from services.room.shards import shard_of
from services.room.writer import Writer
from tests.bench.homes import command
from tests.kafka.begun import (
    ELSEWHERE,
    GUESTS,
    SHARDS,
    Played,
    as_in_a_file,
    begun,
    finish,
    opening,
    record,
    restored,
    rows,
)
from tests.node.rooms import holds
from tests.services.homes import room_over
from tests.services.patrons import with_money
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


def test_patrons_are_answered_at_once_and_what_they_have_under_way_is_known(tmp_path: Path) -> None:
    own = Played(tmp_path)
    with own.open() as whole, begun(own) as log:
        expected = room_over(as_in_a_file(whole, own.index().parent), seeded_ports(7, LATER))
        room = restored(log, seeded_ports(7, LATER))
        to_look_at = {player for shard in range(SHARDS) for player in room.patrons_to_look_at(shard)}
        assert to_look_at == {"guest0", "guest1", "newcomer"}
        sent = {player: room.under_way(f"player:{player}") for player in to_look_at}
        assert sent == {player: expected.under_way(f"player:{player}") for player in to_look_at}
        assert [len(sent[player]) for player in ("guest0", "guest1", "newcomer")] == [1, 1, 0]
        cage = seeded_ports(9, LATER)
        for given in [
            *own.at_the_cage,
            *(command(cage, ask.Deposit(player, "EUR", 7, "new")) for player in (*GUESTS, "newcomer")),
            *(command(cage, args) for args in with_money("stranger")),
            command(cage, ask.Withdraw("guest3", "EUR", 5_000, "too much")),
        ]:
            (right,), (found,) = expected.execute([given]), room.execute([given])
            assert said(found) == said(right), given
        assert log.began(0)
        assert log.began(1)


def test_what_is_under_way_goes_on_while_the_earlier_part_is_still_read(tmp_path: Path) -> None:
    own = Played(tmp_path)
    with ExitStack() as open_:
        log = open_.enter_context(begun(own))
        ports = seeded_ports(8, LATER)
        writer = Writer(restored(log, ports))
        open_.callback(writer.close)
        crew = Crew(writer, ports, lambda sentence: None)
        for shard in range(SHARDS):
            writer.look(partial(crew.took_over, shard=shard)).result()
        open_.enter_context(crew.at_work(writer.submit, own.home, open_.enter_context(log.reader())))
        holds(lambda: writer.look(seated_elsewhere).result() == ["guest0", "guest1"], 60, lambda: "nobody carries it")
        holds(lambda: not writer.look(under_way_of_guests).result(), 60, lambda: "nobody closes it")
        assert log.began(0)
        assert log.began(1)


def seated_elsewhere(room: Room) -> list[str]:
    table = room.table(ELSEWHERE).table
    assert table
    return sorted(seat.player for seat in table.seats.values())


def under_way_of_guests(room: Room) -> list[Any]:
    return [one for guest in GUESTS for one in room.under_way(f"player:{guest}")]


def test_an_audit_that_began_before_the_snapshot_goes_on(tmp_path: Path) -> None:
    """Nobody knows yet at which version it stands: the log's own writer wasn't asked, and says what he knows."""
    own = Played(tmp_path)
    hand = own.opened[0]
    with own.open() as whole, begun(own) as log:
        room = restored(log, seeded_ports(8, LATER))
        shard = shard_of("table:t1", SHARDS)
        other = a_hand_before_the_last(room, shard, hand)
        (unknown,) = room.execute([command(room.ports, opening(other))])
        assert isinstance(unknown, NotHereYet), unknown
        while log.began(shard):
            assert log.stream_version(f"audit:{hand}") == whole.stream_version(f"audit:{hand}") == 2
            log.read_earlier(shard, 50)
        record(room, opening(hand), opening(other))
        finish(log)
        with own.open() as fresh:
            assert rows(fresh.path) == rows(log.path)


def a_hand_before_the_last(room: Room, shard: int, but: str) -> str:
    """Of some table of the shard; it is over."""
    tables = [now for now in room.tables_of(shard) if now.table]
    hands = [f"{now.id}-{number}" for now in tables for number in range(1, now.table.hands)]  # type: ignore[union-attr]
    return next(hand for hand in hands if hand != but)


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
