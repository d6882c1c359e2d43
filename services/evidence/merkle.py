"""The Merkle tree of RFC 6962, section 2.1: roots, audit paths, consistency proofs, and the checks of both.

A hash is 32 bytes (SHA-256). A *complete* subtree stands at (level, index) and covers the leaves from index << level to
(index + 1) << level, without the last; a complete subtree never changes again. Every other subtree that the RFC names
is folded from a few complete ones, so nothing here looks at more than a few dozen hashes, however large the tree.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

EMPTY = sha256().digest()
"""The root of the tree without leaves."""

Nodes = Callable[[int, int], bytes]
"""(level, index) -> the hash of that complete subtree."""

Span = tuple[int, int]
"""A subtree by its leaves: the first, and the one after the last."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf with that data."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaf_hashes: Iterable[bytes]) -> bytes:
    """The root over these leaves, in order.

    Level by level, an odd last hash going up as it is, which makes the same tree. It takes half the time of growing
    it, and a deck is committed to in every hand.
    """
    level = list(leaf_hashes)
    while len(level) > 1:
        last = level[len(level) & ~1 :]
        level = [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
        level += last
    return level[0] if level else EMPTY


class Frontier:
    """A tree that grows: of its past only the complete subtrees along the right edge are kept, largest first."""

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        """Resume at `size` leaves from the `hashes` of a frontier of that size. Raises ValueError if they don't fit."""
        if size < 0 or len(hashes) != size.bit_count():
            raise ValueError(
                f"a tree of {size} leaves can't go on from {len(hashes)} hashes: it takes one for each 1 among "
                "the binary digits of its size"
            )
        self.size = size
        self.hashes = list(hashes)

    def append(self, leaf: bytes) -> list[tuple[int, int, bytes]]:
        """Add a leaf hash. Returns the complete subtrees that it made, as (level, index, hash): itself, then upwards.

        n appends from the beginning hash fewer than n times.
        """
        level, index, node = 0, self.size, leaf
        made = [(level, index, node)]
        while index & 1:
            level, index, node = level + 1, index >> 1, node_hash(self.hashes.pop(), node)
            made.append((level, index, node))
        self.hashes.append(node)
        self.size += 1
        return made

    def root(self) -> bytes:
        """The root over the leaves so far."""
        return _folded(self.hashes)


def frontier_at(nodes: Nodes, size: int) -> Frontier:
    """The frontier of a tree whose complete subtrees are kept."""
    return Frontier(size, _complete(nodes, (0, size)))


def root_at(nodes: Nodes, size: int) -> bytes:
    """The root over the first `size` leaves of a tree that may have more."""
    return _hash_of(nodes, (0, size))


def inclusion_proof(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """The audit path of a leaf in the tree of the first `size` leaves, from the leaf upwards (RFC 6962, 2.1.1).

    Raises ValueError if that tree hasn't the leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}: they are numbered from 0")
    return [_hash_of(nodes, span) for span in _siblings(index, size)]


def consistency_proof(nodes: Nodes, old: int, new: int) -> list[bytes]:
    """Proof that the first `old` leaves of the tree of `new` are the old tree (RFC 6962, 2.1.2).

    Empty if nothing was added, or everything. Raises ValueError if old > new or a size is negative.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves isn't a later one of {old}: the old size comes first")
    if old == 0:
        return []
    return [_hash_of(nodes, span) for span in _growth(old, new) if span != (0, old)]


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that a leaf hash is number `index` of the tree with that size and root. Never raises."""
    if not 0 <= index < size or not _are_hashes(leaf, root, *proof):
        return False
    spans = _siblings(index, size)
    if len(proof) != len(spans):
        return False
    node = leaf
    for sibling, (begin, _) in zip(proof, spans, strict=True):
        node = node_hash(sibling, node) if begin < index else node_hash(node, sibling)
    return node == root


def check_consistency(old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Whether the proof shows that the tree with the new size and root begins with the old tree. Never raises.

    Every tree begins with the empty one, without proof.
    """
    if not 0 <= old <= new or not _are_hashes(old_root, new_root, *proof):
        return False
    if old == 0:
        return not proof and old_root == EMPTY and (new > 0 or new_root == EMPTY)
    spans = _growth(old, new)
    hashes = [old_root, *proof] if spans[0] == (0, old) else list(proof)
    if len(hashes) != len(spans):
        return False
    before = after = hashes[0]
    for sibling, (begin, _) in zip(hashes[1:], spans[1:], strict=True):
        if begin < old:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
    return before == old_root and after == new_root


def _siblings(index: int, size: int) -> list[Span]:
    """The subtrees that hang off the way from a leaf up to the root, lowest first."""
    begin, end, passed = 0, size, []
    while end - begin > 1:
        middle = _middle(begin, end)
        if index < middle:
            passed.append((middle, end))
            end = middle
        else:
            passed.append((begin, middle))
            begin = middle
    return passed[::-1]


def _growth(old: int, new: int) -> list[Span]:
    """The subtree that ends where the old tree ends, then those that hang off the way from it up to the new root.

    Those that begin within the old tree are its own other parts. The first is the whole old tree if that is complete;
    its hash is then the old root, which no proof repeats.
    """
    begin, end, passed = 0, new, []
    while end != old:
        middle = _middle(begin, end)
        if old <= middle:
            passed.append((middle, end))
            end = middle
        else:
            passed.append((begin, middle))
            begin = middle
    return [(begin, end), *passed[::-1]]


def _middle(begin: int, end: int) -> int:
    """Where the RFC splits two leaves or more: after the largest power of two that is smaller than their number."""
    return begin + (1 << (end - begin - 1).bit_length() - 1)


def _hash_of(nodes: Nodes, span: Span) -> bytes:
    return _folded(_complete(nodes, span))


def _complete(nodes: Nodes, span: Span) -> list[bytes]:
    """The hashes of the complete subtrees that make up one of the RFC's, largest first."""
    begin, end = span
    hashes = []
    while begin < end:
        level = (end - begin).bit_length() - 1
        hashes.append(nodes(level, begin >> level))
        begin += 1 << level
    return hashes


def _folded(hashes: Sequence[bytes]) -> bytes:
    """Complete subtrees, largest first, joined from the right."""
    if not hashes:
        return EMPTY
    *others, node = hashes
    for left in reversed(others):
        node = node_hash(left, node)
    return node


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == 32 for value in values)
