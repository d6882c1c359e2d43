"""Opening the sealed cards of a hand to a person: who may, and the fact that he did (design, Secrets).

An opening is an event in `audit:<hand>` before it is an answer. What the machine opens for itself isn't one.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from domain.catalog import command, event
from domain.hand.state import Hand
from domain.messages import Count, Flag, HandId, Person, Refused, SealedText, SeatNumber
from domain.rules.phrases import listed


class Form(StrEnum):
    """What a person is given."""

    FACES = "faces"
    KEYS = "keys"


@event("audit.cards-opened")
@dataclass(slots=True)
class CardsOpened:
    """Cards that were dealt face down were opened to a person.

    `seats`: whose; `deck`: whether the order of the deck was opened too. `settled`: whether the hand was over, at its
    fact `version`. `by`: who asked; `second`: the other one who takes it upon him, empty where none is needed.
    """

    form: Form
    seats: tuple[SeatNumber, ...]
    deck: Flag
    settled: Flag
    version: Count
    by: Person
    second: Person
    reason: SealedText


@command("audit.open-cards")
@dataclass(slots=True)
class OpenCards:
    """`seats`: whose cards, none for those of all. `reason`: sealed, empty where none is given."""

    hand: HandId
    form: Form
    seats: tuple[SeatNumber, ...]
    deck: Flag
    second: Person
    reason: SealedText


def open_cards(hand: Hand, asked: OpenCards, by: str) -> list[Any]:
    """The opening. Refused for a seat that wasn't dealt in, and, while the hand is under way, unless two people ask and
    give a reason."""
    strangers = [str(seat) for seat in asked.seats if seat not in hand.order]
    if strangers:
        dealt_in = listed([str(seat) for seat in sorted(hand.order)])
        raise Refused(f"seat {strangers[0]} was not dealt in to hand {hand.id}: seats {dealt_in} were")
    if asked.second == by:
        raise Refused(f"{by} can't be both people who take an opening upon them: the second must be another one")
    if not hand.settled and not (asked.second and asked.reason):
        raise Refused(
            f"hand {hand.id} isn't settled: opening its cards takes two people and a reason; they are opened to one "
            "when it is over"
        )
    seats = tuple(sorted(set(asked.seats))) or tuple(sorted(hand.order))
    return [CardsOpened(asked.form, seats, asked.deck, hand.settled, hand.version, by, asked.second, asked.reason)]
