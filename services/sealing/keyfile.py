"""The room's keys and those of its hands (design, Secrets), and the file that the room's lie in.

A room key is 32 random bytes. All else comes from it by HKDF-SHA256 (RFC 5869) with an empty salt: its id, 8 bytes with
the info "handlog/1 key id", and a key for each purpose of a hand, 32 bytes with the info

    handlog/1 LF <room> LF <hand> LF <purpose>

The purposes are `deck` and `seat <n>`. Snapshots are sealed under a key of the room, which is none of a hand's:

    handlog/1 LF <room> LF snapshots

So is the one by which its nodes know each other (`services/api/passes.py`):

    handlog/1 LF <room> LF nodes

A room has several keys once it has rotated them; the last one seals.
"""

import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from services.eventlog import canonical
from services.eventlog.commit import BadRecord, check_room
from services.sealing import private_file
from services.sealing.private_file import BadKeys

__all__ = ["BadKeys", "HandKeys", "Keys", "NoKey", "RoomKeys", "export", "key_id", "load", "make", "purposes", "rotate"]

FORMAT = "handlog-keys-1"
HAND_FORMAT = "handlog-hand-keys-1"

_HAND = re.compile(r"[a-z0-9]{1,32}-[0-9]{1,12}").fullmatch
_PURPOSE = re.compile(r"deck|seat [1-9][0-9]?").fullmatch
_ID = re.compile(r"[0-9a-f]{16}").fullmatch
_KEY = re.compile(r"[0-9a-f]{64}").fullmatch


class NoKey(BadKeys):
    """The key that would open this isn't among these; the sentence names its id."""


class Keys(Protocol):
    """Keys of hands of one room. They never change: a rotation makes another object."""

    @property
    def room(self) -> str:
        """The room's name."""
        ...

    def key(self, key_id: bytes, hand: str, purpose: str) -> bytes:
        """The 32 bytes that open a hand's boxes of that purpose under the room key of that id. Raises NoKey."""
        ...

    def __hash__(self) -> int:
        """Equal to themselves only: the ciphers made of them are remembered."""
        ...


class RoomKeys:
    """A room's keys, oldest first, each 32 bytes. Raises BadKeys for none, one of another length, or one twice."""

    __slots__ = ("_extracted", "current", "room")

    current: bytes
    """The id of the key that seals."""

    def __init__(self, room: str, secrets: Sequence[bytes]) -> None:
        _check_room(room)
        for secret in secrets:
            check_secret(secret)
        self.room = room
        self._extracted = {key_id(secret): _extract(secret) for secret in secrets}
        if not secrets or len(self._extracted) != len(secrets):
            raise BadKeys(f"room {room} needs one key or several that differ: {len(secrets)} were given")
        self.current = self.ids()[-1]

    def ids(self) -> tuple[bytes, ...]:
        """The ids of all keys, oldest first."""
        return tuple(self._extracted)

    def key(self, key_id: bytes, hand: str, purpose: str) -> bytes:
        """As `Keys.key`. Raises BadKeys for what is no hand or purpose."""
        extracted = self._extracted_of(key_id)
        _check_hand(hand)
        _check_purpose(purpose)
        return _expand(extracted, f"handlog/1\n{self.room}\n{hand}\n{purpose}".encode(), 32)

    def of_snapshots(self, key_id: bytes) -> bytes:
        """The 32 bytes under which snapshots are sealed, from the room key of that id. Raises NoKey."""
        return _expand(self._extracted_of(key_id), f"handlog/1\n{self.room}\nsnapshots".encode(), 32)

    def of_nodes(self, key_id: bytes) -> bytes:
        """The 32 bytes that the room's nodes sign their passes with, from the room key of that id. Raises NoKey."""
        return _expand(self._extracted_of(key_id), f"handlog/1\n{self.room}\nnodes".encode(), 32)

    def _extracted_of(self, key_id: bytes) -> bytes:
        extracted = self._extracted.get(key_id)
        if extracted is None:
            held = ", ".join(one.hex() for one in self._extracted)
            raise NoKey(f"room key {key_id.hex()} isn't among those of {self.room} ({held}): load the file that has it")
        return extracted


