"""The tree against the published vectors of Certificate Transparency and against the RFC's own recursion."""

from collections.abc import Iterator
from random import Random

import pytest

from services.evidence import merkle
from services.evidence.merkle import Frontier, check_consistency, check_inclusion, leaf_hash
from tests.evidence import model

# The vectors of the reference implementation (certificate-transparency, merkletree tests): leaves, roots of the first
# 1, 2, ... 8, audit paths by (leaf, size), consistency proofs by (old size, new size).
LEAVES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATHS = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
PROOFS = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}

SIZES = range(71)
DATA = [bytes([n]) * (n % 5) for n in SIZES]


class Grown:
    """A tree that keeps its complete subtrees, as a store does."""

    def __init__(self, data: model.Data) -> None:
        self.nodes: dict[tuple[int, int], bytes] = {}
        self.roots = [merkle.EMPTY]
        frontier = Frontier()
        for item in data:
            for level, index, node in frontier.append(leaf_hash(item)):
                assert (level, index) not in self.nodes, "a complete subtree is made once"
                self.nodes[level, index] = node
            self.roots.append(frontier.root())

    def node(self, level: int, index: int) -> bytes:
        return self.nodes[level, index]


def wrong(proof: list[bytes]) -> Iterator[list[bytes]]:
    """The proof with one bit of each hash flipped, without each hash, with one more anywhere, with two swapped, with a
    hash cut or stretched."""
    for i, each in enumerate(proof):
        yield [*proof[:i], bytes([each[0] ^ 1]) + each[1:], *proof[i + 1 :]]
        yield [*proof[:i], each[:-1] + bytes([each[-1] ^ 128]), *proof[i + 1 :]]
        yield proof[:i] + proof[i + 1 :]
        yield [*proof[:i], each[:-1], *proof[i + 1 :]]
        yield [*proof[:i], each + b"\x00", *proof[i + 1 :]]
        if i:
            yield [*proof[: i - 1], each, proof[i - 1], *proof[i + 1 :]]
    for i in range(len(proof) + 1):
        yield [*proof[:i], merkle.EMPTY, *proof[i:]]
        yield [*proof[:i], b"", *proof[i:]]


@pytest.fixture(scope="module")
def grown() -> Grown:
    return Grown(DATA)


def test_the_published_roots() -> None:
    leaves = [leaf_hash(data) for data in LEAVES]
    assert [merkle.root_of(leaves[:size]).hex() for size in range(1, 9)] == list(ROOTS)
    assert [root.hex() for root in Grown(LEAVES).roots[1:]] == list(ROOTS)
    assert [model.mth(LEAVES[:size]).hex() for size in range(1, 9)] == list(ROOTS), "the model too"


def test_the_root_of_nothing_is_the_hash_of_nothing() -> None:
    assert merkle.root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(("index", "size"), PATHS)
def test_the_published_audit_paths(index: int, size: int) -> None:
    path = merkle.inclusion_proof(Grown(LEAVES).node, index, size)
    assert [each.hex() for each in path] == PATHS[index, size]
    assert check_inclusion(leaf_hash(LEAVES[index]), index, size, path, bytes.fromhex(ROOTS[size - 1]))


@pytest.mark.parametrize(("old", "new"), PROOFS)
def test_the_published_consistency_proofs(old: int, new: int) -> None:
    proof = merkle.consistency_proof(Grown(LEAVES).node, old, new)
    assert [each.hex() for each in proof] == PROOFS[old, new]
    assert check_consistency(old, new, proof, *(bytes.fromhex(ROOTS[size - 1]) for size in (old, new)))


def test_every_root_is_the_model_s(grown: Grown) -> None:
    for size in SIZES:
        assert merkle.root_at(grown.node, size) == grown.roots[size] == model.mth(DATA[:size])


def test_every_audit_path_is_the_model_s_and_checks(grown: Grown) -> None:
    for size in SIZES:
        for index in range(size):
            path = merkle.inclusion_proof(grown.node, index, size)
            assert path == model.path(index, DATA[:size])
            assert check_inclusion(leaf_hash(DATA[index]), index, size, path, grown.roots[size])


def test_every_consistency_proof_is_the_model_s_and_checks(grown: Grown) -> None:
    for new in SIZES:
        assert merkle.consistency_proof(grown.node, 0, new) == []
        assert check_consistency(0, new, [], merkle.EMPTY, grown.roots[new])
        for old in range(1, new + 1):
            proof = merkle.consistency_proof(grown.node, old, new)
            assert proof == model.proof(old, DATA[:new])
            assert check_consistency(old, new, proof, grown.roots[old], grown.roots[new])


