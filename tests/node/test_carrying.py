"""Money between an account and a table that two nodes write: it goes through their doors, and none of it is lost."""

from typing import Any

import httpx
import pytest

from domain import catalog
from domain.account import commands as ask
from domain.table.commands import StandUp
from services.bootstrap import open_log
from services.eventlog import body
from services.room.shards import shard_of
from services.rulings import readjudicate_all
from services.soundness import verify_home
from tests.api.doors import key
from tests.node.clients import DEALER
from tests.node.rooms import Node, Room, holds
from tests.node.stage import SHARDS
from tests.services.homes import opener
from tests.services.patrons import buy_in, real_table, with_money

ACCOUNT, TABLE = shard_of("player:ann", SHARDS), shard_of("table:t1", SHARDS)
ANN = "player:ann"


@pytest.fixture
def north(room: Room) -> Node:
    """Writes all shards but the table's."""
    assert ACCOUNT != TABLE
    return a_node(room, "north", *(shard for shard in range(SHARDS) if shard != TABLE))


@pytest.fixture
def south(room: Room) -> Node:
    """Writes the table's."""
    return a_node(room, "south", TABLE)


def a_node(room: Room, name: str, *shards: int) -> Node:
    given = [option for shard in shards for option in ("--shard", str(shard))]
    return room.node(name, *given)


def send(room: Room, node: Node, args: Any, who: str = DEALER) -> httpx.Response:
    name, rev, data = catalog.command.dump(args)
    headers = {"Authorization": f"Bearer {room.tokens[who]}", "Idempotency-Key": key()}
    body = {"name": name, "rev": rev, "args": data}
    return room.http.post(f"{node.door}/v1/commands", json=body, headers=headers, timeout=60)


def given(room: Room, node: Node, args: Any, who: str = DEALER) -> dict[str, Any]:
    found = send(room, node, args, who)
    assert found.status_code == 200, found.text
    return found.json()  # type: ignore[no-any-return]


def seats(room: Room, node: Node) -> list[tuple[int, str, int]]:
    headers = {"Authorization": f"Bearer {room.tokens[DEALER]}"}
    found = room.http.get(f"{node.door}/v1/tables/t1", headers=headers, timeout=60)
    return [(one["seat"], one["player"], one["stack"]) for one in found.json().get("seats", ())]


def brought(room: Room, node: Node) -> list[tuple[str, int]]:
    """What ann has brought to which table, as she sees it at a node's door."""
    headers = {"Authorization": f"Bearer {room.tokens[ANN]}"}
    found = room.http.get(f"{node.door}/v1/players/ann", headers=headers, timeout=60)
    return [(one["table"], one["brought"]) for account in found.json()["accounts"] for one in account["tables"]]


def opened(room: Room, north: Node, south: Node) -> None:
    """Both are at work, the table is open, and ann has 1000 cents."""
    north.becomes_ready(60)
    south.becomes_ready(60)
    holds(lambda: send(room, north, real_table()).status_code == 200, 60, lambda: north.said)
    for args in with_money("ann"):
        given(room, north, args)


def buys_in(room: Room, north: Node) -> None:
    """North knows of the table once it has read that of the other's shard."""
    holds(lambda: send(room, north, buy_in("ann", 1), ANN).status_code == 200, 60, lambda: north.said)


def test_money_goes_there_and_back_through_the_doors(room: Room, north: Node, south: Node) -> None:
    opened(room, north, south)
    buys_in(room, north)
    holds(lambda: seats(room, north) == [(1, "ann", 200)], 60, lambda: north.said + south.said)
    holds(lambda: brought(room, north) == [("t1", 200)], 60, lambda: north.said + south.said)
    assert brought(room, south) == [("t1", 200)]
    holds(lambda: send(room, north, StandUp("t1", 1, "ann"), ANN).status_code == 200, 60, lambda: south.said)
    holds(lambda: withdraws(room, north, 1000), 60, lambda: north.said + south.said)
    check_all_closed(room)


def withdraws(room: Room, node: Node, cents: int) -> bool:
    return send(room, node, ask.Withdraw("ann", "EUR", cents, "to her bank")).status_code == 200


def test_what_was_under_way_when_a_node_was_killed_comes_to_its_end(room: Room, north: Node, south: Node) -> None:
    """South is paused, so that north is killed with the buy-in on its way."""
    opened(room, north, south)
    south.pause()
    buys_in(room, north)
    north.kill()
    south.resume()
    again = a_node(room, "north", *(shard for shard in range(SHARDS) if shard != TABLE))
    again.becomes_ready(60)
    holds(lambda: seats(room, again) == [(1, "ann", 200)], 60, lambda: again.said + south.said)
    check_all_closed(room)


def check_all_closed(room: Room) -> None:
    """The nodes end once everything is closed, and the log is sound."""
    holds(lambda: all_closed(room), 30, lambda: "".join(process.said for process in room.processes))
    for process in room.processes:
        if process.running:
            process.tell_to_end()
            assert process.ended() == 0
    with room.in_its_environment(), open_log(room.fresh_home()) as log:
        assert verify_home(log).sound
        assert not any(verdict for _, verdict in readjudicate_all(log, opener(log)))


def all_closed(room: Room) -> bool:
    with room.in_its_environment(), open_log(room.fresh_home()) as log:
        steps = [
            event["type"]
            for shard in range(SHARDS)
            for record in log.read(shard)
            for event in body.decode(record.body).events
        ]
    return steps.count("transfer.sent") == steps.count("transfer.received") == steps.count("transfer.closed") > 0
