"""What a node counts of itself, for Prometheus. No label names a person, a card or a hand."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_COMMANDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class NodeMetrics:
    """In the registry that the node's door shows."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._batch = Histogram(
            "handlog_batch_commands", "Commands decided together.", buckets=_COMMANDS, registry=registry
        )
        self._seconds = Histogram(
            "handlog_batch_seconds",
            "Seconds from a batch's first decision until the log holds all of it.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._voids = Counter(
            "handlog_void_records",
            "Records met in the log that don't count: a late owner's, or somebody's who shouldn't write.",
            ("shard",),
            registry=registry,
        )
        self._taken = Counter("handlog_takeovers", "Shards taken over.", ("shard",), registry=registry)
        self._lost = Counter("handlog_shards_lost", "Shards that others wrote to.", ("shard",), registry=registry)
        self._cancelled = Counter(
            "handlog_hands_cancelled", "Hands cancelled because nobody owned their shard.", registry=registry
        )

        self._left_out = Gauge(
            "handlog_snapshot_left_out",
            "Streams too large for the newest snapshot: whoever takes the shard over reads them from the log.",
            ("shard",),
            registry=registry,
        )

    def batch(self, commands: int, seconds: float) -> None:
        """Note a batch of the writer."""
        self._batch.observe(commands)
        self._seconds.observe(seconds)

    def void(self, shard: int) -> None:
        self._voids.labels(str(shard)).inc()

    def taken_over(self, shard: int, cancelled: int) -> None:
        self._taken.labels(str(shard)).inc()
        self._cancelled.inc(cancelled)

    def left_out(self, shard: int, streams: int) -> None:
        self._left_out.labels(str(shard)).set(streams)

    def lost(self, shard: int) -> None:
        self._lost.labels(str(shard)).inc()
