"""Feeds on a real broker: what stands in their partitions, and their worker as a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

from services.cli.feed import feed
from services.eventlog.log import Log
from services.kafka.partitions import Reader
from services.kafka.settings import Broker
from services.kafka.topics import feed_topic
from tests.money import followers

_WORKER = """
import sys, time
from pathlib import Path
from services.cli.feed import feed
from services.feed import worker
from services.feed.kafka_topic import KafkaTopic

flush = KafkaTopic.flush

def slowly(topic):
    time.sleep(float(sys.argv[2]))
    flush(topic)

if sys.argv[2] != "0":
    worker.MOST_EVENTS, KafkaTopic.flush = 1, slowly
feed(Path(sys.argv[1]), [], once=False, metrics=sys.argv[3] or None)
"""


def partitions(broker: Broker, log: Log) -> list[list[bytes]]:
    """All that stands in the feed of a log's room."""
    with closing(Reader(broker, feed_topic(log.room))) as reader:
        return [[placed.raw for placed in reader.read(shard, 0)] for shard in range(log.shards)]


def length(broker: Broker, log: Log) -> int:
    """How many events stand in it."""
    with closing(Reader(broker, feed_topic(log.room))) as reader:
        return sum(reader.end(shard) for shard in range(log.shards))


@contextmanager
def working(home: Path, pause: float = 0, metrics: str = "") -> Iterator[subprocess.Popen[str]]:
    """The worker of a home's feed as a process, until it is killed; the environment says where Kafka is.

    With a `pause`, in seconds, it sends one event at a time and waits before each, so that it can be killed midway.
    `metrics`: HOST:PORT, where it shows them.
    """
    with subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(home), str(pause), metrics],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    ) as worker:  # fmt: skip
        try:
            yield worker
        finally:
            worker.kill()


def stopped(worker: subprocess.Popen[str]) -> str:
    """What it says when somebody presses ctrl-c."""
    return followers.stopped(worker, signal.SIGINT)


def sent_by(home: Path, *starts: str) -> int:
    """How many events a worker sends that ends where the log ends now."""
    with redirect_stdout(StringIO()) as out:
        feed(home, starts, once=True)
    return int(out.getvalue().split()[0].replace(",", ""))
