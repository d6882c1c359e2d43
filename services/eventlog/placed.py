"""The commits among the records of a partition: by the chain, or one of them found by itself."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from services.eventlog.chain import Void, accept
from services.eventlog.commit import BadRecord, Head, Record, parse
from services.kafka.partitions import Placed

Noticed = Callable[[int, int, str], object]
"""Told of each void record: its shard, its offset, and why it doesn't count."""


class Found(NamedTuple):
    """A commit, and the offset at which it stands."""

    offset: int
    record: Record


def following(room: str, shard: int, head: Head, placed: Iterable[Placed], noticed: Noticed) -> Iterator[Found]:
    """The commits that extend the head, one after the other."""
    for offset, raw in placed:
        verdict = accept(room, shard, head, raw)
        if isinstance(verdict, Void):
            noticed(shard, offset, verdict.reason)
            continue
        yield Found(offset, verdict)
        head = verdict.head


def with_hash(room: str, shard: int, head: Head, placed: Iterable[Placed]) -> Found | None:
    """The commit that is that head."""
    for offset, raw in placed:
        record = _alone(room, shard, raw)
        if record is not None and record.head == head:
            return Found(offset, record)
    return None


def linked(room: str, shard: int, height: int, last: int, placed: Iterable[Placed], hash_: str = "") -> Record | None:
    """The record of a height from which whole records lead to one of height `last`, the one with that hash if any is
    given."""
    alone = [_alone(room, shard, raw) for _, raw in placed]
    whole = {one.hash: one for one in alone if one is not None and height <= one.height <= last}
    for one in whole.values():
        if one.height == last and hash_ in ("", one.hash):
            back: Record | None = one
            while back is not None and back.height > height:
                back = whole.get(back.prev)
            if back is not None:
                return back
    return None


def _alone(room: str, shard: int, raw: bytes) -> Record | None:
    """A record of the shard that is whole, whatever stands before it; None for anything else."""
    try:
        record = parse(raw)
    except BadRecord:
        return None
    verdict = accept(room, shard, Head(record.height - 1, record.epoch, record.prev), raw)
    return None if isinstance(verdict, Void) else verdict
