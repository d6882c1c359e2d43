"""What goes on until it is told to end: a fault is told once, tried again, and shown as long as it lasts."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from projections.store import StoreError
from services.bootstrap import open_log
from services.cli.following import _look, follow
from services.eventlog.log import CorruptLog, Log
from services.following import VIEWS, FollowerMetrics, Noted, unnoted


@pytest.fixture(autouse=True)
def _handler() -> Iterator[None]:
    """Whoever follows has SIGTERM end him; this process goes on."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def log(home: Path) -> Iterator[Log]:
    with open_log(home) as log:
        yield log


class Scripted:
    """A follower that at each look does the next of these; the last ends it."""

    def __init__(self, *looks: BaseException | None) -> None:
        self.looks = list(looks)

    def heights(self) -> dict[int, int]:
        return {0: 0}

    def catch_up(self, noted: Noted = unnoted) -> None:
        noted(3)
        if (fault := self.looks.pop(0)) is not None:
            raise fault


def test_a_fault_is_told_once_however_long_it_lasts_and_again_when_it_comes_back(log, capsys) -> None:
    broken, away, done = CorruptLog("shard 1 is broken"), StoreError("the store is away"), KeyboardInterrupt()
    follow(log, Scripted(None, broken, broken, broken, away, None, broken, done), VIEWS, None, every=0)
    assert capsys.readouterr().err.splitlines() == [
        "handlog: shard 1 is broken; it is tried again",
        "handlog: the store is away; it is tried again",
        "handlog: shard 1 is broken; it is tried again",
    ]


def test_what_was_done_is_noted_of_looks_that_met_a_fault_too(log) -> None:
    told: list[int] = []
    follow(log, Scripted(None, OSError("full"), KeyboardInterrupt()), VIEWS, None, every=0, noted=told.append)
    assert told == [3, 3, 3]


def test_prometheus_is_shown_the_fault_and_how_far_it_is_behind_meanwhile(log) -> None:
    registry = CollectorRegistry()
    numbers, follower = FollowerMetrics(registry, VIEWS), Scripted(CorruptLog("shard 1 is broken"), None)
    shown: Callable[[str], float | None] = registry.get_sample_value
    _look(log, follower, numbers, unnoted)
    assert shown("handlog_views_waits") == 1
    assert registry.get_sample_value("handlog_views_lag", {"shard": "0"}) == log.head(0).height > 0
    _look(log, follower, numbers, unnoted)
    assert shown("handlog_views_waits") == 0
    assert shown("handlog_views_commits_total") == 6


def test_an_error_of_the_program_itself_ends_it(log) -> None:
    with pytest.raises(ZeroDivisionError):
        follow(log, Scripted(ZeroDivisionError()), VIEWS, None, every=0)