@dataclass(frozen=True, eq=False)
class HandKeys:
    """Exported keys of one hand: for each room key's id the keys of some purposes. They open nothing else."""

    room: str
    hand: str
    keys: Mapping[bytes, Mapping[str, bytes]] = field(repr=False)

    def key(self, key_id: bytes, hand: str, purpose: str) -> bytes:
        """As `Keys.key`."""
        found = self.keys.get(key_id, {}).get(purpose)
        if found is None or hand != self.hand:
            raise NoKey(
                f"the key of {purpose} of hand {hand} under room key {key_id.hex()} isn't among these of hand "
                f"{self.hand}: ask the room for it"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """A JSON value that `from_json` takes. It opens cards: keep it as they are to be kept."""
        keys = {id_.hex(): {purpose: key.hex() for purpose, key in some.items()} for id_, some in self.keys.items()}
        return {"format": HAND_FORMAT, "room": self.room, "hand": self.hand, "keys": keys}

    @classmethod
    def from_json(cls, value: Any) -> "HandKeys":
        """The keys of a JSON value. Raises BadKeys for one of another form."""
        match value:
            case {"format": kind, "room": str(room), "hand": str(hand), "keys": dict(keys)} if kind == HAND_FORMAT:
                _check_room(room)
                _check_hand(hand)
                return cls(room, hand, {_id(id_): _purposes(hand, some) for id_, some in keys.items()})
        raise BadKeys(f"these are no keys of a hand: an object of format {HAND_FORMAT}, room, hand and keys is needed")


def purposes(seats: Iterable[int], *, deck: bool) -> list[str]:
    """What the keys to the cards of these seats are for, and to the deck."""
    return [*(f"seat {seat}" for seat in seats), *(["deck"] if deck else [])]


def export(keys: RoomKeys, hand: str, key_ids: Iterable[bytes], purposes: Iterable[str]) -> HandKeys:
    """The keys that open a hand's boxes of those purposes, under each of those room keys. Raises NoKey, BadKeys."""
    wanted = tuple(purposes)
    return HandKeys(
        keys.room, hand, {id_: {purpose: keys.key(id_, hand, purpose) for purpose in wanted} for id_ in key_ids}
    )


def make(path: Path | str, room: str, secret: bytes, at: int) -> RoomKeys:
    """A new room's key file, mode 0600, durable; `at`: UTC microseconds. Raises BadKeys; writes over nothing."""
    path = Path(path)
    keys = RoomKeys(room, [secret])
    with private_file.changing(path):
        private_file.create(path, _text({"format": FORMAT, "room": room, "keys": [_entry(secret, at)]}))
    return keys


def load(path: Path | str, room: str) -> RoomKeys:
    """The keys of a room's file. Raises BadKeys for a file that is missing, open to others, damaged, another room's."""
    return _keys_of(Path(path), private_file.read_json(Path(path)), room)


def rotate(path: Path | str, room: str, secret: bytes, at: int) -> RoomKeys:
    """Add a key, which seals from now on; the others still open what they sealed. As `make` and `load` otherwise."""
    path = Path(path).resolve()  # where a link stands, the file that it leads to is replaced
    with private_file.changing(path):
        document = private_file.read_json(path)
        _keys_of(path, document, room)
        check_secret(secret)
        document["keys"].append(_entry(secret, at))
        keys = _keys_of(path, document, room)
        private_file.replace(path, _text(document))
    return keys


def key_id(secret: bytes) -> bytes:
    """The id of a key: 8 bytes that say nothing of it."""
    return _expand(_extract(secret), b"handlog/1 key id", 8)


def check_secret(secret: bytes) -> None:
    """Raise BadKeys unless it has the length of a key."""
    if len(secret) != 32:
        raise BadKeys(f"a key has 32 random bytes, this one has {len(secret)}")


def _extract(secret: bytes) -> bytes:
    """HKDF's first half, once a room key."""
    return hmac.digest(bytes(32), secret, "sha256")


def _expand(extracted: bytes, info: bytes, size: int) -> bytes:
    """HKDF's second half, for at most the 32 bytes of its first block."""
    return hmac.digest(extracted, info + b"\x01", "sha256")[:size]


def _check_room(room: str) -> None:
    try:
        check_room(room)
    except BadRecord as error:
        raise BadKeys(str(error)) from error


def _check_hand(hand: str) -> None:
    if not _HAND(hand):
        raise BadKeys(f"{hand!r} names no hand: write its table and number, such as t1-17")


def _check_purpose(purpose: str) -> None:
    if not _PURPOSE(purpose):
        raise BadKeys(f"{purpose!r} is no purpose of a key: there are deck, and seat 1 and so on")


def _entry(secret: bytes, at: int) -> dict[str, Any]:
    return {"id": key_id(secret).hex(), "key": secret.hex(), "made_at": at}


def _text(document: dict[str, Any]) -> bytes:
    return canonical.encode(document) + b"\n"


def _keys_of(path: Path, document: Any, room: str) -> RoomKeys:
    match document:
        case {"format": kind, "room": str(named), "keys": [_, *_] as entries} if kind == FORMAT:
            if named != room:
                raise BadKeys(f"the key file {path} is of room {named}, this is room {room}: choose this room's own")
            secrets = [_secret(path, number, entry) for number, entry in enumerate(entries, 1)]
        case _:
            raise BadKeys(f"{path} is no key file: an object of format {FORMAT}, room and one key or more is needed")
    if len(set(secrets)) != len(secrets):
        raise BadKeys(f"the key file {path} would hold a key twice: each is there once")
    return RoomKeys(room, secrets)


def _secret(path: Path, number: int, entry: Any) -> bytes:
    """A key of the file. The sentences never show one."""
    match entry:
        case {"id": str(id_), "key": str(key), "made_at": int()} if _KEY(key):
            secret = bytes.fromhex(key)
            if key_id(secret).hex() != id_:
                raise BadKeys(f"key {number} of {path} isn't the one of its id: one of them was changed; use a backup")
            return secret
    raise BadKeys(f"key {number} of {path} isn't an id of 16 hex digits, a key of 64, and made_at in microseconds")


def _id(text: str) -> bytes:
    if not _ID(text):  # not named: where things were mixed up it might be a key
        raise BadKeys("what should be the id of a room key isn't one: that has 16 lower-case hex digits")
    return bytes.fromhex(text)


def _purposes(hand: str, keys: Any) -> dict[str, bytes]:
    # No value is named: where things were mixed up it might be a key.
    if not isinstance(keys, dict) or not all(isinstance(key, str) and _KEY(key) for key in keys.values()):
        raise BadKeys(f"the keys of hand {hand} aren't purposes with 64 hex digits each")
    if not all(map(_PURPOSE, keys)):
        raise BadKeys(f"a purpose of the keys of hand {hand} is neither deck nor seat and its number")
    return {purpose: bytes.fromhex(key) for purpose, key in keys.items()}
