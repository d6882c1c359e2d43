"""What may be asked of a table. Amounts are minor units of its currency."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from domain.catalog import command
from domain.messages import Count, Identifier, SeatNumber, Text
from domain.money import Chips


@command("table.open")
@dataclass(slots=True)
class OpenTable:
    """Open a table by names: they are resolved, once, to the values of its terms.

    `small`, `big` and `bring_in` as `domain.rules.stakes.resolve` reads them. `chip_unit` 0: the smallest unit of the
    currency. `most_buy_in` 0: no maximum; `least_buy_in` 0: ten small bets or minimum bets (rules.md section 7).
    """

    table: Identifier
    name: Text
    game: Text
    limit: Text
    rulebook: Text
    small: Chips
    big: Chips
    seats: Count
    kind: Text
    currency: Text
    maxima: tuple[Chips, ...] = ()
    ante: Chips = 0
    bring_in: Chips = 0
    chip_unit: Chips = 0
    least_buy_in: Chips = 0
    most_buy_in: Chips = 0


@command("table.sit-down")
@dataclass(slots=True)
class SitDown:
    table: Identifier
    seat: SeatNumber
    player: Identifier
    amount: Annotated[int, Field(strict=True, ge=1, le=2**53 - 1)]


@command("table.stand-up")
@dataclass(slots=True)
class StandUp:
    table: Identifier
    seat: SeatNumber
    player: Identifier


@command("table.deal-hand")
@dataclass(slots=True)
class DealHand:
    """Open the next hand. `number`: the hand that is expected next, so that a repeat deals no second one."""

    table: Identifier
    number: Count
