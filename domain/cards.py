"""Cards as small integers, and their two-letter faces.

A card is one integer from 0 to 51: rank * 4 + suit, ranks from the deuce (0) to the ace (12), suits clubs, diamonds,
hearts, spades. A 32-card deck (rules.md section 1) uses the cards from the seven up, with the same numbers.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

RANKS = "23456789TJQKA"
SUITS = "cdhs"
FACES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_OF = {face: card for card, face in enumerate(FACES)}

Card = Annotated[int, Field(strict=True, ge=0, le=51)]


class UnknownCard(ValueError):
    """A text that names no card."""


def rank_of(card: int) -> int:
    """The rank, from 0 (deuce) to 12 (ace)."""
    return card >> 2


def suit_of(card: int) -> int:
    """The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def card(face: str) -> int:
    """The card of a face such as "Ah" or "Tc".

    Raises UnknownCard for anything else.
    """
    found = _CARD_OF.get(face)
    if found is None:
        raise UnknownCard(f"{face!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, such as Ah")
    return found


def cards(faces: str) -> tuple[int, ...]:
    """The cards of a text such as "AhKd 2c"; spaces don't matter."""
    packed = faces.replace(" ", "")
    return tuple(card(packed[at : at + 2]) for at in range(0, len(packed), 2))


def faces(some: Iterable[int]) -> str:
    """The faces of cards, separated by spaces."""
    return " ".join(FACES[one] for one in some)


def deck(lowest_rank: int) -> Sequence[int]:
    """All cards from `lowest_rank` (0 for 52 cards, 5 for the 32 from the seven up) to the aces, in order."""
    return range(lowest_rank * 4, 52)
