"""Who closes the room at a door is told where another hand may still be dealt: nowhere, once every node knows."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.messages import Command
from domain.room import CloseRoom
from domain.table.commands import DealHand
from services.api.closing import still_to_stop
from services.api.host import RoomHost
from services.api.passes import Passes
from services.ids import uuid7
from services.room.recording import Answer
from services.sealing.keyfile import RoomKeys
from tests.api.doors import PORTS, Door, door_of, must, problem
from tests.services.homes import a_table_of_two
from tests.services.patrons import REASON

PASSES = Passes(RoomKeys("riverside", (bytes(32),)), PORTS)


class Here(RoomHost):
    """A node that writes shards 0 and 1. `others`: the doors of those that write 2 and 3, None where nobody does."""

    def __init__(self, of: RoomHost, others: dict[int, str | None]) -> None:
        super().__init__(of._writer, of._log)
        self.others = others

    def owner(self, shard: int) -> str | None:
        return self.others.get(shard, "http://127.0.0.1:1")


@pytest.fixture
def neighbour(tmp_path: Path) -> Iterator[Door]:
    """The door of another node, at which the room isn't closed yet."""
    with door_of(tmp_path / "home", passes=PASSES) as door:
        yield door


def unaware(door: Door, others: dict[int, str | None]) -> list[int]:
    assert isinstance(door.host, RoomHost)
    return asyncio.run(still_to_stop(Here(door.host, others), PASSES))


def closed(door: Door) -> None:
    now = PORTS.now()
    assert isinstance(
        door.host.submit(Command(uuid7(now, 7), CloseRoom(REASON), "floor:ann", "floor")).result(), Answer
    )


def test_a_node_that_writes_all_of_it_has_nobody_to_ask(neighbour: Door) -> None:
    assert unaware(neighbour, {}) == []


def test_a_node_that_doesn_t_know_yet_is_named_by_its_shards(neighbour: Door) -> None:
    both: dict[int, str | None] = {2: neighbour.address, 3: neighbour.address}
    assert unaware(neighbour, both) == [2, 3]
    closed(neighbour)
    assert unaware(neighbour, both) == []


def test_who_can_t_be_asked_doesn_t_know_for_all_that_is_known(neighbour: Door) -> None:
    """Nobody writes shard 2, and where shard 3 is written nobody answers."""
    closed(neighbour)
    assert unaware(neighbour, {2: None, 3: "http://127.0.0.1:9"}) == [2, 3]


def test_the_answer_at_the_door_says_so(neighbour: Door) -> None:
    floor = neighbour.client("floor:fay")
    assert floor.look("/v1/room") == {"room": "riverside", "closed": False}
    closed(neighbour)
    assert floor.look("/v1/room") == {"room": "riverside", "closed": True}


def test_after_the_answer_nothing_is_dealt(tmp_path: Path) -> None:
    with door_of(tmp_path / "home", seal=lambda text, stream: REASON) as door:
        floor = door.client("floor:fay")
        *open_and_sit, deal = a_table_of_two()
        assert isinstance(deal, DealHand)
        for args in open_and_sit:
            door.host.submit(Command(uuid7(PORTS.now(), PORTS.bits(74)), args, "floor:ann", "floor")).result()
        answer = must(floor.post({"name": "room.close", "args": {"reason": "water"}}))
        assert answer["still_to_stop"] == []
        said = problem(floor.give(deal), 409, "refused")
        assert said == "the room is closed: no new hand is dealt until the floor reopens it"
