"""RFC 6962, section 2.1, as it is written there: the recursive definitions, over the leaves' data."""

from collections.abc import Sequence
from hashlib import sha256

Data = Sequence[bytes]


def split(n: int) -> int:
    """The largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def mth(d: Data) -> bytes:
    """The Merkle tree hash."""
    if not d:
        return sha256(b"").digest()
    if len(d) == 1:
        return sha256(b"\x00" + d[0]).digest()
    k = split(len(d))
    return sha256(b"\x01" + mth(d[:k]) + mth(d[k:])).digest()


def path(m: int, d: Data) -> list[bytes]:
    """The audit path of leaf m."""
    if len(d) == 1:
        return []
    k = split(len(d))
    return [*path(m, d[:k]), mth(d[k:])] if m < k else [*path(m - k, d[k:]), mth(d[:k])]


def proof(m: int, d: Data) -> list[bytes]:
    """The consistency proof between the first m leaves and all, for 0 < m <= n."""
    return subproof(m, d, True)


def subproof(m: int, d: Data, whole: bool) -> list[bytes]:
    n = len(d)
    if m == n:
        return [] if whole else [mth(d)]
    k = split(n)
    if m <= k:
        return [*subproof(m, d[:k], whole), mth(d[k:])]
    return [*subproof(m - k, d[k:], False), mth(d[:k])]
