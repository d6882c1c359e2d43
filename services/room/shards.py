"""Where streams live."""

from functools import lru_cache
from hashlib import sha256


@lru_cache(maxsize=65_536)
def shard_of(owner: str, shards: int) -> int:
    """Where the owner of a stream, such as `table:t1`, writes (design, Format: streams)."""
    return int.from_bytes(sha256(owner.encode()).digest()[:8]) % shards
