"""An owner that stands still for longer than its session: what it records afterwards is void, and it knows that."""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

import pytest

from domain import catalog
from services.bootstrap import open_log
from services.eventlog.kafka_log import KafkaLog
from tests.api.doors import key
from tests.node.check import check_all
from tests.node.clients import DEALER
from tests.node.rooms import Node, Room, holds
from tests.node.stage import Stage, shard_of_table
from tests.services.homes import open_table


class Pause(NamedTuple):
    """Seconds until others had taken over, from its going on until it has noticed, and until it has a share again."""

    taken: float
    noticed: float
    again: float


def pause_often(room: Room, times: int, count: Callable[[str], None]) -> int:
    """How many late records came into the log: whether any does depends on what stands before the room just then."""
    random, stage = Random(times), Stage(room, "north", "south", think=0.01, patience=1.0)
    pauses = [pause_once(stage, random) for _ in range(times)]
    stage.play_on()
    stage.finish()
    ledger, told = check_all(room)
    late = sum(voids_in(room).values())
    assert ledger.carried
    assert not ledger.cancelled
    assert "Traceback" not in stage.nodes["north"].said
    taken, noticed, again = (max(seconds) for seconds in zip(*pauses, strict=True))
    count(
        f"{times} pauses; at worst taken over after {taken:.2f} s, noticed {noticed:.2f} s after it went on, a share "
        f"again after {again:.2f} s; {late} late records are void; {told}"
    )
    return late


@pytest.mark.soak
def test_an_owner_that_stood_still_steps_down_and_what_it_still_sends_is_void(room: Room, count) -> None:
    assert pause_often(room, 20, count) > 0


def pause_once(stage: Stage, random: Random) -> Pause:
    """Stop north in the midst of its work until others have taken over, then have it go on."""
    north = stage.nodes["north"]
    shards, said_before = stage.share_of(north), len(north.said)
    with many_commands(stage.room, north, shards):
        stage.at_the_moment(stage.client_at(shards, random), random)
        north.pause()
        paused = time.monotonic()
        taken = stage.seconds_until_taken_over(shards, paused)
        north.resume()
        resumed = time.monotonic()
        holds(lambda: _says_that_it_lost(north.said[said_before:], shards), 60, lambda: north.said)
        noticed = time.monotonic() - resumed
    stage.is_shared()
    return Pause(taken, noticed, time.monotonic() - resumed)


def _says_that_it_lost(said: str, shards: Sequence[int]) -> bool:
    return all(f"shard {shard} was lost" in said or f"shard {shard} is let go" in said for shard in shards)


@contextmanager
def many_commands(room: Room, node: Node, shards: Sequence[int]) -> Iterator[None]:
    """Commands to its shards that are on their way through a node, or stand before the room there."""
    tables = [f"late{secrets.token_hex(6)}" for _ in range(120)]
    there = [table for table in tables if shard_of_table(table) in shards]
    with ThreadPoolExecutor(len(there)) as senders:
        for table in there:
            senders.submit(_open_there, room, node, table)
        yield


def _open_there(room: Room, node: Node, table: str) -> None:
    name, _, args = catalog.command.dump(open_table(table))
    headers = {"Authorization": f"Bearer {room.tokens[DEALER]}", "Idempotency-Key": key()}
    room.http.post(f"{node.door}/v1/commands", json={"name": name, "args": args}, headers=headers, timeout=30)


def voids_in(room: Room) -> dict[int, int]:
    """How many void records a reader finds, by shard."""
    with room.in_its_environment(), open_log(room.fresh_home()) as log:
        assert isinstance(log, KafkaLog)
        return {shard: number for shard, number in log.voids.items() if number}
