"""A broker that stops, dies, or hangs in the middle of appends: what was acknowledged is there, nothing is there twice,
and the writer goes on by itself.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from deploy.kafka.cluster import Cluster
from services.kafka.settings import Broker
from services.kafka.topics import log_topic
from tests.kafka.records import leader
from tests.kafka.rooms import KafkaRoom
from tests.kafka.writers import RECORDED, Audit, audit, lines, start

SECONDS = 600.0
"""How long a writer writes if nobody ends it."""


class Writing:
    """A writer process that appends while brokers fail, and its journal."""

    def __init__(self, room: KafkaRoom, folder: Path, name: str = "ann") -> None:
        self.journal = folder / f"{name}.journal"
        self._process = start(room.broker, room.name, folder, name, SECONDS, pause=0.01)
        assert self.goes_on(30)

    def goes_on(self, within: float) -> bool:
        """Whether something more is acknowledged within so many seconds."""
        before, last = self.acknowledged(), monotonic() + within
        while monotonic() < last:
            sleep(0.1)
            assert self._process.poll() is None, "the writer has ended"
            if self.acknowledged() > before:
                return True
        return False

    def acknowledged(self) -> int:
        return sum(line["what"] == RECORDED for line in lines([self.journal])) if self.journal.exists() else 0

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(10)


def proven(made: Cluster, folder: Path, faults: Callable[[Callable[[], Any]], None]) -> Audit:
    """Let a writer write through some faults, each followed by a look that it goes on; the audit of its journal."""
    with KafkaRoom(folder, broker=Broker(made.bootstrap)) as room, ExitStack() as ending:
        writing = Writing(room, folder)
        ending.callback(writing.end)

        def goes_on() -> None:
            assert writing.goes_on(60), "the writer doesn't go on"

        faults(goes_on)
        writing.end()
        found = audit(room.records(), [writing.journal])
    print(found)
    return found


@pytest.mark.soak
def test_one_broker_paused_killed_and_stopped(one: Cluster, tmp_path: Path) -> None:
    (broker,) = one.brokers

    def faults(goes_on: Callable[[], Any]) -> None:
        broker.pause()
        sleep(2)
        broker.resume()
        goes_on()
        broker.kill()
        broker.start()
        goes_on()
        broker.stop()
        broker.start()
        goes_on()

    assert proven(one, tmp_path, faults).said[RECORDED] > 0


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [20])
def test_one_broker_away_for_long(one: Cluster, tmp_path: Path, seconds: int) -> None:
    """Longer than a writer waits for an answer: it says that it doesn't know, or that it sent nothing."""
    (broker,) = one.brokers

    def faults(goes_on: Callable[[], Any]) -> None:
        broker.stop()
        sleep(seconds)
        broker.start()
        goes_on()
        broker.kill()
        sleep(seconds)
        broker.start()
        goes_on()
        broker.pause()
        sleep(seconds)
        broker.resume()
        goes_on()

    assert proven(one, tmp_path, faults).longest > seconds


@pytest.mark.soak
def test_of_three_brokers_the_leader_killed_and_paused_and_two_gone(three: Cluster, tmp_path: Path) -> None:
    def faults(goes_on: Callable[[], Any]) -> None:
        room = next(tmp_path.glob("riverside-*.sqlite")).stem

        def leading() -> int:
            return leader(three.bootstrap, log_topic(room)) - 1

        for _ in range(2):
            killed = three.brokers[leading()]
            killed.kill()
            goes_on()
            killed.start()
            goes_on()
        paused = three.brokers[leading()]
        paused.pause()
        sleep(14)
        paused.resume()
        goes_on()
        gone = three.brokers[:2]
        for broker in gone:
            broker.kill()
        sleep(10)
        for broker in gone:
            broker.launch()
        for broker in gone:
            broker.wait()
        goes_on()

    assert proven(three, tmp_path, faults).said[RECORDED] > 0
