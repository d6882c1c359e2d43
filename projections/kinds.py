"""The kinds of accounts of the books (postings.py), told by their names alone.

A kind is what an auditor asks for as one amount: the chips of a table's players and those in the middle of its hands
are both on tables.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from projections.postings import UnknownEvent


class Kind(StrEnum):
    """`cashier`: minus the chips that it has out at tables of its own. `bank`: minus deposits, plus withdrawals."""

    ACCOUNTS = "accounts"
    HELD = "held"
    PROMOTION = "promotion"
    TRANSIT = "in transit"
    TABLES = "tables"
    RAKE = "rake"
    ADJUSTMENTS = "adjustments"
    PROMOTIONS = "promotions given"
    BANK = "bank"
    CASHIER = "cashier"


PLAYERS_OWN = (Kind.ACCOUNTS, Kind.HELD, Kind.PROMOTION)
"""What players have at the room, off its tables."""

HOUSE = (Kind.RAKE, Kind.ADJUSTMENTS, Kind.PROMOTIONS)
"""The house's own: what it has taken, less what it has given."""

MAY_OWE = ("bank", "cashier", "house:adjustments", "house:promotions")
"""The accounts that may be under 0: what came from there is out."""


class UnknownAccount(UnknownEvent):
    """An account whose name says nothing of its kind; the books stop."""


class Flow(NamedTuple):
    """Minor units that went from accounts of one kind to accounts of another."""

    giver: Kind
    taker: Kind
    amount: int


_WHOLE = {
    "bank": Kind.BANK,
    "cashier": Kind.CASHIER,
    "house:rake": Kind.RAKE,
    "house:adjustments": Kind.ADJUSTMENTS,
    "house:promotions": Kind.PROMOTIONS,
}
_BEGINNINGS = {"table": Kind.TABLES, "hand": Kind.TABLES, "transit": Kind.TRANSIT}
_PARTS_OF_AN_ACCOUNT = {"held": Kind.HELD, "promotion": Kind.PROMOTION}


@lru_cache(maxsize=4096)  # the accounts of the hands under way come again and again
def kind_of(account: str) -> Kind:
    """The kind of an account of the books, by its name. Raises UnknownAccount."""
    if account in _WHOLE:
        return _WHOLE[account]
    beginning, *rest = account.split(":")
    if beginning == "account":
        return _PARTS_OF_AN_ACCOUNT.get(rest[2], Kind.ACCOUNTS) if len(rest) > 2 else Kind.ACCOUNTS
    if beginning in _BEGINNINGS:
        return _BEGINNINGS[beginning]
    raise UnknownAccount(f"no kind of account begins as {account!r} does: name it in projections/kinds.py")


def table_of(account: str) -> str:
    """The id of the table whose chips lie there, or are on their way to or from it; empty for any other account."""
    if account.startswith("table:"):
        return account.split(":")[1]
    if account.startswith("hand:"):
        return account.removeprefix("hand:").rpartition("-")[0]
    ends = account.removeprefix("transit:").split(">") if account.startswith("transit:") else []
    return next((end.removeprefix("table:") for end in ends if end.startswith("table:")), "")


def player_of(account: str) -> str:
    """The id of the player whose money lies there; empty for any other account."""
    beginning, *rest = account.split(":")
    if beginning == "account":
        return rest[0]
    return rest[2] if beginning == "table" and rest[1:2] == ["player"] else ""


def flows(sums: Sequence[tuple[Kind, int]]) -> list[Flow]:
    """Who gave to whom, where kinds gained and lost these amounts, which sum to zero."""
    wanted = {kind: amount for kind, amount in sums if amount > 0}
    found = []
    for giver, amount in sums:
        left = -amount
        for taker, wants in wanted.items():
            part = min(left, wants)
            if part > 0:
                found.append(Flow(giver, taker, part))
                wanted[taker] -= part
                left -= part
    return found