@pytest.mark.parametrize("seed", range(5))
def test_larger_trees_are_the_model_s(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(71, 5000)
    data = [random.randbytes(32) for _ in range(size)]
    grown, root = Grown(data), model.mth(data)
    assert grown.roots[size] == root
    for _ in range(3):
        index, old = random.randrange(size), random.randrange(1, size)
        path, proof = merkle.inclusion_proof(grown.node, index, size), merkle.consistency_proof(grown.node, old, size)
        assert (path, proof) == (model.path(index, data), model.proof(old, data))
        assert check_inclusion(leaf_hash(data[index]), index, size, path, root)
        assert check_consistency(old, size, proof, grown.roots[old], root)


def test_a_changed_audit_path_never_checks(grown: Grown) -> None:
    for size in range(1, 34):
        for index in range(size):
            leaf, root = leaf_hash(DATA[index]), grown.roots[size]
            path = merkle.inclusion_proof(grown.node, index, size)
            assert not any(check_inclusion(leaf, index, size, bad, root) for bad in wrong(path))
            assert not check_inclusion(leaf_hash(b"another"), index, size, path, root)
            assert not check_inclusion(leaf, index, size, path, grown.roots[size - 1])


def test_no_byte_can_move_from_the_leaf_to_its_sibling(grown: Grown) -> None:
    """The two are hashed one after the other, so their lengths must be looked at."""
    leaf, (first, *rest), root = leaf_hash(DATA[4]), merkle.inclusion_proof(grown.node, 4, 33), grown.roots[33]
    assert check_inclusion(leaf, 4, 33, [first, *rest], root)
    assert not check_inclusion(leaf + first[:1], 4, 33, [first[1:], *rest], root)
    assert not check_inclusion(leaf[:-1], 4, 33, [leaf[-1:] + first, *rest], root)


def test_an_audit_path_checks_at_its_own_index_and_no_other(grown: Grown) -> None:
    for size in range(1, 34):
        for index in range(size):
            leaf, path = leaf_hash(DATA[index]), merkle.inclusion_proof(grown.node, index, size)
            at = [
                other for other in range(-2, size + 40) if check_inclusion(leaf, other, size, path, grown.roots[size])
            ]
            assert at == [index]


def test_an_audit_path_of_one_size_is_none_under_the_root_of_another(grown: Grown) -> None:
    for size in range(1, 34):
        for index in range(size):
            leaf, path = leaf_hash(DATA[index]), merkle.inclusion_proof(grown.node, index, size)
            fits = [other for other in range(70) if check_inclusion(leaf, index, other, path, grown.roots[other])]
            assert fits == [size]


def test_a_changed_consistency_proof_never_checks(grown: Grown) -> None:
    for new in range(34):
        for old in range(new + 1):
            old_root, new_root = grown.roots[old], grown.roots[new]
            proof = merkle.consistency_proof(grown.node, old, new)
            assert not any(check_consistency(old, new, bad, old_root, new_root) for bad in wrong(proof))
            assert not check_consistency(old, new, proof, leaf_hash(b"another"), new_root)
            assert not check_consistency(new, old, proof, new_root, old_root) or old == new
            if old or not new:
                assert not check_consistency(old, new, proof, old_root, leaf_hash(b"another"))


def test_a_consistency_proof_is_none_for_other_trees(grown: Grown) -> None:
    """Sizes with their own roots, and the proof of two others."""
    for new in range(1, 20):
        for old in range(1, new + 1):
            proof = merkle.consistency_proof(grown.node, old, new)
            fits = [
                (other_old, other_new)
                for other_new in range(1, 24)
                for other_old in range(1, other_new + 1)
                if check_consistency(other_old, other_new, proof, grown.roots[other_old], grown.roots[other_new])
            ]
            assert fits == [(old, new)] or (old == new and fits == [(n, n) for n in range(1, 24)])


def test_a_forked_tree_has_no_proof(grown: Grown) -> None:
    forked = Grown([*DATA[:5], b"another", *DATA[6:]])
    for new in range(6, 40):
        assert check_consistency(
            5, new, merkle.consistency_proof(forked.node, 5, new), grown.roots[5], forked.roots[new]
        )
        for old in range(6, new + 1):
            for tree in (grown, forked):
                proof = merkle.consistency_proof(tree.node, old, new)
                assert not check_consistency(old, new, proof, grown.roots[old], forked.roots[new])


def test_the_past_is_not_hashed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = 0

    def counted(left: bytes, right: bytes) -> bytes:
        nonlocal hashed
        hashed += 1
        return node(left, right)

    node = merkle.node_hash
    monkeypatch.setattr(merkle, "node_hash", counted)
    frontier = Frontier()
    for number in range(10_000):
        frontier.append(leaf_hash(b"%d" % number))
    assert hashed == 10_000 - (10_000).bit_count(), "one for each complete subtree above the leaves"


def test_a_frontier_goes_on_from_what_was_kept_of_it(grown: Grown) -> None:
    for size in SIZES:
        for frontier in (Frontier(size, resumed(size).hashes), merkle.frontier_at(grown.node, size)):
            for item in DATA[size:]:
                frontier.append(leaf_hash(item))
            assert (frontier.size, frontier.root()) == (len(DATA), grown.roots[-1])


def resumed(size: int) -> Frontier:
    frontier = Frontier()
    for item in DATA[:size]:
        frontier.append(leaf_hash(item))
    return frontier


@pytest.mark.parametrize(("size", "hashes"), [(0, 1), (3, 1), (4, 2), (-1, 1)])
def test_a_frontier_takes_as_many_hashes_as_its_size_has_ones(size: int, hashes: int) -> None:
    with pytest.raises(ValueError, match="one for each 1 among the binary digits"):
        Frontier(size, [merkle.EMPTY] * hashes)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 5), (5, 5)])
def test_a_leaf_that_is_not_there_has_no_audit_path(grown: Grown, index: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"a tree of {size} leaves has no leaf {index}"):
        merkle.inclusion_proof(grown.node, index, size)


@pytest.mark.parametrize(("old", "new"), [(6, 5), (-1, 5)])
def test_a_smaller_tree_is_no_later_one(grown: Grown, old: int, new: int) -> None:
    with pytest.raises(ValueError, match="the old size comes first"):
        merkle.consistency_proof(grown.node, old, new)
