"""A node without a Kafka: the log is in its home, it keeps every shard, and works the same way."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node.check import check_all
from tests.node.rooms import Room, a_room
from tests.node.stage import SHARDS, Stage


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with a_room(tmp_path, "") as room:
        yield room


@pytest.mark.soak
def test_it_is_stopped_killed_and_started_again_and_hands_go_on(room: Room, count) -> None:
    stage = Stage(room, "alone", think=0.01)
    for end in ("stopped", "killed"):
        alone = stage.nodes["alone"]
        assert alone.owned() == list(range(SHARDS))
        if end == "stopped":
            alone.tell_to_end()
            assert alone.ended() == 0
            assert "Traceback" not in alone.said
        else:
            alone.kill()
        stage.nodes["alone"] = room.node("alone")
        stage.nodes["alone"].becomes_ready()
        stage.play_on()
    stage.finish()
    stage.nodes["alone"].tell_to_end()
    assert stage.nodes["alone"].ended() == 0
    ledger, told = check_all(room)
    assert ledger.claims == 3 * SHARDS
    assert ledger.carried
    assert not ledger.cancelled
    count(f"{len(ledger.carried)} hands went over from one start to the next; {told}")


def test_a_second_node_of_the_same_home_is_told_that_it_is_in_use(room: Room) -> None:
    room.node("alone").becomes_ready()
    second = room.node("second")
    assert second.ended() == 2
    assert second.said.startswith("handlog: ")
    assert "Traceback" not in second.said
