"""One commit as bytes: a header line and the body.

    HL1 <room> <shard> <height> <epoch> <prev> <sha256 of body> LF
    <body>

Format version 1 (design, Format). Bytes are kept verbatim for ever; nothing here may change.
"""

import re
from hashlib import sha256
from typing import NamedTuple

LIMIT = 900_000
"""The most bytes that a record may have, header and body together, on either home."""

LARGEST_NUMBER = 10**16 - 1
"""The largest height, shard or epoch that a header has room for."""

_HEADER = re.compile(
    rb"HL1 (?P<room>[a-z0-9-]{1,40}) (?P<shard>0|[1-9][0-9]{0,15}) (?P<height>0|[1-9][0-9]{0,15})"
    rb" (?P<epoch>0|[1-9][0-9]{0,15}) (?P<prev>[0-9a-f]{64}) (?P<digest>[0-9a-f]{64})(?=\n)"
).match
_ROOM = re.compile(r"[a-z0-9-]{1,40}").fullmatch


class BadRecord(ValueError):
    """Bytes that are no record, or can't become one; the sentence says why."""


class Head(NamedTuple):
    """The end of a shard's chain: the last accepted commit's height, epoch, and hash (64 hex digits)."""

    height: int
    epoch: int
    hash: str


GENESIS = Head(-1, -1, "0" * 64)
"""The head of a shard in which nothing was accepted yet: one before height 0 and epoch 0, so that those come next."""


class Record(NamedTuple):
    """One commit, read from its bytes. `hash` is the SHA-256 of the header line without its LF; all hashes are hex."""

    room: str
    shard: int
    height: int
    epoch: int
    prev: str
    digest: str
    body: bytes
    raw: bytes
    hash: str

    @property
    def head(self) -> Head:
        """The shard's head once this record is accepted."""
        return Head(self.height, self.epoch, self.hash)


def check_room(room: str) -> None:
    """Raise BadRecord unless this can be a room's name."""
    if not _ROOM(room):
        raise BadRecord(f"{room!r} can't name a room: use 1 to 40 of the letters a-z, digits and -")


def seal(room: str, shard: int, head: Head, body: bytes, epoch: int | None = None) -> tuple[bytes, Head]:
    """The record that extends `head` by `body`, and the head after it. `epoch` defaults to the head's own.

    Raises BadRecord for a body with a raw LF (canonical JSON has none) or a record of more than LIMIT bytes.
    """
    height = head.height + 1
    if epoch is None:
        epoch = max(head.epoch, 0)
    header = f"HL1 {room} {shard} {height} {epoch} {head.hash} {sha256(body).hexdigest()}".encode("ascii")
    raw = b"%b\n%b" % (header, body)
    if len(raw) > LIMIT:
        raise BadRecord(f"a commit of {len(raw):,} bytes is too large: a record holds at most {LIMIT:,}")
    if b"\n" in body:
        raise BadRecord("a body holds no raw LF: write it as canonical JSON")
    return raw, Head(height, epoch, sha256(header).hexdigest())


def parse(raw: bytes) -> Record:
    """The record that these bytes have the form of; whether its body is the right one is the chain's to say.

    Raises BadRecord for a header that isn't exactly of the form above.
    """
    match = _HEADER(raw)
    if match is None:
        raise BadRecord(f"its header isn't of the form HL1: {raw[:60]!r}")
    room, shard, height, epoch, prev, digest = match.groups()
    return Record(
        room.decode(),
        int(shard),
        int(height),
        int(epoch),
        prev.decode(),
        digest.decode(),
        raw[match.end() + 1 :],
        raw,
        sha256(match.group()).hexdigest(),
    )


def body_of(raw: bytes) -> bytes:
    """The body of a record that was accepted before; empty where it isn't the one that the header names by digest.

    What `parse` and the chain's rule say in full, in a tenth of the time: the rest of the header isn't looked at.
    """
    end = raw.index(b"\n")
    body = raw[end + 1 :]
    return body if sha256(body).hexdigest().encode() == raw[end - 64 : end] else b""
