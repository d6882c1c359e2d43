"""The feed's worker as a command: it goes on until somebody presses ctrl-c, or the process is told to end."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import open_log
from services.cli.following import follow, only_while_following
from services.cli.talk import say, stop
from services.feed.kafka_topic import KafkaTopic
from services.feed.worker import Worker
from services.following import FEED
from services.kafka.settings import KAFKA, broker_of

PAUSE = 0.25
"""Seconds between two looks for what is new in the log."""

_START = re.compile(r"([0-9]{1,15}):([0-9]{1,15})").fullmatch


def feed(home: Path, starts: Sequence[str], once: bool, metrics: str | None = None) -> None:
    """Keep the feed of the room, on the Kafka that the environment names, up with its log; with `once`, end where the
    log ends now.

    `starts`: SHARD:HEIGHT, each a height from which a shard is sent anew. `metrics`: HOST:PORT, where Prometheus finds
    them meanwhile. Raises LogError.
    """
    places, broker = starts_of(starts), broker_of(os.environ)
    only_while_following(metrics, not once, "leave out that or --once")
    if broker is None:
        stop(f"the feed is a topic on Kafka: say with --kafka or {KAFKA} where")
    with open_log(home) as log, closing(KafkaTopic(broker, log.room, log.shards)) as topic:
        worker = Worker(log, topic, places)
        if once:
            worker.catch_up()
        else:
            follow(log, worker, FEED, metrics, PAUSE)
        say(f"{counted(worker.sent, 'event')} sent.")


def starts_of(texts: Sequence[str]) -> Mapping[int, int]:
    """The heights by shard. Stops where a text isn't of that form."""
    found = {}
    for text in texts:
        match = _START(text)
        if match is None:
            stop(f"--from {text} isn't SHARD:HEIGHT, such as 2:0 for all of shard 2")
        found[int(match[1])] = int(match[2])
    return found
