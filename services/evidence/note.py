"""Checkpoints: how many commits a shard's log has, and the root of its tree, signed with the time.

A checkpoint is a C2SP note (c2sp.org: signed-note, tlog-checkpoint, tlog-cosignature) in UTF-8:

    handlog/riverside/0123456789abcdef/2              origin: the room, its random id, the shard
    4711                                              size: the commits of heights 0 to 4710
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=      root, in base64
    day 2026-11-30                                    extension lines, if any

    — handlog/riverside <base64 of key id (4 bytes), Ed25519 signature of the text>
    — handlog/riverside <base64 of key id (4 bytes), Unix time (8 bytes), Ed25519 signature of time and text>

The text is everything before the empty line. One key signs both lines; each kind of line gives it an id of its own.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.eventlog.log import LogError
from services.sealing.private_file import BadKeys

MOST_LINES = 100
"""Signature lines that a note may have; others may sign it too."""

_PLAIN, _TIMED = 0x01, 0x04
_KINDS = {_PLAIN: "plain", _TIMED: "timed"}
"""The types of signature that a checkpoint must carry, by their C2SP numbers: Ed25519, and cosignature/v1."""

_LATEST = 253_402_300_799
"""The last second of the year 9999."""

_FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\ud800-\udfff]").search
_SIZE = re.compile("0|[1-9][0-9]{0,15}").fullmatch
_LINE = re.compile(r"— (?P<name>\S+) (?P<data>\S+)").fullmatch
_VERIFIER_KEY = re.compile(r"(?P<name>[^\s+]+)\+(?P<id>[0-9a-f]{8})\+(?P<data>\S+)").fullmatch
_NOTE = re.compile(r"(?:.+\n)+\n(?:— .+\n)+").match


class BadCheckpoint(LogError):
    """No checkpoint by the given key; the sentence says which rule is broken."""


class Checkpoint(NamedTuple):
    """origin: which log. size: its commits. root: 32 bytes, over commits 0 to size - 1. extensions: further lines."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that is signed."""
        return "".join(f"{line}\n" for line in (self.origin, self.size, _base64(self.root), *self.extensions))


class Signed(NamedTuple):
    """A checkpoint whose signatures hold. time: when it was signed, in Unix seconds. note: all of it, verbatim."""

    checkpoint: Checkpoint
    time: int
    note: str


def origin(room: str, room_id: str, shard: int) -> str:
    """The origin of a shard's checkpoints. `room_id`: the room's 64 random bits, 16 hex digits."""
    return f"handlog/{room}/{room_id}/{shard}"


def key_name(room: str) -> str:
    """The name by which a room's checkpointer signs."""
    return f"handlog/{room}"


def read_notes(text: str) -> list[str]:
    """The notes of a file in which they stand one after the other; none of them is verified yet.

    Read the file as bytes and decode them, so that no newline is changed. Raises BadCheckpoint, naming the line at
    which the first part begins that isn't a whole note.
    """
    notes, position = [], 0
    while position < len(text):
        match = _NOTE(text, position)
        if match is None:
            line = text.count("\n", 0, position) + 1
            raise BadCheckpoint(
                f"what begins at line {line} is no whole note: lines of text, an empty line, and signature lines "
                "that begin with a dash (—) and a space, each ended"
            )
        notes.append(match.group())
        position = match.end()
    return notes


class _Line(NamedTuple):
    """A signature line. data: the key's id (4 bytes) and the signature."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What checks a room's checkpoints: the checkpointer's name and its Ed25519 key, 32 bytes."""

    name: str
    key: bytes

    def __post_init__(self) -> None:
        if not self.name or _FORBIDDEN(self.name) or any(char.isspace() or char == "+" for char in self.name):
            raise BadKeys(f"{self.name!r} can't name a key: use at least one character, neither spaces nor +")
        if len(self.key) != 32:
            raise BadKeys(f"a public key has 32 bytes, not {len(self.key)}")

    @property
    def id(self) -> str:
        """The 8 hex digits by which its first verifier key and every plain signature name it."""
        return _key_id(self, _PLAIN).hex()

    def to_text(self) -> str:
        """The key as two C2SP verifier keys, one a line: for the plain signature, and for the timed one."""
        return "".join(
            f"{self.name}+{_key_id(self, kind).hex()}+{_base64(bytes([kind]) + self.key)}\n"
            for kind in (_PLAIN, _TIMED)
        )

    @classmethod
    def from_text(cls, text: str) -> "PublicKey":
        """The key that `to_text` wrote. Raises BadKeys."""
        keys = [cls._from_line(line) for line in text.split()]
        if [kind for kind, _ in keys] != [_PLAIN, _TIMED] or len({key for _, key in keys}) != 1:
            raise BadKeys(
                "a public key is two lines, the same key for a plain (type 1) and for a timed signature (type 4); here "
                f"stand {len(keys)}, of type {', '.join(str(kind) for kind, _ in keys) or 'none'}"
            )
        return keys[0][1]

    @classmethod
    def _from_line(cls, line: str) -> "tuple[int, PublicKey]":
        match = _VERIFIER_KEY(line)
        data = _data(match["data"]) if match else None
        if match is None or not data:
            # What stands there isn't shown: it may be a secret one.
            raise BadKeys("this is no public key: that is two lines <name>+<8 hex digits>+<base64 of type and key>")
        kind, key = data[0], cls(match["name"], data[1:])
        if _key_id(key, kind).hex() != match["id"]:
            raise BadKeys(
                f"the id {match['id']} isn't that of its key, {_key_id(key, kind).hex()}: the line was changed"
            )
        return kind, key

    def open(self, note: str) -> Signed:
        """The checkpoint, once it is found to be signed by this key in both ways. Raises BadCheckpoint.

        Lines of other keys must be well formed, and are ignored.
        """
        text, lines = _split(note)
        checkpoint = _checkpoint(text)
        self._check_plain(text, lines)
        return Signed(checkpoint, self._signed_time(text, lines), note)

    def _check_plain(self, text: str, lines: Sequence[_Line]) -> None:
        self._verify(_PLAIN, self._signature(_PLAIN, lines, 64), text)

    def _signed_time(self, text: str, lines: Sequence[_Line]) -> int:
        signature = self._signature(_TIMED, lines, 8 + 64)
        time = int.from_bytes(signature[:8], "big")
        if time > _LATEST:
            raise BadCheckpoint(f"its time is {time}: at most {_LATEST} can be signed")
        self._verify(_TIMED, signature[8:], _timed(text, time))
        return time

    def _signature(self, kind: int, lines: Sequence[_Line], length: int) -> bytes:
        """The bytes after the key's id on the one line of this key and type."""
        key_id = _key_id(self, kind)
        found = [line.data[4:] for line in lines if line.name == self.name and line.data[:4] == key_id]
        if len(found) != 1:
            raise BadCheckpoint(
                f"it has {len(found)} {_KINDS[kind]} signature lines by {self.name} with key id {key_id.hex()}, not "
                "one: is it another key's, or was it changed?"
            )
        if len(found[0]) != length:
            raise BadCheckpoint(f"its {_KINDS[kind]} signature has {len(found[0])} bytes, not {length}")
        return found[0]

    def _verify(self, kind: int, signature: bytes, message: str) -> None:
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, message.encode())
        except InvalidSignature:
            raise BadCheckpoint(
                f"its {_KINDS[kind]} signature isn't one of this text by {self.name}: something in it was changed"
            ) from None


