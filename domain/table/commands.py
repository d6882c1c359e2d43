"""What may be asked of a table. Amounts are minor units of its currency."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from domain.catalog import Data, command
from domain.messages import Count, Flag, Identifier, SealedText, SeatNumber, Text
from domain.money import Chips
from domain.table.events import Funds
from domain.upcasts import upcast


@command("table.open", rev=2)
@dataclass(slots=True)
class OpenTable:
    """Open a table by names: they are resolved, once, to the values of its terms.

    `small`, `big` and `bring_in` as `domain.rules.stakes.resolve` reads them. `chip_unit` 0: the smallest unit of the
    currency. `least_buy_in` 0: what the rulebook's table says, else ten small bets or minimum bets; `most_buy_in` 0:
    ten times the least in pot, half-pot and no limit, else no maximum (rules.md section 7). `action_clock`,
    `draw_clock`, `failure_grace`: seconds (section 8); 0: the default. `seat_rules`: False for a table at which nobody
    waits, posts to enter or owes a blind, and nobody's stack is remembered; tournaments are always so.
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
    action_clock: Count = 0
    draw_clock: Count = 0
    failure_grace: Count = 0
    funds: Funds = Funds.CASHIER
    seat_rules: Flag = True


@upcast("table.open", 1)
def _without_seat_rules(data: Data) -> Data:
    return {**data, "seat_rules": False}


@command("table.sit-down", rev=2)
@dataclass(slots=True)
class SitDown:
    """Take a seat with chips from the cashier. `posts`: enter at once, for a post; False: wait for the big blind."""

    table: Identifier
    seat: SeatNumber
    player: Identifier
    amount: Annotated[int, Field(strict=True, ge=1, le=2**53 - 1)]
    posts: Flag = True


@upcast("table.sit-down", 1)
def _at_once(data: Data) -> Data:
    return {**data, "posts": True}


@command("table.stand-up")
@dataclass(slots=True)
class StandUp:
    table: Identifier
    seat: SeatNumber
    player: Identifier


@command("table.sit-out")
@dataclass(slots=True)
class SitOut:
    """Keep the seat, and be dealt in no more from the next hand on."""

    table: Identifier
    seat: SeatNumber
    player: Identifier


@command("table.come-back")
@dataclass(slots=True)
class ComeBack:
    """Be dealt in again. `posts`: at once, for what is owed; False: with the big blind. Who waits may change his mind
    so, too."""

    table: Identifier
    seat: SeatNumber
    player: Identifier
    posts: Flag


@command("table.lose-connection")
@dataclass(slots=True)
class LoseConnection:
    """The room noticed that it can't reach a player."""

    table: Identifier
    seat: SeatNumber
    player: Identifier


@command("table.restore-connection")
@dataclass(slots=True)
class RestoreConnection:
    table: Identifier
    seat: SeatNumber
    player: Identifier


@command("table.deal-hand")
@dataclass(slots=True)
class DealHand:
    """Open the next hand. `number`: the hand that is expected next, so that a repeat deals no second one."""

    table: Identifier
    number: Count


# --- the floor's -----------------------------------------------------------------------------------------------------


@command("table.pause")
@dataclass(slots=True)
class PauseTable:
    table: Identifier
    reason: SealedText


@command("table.resume")
@dataclass(slots=True)
class ResumeTable:
    table: Identifier
    reason: SealedText


@command("table.stop-dealing")
@dataclass(slots=True)
class StopDealing:
    """No new hands."""

    table: Identifier
    reason: SealedText


@command("table.start-dealing")
@dataclass(slots=True)
class StartDealing:
    table: Identifier
    reason: SealedText


@command("table.close-after-hand")
@dataclass(slots=True)
class CloseAfterHand:
    table: Identifier
    reason: SealedText


@command("table.reopen")
@dataclass(slots=True)
class ReopenTable:
    """Take back that it closes."""

    table: Identifier
    reason: SealedText


@command("table.close-with-room")
@dataclass(slots=True)
class CloseWithRoom:
    """The room's own: it is closed, and this table with it."""

    table: Identifier


@command("table.reopen-with-room")
@dataclass(slots=True)
class ReopenWithRoom:
    """The room's own: it is open again."""

    table: Identifier


@command("table.freeze-player")
@dataclass(slots=True)
class FreezePlayer:
    table: Identifier
    seat: SeatNumber
    player: Identifier
    reason: SealedText


@command("table.unfreeze-player")
@dataclass(slots=True)
class UnfreezePlayer:
    table: Identifier
    seat: SeatNumber
    player: Identifier
    reason: SealedText


@command("table.remove-player")
@dataclass(slots=True)
class RemovePlayer:
    """Free his seat once no hand needs it; his chips go back to him."""

    table: Identifier
    seat: SeatNumber
    player: Identifier
    reason: SealedText
