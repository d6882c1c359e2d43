"""A player with his money as he himself and the staff see it: what lies where, his limits, what keeps him from playing.

Amounts are minor units of the account's currency, times UTC microseconds. Of money at a table the account knows what
was brought there; which chips came of it the table shows.
"""

from typing import Any

from domain.account.protection import is_excluded
from domain.account.state import Account, LimitName, Patron, PlayerFile
from domain.transfers import TransferClosed, TransferSent
from services.api.seen import Seen


def patron_seen(patron: Patron, at: int) -> Seen | None:
    """His accounts and his file as they stand at a time; None where nothing is recorded of him."""
    file = patron.player
    if file is None:
        return None
    return {
        "player": patron.id, "at": at,
        "accounts": [_account_seen(account) for account in patron.accounts.values()],
        "limits": [seen for name in sorted(file.limits) for seen in _limit_seen(name, file, at)],
        "cooling_off_until": file.cooling_off if file.cooling_off > at else None,
        "excluded": is_excluded(file, at),
        "excluded_until": file.excluded if is_excluded(file, at) else None,
        "frozen": file.frozen,
        "protections": [{"hand": use.hand, "at": use.at} for use in file.uses_at(at)],
    }  # fmt: skip


def _account_seen(account: Account) -> Seen:
    opened = account.opened
    tables = [
        {"table": table, "since": stay.since, "brought": stay.brought} for table, stay in sorted(account.seated.items())
    ]
    return {
        "currency": opened.currency, "scale": opened.scale, "kind": opened.kind.value,
        "balance": account.balance,
        "held": account.held,
        "holds": [{"hold": hold, "amount": amount} for hold, amount in sorted(account.holds.items())],
        "promotion": account.promotion,
        "tables": tables,
        "under_way": [_sent_seen(sent) for box in account.sent.values() for sent in box.under_way],
        "returned": [_money_of(one) | {"why": one.why, "at": one.at} for one in account.returned.values()],
    }  # fmt: skip


def _sent_seen(sent: Any) -> Seen:
    assert isinstance(sent, TransferSent), "accounts send money only"
    return _money_of(sent) | {"since": sent.at}


def _money_of(transfer: TransferSent | TransferClosed) -> Seen:
    return {
        "to": transfer.to, "purpose": transfer.purpose.value, "amount": transfer.amount,
        "promotion": transfer.promotion,
    }  # fmt: skip


def _limit_seen(name: LimitName, file: PlayerFile, at: int) -> list[Seen]:
    """What is allowed now and what will be, each with since or from when; nothing for a limit that was lifted."""
    kind, period, currency = name
    steps = file.limits[name]
    begun, to_come = [one for one in steps if one.effective <= at], [one for one in steps if one.effective > at]
    now = begun[-1]  # a player's first limit is stricter than none, so it holds at once
    if now.most is None and not to_come:
        return []
    seen = {
        "limit": kind.value,
        "period": period.value,
        "currency": currency or None,
        "most": now.most,
        "since": now.effective,
    }
    then = [{"most": one.most, "from": one.effective} for one in to_come]
    return [seen | {"then": then[0] if then else None}]
