"""What a node makes of suggestions, and of a shard that it has lost."""

import re
import secrets
import threading
from time import monotonic
from typing import Any

import pytest

from services.eventlog.log import AppendRefused, LogError, NotOwner
from services.kafka.settings import Broker
from services.kafka.topics import create
from services.node import node as whole
from services.node import suggestions
from services.node.node import Node
from services.node.sharing import Member
from services.node.suggestions import Group, Suggested
from tests.node.by_hand import SHARD, Place
from tests.node.rooms import holds
from tests.services.homes import Desk, open_table

MINE = frozenset([SHARD])


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def north(place: Place, said: list[str], monkeypatch: pytest.MonkeyPatch) -> Node:
    """A node that keeps the shard of table t1; the group has spoken twice. Nobody else keeps it going: between two of a
    test's calls a slow machine may spend seconds, which it must not take for the log's silence."""
    monkeypatch.setattr(whole, "SILENCE", 300.0)
    north = place.whole("north", said)
    north._keep_once(Suggested(MINE, 1))
    north._keep_once(Suggested(MINE, 2))
    return north


def ask(node: Node, place: Place) -> Any:
    """What becomes of a command to table t1."""
    return node.submit(Desk(node._writer.room.ports)(open_table("t1"))).exception(timeout=30)


def test_a_shard_that_another_claimed_is_said_to_be_lost_and_left_to_him(
    place: Place, north: Node, said: list[str]
) -> None:
    place.node("south").claims.claim(SHARD)
    assert isinstance(ask(north, place), NotOwner)
    north._keep_once(Suggested(MINE, 2))
    assert said[-1] == f"shard {SHARD} was lost: node south has claimed it"
    assert north.owned == []
    assert north.owner(SHARD) == "http://south:8080"
    assert f"shard {SHARD} is not taken over yet" in north.readiness().reason


def test_it_is_taken_back_at_once_when_the_group_says_so_again(place: Place, north: Node, said: list[str]) -> None:
    place.node("south").claims.claim(SHARD)
    ask(north, place)
    north._keep_once(Suggested(MINE, 2))
    north._keep_once(Suggested(MINE, 3))
    assert north.owned == [SHARD]
    assert said[-1].startswith(f"shard {SHARD} is this node's")


def test_a_loss_is_said_also_where_the_group_has_spoken_since(place: Place, north: Node, said: list[str]) -> None:
    place.node("south").claims.claim(SHARD)
    ask(north, place)
    north._keep_once(Suggested(MINE, 3))
    assert said[-2] == f"shard {SHARD} was lost: node south has claimed it"


def test_one_that_stood_still_sees_it_when_the_group_speaks_and_takes_back_at_once_what_it_is_given(
    place: Place, north: Node, said: list[str]
) -> None:
    place.node("south").claims.claim(SHARD)
    north._keep_once(Suggested(MINE, 3))
    assert said[-2] == f"shard {SHARD} was lost: node south has claimed it"
    assert north.owned == [SHARD]
    assert ask(north, place) is None


def test_the_door_learns_who_owns_a_shard_without_waiting_for_the_log(place: Place, north: Node) -> None:
    found: list[str | None] = []
    with north._log._mutex:  # type: ignore[attr-defined]
        asking = threading.Thread(target=lambda: found.append(north.owner(0)))
        asking.start()
        asking.join(timeout=30)
        assert found == [None]


def test_while_its_log_does_not_answer_a_node_takes_nothing_and_says_so(place: Place, north: Node) -> None:
    north._answered = monotonic() - whole.SILENCE - 1
    assert re.fullmatch(r"the log hasn't answered for 30[1-9] s", north.readiness().reason)
    assert isinstance(ask(north, place), AppendRefused)
    assert isinstance(north.look("t1", lambda play: play).exception(timeout=30), LogError)
    assert isinstance(north.look_up("ann", lambda patron, at: patron).exception(timeout=30), LogError)
    north._keep_once(Suggested(MINE, 2))
    assert north.readiness().reason == ""
    assert ask(north, place) is None


def test_a_node_that_reads_what_it_takes_over_is_not_ready_before_its_end(place: Place, north: Node) -> None:
    north._log._unread_records[SHARD] = 3  # type: ignore[attr-defined]
    assert north.readiness().reason == f"shard {SHARD} is 3 records behind its log"


def test_nodes_that_come_at_once_all_get_a_share_however_briefly_they_look(kafka, monkeypatch) -> None:
    """No rebalance is done within one look then, and the topic's partitions become known in the middle of it."""
    monkeypatch.setattr(suggestions, "LOOK", 1)
    broker, room = Broker(kafka.bootstrap), f"g{secrets.token_hex(6)}"
    create(broker, room, 4)
    groups = [Group(broker, room, Member(name, "", "", 1)) for name in ("north", "south")]
    try:
        holds(lambda: [len(one.now().shards) for one in groups] == [2, 2], 60, lambda: [one.now() for one in groups])
    finally:
        for one in groups:
            one.leave()


def test_a_node_that_can_t_follow_its_group_any_more_is_told(kafka, place: Place, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    group = Group(Broker(kafka.bootstrap), place.node("north").log.room, Member("north", "", "", 1))
    monkeypatch.setattr(group._consumer, "poll", broken)
    group._thread.join(timeout=20)
    with pytest.raises(LogError, match="the group of nodes can't be followed any more: RuntimeError"):
        group.now()
