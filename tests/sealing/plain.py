"""The shuffle, the salts and the commitment once more, from their definitions and nothing else.

Only the standard library: ChaCha20 as RFC 8439 section 2.3 has it, the tree as RFC 6962 section 2.1 has it.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256

ROUNDS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
          (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))  # fmt: skip


def keystream(key: bytes) -> Iterator[int]:
    """ChaCha20's bytes from counter and nonce zero."""
    counter = 0
    while True:
        block = b"expand 32-byte k" + key + counter.to_bytes(4, "little") + bytes(12)
        begin = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
        state = list(begin)
        for _ in range(10):
            for quarter in ROUNDS:
                quarter_round(state, *quarter)
        for word, first in zip(state, begin, strict=True):
            yield from ((word + first) % 2**32).to_bytes(4, "little")
        counter += 1


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for target, source, mixed, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[target] = (state[target] + state[source]) % 2**32
        word = state[mixed] ^ state[target]
        state[mixed] = (word << turn | word >> (32 - turn)) % 2**32


def stream_of(seed: bytes, label: str, hand: str, first: int) -> Iterator[int]:
    message = f"handlog/1\n{label}\n{hand}\n{first}".encode("ascii")
    return keystream(hmac.new(seed, message, "sha256").digest())


def order(seed: bytes, hand: str, cards: list[int], first: int, *, reject: bool = True) -> list[int]:
    """The shuffled cards; with `reject` off as they would lie if no byte were passed over."""
    stream = stream_of(seed, "reshuffle" if first else "deck", hand, first)
    lying = sorted(cards)
    i = len(lying) - 1
    while i >= 1:
        b = next(stream)
        if b < 256 - 256 % (i + 1) or not reject:
            j = b % (i + 1)
            lying[i], lying[j] = lying[j], lying[i]
            i -= 1
    return lying


def salts(seed: bytes, hand: str, count: int, first: int) -> list[bytes]:
    stream = stream_of(seed, "salts", hand, first)
    return [bytes(next(stream) for _ in range(16)) for _ in range(count)]


def root(order: list[int], salts: list[bytes], seed: bytes, first: int) -> str:
    data = [bytes([at // 256, at % 256, card]) + salt for at, card, salt in zip(range(first, 999), order, salts)]  # noqa: B905
    return tree([*data, seed + salts[len(order)]]).hex()


def tree(data: list[bytes]) -> bytes:
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    half = 1
    while half * 2 < len(data):
        half *= 2
    return sha256(b"\x01" + tree(data[:half]) + tree(data[half:])).digest()
