"""A node is killed in the middle of hands: another takes them over, with the same decks, and nothing is lost."""

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import NamedTuple

import pytest

from tests.node.check import check_all
from tests.node.journal import Sent
from tests.node.rooms import Room
from tests.node.stage import TABLES, Stage, shard_of_table


class Kill(NamedTuple):
    """`at`: when, by the machine's monotonic clock. `tables`: of the node that was killed. `seconds`: until commands
    were acknowledged again at all of these."""

    at: float
    tables: frozenset[str]
    seconds: float

    def found_waiting(self, sent: Sequence[Sent]) -> bool:
        """Whether a client at one of these tables had sent a command then and had no answer."""
        return any(one.table in self.tables and one.waits_at(self.at) for one in sent)


def kill_one(stage: Stage, random: Random) -> Kill:
    """Kill a node while a client of its waits for an answer, or has just got it, and start it again afterwards."""
    victim = random.choice(stage.each())
    shards = stage.share_of(victim)
    stage.at_the_moment(stage.client_at(shards, random), random)
    victim.kill()
    killed = time.monotonic()
    seconds = stage.seconds_until_taken_over(shards, killed)
    stage.nodes[victim.name] = stage.room.node(victim.name)
    stage.is_shared()
    return Kill(killed, frozenset(table for table in TABLES if shard_of_table(table) in shards), seconds)


def kill_often(room: Room, times: int, count: Callable[[str], None]) -> tuple[list[Kill], int]:
    """The kills, and in how many of them some client had sent and had no answer."""
    random, stage = Random(times), Stage(room, "north", "south", think=0.01)
    kills = [kill_one(stage, random) for _ in range(times)]
    stage.finish()
    ledger, told = check_all(room)
    sent = [one for client in stage.clients for one in client.sent()]
    waiting = sum(kill.found_waiting(sent) for kill in kills)
    assert ledger.carried, "no hand went from one owner to another"
    assert not ledger.cancelled
    seconds = [kill.seconds for kill in kills]
    count(
        f"{times} kills, in {waiting} a client at the node's tables had sent and had no answer; takeover "
        f"{median(seconds):.2f} s at the median, {max(seconds):.2f} s at worst; of {ledger.hands} hands "
        f"{len(ledger.carried)} were ended by another owner than had dealt them; {told}"
    )
    return kills, waiting


@pytest.mark.soak
def test_fifty_killed_nodes(room: Room, count) -> None:
    kills, waiting = kill_often(room, 50, count)
    assert waiting >= 15
    seconds = [kill.seconds for kill in kills]
    assert median(seconds) < 3.0
    assert max(seconds) < 4.5
