"""A node that is told to end hands over at once; one that comes takes its share, and no hand suffers from either."""

import time
from random import Random

import pytest

from tests.node.check import check_all
from tests.node.rooms import Room
from tests.node.stage import Stage


@pytest.mark.soak
def test_a_node_that_ends_hands_over_at_once_and_one_that_comes_takes_its_share(room: Room, count) -> None:
    random, stage = Random(1), Stage(room, "north", "south", think=0.01)
    north = stage.nodes["north"]
    shards = stage.share_of(north)
    stage.at_the_moment(stage.client_at(shards, random), random)
    north.tell_to_end()
    told_at = time.monotonic()
    seconds = stage.seconds_until_taken_over(shards, told_at)
    assert north.ended() == 0
    gone = time.monotonic() - told_at
    stage.nodes["north"] = room.node("north")
    stage.is_shared()
    stage.play_on()
    stage.finish()
    ledger, told = check_all(room)
    assert not ledger.cancelled
    assert ledger.carried
    assert seconds < 2.0, "as long as for one that was killed"
    count(f"handed over in {seconds:.2f} s, ended after {gone:.2f} s; {len(ledger.carried)} hands went over; {told}")
