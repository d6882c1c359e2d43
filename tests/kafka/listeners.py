"""A broker's second listener, for clients that come through a proxy: it names the proxy's address to them."""

import functools
from typing import NamedTuple

from deploy.kafka.cluster import Cluster
from deploy.kafka.ports import free_ports
from deploy.kafka.settings import HOST, properties


class Way(NamedTuple):
    """Two ports: `outer`, where a proxy listens to clients, and `inner`, where the broker listens to the proxy."""

    outer: int
    inner: int


@functools.cache
def way() -> Way:
    """That of this run's broker."""
    return Way(*free_ports(2))


def listen_to_a_proxy(made: Cluster) -> None:
    """Give the cluster's one broker that listener, before it is started."""
    (broker,) = made.brokers
    settings = properties(1, [broker.ports], broker.folder / "data", None)
    clients = settings["listeners"].split(",")[0]
    broker.configure(
        settings
        | {
            "listeners": f"{settings['listeners']},PROXIED://{HOST}:{way().inner}",
            "advertised.listeners": f"{clients},PROXIED://{HOST}:{way().outer}",
            "listener.security.protocol.map": f"{settings['listener.security.protocol.map']},PROXIED:PLAINTEXT",
        }
    )
