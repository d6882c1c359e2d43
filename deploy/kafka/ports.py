"""Ports that are free, and stay so while a broker is down."""

import random
import socket
from collections.abc import Sequence
from pathlib import Path

from deploy.kafka.settings import HOST

_LOWEST = 10_000
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_ports(number: int) -> list[int]:
    """Ports at which nobody listens, none of those that the system gives to outgoing connections.

    One of these could be taken while its broker is down, or a client that tries to reach it would reach itself.
    """
    highest = int(_EPHEMERAL.read_text().split()[0]) if _EPHEMERAL.exists() else 32_768
    candidates = random.SystemRandom().sample(range(_LOWEST, max(highest, _LOWEST + 1_000)), 1_000)
    free = (port for port in candidates if are_free([port]))
    return [next(free) for _ in range(number)]


def are_free(ports: Sequence[int]) -> bool:
    """Whether a server could listen at each of them now."""
    for port in ports:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((HOST, port))
            except OSError:
                return False
    return True
