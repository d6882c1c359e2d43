"""A room whose brokers fail: it pauses and says so, loses and doubles nothing, and goes on by itself."""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from deploy.kafka.cluster import Cluster
from services.ids import uuid7
from services.kafka.topics import log_topic
from tests.kafka.records import leader
from tests.node.check import check_all
from tests.node.clients import DEALER
from tests.node.journal import RECORDED
from tests.node.rooms import Node, Room, a_room
from tests.node.stage import TABLES, Stage

Undo = Callable[[], object]
Fault = Callable[[Cluster, Room], Undo]
"""Does something to brokers; what it returns undoes it."""

FAULTY = {"table": "t1", "number": 1_000_000}
"""What deals no hand: it is refused as long as the room works."""


def stopped(brokers: Cluster, room: Room) -> Undo:
    brokers.brokers[0].stop()
    return brokers.start


def killed(brokers: Cluster, room: Room) -> Undo:
    brokers.brokers[0].kill()
    return brokers.start


def leader_killed(brokers: Cluster, room: Room) -> Undo:
    brokers.brokers[leader(brokers.bootstrap, log_topic(room.name)) - 1].kill()
    return brokers.start


def leader_paused(brokers: Cluster, room: Room) -> Undo:
    leads = brokers.brokers[leader(brokers.bootstrap, log_topic(room.name)) - 1]
    leads.pause()
    return leads.resume


def two_of_three_gone(brokers: Cluster, room: Room) -> Undo:
    for each in brokers.brokers[:2]:
        each.kill()
    return brokers.start


class Seen(NamedTuple):
    """What a node's doors said during a fault: /readyz, and to a new command its status and its header Retry-After."""

    states: set[str]
    answers: set[tuple[int, str | None]]
    silent: float


def through(brokers: Cluster, folder: Path, fault: Fault, seconds: float, count: Callable[[str], None]) -> Seen:
    """Play, let the fault last so many seconds, undo it, play on; nothing is lost, doubled or untrue."""
    with a_room(folder, brokers.bootstrap) as room:
        stage = Stage(room, "north", think=0.01)
        (north,) = stage.each()
        began, undo = time.monotonic(), fault(brokers, room)
        seen = watch(stage, north, began, seconds)
        undo()
        after = stage.seconds_until_taken_over(range(len(TABLES)), time.monotonic(), 60)
        north.becomes_ready()
        stage.play_on()
        stage.finish()
        ledger, told = check_all(room)
        assert north.running
        assert "Traceback" not in north.said
        assert not ledger.cancelled
    count(f"{seconds:.0f} s, silent for {seen.silent:.1f} s; all go on {after:.1f} s after it; {told}")
    return seen


def watch(stage: Stage, node: Node, began: float, seconds: float) -> Seen:
    """Ask the node how it stands, and for something, until the fault has lasted for so long."""
    states, answers = set[str](), set[tuple[int, str | None]]()
    while time.monotonic() - began < seconds:
        status, said = node.readiness()
        states.add("ready" if status == 200 else said)
        with suppress(httpx.ReadTimeout):
            answers.add(answer_to_a_command(stage.room, node))
        time.sleep(0.2)
    return Seen(states, answers, longest_silence(stage, began))


def answer_to_a_command(room: Room, node: Node) -> tuple[int, str | None]:
    id_ = uuid7(time.time_ns() // 1000, secrets.randbits(74))
    found = room.http.post(
        f"{node.door}/v1/commands",
        json={"name": "table.deal-hand", "args": FAULTY},
        headers={"Authorization": f"Bearer {room.tokens[DEALER]}", "Idempotency-Key": id_},
        timeout=1,
    )
    return found.status_code, found.headers.get("Retry-After")


def longest_silence(stage: Stage, since: float) -> float:
    """The longest time in seconds, from that moment to now, in which nobody was acknowledged anything."""
    ends = [one.ends[-1] for client in stage.clients for one in client.sent() if one.last == RECORDED]
    moments = [since, *sorted(end for end in ends if end > since), time.monotonic()]
    return max(later - earlier for earlier, later in pairwise(moments))


def says_that_it_pauses(seen: Seen) -> None:
    assert any("the log hasn't answered for" in state for state in seen.states), seen.states
    assert (503, "1") in seen.answers, seen.answers
    assert {status for status, _ in seen.answers} <= {409, 503, 504}


@pytest.mark.soak
def test_a_broker_that_is_stopped_and_started_again(one: Cluster, tmp_path: Path, count) -> None:
    says_that_it_pauses(through(one, tmp_path, stopped, 5, count))


@pytest.mark.soak
@pytest.mark.parametrize("fault", [stopped, killed])
def test_a_broker_that_is_away_for_twenty_seconds(one: Cluster, tmp_path: Path, fault: Fault, count) -> None:
    says_that_it_pauses(through(one, tmp_path, fault, 20, count))


@pytest.mark.soak
@pytest.mark.parametrize("fault", [leader_killed, leader_paused])
def test_of_three_brokers_the_leader_is_away(three: Cluster, tmp_path: Path, fault: Fault, count) -> None:
    seen = through(three, tmp_path, fault, 20, count)
    assert seen.silent < 15, "another broker leads by then"


@pytest.mark.soak
def test_of_three_brokers_two_are_gone(three: Cluster, tmp_path: Path, count) -> None:
    seen = through(three, tmp_path, two_of_three_gone, 20, count)
    says_that_it_pauses(seen)
    assert seen.silent > 15, "one replica alone acknowledges nothing"
