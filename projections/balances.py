"""View: what lies in each account. An account at 0 has no row."""

from typing import NamedTuple

from domain.hand.events import HandOpened
from projections.commit import Commit
from projections.postings import PLACES, Place, Posting, postings
from projections.view import Layout, Rows, View


class Balance(NamedTuple):
    """`amount` in minor units of the currency; the accounts are those of postings.py."""

    account: str
    currency: str
    amount: int


def fold(commit: Commit, accounts: Rows[Balance], places: Rows[Place]) -> None:
    for stream, _, event in commit.facts:
        if type(event) is HandOpened:
            accounts.begin((stream, event.currency))
        for posting in postings(places, stream, event):
            _post(accounts, posting)


def _post(accounts: Rows[Balance], posting: Posting) -> None:
    key = posting[:2]
    before = accounts.get(key)
    amount = posting.amount + (before.amount if before is not None else 0)
    if amount:
        accounts.put(Balance(posting.account, posting.currency, amount))
    else:
        accounts.drop(key)


BALANCES = View("balances", 1, (Layout("accounts", Balance, key=2), PLACES), fold)
