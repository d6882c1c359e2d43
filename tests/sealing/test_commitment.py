"""The commitment: known roots, and that a proof shows exactly one card at one index."""

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.evidence.merkle import check_inclusion, root_of
from services.sealing.commitment import CardProof, check, leaves, prove, root
from services.sealing.shuffle import salts, shuffled
from tests.sealing import plain

SEED = bytes(range(32))
ORDER = shuffled(SEED, "t1-5", range(52))
SALTS = salts(SEED, "t1-5", 53)
ROOT = "4742705d95ec48d0fc04af005ea4d7cc6f82fefcb78ee2fb3265806e10164df4"

PILE = shuffled(SEED, "t1-5", [3, 1, 4, 15, 9, 26, 5, 35], 52)
PILE_SALTS = salts(SEED, "t1-5", 9, 52)
PILE_ROOT = "fa6f368fecf4546134d8df296247993af60fd23ac39e8356f536cd04e17e5e2a"


def test_known_roots() -> None:
    assert root(ORDER, SALTS, SEED) == ROOT
    assert root(PILE, PILE_SALTS, SEED, 52) == PILE_ROOT


@given(st.binary(min_size=32, max_size=32), st.permutations(range(52)), st.integers(0, 52), st.integers(0, 300))
def test_the_plain_definition_gives_the_same(seed, cards, count, first) -> None:
    order, salted = cards[:count], salts(seed, "t1-5", count + 1, first)
    assert root(order, salted, seed, first) == plain.root(order, list(salted), seed, first)


def test_a_leaf_is_index_card_and_salt_and_the_last_one_seed_and_salt() -> None:
    hashes = leaves(PILE, PILE_SALTS, SEED, 300)
    assert len(hashes) == 9
    assert hashes[1] == hashlib.sha256(b"\0" + bytes([1, 45, PILE[1]]) + PILE_SALTS[1]).digest(), "301 is 256 + 45"
    assert hashes[-1] == hashlib.sha256(b"\0" + SEED + PILE_SALTS[8]).digest()


def test_each_part_of_a_deck_changes_its_root() -> None:
    swapped = (ORDER[1], ORDER[0], *ORDER[2:])
    others = [
        root(swapped, SALTS, SEED),
        root(ORDER, (*SALTS[:-1], bytes(16)), SEED),
        root(ORDER, (bytes(16), *SALTS[1:]), SEED),
        root(ORDER, SALTS, bytes(32)),
        root(ORDER, SALTS, SEED, 1),
        root(ORDER[:-1], SALTS[:-1], SEED),
    ]
    assert len({ROOT, *others}) == 7


@pytest.mark.parametrize("count", [0, 1, 52, 54])
def test_there_is_a_salt_for_each_card_and_one_for_the_seed(count) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        leaves(ORDER, salts(SEED, "t1-5", count), SEED)


def test_every_card_can_be_proven() -> None:
    for index, card in enumerate(ORDER):
        proof = prove(ORDER, SALTS, SEED, index)
        assert (proof.index, proof.card, proof.salt, proof.size) == (index, card, SALTS[index], 53)
        assert check(proof, ROOT)
    for index, card in enumerate(PILE, start=52):
        proof = prove(PILE, PILE_SALTS, SEED, index, 52)
        assert (proof.index, proof.card, proof.size) == (index, card, 9)
        assert check(proof, PILE_ROOT, 52)


def test_a_deck_of_one_card_is_proven_beside_its_seed() -> None:
    salted = salts(SEED, "t1-5", 2, 52)
    proof = prove([7], salted, SEED, 52, 52)
    assert proof.path == (hashlib.sha256(b"\0" + SEED + salted[1]).digest(),)
    assert check(proof, root([7], salted, SEED, 52), 52)


@pytest.mark.parametrize("index", range(52))
def test_a_proof_shows_that_card_at_that_index_and_no_other(index) -> None:
    proof = prove(ORDER, SALTS, SEED, index)
    assert not any(check(replace(proof, card=card), ROOT) for card in range(-2, 300) if card != proof.card)
    assert not any(check(replace(proof, index=other), ROOT) for other in range(-2, 60) if other != index)


PROOF = prove(ORDER, SALTS, SEED, 17)


@pytest.mark.parametrize(
    "changed",
    [
        replace(PROOF, salt=bytes(16)),
        replace(PROOF, salt=PROOF.salt[:-1]),
        replace(PROOF, salt=PROOF.salt + b"\0"),
        replace(PROOF, salt=b""),
        replace(PROOF, path=()),
        replace(PROOF, path=PROOF.path[:-1]),
        replace(PROOF, path=(*PROOF.path, bytes(32))),
        replace(PROOF, path=PROOF.path[::-1]),
        replace(PROOF, path=(PROOF.path[0][:-1], *PROOF.path[1:])),
        replace(PROOF, path=(b"", *PROOF.path)),
        replace(PROOF, size=32),
        replace(PROOF, size=65),
        replace(PROOF, size=17),
        replace(PROOF, size=0),
        replace(PROOF, size=-1),
        replace(PROOF, size=10**30),
        replace(PROOF, index=10**30, size=10**31),
    ],
)  # fmt: skip
def test_a_changed_proof_shows_nothing(changed) -> None:
    assert check(PROOF, ROOT)
    assert not check(changed, ROOT)


def test_what_a_proof_says_of_the_size_is_only_how_to_walk_its_path() -> None:
    """RFC 6962's roots don't bind the size; a card can't move all the same, for its leaf holds its index."""
    others = [replace(PROOF, index=index, size=size) for size in range(-1, 200) for index in range(60)]
    assert {proof.index for proof in others if check(proof, ROOT)} == {PROOF.index}


@pytest.mark.parametrize("other", [PILE_ROOT, "", ROOT[:-1], ROOT + "0", ROOT.upper(), ROOT[:-2] + " f", "é" * 64])
def test_another_root_is_not_this_deck_s(other) -> None:
    assert not check(PROOF, other)


@pytest.mark.parametrize("first", [-1, 1, 16, 52])
def test_a_deck_is_no_reshuffle(first) -> None:
    assert not check(PROOF, ROOT, first)


@given(st.integers(0, 8), st.integers(0, 31), st.integers(1, 255))
def test_no_changed_byte_of_a_path_is_overlooked(step, place, change) -> None:
    step %= len(PROOF.path)
    node = bytearray(PROOF.path[step])
    node[place] ^= change
    assert not check(replace(PROOF, path=(*PROOF.path[:step], bytes(node), *PROOF.path[step + 1 :])), ROOT)


def test_the_seed_s_leaf_is_nobody_s_card() -> None:
    """Though its seed begins as index 52 and card 7 would, and its path is right."""
    seed = bytes([0, 52, 7]) + SEED[3:]
    *cards, last = leaves(ORDER, SALTS, seed)
    path = (root_of(cards[48:]), root_of(cards[32:48]), root_of(cards[:32]))
    assert check_inclusion(last, 52, 53, path, bytes.fromhex(root(ORDER, SALTS, seed)))
    assert not check(CardProof(52, 7, seed[3:] + SALTS[-1], path, 53), root(ORDER, SALTS, seed))


@pytest.mark.parametrize(("index", "first"), [(-1, 0), (52, 0), (51, 52), (104, 52)])
def test_only_a_card_of_the_deck_can_be_proven(index, first) -> None:
    with pytest.raises(ValueError, match=f"no card of these lies at index {index}: theirs are {first} to {first + 51}"):
        prove(ORDER, SALTS, SEED, index, first)
