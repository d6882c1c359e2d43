"""The records of a snapshot as bytes: a header line that is sealed under a key of the room, and a body.

    HS1 <room> <shard> <name> <place> <version> <height> <key id> <sha256 of body> <seal> LF
    <body>

The name is `table:<id>`, `hand:<table>-<number>`, `commands:<table>` (pages of older ones), `letters:<table>-<drawer>`,
`patrons:<drawer>`, `list:<number>` (of a manifest), or `manifest`; version: the state's, 0 of others; height: of the
shard's last commit then. The body is canonical JSON. The seal is HMAC-SHA256 over the header before it:
a state that somebody made up, with other chips, is none of ours. A record's digest is the SHA-256 of its header line.

A topic that is compacted keeps the last record of each key, which is made of name and place; what the places are for
says `writer`.
"""

import hmac
import re
from hashlib import sha256
from typing import NamedTuple

from services.eventlog.commit import LIMIT
from services.eventlog.log import LogError
from services.sealing.keyfile import NoKey, RoomKeys

MANIFEST = "manifest"
PATRONS = "patrons:"
"""What the names of the patrons' drawers begin with."""

_HEADER = re.compile(
    rb"(?P<sealed>HS1 (?P<room>[a-z0-9-]{1,40}) (?P<shard>0|[1-9][0-9]{0,15})"
    rb" (?P<name>manifest|(?:table|commands):[a-z0-9]{1,32}|(?:hand|letters):[a-z0-9]{1,32}-[0-9]{1,12}"
    rb"|(?:patrons|list):[0-9]{1,12})"
    rb" (?P<place>0|[1-9][0-9]{0,15}) (?P<version>0|[1-9][0-9]{0,15}) (?P<height>0|[1-9][0-9]{0,15})"
    rb" (?P<key>[0-9a-f]{16}) (?P<digest>[0-9a-f]{64})) (?P<seal>[0-9a-f]{64})(?=\n)"
).match


class BadSnapshot(LogError):
    """What can't be taken for a part of a snapshot; the sentence says why."""


class Title(NamedTuple):
    """What a record is of. `place` and `version` as above."""

    name: str
    place: int
    version: int
    height: int

    @property
    def key(self) -> bytes:
        """What a compacted topic keeps the last record of: of a table's hands only the newest is there."""
        return f"{role_of(self.name)}/{self.place}".encode()


class Kept(NamedTuple):
    """A record that was found to be one of the room's own."""

    title: Title
    body: bytes
    digest: str


def role_of(name: str) -> str:
    """The name; of a hand without its number: the next hand of the table stands in its place."""
    return name.rpartition("-")[0] if name.startswith("hand:") else name


def pages_of(table: str) -> str:
    """The name of the pages of a table's commands, from that of its stream."""
    return f"commands:{table.removeprefix('table:')}"


def letters_of(table: str) -> str:
    """What the names of the drawers of a table's letters begin with, from that of its stream."""
    return f"letters:{table.removeprefix('table:')}-"


def seal(keys: RoomKeys, shard: int, title: Title, body: bytes) -> tuple[bytes, str]:
    """A record and its digest. Raises BadSnapshot for one that is larger than the log's records may be."""
    header = (
        f"HS1 {keys.room} {shard} {title.name} {title.place} {title.version} {title.height}"
        f" {keys.current.hex()} {sha256(body).hexdigest()}"
    )
    line = f"{header} {_seal_of(keys, keys.current, header.encode())}".encode("ascii")
    if len(line) + 1 + len(body) > LIMIT:
        raise BadSnapshot(f"{title.name} would be a record of {len(line) + 1 + len(body):,} bytes: at most {LIMIT:,}")
    return b"%b\n%b" % (line, body), sha256(line).hexdigest()


def parse(keys: RoomKeys, shard: int, raw: bytes) -> Kept:
    """A record of that shard of the keys' room. Raises BadSnapshot with the first thing that is wrong with it."""
    found = _HEADER(raw)
    if found is None:
        raise BadSnapshot(f"its header isn't of the form HS1: {raw[:60]!r}")
    room, name = found["room"].decode(), found["name"].decode()
    if room != keys.room:
        raise BadSnapshot(f"{name} is of room {room}, not of {keys.room}")
    if int(found["shard"]) != shard:
        raise BadSnapshot(f"{name} is of shard {int(found['shard'])}, not of shard {shard}")
    try:
        sealed = _seal_of(keys, bytes.fromhex(found["key"].decode()), found["sealed"])
    except NoKey as error:
        raise BadSnapshot(f"the seal of {name} can't be checked: {error}") from error
    if not hmac.compare_digest(sealed, found["seal"].decode()):
        raise BadSnapshot(f"{name} wasn't sealed under the room's key: it was changed, or made by another")
    body = raw[found.end() + 1 :]
    if sha256(body).hexdigest() != found["digest"].decode():
        raise BadSnapshot(f"{name} is torn, or was changed: its body hasn't the digest that its header gives")
    title = Title(name, int(found["place"]), int(found["version"]), int(found["height"]))
    return Kept(title, body, sha256(found.group()).hexdigest())


def _seal_of(keys: RoomKeys, key_id: bytes, header: bytes) -> str:
    return hmac.digest(keys.of_snapshots(key_id), header, "sha256").hex()
