"""When to strike: after a client has written that it sends something, about when the answer would come."""

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median

from tests.node.journal import RECORDED, Sent

_NEWEST = 200
"""Commands by which the median is taken."""


def answer_time(commands: Sequence[Sent]) -> float:
    """The median seconds from sending to the answer, of the newest that were answered at once."""
    quick = [one.ends[0] - one.begins[0] for one in commands if one.last == RECORDED and len(one.begins) == 1]
    return median(quick[-_NEWEST:])


def wait_for_the_moment(path: Path, answer: float, random: Random, seconds: float = 60.0) -> float:
    """Wait until a client sends something to a hand, and then for between nothing and twice its answer time.

    Returns that delay in seconds. Raises AssertionError where it sends nothing for so long.
    """
    delay = random.uniform(0, 2 * answer)
    last = time.monotonic() + seconds
    with path.open("rb") as lines:
        lines.seek(0, 2)
        while b'"name": "hand.' not in lines.read():
            assert time.monotonic() < last, f"{path.name}: nothing was sent for {seconds:.0f} s"
            time.sleep(0.0005)
    time.sleep(delay)
    return delay
