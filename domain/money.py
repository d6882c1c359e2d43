"""Integer money: minor units, a currency with its scale, and the one division that returns the odd chips."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

MAX_AMOUNT = 2**53 - 1
"""The largest integer of the log's format (design: canonical JSON)."""

Chips = Annotated[int, Field(strict=True, ge=0, le=MAX_AMOUNT)]
"""An amount in minor units of the hand's currency: never negative, never a fraction."""

SCALES = {"EUR": 2, "USD": 2, "GBP": 2, "SEK": 2, "PLAY": 0, "CHIPS": 0}
"""Decimal places of each currency. PLAY is play money, CHIPS the chips of a tournament."""


class BadAmount(ValueError):
    """A text that is no amount of its currency."""


@dataclass(slots=True, frozen=True)
class Money:
    """An amount with its currency, as people read and write it."""

    amount: int
    currency: str

    def __str__(self) -> str:
        return f"{decimal_text(self.amount, SCALES[self.currency])} {self.currency}"

    @staticmethod
    def parse(text: str, currency: str) -> "Money":
        """Read "2.50" as 250 minor units of EUR. Raises BadAmount where digits are missing or too many."""
        if currency not in SCALES:
            raise BadAmount(f"unknown currency {currency!r}: one of {', '.join(SCALES)}")
        scale = SCALES[currency]
        whole, point, places = text.partition(".")
        written = text.isascii() and whole.isdigit() and (places.isdigit() if point else True) and len(places) <= scale
        amount = int(whole + places.ljust(scale, "0")) if written else MAX_AMOUNT + 1
        if amount > MAX_AMOUNT:
            raise BadAmount(f"{text!r} is no amount of {currency}: digits with at most {scale} decimal places")
        return Money(amount, currency)


def decimal_text(amount: int, scale: int) -> str:
    """The amount of minor units with its decimal point: decimal_text(250, 2) is "2.50"."""
    if scale == 0:
        return str(amount)
    sign, digits = ("-" if amount < 0 else ""), str(abs(amount)).rjust(scale + 1, "0")
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"


def divide(amount: int, parts: int, unit: int) -> tuple[int, int]:
    """Split into equal parts of whole units: (part, what is left over).

    `unit` is the smallest chip in minor units. The rest is less than parts * unit; who gets it is a rule of the
    showdown (rules.md section 3, odd chips).
    """
    part = amount // (parts * unit) * unit
    return part, amount - part * parts


def round_down(amount: int, unit: int) -> int:
    """The largest multiple of `unit` not above `amount`."""
    return amount - amount % unit


def round_up(amount: int, unit: int) -> int:
    """The smallest multiple of `unit` not below `amount`."""
    return amount + -amount % unit
