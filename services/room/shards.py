"""Where streams live."""

from functools import lru_cache
from hashlib import sha256

from domain.messages import ROOM_STREAM

ROOMS_SHARD = 0
"""Where the room itself writes."""


@lru_cache(maxsize=65_536)
def shard_of(owner: str, shards: int) -> int:
    """Where the owner of a stream, such as `table:t1`, writes (design, Format: streams)."""
    if owner == ROOM_STREAM:
        return ROOMS_SHARD
    return int.from_bytes(sha256(owner.encode()).digest()[:8]) % shards
