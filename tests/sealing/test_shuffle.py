"""The shuffle and the salts: known answers, every card once, no place that a card prefers."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.sealing import shuffle
from services.sealing.shuffle import salts, shuffled
from tests.sealing import plain

SEED = bytes(range(32))
PILE = [3, 1, 4, 15, 9, 26, 5, 35]
DECKS = 10_000


def test_chacha20_of_these_tests_is_that_of_rfc_8439() -> None:
    """Appendix A.1, test vectors 1 and 2: key and nonce zero, counters 0 and 1."""
    stream = plain.keystream(bytes(32))
    blocks = [bytes(next(stream) for _ in range(64)).hex() for _ in range(2)]
    assert blocks[0].startswith("76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7")
    assert blocks[1].startswith("9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed")


@pytest.mark.parametrize(
    ("hand", "cards", "first", "order"),
    [
        ("t1-5", range(52), 0, "28 26 1 36 2 34 21 7 0 46 49 41 23 24 15 3 14 17 38 37 6 25 22 10 11 33 9 5 51 45 43 "
         "8 20 16 27 32 12 30 39 35 44 48 18 4 31 29 40 47 13 50 42 19"),
        ("t1-6", range(52), 0, "42 50 28 4 8 1 30 21 41 23 49 32 37 34 47 51 39 29 40 27 0 9 14 13 5 48 11 43 33 45 17 "
         "3 15 18 44 12 7 46 24 25 38 2 16 26 22 19 20 6 36 35 10 31"),
        ("t1-5", range(20, 52), 0, "37 34 48 27 26 38 21 40 33 29 23 20 39 51 46 28 30 24 22 42 41 25 35 36 45 31 50 "
         "43 44 32 49 47"),
        ("t1-5", PILE, 52, "3 5 1 26 15 4 35 9"),
    ],
)  # fmt: skip
def test_known_orders(hand, cards, first, order) -> None:
    assert " ".join(map(str, shuffled(SEED, hand, cards, first))) == order


def test_known_salts() -> None:
    assert [salt.hex() for salt in salts(SEED, "t1-5", 3)] == [
        "0c322fd949ed46090dc91d26c41743fd",
        "274bcabef12ccd0b33b3d903b3a7cd44",
        "65081d9b7b7709bf5c5a0a2d388e215e",
    ]
    assert salts(SEED, "t1-5", 2, 52)[1].hex() == "84d336c64189b0036997faa5e8d23807"


@given(
    st.binary(min_size=32, max_size=32),
    st.from_regex(r"[a-z0-9]{1,32}-[0-9]{1,12}", fullmatch=True),
    st.permutations(range(52)),
    st.integers(0, 52),
    st.integers(0, 200),
)
def test_the_plain_definition_gives_the_same(seed, hand, cards, count, first) -> None:
    pile = cards[:count]
    assert list(shuffled(seed, hand, pile, first)) == plain.order(seed, hand, pile, first)
    assert list(salts(seed, hand, count + 1, first)) == plain.salts(seed, hand, count + 1, first)


@given(st.binary(min_size=32, max_size=32), st.sets(st.integers(0, 51)))
def test_every_card_comes_once(seed, cards) -> None:
    assert sorted(shuffled(seed, "t1-5", list(cards))) == sorted(cards)


def test_only_which_cards_they_are_counts_not_how_they_lay() -> None:
    assert shuffled(SEED, "t1-5", PILE) == shuffled(SEED, "t1-5", PILE[::-1]) == shuffled(SEED, "t1-5", sorted(PILE))


def test_hand_seed_and_first_index_each_give_another_order() -> None:
    orders = {
        shuffled(SEED, "t1-5", range(52)),
        shuffled(SEED, "t1-51", range(52)),
        shuffled(SEED, "t1-5", range(52), 52),
        shuffled(SEED, "t1-5", range(52), 60),
        shuffled(bytes(32), "t1-5", range(52)),
    }
    assert len(orders) == 5
    others = [(SEED, "t1-5", 0), (SEED, "t1-6", 0), (SEED, "t1-5", 52), (bytes(32), "t1-5", 0)]
    assert len({salt for seed, hand, first in others for salt in salts(seed, hand, 53, first)}) == 4 * 53


def test_a_byte_that_would_favour_low_places_is_passed_over() -> None:
    """256 is 85 threes and one: 255 must not count as a 0."""
    assert shuffle._uniform(iter([254]), 3) == 2
    assert shuffle._uniform(iter([255, 255, 254]), 3) == 2
    assert shuffle._uniform(iter([255]), 256) == 255
    assert shuffle._uniform(iter([214, 9]), 43) == 42, "5 x 43 is 215"
    assert shuffle._uniform(iter([215, 9]), 43) == 9


def test_it_happens_in_the_known_order() -> None:
    """With the byte taken that is passed over, the first known order would be another."""
    cards = list(range(52))
    assert plain.order(SEED, "t1-5", cards, 0, reject=False) != plain.order(SEED, "t1-5", cards, 0)


def test_the_stream_goes_on_however_many_are_passed_over() -> None:
    ours = shuffle._bytes_of(shuffle._keystream(SEED, "deck", "t1-5", 0))
    theirs = plain.stream_of(SEED, "deck", "t1-5", 0)
    assert [next(ours) for _ in range(1000)] == [next(theirs) for _ in range(1000)]


@pytest.mark.parametrize("cards", [[1, 1], [-1, 2], [51, 52], [0, 1, 300]])
def test_only_different_cards_are_shuffled(cards) -> None:
    with pytest.raises(ValueError, match="different cards from 0 to 51 are shuffled"):
        shuffled(SEED, "t1-5", cards)


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes, this one has 31"):
        shuffled(SEED[1:], "t1-5", range(52))
    with pytest.raises(ValueError, match="a seed has 32 bytes, this one has 33"):
        salts(SEED + b"x", "t1-5", 53)


def decks(order: Callable[..., list[int] | tuple[int, ...]], **how: bool) -> list[tuple[int, ...]]:
    """Many decks from a fixed row of seeds."""
    return [
        tuple(order(number.to_bytes(32, "big"), f"t1-{number}", list(range(52)), 0, **how)) for number in range(DECKS)
    ]


def unevenness(counts: Counter[tuple[int, int]], cells: int) -> float:
    """Chi-squared against all cells alike, in standard deviations from what chance gives.

    A deck falls into each cell with a probability of 1/52, and 51 x 51 cells are free.
    """
    expected = DECKS / 52
    squares = sum((counted - expected) ** 2 for counted in counts.values()) / expected
    squares += (cells - len(counts)) * expected
    return (squares / (cells * 51 / 52) - 1) * math.sqrt(51 * 51 / 2)


def places(decks: list[tuple[int, ...]]) -> float:
    return unevenness(Counter(cell for deck in decks for cell in enumerate(deck)), 52 * 52)


def test_no_card_prefers_a_place_or_a_neighbour() -> None:
    dealt = decks(shuffled)
    assert abs(places(dealt)) < 4
    neighbours = Counter(pair for deck in dealt for pair in pairwise(deck))
    assert abs(unevenness(neighbours, 52 * 51)) < 4


def test_a_shuffle_that_takes_every_byte_would_be_seen() -> None:
    """What rejection is for: without it some places are up to a fifth likelier than others."""

    def modulo(seed: bytes, hand: str, cards: list[int], first: int) -> list[int]:
        stream = shuffle._bytes_of(shuffle._keystream(seed, "deck", hand, first))
        for last in range(51, 0, -1):
            other = next(stream) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    assert places(decks(modulo)) > 6
