"""Two nodes of a room, and clients that play at a table of each of its shards."""

import time
from collections.abc import Sequence
from random import Random

from domain.messages import table_stream
from services.room.shards import shard_of
from tests.node.journal import RECORDED
from tests.node.killer import answer_time, wait_for_the_moment
from tests.node.rooms import Client, Node, Room, holds

SHARDS = 4
TABLES = ("t2", "t3", "t4", "t1")
"""One of each shard, in their order."""

_SETTLED = 12
"""Commands after which a client is at play."""


class Stage:
    """Nodes and clients at work. `nodes`: by name. `think`: at 0.01 s the clients keep two cores busy."""

    def __init__(self, room: Room, *names: str, think: float = 0.05, patience: float = 3.0) -> None:
        self.room = room
        self.nodes = {name: room.node(name) for name in names}
        for node in self.nodes.values():
            node.becomes_ready()
        self.clients = [
            room.client(table, list(self.nodes.values()), think=think, patience=patience) for table in TABLES
        ]
        holds(lambda: all(len(one.sent()) > _SETTLED for one in self.clients), 60, lambda: "the clients don't play")
        self.is_shared()

    def is_shared(self, seconds: float = 60.0) -> None:
        """Return when every shard has one owner, and every node a share."""

        def shared() -> bool:
            owned = [node.owned() for node in self.nodes.values()]
            return all(owned) and sorted(shard for some in owned for shard in some) == list(range(SHARDS))

        holds(shared, seconds, lambda: "\n".join(f"{one.name}: {one.owned()}\n{one.said}" for one in self.each()))

    def each(self) -> Sequence[Node]:
        return list(self.nodes.values())

    def share_of(self, node: Node) -> list[int]:
        """The shards that it owns, once it has some: it may have lost its share for a moment, or not answer at once."""
        shares: list[list[int]] = []

        def known() -> bool:
            shares.append(node.owned())
            return bool(shares[-1])

        holds(known, 60, lambda: node.said)
        return shares[-1]

    def client_at(self, shards: Sequence[int], random: Random) -> Client:
        """One who plays at a table of these."""
        return random.choice([one for one in self.clients if shard_of_table(one.plan.table) in shards])

    def at_the_moment(self, client: Client, random: Random) -> float:
        """Return soon after it has sent a command to a hand; the delay in seconds."""
        return wait_for_the_moment(client.journal, answer_time(client.sent()), random)

    def seconds_until_taken_over(self, shards: Sequence[int], since: float, seconds: float = 60.0) -> float:
        """From a moment until a command was acknowledged at each of these shards' tables that plays."""
        waiting = [one for one in self.clients if shard_of_table(one.plan.table) in shards]
        holds(lambda: all(_first_after(one, since) for one in waiting), seconds, lambda: _said(self.each()))
        return max(_first_after(one, since) - since for one in waiting)

    def play_on(self, commands: int = 5) -> None:
        """Return when every client has got so many more answers."""
        since = time.monotonic()
        holds(
            lambda: all(
                sum((one.answered_at or 0) > since for one in each.sent()) >= commands for each in self.clients
            ),
            60,
            lambda: _said(self.each()),
        )

    def finish(self) -> None:
        """The clients end, and know what came of all that they sent."""
        for client in self.clients:
            client.tell_to_end()
        for client in self.clients:
            client.finish()


def shard_of_table(table: str) -> int:
    return shard_of(table_stream(table), SHARDS)


def _first_after(client: Client, moment: float) -> float:
    """When it was first told that something is recorded that it sent after that moment; 0 where it wasn't yet."""
    told = [one.ends[-1] for one in client.sent() if one.last == RECORDED and one.begins[-1] > moment]
    return min(told, default=0.0)


def _said(processes: Sequence[Node]) -> str:
    return "\n".join(f"{one.name}: {one.said}" for one in processes)
