"""Chips of a seat that go back to the player's account as money (rules.md section 7)."""

from typing import Any

from domain.messages import Refused, account_stream
from domain.table.state import Table
from domain.transfers import (
    Purpose,
    TableCloseTransfer,
    TransferSent,
    check_nothing_under_way,
    closed_as,
    next_number,
    under_way,
)


def cash_out(table: Table, number: int, at: int) -> list[Any]:
    """All chips of a seat are under way to the account; also none, which tells it that he sits here no longer.

    Promotion credit comes out first, as much as he brought of it: only what is left is cash. Refused while chips that
    he had here before are still under way.
    """
    seat, currency = table.seats[number], table.opened.terms.currency
    to = account_stream(seat.player, currency)
    check_nothing_under_way(table, to)
    promotion = min(seat.promotion, seat.chips)
    return [
        TransferSent(
            to, next_number(table, to), seat.chips, currency, Purpose.CASH_OUT, seat.player, number, promotion,
            posts=False, at=at,
        )
    ]  # fmt: skip


def close_transfer(table: Table, asked: TableCloseTransfer, at: int) -> list[Any]:
    """An account takes whatever comes from a table. Raises AlreadyDone, Refused."""
    sent = under_way(table, asked)
    if not asked.received:
        raise Refused(f"{asked.to} can't have refused what came from a table: accounts never do")
    return [closed_as(sent, received=True, why="", at=at)]
