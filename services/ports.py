"""Time and randomness as the rest of the house gets them."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Ports:
    """now: UTC microseconds since 1970. bits: that many random bits."""

    now: Callable[[], int]
    bits: Callable[[int], int]


def real_ports() -> Ports:
    """The machine's clock, and the randomness of its operating system."""
    return Ports(lambda: time.time_ns() // 1000, secrets.randbits)


def seeded_ports(seed: int, start: int = 1_700_000_000_000_000, step: int = 1_000) -> Ports:
    """Ports that repeat: a clock that goes on by `step` microseconds a look, and everything random from a seed.

    For demonstrations and tests; never for a room that plays for anything.
    """
    clock = iter(range(start, 2**63, step))
    return Ports(lambda: next(clock), Random(seed).getrandbits)
