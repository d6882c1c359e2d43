"""What a view reads: the log's commits with their facts decoded. Whoever reads the log adapts its records to these."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class CommittedFact(NamedTuple):
    """One event where it stands: its stream (`hand:t1-17`) and its version there."""

    stream: str
    version: int
    event: Any


class Commit(NamedTuple):
    """One decision of the room. `at` is UTC microseconds since 1970; heights count a shard's commits from 0."""

    shard: int
    height: int
    at: int
    facts: Sequence[CommittedFact]
