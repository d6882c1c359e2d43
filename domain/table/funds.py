"""Money that accounts send to seats (rules.md section 7): taken as chips, or refused for good.

Only tables of funds "accounts" take any. What goes back is in `cash_out.py`.
"""

from typing import Any

from domain.messages import Refused
from domain.table.buy_in import check_buy_in, check_top_up
from domain.table.events import Funds, PlayerSeated
from domain.table.seats import check_seat
from domain.table.state import Table
from domain.transfers import Purpose, TableReceiveTransfer, check_next, received_as, refused_as


def receive_transfer(table: Table, asked: TableReceiveTransfer, at: int) -> list[Any]:
    """A buy-in takes its seat, a top-up comes to one; a refusal is a fact too, which the account gets back with its
    money.

    Raises AlreadyDone for the last transfer of that account again, Refused for one that isn't its next.
    """
    check_next(table, asked)
    try:
        _check_funds(table, asked)
        seated = _seated(table, asked, at)
    except Refused as refused:
        return [refused_as(asked, str(refused)[:500], at)]
    return [*seated, received_as(asked, at)]


def _check_funds(table: Table, asked: TableReceiveTransfer) -> None:
    if table.opened.funds is not Funds.ACCOUNTS:
        raise Refused("this table is played with chips from the cashier: sit down with table.sit-down")
    if asked.currency != table.opened.terms.currency:
        raise Refused(f"this table is played in {table.opened.terms.currency}, not {asked.currency}")


def _seated(table: Table, asked: TableReceiveTransfer, at: int) -> list[Any]:
    """Whom a buy-in seats; nobody for a top-up. Refused as the rules of seats and buy-ins say."""
    if asked.purpose is Purpose.BUY_IN:
        check_seat(table, asked.seat, asked.player)
        check_buy_in(table, asked.player, asked.amount, at)
        return [PlayerSeated(asked.seat, asked.player, asked.posts)]
    seat = table.seats.get(asked.seat)
    if seat is None or seat.player != asked.player:
        raise Refused(f"{asked.player} doesn't sit in seat {asked.seat}")
    if seat.frozen or seat.leaving or table.closes:
        raise Refused(f"{asked.player} can't have more chips here: he is frozen, or leaves, or the table is closing")
    check_top_up(table, asked.seat, asked.amount)
    return []
