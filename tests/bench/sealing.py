"""What sealed cards cost a hand: the same scripts dealt from sealed shoes and from open ones.

A script says how the deck lies, so the sealed side's order gives way to that once it was shuffled from its seed, as a
room's is. Each hand has an id of its own and each run a key of its own, so that no cipher is ready before its hand.
"""

from collections.abc import Callable, Sequence
from functools import partial
from secrets import randbits, token_bytes

import pytest

from domain.hand.dealing import Shoes
from domain.table.play import Play
from services.sealing import boxes, shoe
from services.sealing.keyfile import RoomKeys
from services.sealing.shoe import Bits, Order, SealedShoes
from services.sealing.shuffle import shuffled
from tests.bench.hands import open_shoes, play_script, seated
from tests.bench.rows import Row, Side, compare, faster, share, timed
from tests.bench.scripts import NO_LIMIT_HOLDEM, Variant, read
from tests.bench.stopwatch import Stopwatch, Watched
from tests.domain.hand.scripts import Script, deck_of

PARTS = ("order", "salts", "root", "the deck's box", "the cards' boxes", "keys and ciphers", "random bits")

_WATCHED: tuple[Watched, ...] = (
    (shoe, "salts", "salts"),
    (shoe, "root", "root"),
    (boxes, "seal_deck", "the deck's box"),
    (boxes, "seal_card", "the cards' boxes"),
    (boxes, "_cipher", "keys and ciphers"),
)

Dealer = Callable[[tuple[int, ...]], Shoes]
"""The shoes that have a deck in this order."""


def rows(texts: dict[Variant, list[str]], runs: int) -> list[Row]:
    scripts = [read(text) for text in texts[NO_LIMIT_HOLDEM]]
    sealed, bare = compare(side(scripts, sealed_dealer), side(scripts, open_dealer), runs=runs)
    each, title = 1e6 / len(scripts), NO_LIMIT_HOLDEM.title
    parts = {"all of sealing": sealed - bare, **seconds_of_parts(scripts)}
    return [
        faster(f"decide + evolve, 6-max {title}, sealed", "us/hand", each, sealed, bare, "the same, cards open", None),
        *(share(f"of a sealed hand: {part}", "us/hand", each, cost, sealed, "all") for part, cost in parts.items()),
    ]


def side(scripts: Sequence[Script], new_dealer: Callable[[], Dealer]) -> Side:
    def prepare() -> list[tuple[Play, Script, Shoes]]:
        dealer = new_dealer()
        return [
            (seated(NO_LIMIT_HOLDEM, script, f"t{number}"), script, dealer(deck_of(script)))
            for number, script in enumerate(scripts, start=1)
        ]

    return Side(lambda given: [play_script(*one) for one in given], prepare)


def open_dealer() -> Dealer:
    return open_shoes


def sealed_dealer(order: Order = shuffled, bits: Bits = randbits) -> Dealer:
    keys = RoomKeys("bench", [token_bytes(32)])

    def dealer(deck: tuple[int, ...]) -> SealedShoes:
        def laid(seed: bytes, hand: str, cards: Sequence[int], first: int) -> tuple[int, ...]:
            order(seed, hand, cards, first)
            return deck

        return SealedShoes(keys, bits, laid)

    return dealer


def seconds_of_parts(scripts: Sequence[Script]) -> dict[str, float]:
    """Of all scripts together, in a run of its own: a watched one is slower."""
    stopwatch = Stopwatch(PARTS)
    order, bits = stopwatch.watch(shuffled, "order"), stopwatch.watch(randbits, "random bits")
    with pytest.MonkeyPatch.context() as patch:
        stopwatch.install(patch, _WATCHED)
        timed(side(scripts, partial(sealed_dealer, order, bits)))
    return stopwatch.seconds
