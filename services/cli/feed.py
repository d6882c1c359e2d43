"""The feed's worker as a command: it goes on until somebody presses ctrl-c, or the process is told to end."""

import os
import re
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server

from domain.rules.phrases import counted
from services.bootstrap import open_log
from services.cli.talk import complain, listen_at, say, stop
from services.eventlog.log import LogError
from services.feed.kafka_topic import KafkaTopic
from services.feed.metrics import FeedMetrics
from services.feed.worker import Worker
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
    if once and metrics:
        stop("--once ends where the log ends now, so there is nothing to show with --metrics: leave one of them out")
    if broker is None:
        stop(f"the feed is a topic on Kafka: say with --kafka or {KAFKA} where")
    with open_log(home) as log, closing(KafkaTopic(broker, log.room, log.shards)) as topic:
        worker = Worker(log, topic, places)
        if once:
            worker.catch_up()
        else:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt), _shown(metrics) as shown:
                _follow(worker, shown)
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


@contextmanager
def _shown(at: str | None) -> Iterator[FeedMetrics]:
    """Metrics, shown at HOST:PORT as long as the context lasts; nowhere for None."""
    registry = CollectorRegistry()
    if at is None:
        yield FeedMetrics(registry)
        return
    host, port = listen_at("--metrics", at)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        stop(f"metrics can't be shown at {at}: {error.strerror}; choose another port")
    try:
        yield FeedMetrics(registry)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _follow(worker: Worker, metrics: FeedMetrics) -> None:
    """A fault is told once, however long it lasts: the worker tries again, and what was sent already isn't lost."""
    told, before = "", 0
    while True:
        try:
            worker.catch_up()
            told = ""
        except LogError as fault:
            if str(fault) != told:
                complain(f"{fault}; the feed waits")
            told = str(fault)
        metrics.looked(worker.sent - before, worker.behind, bool(told))
        before = worker.sent
        time.sleep(PAUSE)
