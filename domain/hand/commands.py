"""What may be asked of a hand.

`decision` is the version of the TurnGiven that the command answers; a command that answers an older one is refused with
what happened since. Amounts are minor units.
"""

from dataclasses import dataclass

from domain.catalog import command
from domain.messages import Count, HandId, SeatNumber
from domain.money import Chips


@command("hand.fold")
@dataclass(slots=True)
class Fold:
    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.check")
@dataclass(slots=True)
class Check:
    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.call")
@dataclass(slots=True)
class Call:
    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.bet")
@dataclass(slots=True)
class Bet:
    """`to`: all that the player bets."""

    hand: HandId
    decision: Count
    seat: SeatNumber
    to: Chips


@command("hand.raise")
@dataclass(slots=True)
class Raise:
    """`to`: the player's live total of the round after the raise."""

    hand: HandId
    decision: Count
    seat: SeatNumber
    to: Chips


@command("hand.give-up-at-showdown")
@dataclass(slots=True)
class GiveUpAtShowdown:
    """Lay the hand down unseen if it comes to a showdown (rules.md section 3, show or muck)."""

    hand: HandId
    seat: SeatNumber


@command("hand.ask-to-show")
@dataclass(slots=True)
class AskToShow:
    """Show the hand at its end, even where it could be mucked."""

    hand: HandId
    seat: SeatNumber
