"""What may be asked of a player's file and of his accounts. Amounts are minor units of the account's currency, times
UTC microseconds."""

from dataclasses import dataclass

from domain.account.events import Amount, Change, LimitKind, Period
from domain.catalog import command
from domain.messages import Count, Flag, Identifier, Person, SealedText, SeatNumber, Text
from domain.money import Chips

# --- the player at the tables ----------------------------------------------------------------------------------------


@command("account.buy-in")
@dataclass(slots=True)
class BuyIn:
    """Take a seat with money of the account: cash first, then promotion credit. `posts`: enter at once, for a post;
    False: wait for the big blind (rules.md section 7)."""

    player: Identifier
    currency: Text
    table: Identifier
    seat: SeatNumber
    amount: Amount
    posts: Flag = True


@command("account.top-up")
@dataclass(slots=True)
class TopUp:
    """Bring more chips to the seat that he has."""

    player: Identifier
    currency: Text
    table: Identifier
    seat: SeatNumber
    amount: Amount


# --- the cage --------------------------------------------------------------------------------------------------------


@command("account.open")
@dataclass(slots=True)
class OpenAccount:
    """`alone_up_to`: the largest adjustment that one person may make alone; new ones begin with 0 (see
    ChangeAloneLimit)."""

    player: Identifier
    currency: Text
    alone_up_to: Chips = 0


@command("account.deposit")
@dataclass(slots=True)
class Deposit:
    """`reference`: of the payment, so that none is booked twice: no other of the account has it, in or out."""

    player: Identifier
    currency: Text
    amount: Amount
    reference: Text


@command("account.withdraw")
@dataclass(slots=True)
class Withdraw:
    """Pay out from the balance, or the whole of a hold by its id. `reference`: as of Deposit, so that none is paid
    twice."""

    player: Identifier
    currency: Text
    amount: Amount
    reference: Text
    hold: Text = ""


@command("account.hold")
@dataclass(slots=True)
class Hold:
    player: Identifier
    currency: Text
    hold: Identifier
    amount: Amount


@command("account.release-hold")
@dataclass(slots=True)
class ReleaseHold:
    player: Identifier
    currency: Text
    hold: Identifier


@command("account.adjust")
@dataclass(slots=True)
class Adjust:
    """`by` must be who gives the command; `second` another one, where the amount needs two people. `about`: what it
    puts right, such as a hand (`t1-17`), a day that is closed (`2026-01-31`) or a payment's reference."""

    player: Identifier
    currency: Text
    amount: Change
    by: Person
    second: Person
    reason: SealedText
    about: Text = ""


@command("account.change-alone-limit")
@dataclass(slots=True)
class ChangeAloneLimit:
    """Let one person adjust the account alone up to another amount: 0 for never. `by`, `second`: two people, always."""

    player: Identifier
    currency: Text
    alone_up_to: Chips
    by: Person
    second: Person
    reason: SealedText


@command("account.grant-promotion")
@dataclass(slots=True)
class GrantPromotion:
    player: Identifier
    currency: Text
    amount: Amount
    promotion: Text


@command("account.take-back-promotion")
@dataclass(slots=True)
class TakeBackPromotion:
    player: Identifier
    currency: Text
    amount: Amount
    promotion: Text


# --- what protects the player ----------------------------------------------------------------------------------------


@command("player.set-limit")
@dataclass(slots=True)
class SetLimit:
    """`most`: in minor units of `currency`, or, for sessions, in seconds and with no currency; None for no limit."""

    player: Identifier
    limit: LimitKind
    period: Period
    currency: Text
    most: Chips | None


@command("player.cool-off")
@dataclass(slots=True)
class CoolOff:
    player: Identifier
    until: Count


@command("player.exclude")
@dataclass(slots=True)
class Exclude:
    """`until` None: for good."""

    player: Identifier
    until: Count | None


@command("player.freeze")
@dataclass(slots=True)
class Freeze:
    player: Identifier
    reason: SealedText


@command("player.unfreeze")
@dataclass(slots=True)
class Unfreeze:
    player: Identifier
    reason: SealedText