class CheckpointKey:
    """What signs a room's checkpoints: the checkpointer's name and its Ed25519 secret, 32 bytes. Raises BadKeys."""

    def __init__(self, name: str, secret: bytes) -> None:
        if len(secret) != 32:
            raise BadKeys(f"the secret of a checkpoint's key has 32 bytes, not {len(secret)}")
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = PublicKey(name, self._private.public_key().public_bytes_raw())

    def sign(self, checkpoint: Checkpoint, time: int) -> Signed:
        """Sign as of a time in Unix seconds. Raises BadCheckpoint for what no reader would accept."""
        text = checkpoint.text
        if _checkpoint(text) != checkpoint:
            raise BadCheckpoint(f"{checkpoint} can't be signed: its lines would be read as another checkpoint")
        if not 0 <= time <= _LATEST:
            raise BadCheckpoint(f"the time {time} can't be signed: give Unix seconds from 0 to {_LATEST}")
        plain = self._line(_PLAIN, self._sign(text))
        timed = self._line(_TIMED, time.to_bytes(8, "big") + self._sign(_timed(text, time)))
        return Signed(checkpoint, time, f"{text}\n{plain}{timed}")

    def _sign(self, message: str) -> bytes:
        return self._private.sign(message.encode())

    def _line(self, kind: int, signature: bytes) -> str:
        return f"— {self.public.name} {_base64(_key_id(self.public, kind) + signature)}\n"


def _key_id(key: PublicKey, kind: int) -> bytes:
    return sha256(b"%b\n%c%b" % (key.name.encode(), kind, key.key)).digest()[:4]


def _timed(text: str, time: int) -> str:
    """What a cosignature signs. No checkpoint's own text looks like it: its second line is a size."""
    return f"cosignature/v1\ntime {time}\n{text}"


def _split(note: str) -> tuple[str, list[_Line]]:
    """The text and the signature lines of a note."""
    if found := _FORBIDDEN(note):
        raise BadCheckpoint(f"the character {found.group()!r} stands in it: a note is plain text")
    text, empty, block = note.rpartition("\n\n")
    if not empty:
        raise BadCheckpoint("no empty line stands between its text and its signatures")
    if not block.endswith("\n"):
        raise BadCheckpoint("it doesn't end with a whole signature line: its end is missing")
    lines = block[:-1].split("\n")
    if len(lines) > MOST_LINES:
        raise BadCheckpoint(f"it has {len(lines)} signature lines: at most {MOST_LINES} are read")
    return f"{text}\n", [_signature_line(line) for line in lines]


def _signature_line(line: str) -> _Line:
    match = _LINE(line)
    data = _data(match["data"]) if match else None
    if match is None or data is None or "+" in match["name"] or len(data) < 5:
        raise BadCheckpoint(f"{line[:100]!r} is no signature line: — <name> <base64 of key id and signature>")
    return _Line(match["name"], data)


def _checkpoint(text: str) -> Checkpoint:
    """The checkpoint with that text, which ends with a newline."""
    if found := _FORBIDDEN(text):
        raise BadCheckpoint(f"the character {found.group()!r} stands in it: a checkpoint is plain text")
    lines = text[:-1].split("\n")
    if "" in lines:
        raise BadCheckpoint("an empty line stands in its text")
    if len(lines) < 3:
        raise BadCheckpoint(f"its text has {len(lines)} lines: origin, size and root are at least 3")
    name, size, root, *extensions = lines
    if not _SIZE(size):
        raise BadCheckpoint(f"its size is {size[:40]!r}: write a number of at most 16 digits without leading zeros")
    data = _data(root)
    if data is None or len(data) != 32:
        raise BadCheckpoint(f"its root is {root[:60]!r}: write the base64 of 32 bytes")
    return Checkpoint(name, int(size), data, tuple(extensions))


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _data(text: str) -> bytes | None:
    """The bytes of base64 in its one canonical spelling (RFC 4648, section 4); None for anything else."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        return None
    return data if _base64(data) == text else None
