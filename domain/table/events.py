"""The facts of a table. Amounts are minor units of the table's currency."""

from dataclasses import dataclass
from enum import StrEnum

from domain.catalog import Data, event
from domain.hand.events import Clocks
from domain.messages import ButtonSeat, Count, Flag, HandId, Identifier, SealedText, SeatNumber, Text
from domain.money import Chips
from domain.rules.stakes import TableTerms
from domain.rules.vocabulary import SeatRules
from domain.upcasts import upcast


class Funds(StrEnum):
    """Where chips come from and go back to."""

    CASHIER = "cashier"
    ACCOUNTS = "accounts"


class Leaving(StrEnum):
    """Why a player is to be taken from his seat."""

    ASKED = "he asked for it"
    MISSED_BLINDS = "he missed too many big blinds in a row"
    REMOVED = "the floor removed him"
    AWAY = "he excluded himself, or cools off"


class Freeze(StrEnum):
    """What is frozen of a player at a table: his seat, by the floor there, or all his money, by his file, where the
    reason stands. Each is lifted by itself."""

    SEAT = "seat"
    MONEY = "money"


@event("table.opened", rev=2)
@dataclass(slots=True)
class TableOpened:
    """`least_buy_in`, `most_buy_in`: chips to sit down with; `most_buy_in` is 0 where only the account limits it.

    `seating`: who must post to enter, who owes what (rules.md section 7); None where nobody ever does, and all who have
    chips are dealt in.
    """

    name: Text
    terms: TableTerms
    clocks: Clocks
    least_buy_in: Chips
    most_buy_in: Chips
    funds: Funds
    seating: SeatRules | None


@upcast("table.opened", 1)
def _with_the_cashier(data: Data) -> Data:
    return {**data, "funds": Funds.CASHIER, "seating": None}


@event("table.player-seated", rev=2)
@dataclass(slots=True)
class PlayerSeated:
    """`posts`: whether he enters at once, for a post, or waits for the big blind (section 7)."""

    seat: SeatNumber
    player: Identifier
    posts: Flag


@upcast("table.player-seated", 1)
def _who_plays_at_once(data: Data) -> Data:
    return {**data, "posts": True}


@event("table.chips-brought")
@dataclass(slots=True)
class ChipsBrought:
    """Chips that came from the cashier to a seat."""

    seat: SeatNumber
    player: Identifier
    amount: Chips


@event("table.chips-taken")
@dataclass(slots=True)
class ChipsTaken:
    """Chips that went from a seat back to the cashier."""

    seat: SeatNumber
    player: Identifier
    amount: Chips


@event("table.player-left", rev=2)
@dataclass(slots=True)
class PlayerLeft:
    """The seat is free. `stack`: what he left with, and `at`, when (UTC microseconds): who comes back within the hour
    brings as much (section 7). Both are 0 at a table without seat rules, which remembers nobody."""

    seat: SeatNumber
    player: Identifier
    at: Count
    stack: Chips


@upcast("table.player-left", 1)
def _who_is_forgotten(data: Data) -> Data:
    return {**data, "at": 0, "stack": 0}


@event("table.player-leaving")
@dataclass(slots=True)
class PlayerLeaving:
    """He isn't dealt in any more, and his seat is to be freed as soon as no hand needs it. `reason`: the floor's."""

    seat: SeatNumber
    player: Identifier
    why: Leaving
    reason: SealedText


@event("table.player-sat-out")
@dataclass(slots=True)
class PlayerSatOut:
    """He keeps his seat, and isn't dealt in from the next hand on."""

    seat: SeatNumber
    player: Identifier


@event("table.player-came-back")
@dataclass(slots=True)
class PlayerCameBack:
    """He wants to be dealt in from the next hand on. `posts`: at once, for what he owes, or with the big blind."""

    seat: SeatNumber
    player: Identifier
    posts: Flag


@event("table.connection-lost")
@dataclass(slots=True)
class ConnectionLost:
    seat: SeatNumber
    player: Identifier
    at: Count


@event("table.connection-restored")
@dataclass(slots=True)
class ConnectionRestored:
    seat: SeatNumber
    player: Identifier
    at: Count


@event("table.hand-started", rev=2)
@dataclass(slots=True)
class HandStarted:
    """The next hand was opened, and the button moved in games that have one.

    `entered`: the seats that play from this hand on, newcomers and those who owed a blind: they owe nothing now.
    """

    hand: HandId
    number: Count
    button: ButtonSeat
    entered: tuple[SeatNumber, ...]


@upcast("table.hand-started", 1)
def _with_nobody_new(data: Data) -> Data:
    return {**data, "entered": []}


@event("table.blinds-missed")
@dataclass(slots=True)
class BlindsMissed:
    """The blinds of the hand that was dealt passed these seats by; what each owes for it he owes once."""

    small: tuple[SeatNumber, ...]
    big: tuple[SeatNumber, ...]


@event("table.hand-finished")
@dataclass(slots=True)
class HandFinished:
    """The hand is settled: `stacks` are those that the players in `seats` have now."""

    hand: HandId
    seats: tuple[SeatNumber, ...]
    stacks: tuple[Chips, ...]
    rake: Chips


@event("table.paused")
@dataclass(slots=True)
class TablePaused:
    """Nothing is dealt and nobody acts until the floor resumes it."""

    at: Count
    reason: SealedText


@event("table.resumed")
@dataclass(slots=True)
class TableResumed:
    at: Count
    reason: SealedText


@event("table.dealing-stopped")
@dataclass(slots=True)
class DealingStopped:
    """The hand that is open is played to its end; no other is dealt."""

    at: Count
    reason: SealedText


@event("table.dealing-started")
@dataclass(slots=True)
class DealingStarted:
    at: Count
    reason: SealedText


@event("table.closing")
@dataclass(slots=True)
class TableClosing:
    """No new hand, and nobody sits down; who sits there is stood up once no hand is open."""

    at: Count
    reason: SealedText


@event("table.reopened")
@dataclass(slots=True)
class TableReopened:
    at: Count
    reason: SealedText


@event("table.closing-with-room")
@dataclass(slots=True)
class ClosingWithRoom:
    """As TableClosing, since the whole room is closed: why stands in its stream. It ends when the room reopens, and
    takes nothing back that the floor did to this table alone."""

    at: Count


@event("table.reopened-with-room")
@dataclass(slots=True)
class ReopenedWithRoom:
    at: Count


@event("table.player-frozen", rev=2)
@dataclass(slots=True)
class PlayerFrozen:
    """He plays the hand that is open to its end; then he isn't dealt in, and his chips stay on the table."""

    seat: SeatNumber
    player: Identifier
    reason: SealedText
    of: Freeze


@event("table.player-unfrozen", rev=2)
@dataclass(slots=True)
class PlayerUnfrozen:
    """That freeze is lifted; where the other one stands, he stays frozen."""

    seat: SeatNumber
    player: Identifier
    reason: SealedText
    of: Freeze


@upcast("table.player-frozen", 1)
@upcast("table.player-unfrozen", 1)
def _whose_freeze(data: Data) -> Data:
    """What his file told came without a reason, the floor's with one."""
    return {**data, "of": Freeze.SEAT if data["reason"] else Freeze.MONEY}
