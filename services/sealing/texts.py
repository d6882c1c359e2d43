"""Free text, such as a reason, sealed under a key of its own that is kept outside the log, so that it can be erased.

A text's box looks as a card's does (services/sealing/boxes.py): id of the text's key, nonce, AES-256-GCM under that
key, with the associated data "handlog/1 LF text LF <stream>". The plaintext is the text in UTF-8, one byte 0x80 and
zeros up to a multiple of 64 bytes, so that its length says little.

The file holds a line of JSON for each key, {"id": hex, "key": hex}, or null instead of an erased one. A key is durable
before its box is given out; so a last line without LF, whose writing was cut short, belongs to no box: it is passed
over and the next key takes its place. Any other line that is no key is damage.
"""

import os
import re
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.eventlog import canonical
from services.sealing import private_file
from services.sealing.boxes import NONCE, BadBox, key_id_of, packed, parts
from services.sealing.keyfile import BadKeys, NoKey, check_secret, key_id

BLOCK = 64
"""Plaintexts have a multiple of so many bytes."""

_ID = re.compile(r"[0-9a-f]{16}").fullmatch
_KEY = re.compile(r"[0-9a-f]{64}").fullmatch


class TextKeys:
    """The file of the keys of a room's texts; it is made with the first one. Several processes may use it at once."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path).resolve()
        self._seen: tuple[int, ...] = ()
        self._keys: dict[bytes, bytes | None] = {}
        self._size = 0
        self._refresh()

    def seal(self, text: str, stream: str, key: bytes, nonce: bytes) -> str:
        """The box of a text of that stream; `key`: 32 random bytes, which the file keeps; `nonce`: 12.

        Raises BadKeys for a key that is no new one, or if it can't be kept; ValueError for a text with a lone
        surrogate, or a nonce of another length.
        """
        plain = _padded(text)
        check_secret(key)
        if len(nonce) != NONCE:
            raise ValueError(f"a nonce has {NONCE} bytes, this one has {len(nonce)}")
        id_ = key_id(key)
        with private_file.changing(self._path):
            self._refresh()
            if id_ in self._keys:
                raise BadKeys(f"text key {id_.hex()} was used before: each text has a key of its own")
            private_file.append(self._path, self._size, _line(id_, key))
        return packed(id_, nonce, AESGCM(key).encrypt(nonce, plain, _place(stream)))

    def open(self, box: str, stream: str) -> str | None:
        """The text of a box of that stream; None if it was erased. Raises NoKey, BadBox, BadKeys."""
        id_, nonce, ciphertext = parts(box)
        key = self._key(id_)
        if key is None:
            return None
        try:
            return _unpadded(AESGCM(key).decrypt(nonce, ciphertext, _place(stream)))
        except InvalidTag:
            raise BadBox(
                f"the box doesn't open as a text of {stream}: it was changed, or sealed for another stream"
            ) from None

    def erase(self, box: str) -> None:
        """Forget the key of a text, so that nobody can read it again; that it was erased stays known. Safe to repeat.

        The key's bytes are overwritten where they stood, as far as the disk does so. Raises NoKey, BadBox, BadKeys.
        """
        id_ = key_id_of(box)
        with private_file.changing(self._path):
            if self._key(id_) is None:
                return
            kept = self._keys | {id_: None}
            with self._path.open("r+b") as old:
                private_file.replace(self._path, b"".join(_line(*entry) for entry in kept.items()))
                # Not before: a power cut might bring the old file back, with every key in it overwritten.
                old.write(bytes(os.fstat(old.fileno()).st_size))
                old.flush()
                os.fsync(old.fileno())
            self._refresh()

    def _key(self, id_: bytes) -> bytes | None:
        self._refresh()
        if id_ not in self._keys:
            raise NoKey(f"text key {id_.hex()} isn't in {self._path}: bring back the file that was used with this log")
        return self._keys[id_]

    def _refresh(self) -> None:
        """Read the file again if another process changed it."""
        try:
            now = os.stat(self._path)
        except FileNotFoundError:
            self._seen, self._keys, self._size = (), {}, 0
            return
        seen = now.st_ino, now.st_size, now.st_ctime_ns
        if seen != self._seen:
            data = private_file.read(self._path)
            self._size = data.rfind(b"\n") + 1
            *lines, _ = data.split(b"\n")
            self._keys = dict(_entry(self._path, number, line) for number, line in enumerate(lines, 1))
            self._seen = seen


def _place(stream: str) -> bytes:
    return f"handlog/1\ntext\n{stream}".encode()


def _padded(text: str) -> bytes:
    try:
        data = text.encode() + b"\x80"
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} holds a lone surrogate: such a text has no bytes") from None
    return data + bytes(-len(data) % BLOCK)


def _unpadded(plain: bytes) -> str:
    return plain.rstrip(b"\0").removesuffix(b"\x80").decode()


def _line(id_: bytes, key: bytes | None) -> bytes:
    return canonical.encode({"id": id_.hex(), "key": key and key.hex()}) + b"\n"


def _entry(path: Path, number: int, line: bytes) -> tuple[bytes, bytes | None]:
    match _decoded(line):
        case {"id": str(id_), "key": None} if _ID(id_):
            return bytes.fromhex(id_), None
        case {"id": str(id_), "key": str(key)} if _KEY(key) and key_id(bytes.fromhex(key)).hex() == id_:
            return bytes.fromhex(id_), bytes.fromhex(key)
    raise BadKeys(f"line {number} of {path} is no text key with its id: bring back the file's backup")


def _decoded(line: bytes) -> Any:
    try:
        return canonical.decode(line)
    except canonical.NotCanonical:
        return None
