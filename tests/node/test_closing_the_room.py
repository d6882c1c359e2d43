"""The floor closes the room at any node's door, and the tables of every node go with it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.hand.commands import Fold
from domain.messages import Refused
from domain.room import CloseRoom, ReopenRoom
from domain.table.commands import DealHand, SitDown
from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import TEXTS_FILE, open_log, opened_office
from services.eventlog import body
from services.node.node import Node
from services.ports import real_ports
from services.room.recording import Answer
from services.room.shards import shard_of
from services.rulings import readjudicate_all
from services.sealing.texts import TextKeys
from services.soundness import verify_home
from tests.api.doors import Client, must, problem
from tests.node import rooms
from tests.node.alone import a_node, give, hand_of
from tests.node.rooms import Room, holds
from tests.node.stage import SHARDS
from tests.node.test_carrying import a_node as a_process
from tests.node.test_carrying import given, seats, send
from tests.plain_http import plain_http
from tests.services.homes import Desk, a_table_of_two, open_table, opener

FOR_A_REASON = {"reason": "water comes through the ceiling"}


@pytest.fixture
def node(home: Path) -> Iterator[Node]:
    """At t1 a hand is under way between ann and bob; dan sits at t2."""
    with a_node(home) as node:
        give(node, *a_table_of_two(), open_table("t2"), SitDown("t2", 1, "dan", 200))
        yield node


@pytest.fixture
def at_the_door(home: Path, node: Node) -> Iterator[Callable[[str], Client]]:
    """Comes in as somebody."""
    tokens, address = Tokens(home / TOKENS_FILE), node.owner(0)
    with plain_http(base_url=f"{address}") as http:

        def client(who: str) -> Client:
            token = tokens.add(who, Role(who.partition(":")[0]), "a test", real_ports())
            http.headers["Authorization"] = f"Bearer {token}"
            return Client(http)

        yield client


def closes(node: Node, table: str) -> bool:
    return node.look(table, lambda play: play.table is not None and play.table.closes).result()


def players(node: Node, table: str) -> list[str]:
    return node.look(table, lambda play: [seat.player for seat in play.table.seats.values()]).result()  # type: ignore[union-attr]


def refusal(node: Node, args: Any) -> str:
    error = node.submit(Desk(real_ports())(args)).exception()
    assert isinstance(error, Refused)
    return str(error)


def test_the_floor_closes_the_room_and_reopens_it(home: Path, node: Node, at_the_door: Callable[[str], Client]) -> None:
    floor = at_the_door("floor:fay")
    assert floor.look("/v1/room") == {"room": "riverside", "closed": False}
    answer = must(floor.post({"name": "room.close", "args": FOR_A_REASON}))
    (closed,), still_to_stop = answer["events"], answer["still_to_stop"]
    assert still_to_stop == [], "nobody else writes a shard here"
    assert floor.look("/v1/room")["closed"]
    assert (closed["stream"], closed["type"], closed["data"]) == ("room", "room.closed", {"by": "floor:fay"})
    holds(lambda: closes(node, "t1") and players(node, "t2") == [], 60, lambda: "dan still sits at t2")
    assert players(node, "t1") == ["ann", "bob"], "they play their hand"
    give(node, Fold("t1-1", 1, hand_of(node).turn.seat))  # type: ignore[union-attr]
    holds(lambda: players(node, "t1") == [], 60, lambda: "ann and bob still sit at t1")
    assert "the room is closed: no new hand is dealt" in refusal(node, DealHand("t1", 2))
    give(node, open_table("t3"))
    holds(lambda: closes(node, "t3"), 60, lambda: "t3 was opened, and stays so")

    said = problem(floor.post({"name": "room.close", "args": FOR_A_REASON}), 409, "refused")
    assert said == "the room is closed already"

    must(floor.post({"name": "room.reopen", "args": {"reason": "the roof is mended"}}))
    holds(lambda: not any(closes(node, one) for one in ("t1", "t2", "t3")), 60, lambda: "a table stays closed")
    give(node, SitDown("t3", 1, "dan", 200))


def test_its_reason_is_sealed(home: Path, node: Node, at_the_door: Callable[[str], Client]) -> None:
    must(at_the_door("floor:fay").post({"name": "room.close", "args": FOR_A_REASON}))
    with open_log(home) as log:
        (box,) = [
            event["data"]["reason"]
            for record in log.stream_commits("room")
            for event in body.decode(record.body).events
            if event["type"] == "room.closed"
        ]
    assert TextKeys(home / TEXTS_FILE).open(box, "room") == FOR_A_REASON["reason"]


def test_a_node_that_takes_over_closes_what_its_forerunner_did_not(home: Path) -> None:
    with a_node(home) as node:
        give(node, open_table("t1"), SitDown("t1", 1, "ann", 200), open_table("t2"))
    records(home, CloseRoom("A" * 120))
    with a_node(home) as node:
        holds(lambda: closes(node, "t1") and closes(node, "t2"), 60, lambda: "a table stays open")
        holds(lambda: players(node, "t1") == [], 60, lambda: "ann still sits there")
    records(home, ReopenRoom("A" * 120))
    with a_node(home) as node:
        holds(lambda: not closes(node, "t1") and not closes(node, "t2"), 60, lambda: "a table stays closed")
    with open_log(home) as log:
        assert verify_home(log).sound
        assert not any(verdict for _, verdict in readjudicate_all(log, opener(log)))


def records(home: Path, args: Any) -> None:
    """While no node is there, and nobody of a staff."""
    ports = real_ports()
    with opened_office(home, ports) as room:
        (outcome,) = room.execute([Desk(ports)(args)])
        assert isinstance(outcome, Answer), outcome


# --- two nodes -------------------------------------------------------------------------------------------------------


TABLE = shard_of("table:t1", SHARDS)


def test_a_table_of_another_node_closes_too(room: Room) -> None:
    """North writes the room's own shard; it is asked at south's door, who writes the table's."""
    north = a_process(room, "north", *(shard for shard in range(SHARDS) if shard != TABLE))
    south = a_process(room, "south", TABLE)
    north.becomes_ready(60)
    south.becomes_ready(60)
    holds(lambda: send(room, south, open_table("t1")).status_code == 200, 60, lambda: south.said)
    given(room, south, SitDown("t1", 1, "ann", 200))
    given(room, south, SitDown("t1", 2, "bob", 200))
    assert close(room, south, "room.close")["still_to_stop"] == []
    assert "the room is closed" in send(room, south, DealHand("t1", 1)).text, "south knows it as soon as it is answered"
    holds(lambda: seats(room, south) == [], 60, lambda: north.said + south.said)
    assert "the room is closed" in send(room, south, SitDown("t1", 1, "ann", 200)).text
    close(room, south, "room.reopen")
    holds(lambda: send(room, south, SitDown("t1", 1, "ann", 200)).status_code == 200, 60, lambda: south.said)


def close(room: Room, node: rooms.Node, name: str) -> dict[str, Any]:
    args = CloseRoom if name == "room.close" else ReopenRoom
    answers: list[httpx.Response] = []

    def taken() -> bool:
        answers.append(send(room, node, args("lights out")))
        return answers[-1].status_code == 200

    holds(taken, 60, lambda: node.said)
    return answers[-1].json()  # type: ignore[no-any-return]
