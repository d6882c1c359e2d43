"""The facts of a table. Amounts are minor units of the table's currency."""

from dataclasses import dataclass

from domain.catalog import event
from domain.hand.events import Clocks
from domain.messages import ButtonSeat, Count, HandId, Identifier, SeatNumber, Text
from domain.money import Chips
from domain.rules.stakes import TableTerms


@event("table.opened")
@dataclass(slots=True)
class TableOpened:
    """`least_buy_in`, `most_buy_in`: chips to sit down with; `most_buy_in` is 0 where only the account limits it."""

    name: Text
    terms: TableTerms
    clocks: Clocks
    least_buy_in: Chips
    most_buy_in: Chips


@event("table.player-seated")
@dataclass(slots=True)
class PlayerSeated:
    seat: SeatNumber
    player: Identifier


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


@event("table.player-left")
@dataclass(slots=True)
class PlayerLeft:
    seat: SeatNumber
    player: Identifier


@event("table.hand-started")
@dataclass(slots=True)
class HandStarted:
    """The next hand was opened, and the button moved in games that have one."""

    hand: HandId
    number: Count
    button: ButtonSeat


@event("table.hand-finished")
@dataclass(slots=True)
class HandFinished:
    """The hand is settled: `stacks` are those that the players in `seats` have now."""

    hand: HandId
    seats: tuple[SeatNumber, ...]
    stacks: tuple[Chips, ...]
    rake: Chips
