"""The room's shoe: a deck that is fixed, sealed and committed to before the first card is dealt (design, The deck).

The order comes from a seed of 256 random bits; `HandOpened` pins seed and order in a box, and in clear the root of a
tree over all cards with a salt each. A card that is dealt face down is sealed for its seat with its salt, so that its
player can check it against the root and learns no other.
"""

from collections.abc import Callable, Sequence

from domain.hand.dealing import SealBroken
from domain.hand.events import Deck, SealedDeck, size_of
from domain.hand.state import Hand
from services.sealing import boxes
from services.sealing.boxes import BadBox, OpenedDeck
from services.sealing.commitment import root
from services.sealing.keyfile import Keys, NoKey, RoomKeys
from services.sealing.shuffle import salts, shuffled

Bits = Callable[[int], int]
"""Gives that many random bits."""

Order = Callable[[bytes, str, Sequence[int], int], Sequence[int]]
"""The order of a hand's cards: from a seed, the hand, the cards, the index of the first."""


class SealedShoe:
    """One hand's shoe, for a room that holds the keys."""

    __slots__ = ("_bits", "_cards", "_hand", "_keys", "_order", "_salts", "_seed", "card", "deck")

    def __init__(self, keys: RoomKeys, bits: Bits, order: Order, hand: str, seed: bytes) -> None:
        self._keys, self._bits, self._order = keys, bits, order
        self._hand, self._seed = hand, seed
        self._cards: tuple[int, ...] = ()
        self._salts: tuple[bytes, ...] = ()

    deck: SealedDeck
    card: Callable[[int], int]

    def shuffle(self, cards: Sequence[int]) -> SealedDeck:
        """Put these cards behind the last one, in an order of their own."""
        first = len(self._cards)
        order = tuple(self._order(self._seed, self._hand, cards, first))
        committed = root(order, self.add(order), self._seed, first)
        box = boxes.seal_deck(self._keys, self._hand, first, OpenedDeck(self._seed, order), self._nonce())
        return SealedDeck(len(order), committed, box)

    def add(self, order: Sequence[int]) -> tuple[bytes, ...]:
        """Take cards in a known order; the salts of their tree."""
        fresh = salts(self._seed, self._hand, len(order) + 1, len(self._cards))
        self._cards += tuple(order)
        self._salts += fresh[:-1]
        self.card = self._cards.__getitem__
        return fresh

    def down(self, seat: int, index: int) -> str:
        return boxes.seal_card(
            self._keys, self._hand, seat, index, self._cards[index], self._salts[index], self._nonce()
        )

    def reshuffle(self, pile: Sequence[int]) -> SealedDeck:
        return self.shuffle(sorted(map(self.card, pile)))

    def _nonce(self) -> bytes:
        return self._bits(96).to_bytes(12)


class SealedShoes:
    """The shoes of a room. `order` is another than that of the seed only where a test stacks the deck."""

    def __init__(self, keys: RoomKeys, bits: Bits, order: Order = shuffled) -> None:
        self._keys, self._bits, self._order = keys, bits, order

    def new(self, hand: str, cards: Sequence[int]) -> SealedShoe:
        shoe = self._empty(hand, self._bits(256).to_bytes(32))
        shoe.deck = shoe.shuffle(cards)
        return shoe

    def of(self, hand: Hand) -> SealedShoe:
        """Raises NoKey where a deck was sealed under a key that isn't there, SealBroken where one was changed."""
        opener, first, shoe = Opener(self._keys, shuffled if self._order is shuffled else None), 0, None
        for deck in hand.decks:
            opened = opener.deck(hand.id, first, deck)
            assert isinstance(deck, SealedDeck)
            if shoe is None:
                shoe = self._empty(hand.id, opened.seed)
                shoe.deck = deck
            shoe.add(opened.order)
            first += len(opened.order)
        assert shoe is not None
        return shoe

    def _empty(self, hand: str, seed: bytes) -> SealedShoe:
        return SealedShoe(self._keys, self._bits, self._order, hand, seed)


class Opener:
    """Opens what the log seals, with the keys of a room or of one hand; a `Keyholder` for deciding again.

    `order`: what a deck's seed must make of its cards, None only where a test has stacked the deck.
    """

    def __init__(self, keys: Keys, order: Order | None = shuffled) -> None:
        self._keys, self._order = keys, order

    def deck(self, hand: str, first: int, deck: Deck) -> OpenedDeck:
        """Seed and order. Raises NoKey, SealBroken where it isn't the deck that was committed to, or one that wasn't
        shuffled from its seed, but laid."""
        if not isinstance(deck, SealedDeck):
            raise SealBroken(f"the deck of hand {hand} lies open in the log: it should be sealed")
        try:
            opened = boxes.open_deck(self._keys, hand, first, deck.box)
        except BadBox as error:
            raise SealBroken(str(error)) from error
        committed = root(opened.order, salts(opened.seed, hand, len(opened.order) + 1, first), opened.seed, first)
        if committed != deck.root or len(opened.order) != size_of(deck):
            raise SealBroken(f"the deck of hand {hand} from card {first} on isn't the one that its root was made of")
        if self._order is not None and opened.order != order_of_seed(opened, hand, first, self._order):
            raise SealBroken(f"the deck of hand {hand} from card {first} on was not shuffled from its seed, but laid")
        return opened

    def order(self, hand: str, first: int, deck: SealedDeck) -> tuple[int, ...] | None:
        try:
            return self.deck(hand, first, deck).order
        except NoKey:
            return None

    def card(self, hand: str, seat: int, index: int, box: str) -> int | None:
        try:
            return boxes.open_card(self._keys, hand, seat, index, box).card
        except NoKey:
            return None
        except BadBox as error:
            raise SealBroken(str(error)) from error


def order_of_seed(opened: OpenedDeck, hand: str, first: int, order: Order = shuffled) -> tuple[int, ...]:
    """The order that a deck's seed makes: another one was not shuffled, but laid."""
    return tuple(order(opened.seed, hand, sorted(opened.order), first))
