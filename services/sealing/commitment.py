"""The commitment to a deck: fixed and published before the first bet, without showing a card (design, The deck).

An RFC 6962 tree with a leaf for each card as they lie, and one for the seed. A card's leaf data is its index (2 bytes,
big-endian), the card (1) and its salt (16); the last leaf's the seed (32) and its salt (16). The root stands in clear,
64 lower-case hex digits. A reshuffled pile has a tree of its own; `first` is the index of its first card.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct

from services.evidence.merkle import Frontier, check_inclusion, inclusion_proof, leaf_hash, root_of
from services.sealing.shuffle import SALT

_HEAD = Struct(">HB").pack
_ROOT = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class CardProof:
    """That a card lies at an index: its salt, and the path from its leaf up to the root of a tree of `size` leaves.

    The size only says how to walk the path; no root binds it.
    """

    index: int
    card: int
    salt: bytes
    path: tuple[bytes, ...]
    size: int


def leaves(order: Sequence[int], salts: Sequence[bytes], seed: bytes, first: int = 0) -> list[bytes]:
    """The leaf hashes of a deck or pile; `salts`: those of the order, then the seed's.

    Raises ValueError unless there is a salt for each card and one for the seed.
    """
    *own, last = salts
    hashes = [
        leaf_hash(b"%c%c%c%b" % (index >> 8, index & 0xFF, card, salt))
        for index, (card, salt) in enumerate(zip(order, own, strict=True), start=first)
    ]
    hashes.append(leaf_hash(seed + last))
    return hashes


def root(order: Sequence[int], salts: Sequence[bytes], seed: bytes, first: int = 0) -> str:
    """The commitment. Raises ValueError as `leaves` does."""
    return root_of(leaves(order, salts, seed, first)).hex()


def prove(order: Sequence[int], salts: Sequence[bytes], seed: bytes, index: int, first: int = 0) -> CardProof:
    """The proof for the card at an index. Raises ValueError as `leaves` does, or if none of its cards lies there."""
    at = index - first
    if not 0 <= at < len(order):
        raise ValueError(f"no card of these lies at index {index}: theirs are {first} to {first + len(order) - 1}")
    frontier = Frontier()
    nodes = {
        (level, place): node
        for leaf in leaves(order, salts, seed, first)
        for level, place, node in frontier.append(leaf)
    }
    path = inclusion_proof(lambda level, place: nodes[level, place], at, frontier.size)
    return CardProof(index, order[at], salts[at], tuple(path), frontier.size)


def check(proof: CardProof, root_hex: str, first: int = 0) -> bool:
    """Whether the card lies at that index of the deck or pile with that root. Never raises."""
    # The seed's leaf is longer than a card's, so the salt's length keeps it from being shown as one.
    is_card = 0 <= proof.card <= 51 and len(proof.salt) == SALT and 0 <= proof.index < 1 << 16
    if not is_card or not _ROOT(root_hex):
        return False
    leaf = leaf_hash(_data(proof.index, proof.card, proof.salt))
    return check_inclusion(leaf, proof.index - first, proof.size, proof.path, bytes.fromhex(root_hex))


def _data(index: int, card: int, salt: bytes) -> bytes:
    return _HEAD(index, card) + salt
