"""What a node is told: which shards to keep, and by the broker that its group can't be as it must."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy.kafka.cluster import Cluster
from domain import catalog
from tests.api.doors import key
from tests.kafka.brokers import cluster
from tests.node.clients import DEALER
from tests.node.rooms import Node, Room, a_room, holds
from tests.node.stage import shard_of_table
from tests.services.homes import open_table

HERE, THERE = "t1", "t2"
"""Two tables, of shards 3 and 0."""


def opens(room: Room, node: Node, table: str) -> httpx.Response:
    """What the node's door answers to whom wants to open a table."""
    name, _, args = catalog.command.dump(open_table(table))
    headers = {"Authorization": f"Bearer {room.tokens[DEALER]}", "Idempotency-Key": key()}
    body = {"name": name, "args": args}
    return room.http.post(f"{node.door}/v1/commands", json=body, headers=headers, timeout=60)


def test_a_node_keeps_the_shards_that_it_is_given_and_asks_the_owners_of_others(room: Room) -> None:
    here, there = shard_of_table(HERE), shard_of_table(THERE)
    north = room.node("north", "--shard", str(here))
    north.becomes_ready()
    assert north.owned() == [here]
    assert opens(room, north, HERE).status_code == 200
    nobody = opens(room, north, THERE)
    assert (nobody.status_code, nobody.headers["Retry-After"]) == (503, "1")
    assert f"Shard {there} has no owner just now" in nobody.json()["detail"]

    south = room.node("south", "--shard", str(there))
    south.becomes_ready()
    holds(lambda: opens(room, north, THERE).status_code == 200, 60, lambda: north.said)
    assert south.owned() == [there]


def test_a_shard_that_there_is_not_can_t_be_kept(room: Room) -> None:
    north = room.node("north", "--shard", "4")
    assert north.ended() == 2
    assert north.said == "handlog: there is no shard 4: this room has shards 0 to 3\n"


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster that leaves group.min.session.timeout.ms at Kafka's default of 6 s."""
    with cluster() as made:
        (broker,) = made.brokers
        broker.kill()
        settings = broker.folder / "server.properties"
        kept = [line for line in settings.read_text().splitlines() if "group.min.session.timeout.ms" not in line]
        settings.write_text("\n".join(kept))
        broker.start()
        yield made


@pytest.mark.soak
def test_a_broker_that_wants_longer_sessions_is_named_with_its_setting(impatient: Cluster, tmp_path: Path) -> None:
    with a_room(tmp_path, impatient.bootstrap) as room:
        north = room.node("north")
        assert north.ended() == 2
        last = north.said.splitlines()[-1]
        assert last == (
            f"handlog: Kafka at {impatient.bootstrap} refuses a group's session of 2000 ms: lower "
            "group.min.session.timeout.ms to 2000 or less at its brokers"
        )
        assert "Traceback" not in north.said
