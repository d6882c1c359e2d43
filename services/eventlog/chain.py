"""The chain decides: the one rule that says which records count, frozen for ever (design, The chain decides).

It looks at nothing that a newer version could understand differently. Every reader of every home goes through it.
"""

from hashlib import sha256
from typing import NamedTuple

from services.eventlog.commit import BadRecord, Head, Record, parse


class Void(NamedTuple):
    """A record that doesn't count, and the first clause of the rule that it breaks."""

    reason: str


def accept(room: str, shard: int, head: Head, raw: bytes) -> Record | Void:
    """The record, if it extends `head` in that shard of that room's log; else why it is void. Total: never raises."""
    try:
        record = parse(raw)
    except BadRecord as error:
        return Void(str(error))
    if record.room != room:
        return Void(f"it is a record of room {record.room}, this log is of room {room}")
    if record.shard != shard:
        return Void(f"it is a record of shard {record.shard}, but stands among those of shard {shard}")
    if record.prev != head.hash:
        return Void(_broken_link(head, record))
    if record.height != head.height + 1:
        return Void(f"its height is {record.height}, the next is {head.height + 1}")
    if record.epoch not in (head.epoch, head.epoch + 1):
        return Void(f"its epoch is {record.epoch}, the last one's is {head.epoch}: it may be that or one more")
    if record.digest != sha256(record.body).hexdigest():
        return Void(f"its body hasn't the digest {record.digest} that its header gives")
    return record


def _broken_link(head: Head, record: Record) -> str:
    if record.height != head.height + 1:
        return f"a record of height {record.height} stands where {head.height + 1} is next: it links to another one"
    return f"its prev is {record.prev}, the hash of the last accepted record is {head.hash}"
