"""Real brokers for tests: clusters of their own, ended whatever happens, and one that the whole run shares."""

import atexit
import functools
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.kafka.broker import BrokerProcess
from deploy.kafka.cluster import Cluster, opened
from deploy.kafka.parts import PartMissing
from deploy.kafka.prepare import prepare
from services.kafka.settings import KAFKA, Broker, broker_of
from tests.kafka.listeners import listen_to_a_proxy
from tests.resources import Resource, require_or_skip

RUN = Path(__file__).resolve().parents[2] / "deploy/kafka/run"

_GIVEN = "HANDLOG_TESTS_KAFKA"

if KAFKA in os.environ:
    os.environ[_GIVEN] = os.environ.pop(KAFKA)

GIVEN = broker_of({**os.environ, KAFKA: os.environ.get(_GIVEN, "")})
"""The cluster that the run was given. Its address gets another name in the environment, which the lanes of a run
inherit: by its own it would be the log of every home."""


@dataclass(frozen=True)
class GivenCluster:
    """A cluster that was there before the tests, and will be afterwards: none of its brokers is theirs to end."""

    bootstrap: str
    brokers: Sequence[BrokerProcess] = ()


@contextmanager
def cluster(
    brokers: int = 1, secure: bool = False, before: Callable[[Cluster], object] = lambda made: None
) -> Iterator[Cluster]:
    """A cluster of one or three brokers that answer; skips where there is no Java. Ended with its data at the end.

    `before` is called when it is made and not started yet.
    """
    parts_or_skip()
    with _guarded_folder() as folder:
        made = opened(folder, brokers, secure)
        try:
            before(made)
            made.start()
            yield made
        finally:
            made.kill()


@functools.cache
def shared_cluster() -> Cluster | GivenCluster:
    """The cluster that the run was given, as it is; else one of one broker, started when it is first asked for, which
    listens to a proxy too.

    All tests of a run share it: each takes a room, a topic, a group with a name of its own.
    """
    if GIVEN is not None:
        return answering(GIVEN)
    run = ExitStack()
    atexit.register(run.close)
    return run.enter_context(cluster(before=listen_to_a_proxy))


def shared_broker() -> Broker:
    """The same as the product reaches it."""
    return GIVEN or Broker(shared_cluster().bootstrap)


def answering(broker: Broker) -> GivenCluster:
    """A cluster that must be there. Raises ConnectionError where nobody answers."""
    for address in broker.bootstrap.split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
        except OSError as error:
            raise ConnectionError(f"{KAFKA} names {address}, and nobody answers there: {error}") from error
    return GivenCluster(broker.bootstrap)


@contextmanager
def _guarded_folder() -> Iterator[Path]:
    """A folder whose cluster dies with this process, were it killed: a guard waits for the end of a pipe."""
    with tempfile.TemporaryDirectory(prefix="handlog-kafka-", ignore_cleanup_errors=True) as folder:
        guard = [sys.executable, str(RUN), "guard", "--dir", folder]
        with subprocess.Popen(guard, stdin=subprocess.PIPE, start_new_session=True):
            yield Path(folder)


def parts_or_skip() -> None:
    """Skip the calling test where no broker can be started."""
    missing = _missing()
    require_or_skip(Resource.KAFKA, not missing, missing)


@functools.cache
def _missing() -> str:
    """Why no broker can be started here; empty where one can. Looked at once: a fetch without a network takes long."""
    try:
        prepare()
    except PartMissing as missing:
        return str(missing)
    return ""
