"""The facts of a player's file and of his accounts. Amounts are minor units of the account's currency; `at` and other
times are UTC microseconds."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.catalog import event
from domain.messages import Count, Identifier, Person, SealedText, Text
from domain.money import MAX_AMOUNT, Chips
from domain.rules.vocabulary import Kind

Amount = Annotated[int, Field(strict=True, ge=1, le=MAX_AMOUNT)]
"""Minor units that move: at least one."""

Change = Annotated[int, Field(strict=True, ge=-MAX_AMOUNT, le=MAX_AMOUNT)]
"""Minor units that come (positive) or go (negative)."""


class LimitKind(StrEnum):
    """What a player limits. Deposits and losses in minor units of a currency, sessions in seconds at tables."""

    DEPOSIT = "deposit"
    LOSS = "loss"
    SESSION = "session"


class Period(StrEnum):
    """The time over which it counts, back from now: 24 hours, 7 days, 30 days."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


# --- accounts --------------------------------------------------------------------------------------------------------


@event("account.opened")
@dataclass(slots=True)
class AccountOpened:
    """`alone_up_to`: the largest adjustment that one person may make alone."""

    currency: Text
    scale: Count
    kind: Kind
    alone_up_to: Chips


@event("account.deposited")
@dataclass(slots=True)
class Deposited:
    """`reference`: of the payment; no other of the account has it, in or out."""

    amount: Amount
    reference: Text
    at: Count


@event("account.withdrawn")
@dataclass(slots=True)
class Withdrawn:
    """Money was paid out: from the hold of that id, or, where it is empty, from the balance. `reference`: as of
    Deposited."""

    amount: Amount
    reference: Text
    hold: Text
    at: Count


@event("account.held")
@dataclass(slots=True)
class Held:
    """Money of the balance was put aside under an id: it is still the player's, but he can't play or withdraw it."""

    hold: Identifier
    amount: Amount
    at: Count


@event("account.hold-released")
@dataclass(slots=True)
class HoldReleased:
    hold: Identifier
    amount: Amount
    at: Count


@event("account.adjusted")
@dataclass(slots=True)
class Adjusted:
    """The balance was put right by hand. `by`: who did it; `second`: the other one who takes it upon him, empty where
    none is needed; `about`: what it puts right, such as a hand (`t1-17`), a day that is closed (`2026-01-31`) or a
    payment's reference, empty for none of them."""

    amount: Change
    by: Person
    second: Person
    reason: SealedText
    about: Text
    at: Count


@event("account.alone-limit-changed")
@dataclass(slots=True)
class AloneLimitChanged:
    """From here on one person may adjust the account alone up to another amount, which two people take upon them."""

    alone_up_to: Chips
    by: Person
    second: Person
    reason: SealedText
    at: Count


@event("account.promotion-granted")
@dataclass(slots=True)
class PromotionGranted:
    """Credit of the house that can be played and not withdrawn. `promotion`: the reference of what it was given for."""

    amount: Amount
    promotion: Text
    at: Count


@event("account.promotion-taken-back")
@dataclass(slots=True)
class PromotionTakenBack:
    amount: Amount
    promotion: Text
    at: Count


# --- the player's file -----------------------------------------------------------------------------------------------


@event("player.account-added")
@dataclass(slots=True)
class AccountAdded:
    """He has an account in the currency from here on."""

    currency: Text


@event("player.limit-set")
@dataclass(slots=True)
class LimitSet:
    """`most`: what is allowed in a period from `effective` on, None: anything. `currency` is empty for sessions."""

    limit: LimitKind
    period: Period
    currency: Text
    most: Chips | None
    effective: Count
    at: Count


@event("player.cooling-off-begun")
@dataclass(slots=True)
class CoolingOffBegun:
    until: Count
    at: Count


@event("player.excluded")
@dataclass(slots=True)
class PlayerExcluded:
    """He excluded himself; `until` is None where it is for good."""

    until: Count | None
    at: Count


@event("player.frozen")
@dataclass(slots=True)
class AccountsFrozen:
    """The floor froze his money: he neither buys in nor withdraws."""

    reason: SealedText
    at: Count


@event("player.unfrozen")
@dataclass(slots=True)
class AccountsUnfrozen:
    reason: SealedText
    at: Count
