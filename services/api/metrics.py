"""What is counted at the door, for Prometheus: rate, errors and durations. No label names a person, card or hand."""

from collections.abc import Callable, Iterable
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.host import Host

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The door's own metrics, in a registry to which the node may add others."""

    def __init__(self, host: Host, registry: CollectorRegistry, waiting: Callable[[], int]) -> None:
        """`waiting`: how many wait for the room."""
        self.registry = registry
        self._requests = Histogram(
            "handlog_http_request_seconds",
            "Seconds from a request's head to its answer's end.",
            ("route", "method", "status"),
            buckets=_SECONDS,
            registry=registry,
        )
        self._commands = Counter(
            "handlog_http_commands", "Commands, by what came of them.", ("name", "outcome"), registry=registry
        )
        self._forwards = Counter(
            "handlog_http_forwards", "Requests that another node's door was asked.", ("outcome",), registry=registry
        )
        Gauge("handlog_http_waiting", "Those who wait for the room.", registry=registry).set_function(waiting)
        registry.register(_OfTheHost(host))

    def command(self, name: str, outcome: str) -> None:
        """Count a command. `outcome`: recorded, repeated, forwarded, or the kind of a problem."""
        self._commands.labels(name, outcome).inc()

    def forwarded(self, outcome: str) -> None:
        """Count what came of asking another door: answered, unreachable, lost, busy."""
        self._forwards.labels(outcome).inc()

    def request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request, under the route that took it: whatever else stood in its path is left out."""
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._requests.labels(route, method, str(status)).observe(seconds)


class Measured:
    """Measures the requests to an application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            self._metrics.request(scope, status, perf_counter() - began)


class _OfTheHost(Collector):
    """How the node's shards stand, asked when somebody looks."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def describe(self) -> Iterable[Metric]:
        return []  # so that nobody is asked before the node runs

    def collect(self) -> Iterable[Metric]:
        ready = self._host.readiness()
        owned = GaugeMetricFamily("handlog_shard_owned", "1 where this node owns the shard.", labels=["shard"])
        lag = GaugeMetricFamily("handlog_shard_lag", "Records that this node has still to read.", labels=["shard"])
        stopped = GaugeMetricFamily("handlog_shard_stopped", "1 where it takes no commands.", labels=["shard"])
        for one in ready.shards:
            owned.add_metric([str(one.shard)], one.owned)
            lag.add_metric([str(one.shard)], one.lag)
            stopped.add_metric([str(one.shard)], one.stopped)
        yield from (owned, lag, stopped)
        yield GaugeMetricFamily("handlog_ready", "1 where the node is caught up.", value=not ready.reason)
