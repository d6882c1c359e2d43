"""Time and randomness as the rest of the house gets them."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random, SystemRandom

from domain.cards import deck


@dataclass(frozen=True, slots=True)
class Ports:
    """now: UTC microseconds since 1970. shuffled: the order of a fresh deck, from a lowest rank on. bits: that many
    random bits."""

    now: Callable[[], int]
    shuffled: Callable[[int], tuple[int, ...]]
    bits: Callable[[int], int]


def _shuffled_by(random: Random) -> Callable[[int], tuple[int, ...]]:
    def shuffled(lowest_rank: int) -> tuple[int, ...]:
        cards = list(deck(lowest_rank))
        random.shuffle(cards)
        return tuple(cards)

    return shuffled


def real_ports() -> Ports:
    """The machine's clock, and the randomness of its operating system."""
    return Ports(lambda: time.time_ns() // 1000, _shuffled_by(SystemRandom()), secrets.randbits)


def seeded_ports(seed: int, start: int = 1_700_000_000_000_000, step: int = 1_000) -> Ports:
    """Ports that repeat: a clock that goes on by `step` microseconds a look, and everything random from a seed.

    For demonstrations and tests; never for a room that plays for anything.
    """
    random = Random(seed)
    clock = iter(range(start, 2**63, step))
    return Ports(lambda: next(clock), _shuffled_by(random), random.getrandbits)
