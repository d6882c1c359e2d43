"""Opens boxes and lays decks again, from the description of the format alone: the auditor's own, not the product's."""

import hmac
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Shut(Exception):
    """A box that doesn't open where it stands."""


def derived(secret: bytes, info: str, size: int) -> bytes:
    """What comes of a room key by HKDF-SHA256."""
    return HKDF(SHA256(), size, None, info.encode()).derive(secret)


class Keyring:
    """All keys that a room has had; `add` takes another."""

    def __init__(self, room: str) -> None:
        self.room = room
        self._secrets: dict[bytes, bytes] = {}
        self._ciphers: dict[tuple[bytes, str, str], AESGCM] = {}

    def add(self, secret: bytes) -> None:
        self._secrets[derived(secret, "handlog/1 key id", 8)] = secret

    def card(self, hand: str, seat: int, index: int, box: str) -> tuple[int, bytes]:
        """The card of a box, and its salt."""
        plain = self._open(hand, f"seat {seat}", f"card\n{self.room}\n{hand}\n{seat}\n{index}", box)
        return plain[0], plain[1:]

    def deck(self, hand: str, first: int, box: str) -> tuple[bytes, list[int]]:
        """The seed of a box, and its order."""
        kind = "reshuffle" if first else "deck"
        plain = self._open(hand, "deck", f"{kind}\n{self.room}\n{hand}\n0\n{first}", box)
        return plain[:32], list(plain[32:])

    def _open(self, hand: str, purpose: str, place: str, box: str) -> bytes:
        data = urlsafe_b64decode(box + "=" * (-len(box) % 4))
        try:
            return self._cipher(data[:8], hand, purpose).decrypt(data[8:20], data[20:], f"handlog/1\n{place}".encode())
        except (InvalidTag, KeyError) as error:
            raise Shut(f"the box of {purpose} of hand {hand} doesn't open as {place!r}: {error!r}") from error

    def _cipher(self, key_id: bytes, hand: str, purpose: str) -> AESGCM:
        known = (key_id, hand, purpose)
        if known not in self._ciphers:
            secret = self._secrets[key_id]
            self._ciphers[known] = AESGCM(derived(secret, f"handlog/1\n{self.room}\n{hand}\n{purpose}", 32))
        return self._ciphers[known]


def laid(seed: bytes, hand: str, cards: Sequence[int], first: int) -> list[int]:
    """The cards in the order that the seed gives them."""
    order, stream = sorted(cards), iter(_keystream(seed, "reshuffle" if first else "deck", hand, first, 1024))
    for place in range(len(order) - 1, 0, -1):
        byte = next(byte for byte in stream if byte < 256 - 256 % (place + 1))
        other = byte % (place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def salts(seed: bytes, hand: str, count: int, first: int) -> list[bytes]:
    """So many salts of 16 bytes."""
    stream = _keystream(seed, "salts", hand, first, 16 * count)
    return [stream[at : at + 16] for at in range(0, 16 * count, 16)]


def root(order: Sequence[int], fresh: Sequence[bytes], seed: bytes, first: int) -> str:
    """The root over the cards as they lie, and over the seed."""
    leaves = [bytes((0, index >> 8, index & 255, card)) for index, card in enumerate(order, start=first)]
    leaves.append(b"\0" + seed)
    return tree_root([sha256(leaf + salt).digest() for leaf, salt in zip(leaves, fresh, strict=True)]).hex()


def tree_root(hashes: Sequence[bytes]) -> bytes:
    """The root of a Merkle tree (RFC 6962, 2.1) over leaf hashes: the largest power of two goes to the left."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256().digest()
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1" + tree_root(hashes[:left]) + tree_root(hashes[left:])).digest()


def _keystream(seed: bytes, label: str, hand: str, first: int, size: int) -> bytes:
    key = hmac.digest(seed, f"handlog/1\n{label}\n{hand}\n{first}".encode(), "sha256")
    return Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(size))
