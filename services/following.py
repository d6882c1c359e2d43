"""What is kept up with a log beside the room that is played in: the feed, the views, the warehouse.

Each has a worker that takes in what is new, whenever it is told to look, and knows how far it is. How it is told again
and again, until its process is told to end, is `services/cli/following.py`.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge

from services.eventlog import body
from services.eventlog.log import Log

Noted = Callable[[int], object]
"""Called with how much was done since it was called last."""


def unnoted(_: int) -> None:
    """For who doesn't want to know."""


class Follower(Protocol):
    """A worker that keeps something up with a log."""

    def catch_up(self, noted: Noted = unnoted) -> None:
        """Take in all that the log has now. A shard that can't be read leaves the others be.

        Raises afterwards LogError; StoreError or OSError where what it keeps can't be written. All of that may be over
        the next time.
        """
        ...

    def heights(self) -> Mapping[int, int]:
        """The last commit that it has taken in, by shard; -1 before the first."""
        ...


class Behind(NamedTuple):
    """How far a follower is behind a shard. `seconds`: by the room's time, from the last commit that it has taken in to
    the log's last one; from the shard's first one where it has none yet."""

    commits: int
    seconds: float


def behind(log: Log, heights: Mapping[int, int]) -> dict[int, Behind]:
    """How far one who is there is behind each shard of the log now. Raises LogError."""
    return {shard: _behind(log, shard, heights.get(shard, -1)) for shard in range(log.shards)}


def _behind(log: Log, shard: int, height: int) -> Behind:
    end = log.head(shard).height
    if end <= height:
        return Behind(0, 0.0)
    return Behind(end - height, (_at(log, shard, end) - _at(log, shard, max(height, 0))) / 1_000_000)


def _at(log: Log, shard: int, height: int) -> int:
    return body.decode(log.record(shard, height).body).at


class Shown(NamedTuple):
    """How Prometheus names a follower, and what it counts: `handlog_feed_events`."""

    name: str
    counted: str
    explained: str


FEED = Shown("feed", "events", "Events sent, repeats among them.")
VIEWS = Shown("views", "commits", "Commits folded into the views.")
WAREHOUSE = Shown("warehouse", "commits", "Commits taken into the warehouse.")


class FollowerMetrics:
    """What a follower's process tells Prometheus of it. No label names a person, a card or a hand.

    `lagging`: whether it was behind, when that was asked last.
    """

    def __init__(self, registry: CollectorRegistry, shown: Shown) -> None:
        self.lagging = True
        name = f"handlog_{shown.name}"
        self._done = Counter(f"{name}_{shown.counted}", shown.explained, registry=registry)
        self._lag = Gauge(
            f"{name}_lag", f"Commits of the log that aren't in the {shown.name} yet.", ("shard",), registry=registry
        )
        self._seconds = Gauge(
            f"{name}_lag_seconds",
            f"Seconds of the room's time from what is in the {shown.name} to the log's end.",
            ("shard",),
            registry=registry,
        )
        self._waits = Gauge(f"{name}_waits", "1 where the last look met a fault: it says which.", registry=registry)

    def did(self, much: int) -> None:
        """Note what was done since this was called last."""
        self._done.inc(much)

    def stands(self, lag: Mapping[int, Behind]) -> None:
        """Note how far it is behind each shard."""
        self.lagging = any(one.commits for one in lag.values())
        for shard, (commits, seconds) in lag.items():
            self._lag.labels(str(shard)).set(commits)
            self._seconds.labels(str(shard)).set(seconds)

    def looked(self, fault: bool) -> None:
        """Note the end of a look."""
        self._waits.set(fault)
