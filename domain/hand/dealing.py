"""Dealing a street: one card at a time, clockwise from the left of the button, none burned (rules.md section 1)."""

from collections.abc import Callable, Sequence
from typing import Protocol

from domain.hand import events as fact
from domain.hand.state import Hand
from domain.rules.vocabulary import Street


class CardSealed(Exception):
    """A card is needed whose face is sealed, and there is no key to open it."""

    def __init__(self, index: int) -> None:
        self.index = index
        super().__init__(f"needs card {index}, sealed")


class SealBroken(Exception):
    """A box that can't be opened, or that holds something else than the deck has; the sentence says which."""


class Shoe(Protocol):
    """Where the cards of a hand come from. Raises CardSealed, SealBroken where it can't tell a card."""

    @property
    def deck(self) -> fact.Deck:
        """The deck as the hand's opening pins it."""

    def card(self, index: int) -> int:
        """The card that lies at an index of the deck's order."""

    def down(self, seat: int, index: int) -> int | str:
        """The same as it is dealt face down to a seat: what the log has of it."""

    def reshuffle(self, pile: Sequence[int]) -> fact.Deck:
        """Shuffle the cards of these indices behind the deck's last one, under new indices; their order there."""


class Shoes(Protocol):
    """Gives hands their shoes."""

    def new(self, hand: str, cards: Sequence[int]) -> Shoe:
        """A shuffled deck of these cards for a hand that is about to be opened."""

    def of(self, hand: Hand) -> Shoe:
        """The shoe of a hand that was loaded from its facts."""


Shuffle = Callable[[Sequence[int]], Sequence[int]]
"""Gives cards in a random order."""


class OpenShoe:
    """The shoe of a deck whose order everybody may know."""

    __slots__ = ("_cards", "_shuffle", "card", "deck")

    def __init__(self, deck: Sequence[int], shuffle: Shuffle) -> None:
        self.deck = self._cards = tuple(deck)
        self._shuffle = shuffle
        self.card = self._cards.__getitem__

    def down(self, seat: int, index: int) -> int:
        return self.card(index)

    def reshuffle(self, pile: Sequence[int]) -> tuple[int, ...]:
        order = tuple(self._shuffle(sorted(map(self.card, pile))))
        self._cards += order
        self.card = self._cards.__getitem__
        return order


class OpenShoes:
    """Open shoes, shuffled as the function says: for tests and models, never for a room."""

    def __init__(self, shuffle: Shuffle) -> None:
        self._shuffle = shuffle

    def new(self, hand: str, cards: Sequence[int]) -> OpenShoe:
        return OpenShoe(self._shuffle(cards), self._shuffle)

    def of(self, hand: Hand) -> OpenShoe:
        return OpenShoe(open_order(hand), self._shuffle)


def open_order(hand: Hand) -> tuple[int, ...]:
    """The cards of all indices. Raises CardSealed where a deck of the hand is sealed."""
    order: tuple[int, ...] = ()
    for deck in hand.decks:
        if isinstance(deck, fact.SealedDeck):
            raise CardSealed(len(order))
        order += deck
    return order


def undealt(hand: Hand) -> Sequence[int]:
    """The indices that are left in the shoe, in the order in which they leave it."""
    gone = hand.gone
    if not gone & (gone + 1):  # nothing was passed over
        return range(gone.bit_length(), hand.indices)
    return [index for index in range(hand.indices) if not gone >> index & 1]


def runs_short(hand: Hand, street: Street) -> bool:
    """Whether fewer cards are left than the players still in should get (section 2, too few cards)."""
    return street.own > 0 and street.own * len(hand.contesting) > len(undealt(hand))


def one_for_all(hand: Hand, street: Street, shoe: Shoe) -> fact.BoardDealt:
    """The community card that comes instead of a card for each."""
    return _board(street, undealt(hand)[:1], shoe)


def deal(hand: Hand, street: Street, shoe: Shoe) -> list[fact.CardsDealt | fact.BoardDealt]:
    """The cards of a street for every player who contests the hand, then its community cards.

    Who has been turned up, because betting is over, gets his down cards face up too.
    """
    left, seats = undealt(hand), hand.contesting
    players = len(seats)
    dealt: list[fact.CardsDealt | fact.BoardDealt] = []
    for count, up in ((street.down, False), (street.up, True)):
        if count:
            now, left = left[: players * count], left[players * count :]
            for place, seat in enumerate(seats):
                dealt.append(cards_for(hand, seat, tuple(now[place::players]), shoe, up=up))
    if street.board:
        dealt.append(_board(street, left[: street.board], shoe))
    return dealt


def cards_for(hand: Hand, seat: int, indices: tuple[int, ...], shoe: Shoe, *, up: bool) -> fact.CardsDealt:
    """Cards for one player, face down unless they are dealt up or his hand was turned up."""
    if up or seat in hand.shown:
        return fact.CardsDealt(seat, indices, tuple(map(shoe.card, indices)), up=True)
    return fact.CardsDealt(seat, indices, tuple([shoe.down(seat, index) for index in indices]), up=False)


def _board(street: Street, indices: Sequence[int], shoe: Shoe) -> fact.BoardDealt:
    return fact.BoardDealt(street.name, tuple(indices), tuple(map(shoe.card, indices)))
