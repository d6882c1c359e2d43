"""How long tables wait when one of a room's two nodes is killed: until a command is acknowledged again at each table of
the shards that it had. Nodes and clients are processes of their own; the node is killed while a client waits for its
answer, and started again afterwards.
"""

from collections.abc import Sequence
from random import Random
from statistics import median

from tests.bench.folder import folder
from tests.bench.rows import Row, within
from tests.kafka.brokers import shared_broker
from tests.node.rooms import a_room
from tests.node.stage import Stage
from tests.node.test_takeover import kill_one

GOAL_MEDIAN, GOAL_WORST = 3, 4.5


def rows(kills: int) -> list[Row]:
    random = Random(kills)
    with folder() as home, a_room(home, shared_broker().bootstrap) as room:
        stage = Stage(room, "north", "south", think=0.01)
        seconds = [kill_one(stage, random).seconds for _ in range(kills)]
        stage.finish()
    return stated(seconds)


def stated(seconds: Sequence[float]) -> list[Row]:
    name, times = "takeover after SIGKILL, group session 2 s", len(seconds)
    return [
        within(f"{name}, median of {times}", "s", median(seconds), GOAL_MEDIAN),
        within(f"{name}, worst of {times}", "s", max(seconds), GOAL_WORST),
    ]
