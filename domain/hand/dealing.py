"""Dealing a street: one card at a time, clockwise from the left of the button, none burned (rules.md section 1)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from domain.hand import events as fact
from domain.hand.state import Hand
from domain.rules.vocabulary import Street

Shuffle = Callable[[Sequence[int]], Sequence[int]]
"""Gives cards in a random order."""


class Shoe(Protocol):
    """Where the cards of a hand come from."""

    def card(self, index: int) -> int:
        """The card that lies at an index of the deck's order."""

    def reshuffle(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Put cards back behind the deck's last one, under new indices; their order there."""


class OpenShoe:
    """The shoe of a deck whose order is known."""

    __slots__ = ("_cards", "_shuffle", "card")

    def __init__(self, deck: Iterable[int], shuffle: Shuffle) -> None:
        self._cards = tuple(deck)
        self._shuffle = shuffle
        self.card = self._cards.__getitem__

    def reshuffle(self, cards: Iterable[int]) -> tuple[int, ...]:
        order = tuple(self._shuffle(sorted(cards)))
        self._cards += order
        self.card = self._cards.__getitem__
        return order


def shoe_of(hand: Hand, shuffle: Shuffle) -> OpenShoe:
    """The shoe of a hand that was loaded from its facts."""
    return OpenShoe(hand.deck, shuffle)


def undealt(hand: Hand) -> Sequence[int]:
    """The indices that are left in the shoe, in the order in which they leave it."""
    gone = hand.gone
    if not gone & (gone + 1):  # nothing was passed over
        return range(gone.bit_length(), len(hand.deck))
    return [index for index in range(len(hand.deck)) if not gone >> index & 1]


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
                indices = tuple(now[place::players])
                dealt.append(fact.CardsDealt(seat, indices, tuple(map(shoe.card, indices)), up or seat in hand.shown))
    if street.board:
        dealt.append(_board(street, left[: street.board], shoe))
    return dealt


def _board(street: Street, indices: Sequence[int], shoe: Shoe) -> fact.BoardDealt:
    return fact.BoardDealt(street.name, tuple(indices), tuple(map(shoe.card, indices)))
