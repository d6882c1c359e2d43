"""One node stands still for longer than its session and comes back, then one is killed: nothing is lost by either.

Each promise at its least, on one stage; both often, and each by itself, in the soak (test_pause, test_takeover).
"""

from random import Random

from tests.node.check import check_all
from tests.node.rooms import Room
from tests.node.stage import Stage
from tests.node.test_pause import pause_once, voids_in
from tests.node.test_takeover import kill_one


def test_a_node_that_stood_still_takes_part_again_and_a_killed_one_s_hands_go_on_at_another(room: Room, count) -> None:
    random, stage = Random(1), Stage(room, "north", "south", patience=1.0)
    pause = pause_once(stage, random)
    stage.play_on()
    kill = kill_one(stage, random)
    stage.play_on()
    stage.finish()
    ledger, told = check_all(room)
    assert ledger.carried, "no hand went from one owner to another"
    assert not ledger.cancelled
    count(
        f"a pause: taken over after {pause.taken:.2f} s, noticed {pause.noticed:.2f} s after it went on, a share again "
        f"after {pause.again:.2f} s, {sum(voids_in(room).values())} late records are void; a kill: taken over after "
        f"{kill.seconds:.2f} s; of {ledger.hands} hands {len(ledger.carried)} were ended by another owner than had "
        f"dealt them; {told}"
    )
