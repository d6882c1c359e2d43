"""A command for another node's shard is forwarded to that node's door: once, and with the sender's own token and id."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from domain.hand.commands import Call, Fold
from domain.messages import Command
from domain.table.commands import DealHand, SitDown
from services.api.host import RoomHost
from services.eventlog.log import NotOwner
from services.room.recording import Answer
from tests.api.doors import Client, Door, door_of, key, must, problem, served
from tests.services.homes import open_table
from tests.services.patrons import with_money


class Elsewhere(RoomHost):
    """A node that owns no shard. `address`: of the door of the node that does, None where none does."""

    def __init__(self, of: RoomHost, address: str | None) -> None:
        super().__init__(of._writer, of._log)
        self.address = address

    def owner(self, shard: int) -> str | None:
        return self.address

    def submit(self, command: Command) -> "Future[Answer]":
        return self._not_here()

    def look(self, table: str, see: Any) -> "Future[Any]":
        return self._not_here()

    def look_up(self, player: str, see: Any) -> "Future[Any]":
        return self._not_here()

    def facts(self, hand: str) -> list[Any]:
        raise NotOwner(3)

    def _not_here(self) -> "Future[Any]":
        found: Future[Any] = Future()
        found.set_exception(NotOwner(3))
        return found


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Door, Door]]:
    """The door of an owner, and of a node that owns nothing; both know the same tokens."""
    home = tmp_path / "home"
    with door_of(home) as owner:
        assert isinstance(owner.host, RoomHost)
        with served(home, Elsewhere(owner.host, owner.address)) as other:
            yield owner, other


def elsewhere(other: Door) -> Elsewhere:
    assert isinstance(other.host, Elsewhere)
    return other.host


def test_a_hand_is_played_through_another_door(two: tuple[Door, Door]) -> None:
    owner, other = two
    must(other.client("floor:fay").give(open_table()))
    for seat, player in enumerate(("ann", "bob"), start=1):
        must(other.client(f"player:{player}").give(SitDown("t1", seat, player, 200)))
    must(other.client("floor:fay").give(DealHand("t1", 1)))
    ann, id_ = other.client("player:ann"), key()
    first = ann.give(Call("t1-1", 1, 1), id_)
    there = owner.client("player:ann").give(Call("t1-1", 1, 1), id_)
    assert must(first) == must(there)
    assert "Idempotency-Replayed" not in first.headers
    assert there.headers["Idempotency-Replayed"] == "true"
    assert ann.give(Call("t1-1", 1, 1), id_).headers["Idempotency-Replayed"] == "true"
    assert ann.look("/v1/tables/t1") == owner.client("player:ann").look("/v1/tables/t1")
    assert ann.look("/v1/hands/t1-1") == owner.client("player:ann").look("/v1/hands/t1-1")
    assert 'handlog_http_forwards_total{outcome="answered"} 8.0' in ann.http.get("/metrics").text


def test_a_player_is_looked_up_through_another_door(two: tuple[Door, Door]) -> None:
    _, other = two
    for args in with_money("ann"):
        must(other.client("cage:cara").give(args))
    (there,), (here,) = (door.client("player:ann").look("/v1/players/ann")["accounts"] for door in two)
    assert there == here
    assert here["balance"] == 1000
    problem(other.client("player:bob").http.get("/v1/players/ann"), 403, "forbidden")
    problem(other.client("cage:cara").http.get("/v1/players/zed"), 404, "not-found")


def test_the_owner_judges_who_may_and_what_the_rules_say(two: tuple[Door, Door]) -> None:
    _, other = two
    must(other.client("floor:fay").give(open_table()))
    said = problem(other.client("floor:fay").give(open_table()), 409, "refused")
    assert said == "table t1 is open already: choose another id"
    must(other.client("player:ann").give(SitDown("t1", 1, "ann", 200)))
    must(other.client("player:bob").give(SitDown("t1", 2, "bob", 200)))
    must(other.client("floor:fay").give(DealHand("t1", 1)))
    problem(other.client("player:bob").give(Fold("t1-1", 1, 1)), 403, "forbidden")
    problem(other.client("player:bob").http.get("/v1/hands/t1-2"), 404, "not-found")


def test_where_nobody_owns_the_shard_nothing_is_recorded(two: tuple[Door, Door]) -> None:
    _, other = two
    elsewhere(other).address = None
    for response in (other.client("floor:fay").give(open_table()), other.client("floor:fay").http.get("/v1/tables/t1")):
        assert problem(response, 503, "no-owner").startswith(
            "Shard 3 has no owner just now, and this request recorded nothing"
        )
        assert response.headers["Retry-After"] == "1"


def test_an_owner_that_can_not_be_reached_is_none(two: tuple[Door, Door]) -> None:
    _, other = two
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    elsewhere(other).address = f"http://127.0.0.1:{port}"  # nobody listens there any more
    response = other.client("floor:fay").give(open_table())
    problem(response, 503, "no-owner")
    assert response.headers["Retry-After"] == "1"
    assert 'handlog_http_forwards_total{outcome="unreachable"} 1.0' in other.with_token(None).http.get("/metrics").text


def test_nothing_is_forwarded_twice(two: tuple[Door, Door]) -> None:
    """Two nodes that each take the other for the owner."""
    owner, other = two
    assert isinstance(owner.host, RoomHost)
    with served(Path(owner.tokens._path).parent, Elsewhere(owner.host, other.address)) as third:
        elsewhere(other).address = third.address
        problem(third.client("floor:fay").give(open_table()), 503, "no-owner")
        assert "handlog_http_forwards_total" not in counted(other)
        assert 'handlog_http_forwards_total{outcome="answered"} 1.0' in counted(third)


def counted(door: Door) -> str:
    lines = door.with_token(None).http.get("/metrics").text.splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


@contextmanager
def breaks_off(times: int) -> Iterator[tuple[str, list[bytes]]]:
    """A door that takes requests and breaks the connection off; its address, and what it was sent."""
    taken: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for _ in range(times):
                connection, _ = listening.accept()
                with connection:
                    taken.append(connection.recv(65_536))

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", taken
        thread.join(10)


def test_where_the_owner_s_answer_is_lost_nobody_says_that_nothing_was_recorded(two: tuple[Door, Door]) -> None:
    owner, other = two
    fay, id_ = other.client("floor:fay"), key()
    with breaks_off(1) as (address, taken):
        elsewhere(other).address = address
        response = fay.give(open_table(), id_)
    assert "same Idempotency-Key" in problem(response, 504, "unknown")
    assert response.headers["Retry-After"] == "1"
    (sent,) = taken
    assert f"idempotency-key: {id_}".encode() in sent.lower()
    assert b"handlog-forwarded: 1" in sent.lower()
    assert b"authorization: bearer handlog_" in sent.lower()
    elsewhere(other).address = owner.address
    must(fay.give(open_table(), id_))


def test_a_lost_look_is_asked_for_again(two: tuple[Door, Door]) -> None:
    _, other = two
    with breaks_off(1) as (address, _):
        elsewhere(other).address = address
        problem(other.client("floor:fay").http.get("/v1/tables/t1"), 503, "no-owner")


def test_who_is_unknown_to_a_door_is_not_passed_on(two: tuple[Door, Door]) -> None:
    _, other = two
    stranger: Client = other.with_token("handlog_00000000_AAAA")
    problem(stranger.give(open_table()), 401, "unauthenticated")
    assert "handlog_http_forwards_total" not in counted(other)
