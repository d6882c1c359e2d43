"""5-card stud, a twelfth game for the harness alone: a page of data in the words of the other eleven."""

from domain.rules.games import SOKO
from domain.rules.vocabulary import DoorCard, Forced, Game

FIVE_CARD_STUD = Game(
    name="five-card-stud",
    title="5-card stud",
    revision=1,
    max_seats=8,
    forced=Forced.ANTE_AND_BRING_IN,
    streets=SOKO.streets,
    raked_from="3rd",
    high="standard",
    brings_in=DoorCard.LOWEST,
)
