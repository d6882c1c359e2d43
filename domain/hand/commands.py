"""What may be asked of a hand: by its players, and by the room where it failed.

`decision` counts the facts that ask for something (TurnGiven, DrawOffered, ...) from 1; a command that answers an older
one is refused with what happened since. It isn't the fact's version, which would tell of a wish that nobody else may
know of. Amounts are minor units.
"""

from dataclasses import dataclass

from domain.catalog import command
from domain.messages import Count, Flag, HandId, SeatNumber
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


@command("hand.bring-in")
@dataclass(slots=True)
class BringIn:
    """`to`: all that the player brings in with."""

    hand: HandId
    decision: Count
    seat: SeatNumber
    to: Chips


@command("hand.draw")
@dataclass(slots=True)
class Draw:
    """Exchange cards; `discards` names them by their index, () to stand pat (rules.md section 5)."""

    hand: HandId
    decision: Count
    seat: SeatNumber
    discards: tuple[Count, ...]


@command("hand.draw-too-late")
@dataclass(slots=True)
class DrawTooLate:
    """The player's time to draw has run out: he stands pat (rules.md section 5). Only the room gives it."""

    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.act-too-late")
@dataclass(slots=True)
class ActTooLate:
    """The player's time to act has run out: he checks if that is free, else he folds, which he always does in a
    tournament; he brings in with the least, and all-in refuses the split (rules.md section 8)."""

    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.protect")
@dataclass(slots=True)
class Protect:
    """The time of a player whose connection is lost has run out, and he is protected: for the rest of the hand he is
    all-in for what he has put in (rules.md section 8, all-in protection)."""

    hand: HandId
    decision: Count
    seat: SeatNumber


@command("hand.leave")
@dataclass(slots=True)
class Leave:
    """The player leaves the table: he folds when his turn comes, all-in he stays in (rules.md section 7)."""

    hand: HandId
    seat: SeatNumber


@command("hand.vote-to-split")
@dataclass(slots=True)
class VoteToSplit:
    """Agree to divide the pots without a showdown; only a player who is all-in may refuse, others act instead (rules.md
    section 6)."""

    hand: HandId
    decision: Count
    seat: SeatNumber
    agree: Flag


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


@command("hand.run-it-twice")
@dataclass(slots=True)
class RunItTwice:
    """Deal what is left of the board twice, for half of each pot. It isn't spread here: whoever asks is told so."""

    hand: HandId
    seat: SeatNumber


@command("hand.cancel")
@dataclass(slots=True)
class CancelHand:
    """Give every chip back. `gap`: microseconds for which the hand's shard had no working owner, from its last commit
    to the claim of the next one; more than the hand's `failure_grace` (rules.md section 8, server failure)."""

    hand: HandId
    gap: Count
