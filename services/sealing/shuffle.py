"""The shuffle: from a seed to a deck's order and the salts of its commitment (design, The deck).

A key is HMAC-SHA256(seed, "handlog/1 LF <label> LF <hand> LF <index of the first card>"), the labels being `deck`,
`reshuffle` and `salts`; it gives the ChaCha20 keystream (RFC 8439) from counter and nonce zero.

- Order: the cards, sorted, shuffled by Fisher and Yates from the last place down (Durstenfeld 1964). The place to swap
  place i with is a byte b of the stream modulo i + 1, but a byte from 256 - 256 % (i + 1) up is passed over: with it
  the lower places would come more often.
- Salts: 16 bytes of the stream for each card as they lie, then 16 for the seed.
"""

import hmac
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from struct import unpack

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

SALT = 16
"""Bytes of a salt."""

_CHUNK = bytes(128)
"""52 cards take 51 bytes, and some 7 more for those that are passed over."""


def shuffled(seed: bytes, hand: str, cards: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """The cards in the order that a seed of 32 bytes gives them in that hand.

    `first`: the index that the first of them gets; over 0 it is a reshuffle. Raises ValueError for a seed of another
    length, or cards that aren't different ones from 0 to 51.
    """
    order = sorted(cards)
    if len(set(order)) != len(order) or (order and not 0 <= order[0] <= order[-1] <= 51):
        raise ValueError("different cards from 0 to 51 are shuffled")
    stream = _bytes_of(_keystream(seed, "reshuffle" if first else "deck", hand, first))
    for place in range(len(order) - 1, 0, -1):
        other = _uniform(stream, place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def salts(seed: bytes, hand: str, count: int, first: int = 0) -> tuple[bytes, ...]:
    """The first `count` salts of a deck or pile: those of its cards as they lie, then the seed's. Raises ValueError."""
    stream = _keystream(seed, "salts", hand, first).update(bytes(SALT * count))
    return unpack(f"{SALT}s" * count, stream)


def _keystream(seed: bytes, label: str, hand: str, first: int) -> CipherContext:
    """Each update of zeros gives the keystream's next bytes."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, this one has {len(seed)}")
    key = hmac.digest(seed, f"handlog/1\n{label}\n{hand}\n{first}".encode(), "sha256")
    return Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()


def _bytes_of(keystream: CipherContext) -> Iterator[int]:
    return chain.from_iterable(map(keystream.update, repeat(_CHUNK)))


def _uniform(stream: Iterator[int], below: int) -> int:
    """A number under `below` (at most 256), each as likely as the others."""
    limit = 256 - 256 % below
    byte = next(stream)
    while byte >= limit:
        byte = next(stream)
    return byte % below
