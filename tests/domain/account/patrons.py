"""A patron to ask things of, and what his accounts hold."""

from typing import Any

from domain.account import commands as ask
from domain.account.play import play
from domain.account.state import Patron
from domain.messages import SECOND
from domain.transfers import AccountCloseTransfer, AccountReceiveTransfer, Purpose

HOUR = 3600 * SECOND
DAY = 24 * HOUR
NOON = 20_000 * DAY + 12 * HOUR
"""2024-10-04 12:00:00 UTC."""


def patron(*, cash: int = 0, promotion: int = 0, at: int = NOON - 40 * DAY) -> Patron:
    """Ann, with an account in euro; what she was given lies so far back that no limit counts it."""
    now = Patron("ann")
    play(now, ask.OpenAccount("ann", "EUR", alone_up_to=50_00), at)
    if cash:
        play(now, ask.Deposit("ann", "EUR", cash, "first"), at)
    if promotion:
        play(now, ask.GrantPromotion("ann", "EUR", promotion, "welcome"), at)
    return now


def facts(now: Patron, args: Any, at: int = NOON) -> list[Any]:
    return [event for _, events in play(now, args, at) for event in events]


def holds(now: Patron, currency: str = "EUR") -> tuple[int, int, int]:
    """(balance, on hold, promotion credit)."""
    account = now.accounts[currency]
    return account.balance, account.held, account.promotion


def buy_in(now: Patron, amount: int, at: int = NOON, table: str = "t1") -> Any:
    """Bought in, and received by the table; the fact that it was sent."""
    (sent,) = facts(now, ask.BuyIn("ann", "EUR", table, 3, amount), at)
    close(now, sent.seq, at, table)
    return sent


def close(now: Patron, seq: int, at: int = NOON, table: str = "t1", why: str = "") -> list[Any]:
    return facts(now, AccountCloseTransfer("ann", "EUR", f"table:{table}", seq, not why, why), at)


def cash_out(now: Patron, seq: int, amount: int, at: int = NOON, table: str = "t1", promotion: int = 0) -> list[Any]:
    received = AccountReceiveTransfer("ann", "EUR", f"table:{table}", seq, amount, Purpose.CASH_OUT, 3, promotion)
    return facts(now, received, at)
