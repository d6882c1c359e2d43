"""Dealing a street: one card at a time, clockwise from the left of the button, none burned (rules.md section 1)."""

from typing import Protocol

from domain.hand import events as fact
from domain.hand.state import Hand
from domain.rules.vocabulary import Street


class Shoe(Protocol):
    """Where the cards of a hand come from."""

    def card(self, index: int) -> int:
        """The card that lies at an index of the deck's order."""


class OpenShoe:
    """The shoe of a deck whose order is known."""

    __slots__ = ("card",)

    def __init__(self, deck: tuple[int, ...]) -> None:
        self.card = deck.__getitem__


def deal(hand: Hand, street: Street, shoe: Shoe) -> list[fact.CardsDealt | fact.BoardDealt]:
    """The cards of a street for every player who contests the hand, then its community cards."""
    dealt: list[fact.CardsDealt | fact.BoardDealt] = []
    first = hand.next_index
    for count, up in ((street.down, False), (street.up, True)):
        if count:
            players = len(hand.contesting)
            for place, seat in enumerate(hand.contesting, start=first):
                indices = tuple(range(place, first + players * count, players))
                dealt.append(fact.CardsDealt(seat, indices, tuple(map(shoe.card, indices)), up))
            first += players * count
    if street.board:
        indices = tuple(range(first, first + street.board))
        dealt.append(fact.BoardDealt(street.name, indices, tuple(map(shoe.card, indices))))
    return dealt
