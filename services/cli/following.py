"""Keeping something up with the log until somebody presses ctrl-c, or the process is told to end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event
from typing import NoReturn

from prometheus_client import CollectorRegistry, start_http_server

from projections.store import StoreError
from services.cli.talk import complain, listen_at, sentence_of, stop
from services.eventlog.log import Log, LogError
from services.following import Follower, FollowerMetrics, Noted, Shown, behind, unnoted


def follow(
    log: Log, follower: Follower, shown: Shown, metrics: str | None, every: float, noted: Noted = unnoted
) -> None:
    """Have the follower look `every` so many seconds. `metrics`: HOST:PORT, where Prometheus finds how far it is.

    A fault is told once, however long it lasts, and what was met is tried again.
    """
    ends = _until_told()
    with suppress(KeyboardInterrupt), _shown_at(metrics, shown) as numbers:
        told = ""
        while not ends.is_set():
            fault = _look(log, follower, numbers, noted)
            if fault and fault != told:
                complain(f"{fault}; it is tried again")
            told = fault
            ends.wait(every)


def _until_told() -> Event:
    """Set once the process is told to end, which breaks off at once what it does. An interrupt that comes while an
    object is cleared away is lost, as Python has it: then it ends after this look."""
    ends = Event()

    def told(*_: object) -> NoReturn:
        ends.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, told)
    signal.signal(signal.SIGINT, told)
    return ends


def only_while_following(metrics: str | None, following: bool, remedy: str) -> None:
    """Stop where metrics are asked for of what doesn't go on; the remedy says what would be right."""
    if metrics and not following:
        stop(f"this ends where the log ends now, so there is nothing to show with --metrics: {remedy}")


def _look(log: Log, follower: Follower, numbers: FollowerMetrics, noted: Noted) -> str:
    """One look; the fault that it met, or nothing."""
    fault = ""

    def done(much: int) -> None:
        numbers.did(much)
        numbers.stands(behind(log, follower.heights()))
        noted(much)

    try:
        follower.catch_up(done)
    except (LogError, StoreError, OSError) as error:
        fault = sentence_of(error) or str(error)
    numbers.looked(bool(fault))
    if fault or numbers.lagging:
        with suppress(LogError):
            numbers.stands(behind(log, follower.heights()))
    return fault


@contextmanager
def _shown_at(place: str | None, shown: Shown) -> Iterator[FollowerMetrics]:
    """Metrics, shown at HOST:PORT as long as the context lasts; nowhere for None."""
    registry = CollectorRegistry()
    numbers = FollowerMetrics(registry, shown)
    if place is None:
        yield numbers
        return
    host, port = listen_at("--metrics", place)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        stop(f"metrics can't be shown at {place}: {error.strerror}; choose another port")
    try:
        yield numbers
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
