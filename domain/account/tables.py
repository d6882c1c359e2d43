"""Money between an account and tables: bought in, topped up, cashed out (rules.md section 7).

Cash goes first, then promotion credit; what comes back is first the credit that went (the table knows how much), so
that it never becomes cash by sitting down and standing up.
"""

from domain.account import cage
from domain.account import commands as ask
from domain.account.limits import check_loss, check_session
from domain.account.protection import check_may_play, news_for
from domain.account.state import Account, Patron, evolve_account
from domain.messages import Facts, Refused, account_stream, table_stream
from domain.money import decimal_text
from domain.transfers import (
    AccountCloseTransfer,
    AccountReceiveTransfer,
    Purpose,
    TransferSent,
    check_next,
    check_nothing_under_way,
    closed_as,
    next_number,
    received_as,
    under_way,
)


def buy_in(patron: Patron, asked: ask.BuyIn, at: int) -> list[Facts]:
    if asked.table in patron.tables():
        raise Refused(
            f"{patron.id} has money at table {asked.table}, or on its way there or back: top up, or wait until it has "
            "come back"
        )
    return _send(patron, asked, Purpose.BUY_IN, at)


def top_up(patron: Patron, asked: ask.TopUp, at: int) -> list[Facts]:
    if asked.table not in patron.account(asked.currency).seated:
        raise Refused(f"{patron.id} has no {asked.currency} at table {asked.table}: buy in there first")
    return _send(patron, asked, Purpose.TOP_UP, at)


def _send(patron: Patron, asked: ask.BuyIn | ask.TopUp, purpose: Purpose, at: int) -> list[Facts]:
    account, to = patron.account(asked.currency), table_stream(asked.table)
    posts = isinstance(asked, ask.BuyIn) and asked.posts
    check_may_play(patron, at)
    check_session(patron, at)
    check_nothing_under_way(account, to)
    promotion = _promotion_in(account, asked.amount)
    check_loss(patron, account, asked.amount - promotion, at)
    sent = TransferSent(
        to, next_number(account, to), asked.amount, asked.currency, purpose, patron.id, asked.seat, promotion, posts, at
    )
    return [(account_stream(patron.id, asked.currency), [sent])]


def _promotion_in(account: Account, amount: int) -> int:
    """How much of the amount is promotion credit. Raises Refused for more than the account has of both."""
    promotion = max(amount - account.balance, 0)
    if promotion > account.promotion:
        asked, most, credit = (
            decimal_text(one, account.opened.scale)
            for one in (amount, account.balance + account.promotion, account.promotion)
        )
        also = f", of which {credit} is promotion credit" if account.promotion else ""
        raise Refused(f"{asked} {account.opened.currency} is more than the account has: bring at most {most}{also}")
    return promotion


def receive_transfer(patron: Patron, asked: AccountReceiveTransfer, at: int) -> list[Facts]:
    """What comes from a table is never refused: where there is no account yet, it opens itself."""
    stream, account, opening = account_stream(patron.id, asked.currency), patron.accounts.get(asked.currency), []
    if account is None:
        opening = cage.opening(patron, asked.currency, alone_up_to=0)
        account = evolve_account(None, opening[-1][1][0])
    check_next(account, asked)
    return [*opening, (stream, [received_as(asked, at)])]


def close_transfer(patron: Patron, asked: AccountCloseTransfer, at: int) -> list[Facts]:
    """What wasn't received is back, cash and promotion credit as they were."""
    sent = under_way(patron.account(asked.currency), asked)
    closed = closed_as(sent, received=asked.received, why=asked.why, at=at)
    news = news_for(patron, asked.to, at) if asked.received else []
    return [(account_stream(patron.id, asked.currency), [closed])] + ([(patron.stream, news)] if news else [])
