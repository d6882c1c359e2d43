"""What a feed's worker counts of itself, for Prometheus. No label names a person, a card or a hand."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge


class FeedMetrics:
    """How the feed stood when its worker looked last."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._sent = Counter("handlog_feed_events", "Events sent, repeats among them.", registry=registry)
        self._lag = Gauge(
            "handlog_feed_lag", "Commits of the log that the feed hasn't told yet.", ("shard",), registry=registry
        )
        self._waits = Gauge(
            "handlog_feed_waits", "1 where the last look met a fault: it says which.", registry=registry
        )

    def looked(self, sent: int, behind: Mapping[int, int], fault: bool) -> None:
        """Note a look. `sent`: events since the one before. `behind`: commits by shard, as far as they are known."""
        self._sent.inc(sent)
        self._waits.set(fault)
        for shard, commits in behind.items():
            self._lag.labels(str(shard)).set(commits)
