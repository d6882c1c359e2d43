"""What holds of every account after every commit: stated once, for the writer before it appends and for verify."""

from domain.account.state import Account
from domain.hand.invariants import Broken


def check(account: Account) -> None:
    """Raise Broken for an account that is overdrawn, holds nothing by some id, or has sent money to one stream twice
    at a time."""
    for what, amount in (("balance", account.balance), ("promotion credit", account.promotion)):
        if amount < 0:
            raise Broken(f"the {what} is {amount}: no account is ever overdrawn")
    for hold, amount in account.holds.items():
        if amount <= 0:
            raise Broken(f"hold {hold} is {amount}: something is held by each")
    for to, box in account.sent.items():
        if len(box.under_way) > 1:
            raise Broken(f"{len(box.under_way)} transfers to {to} are under way: one at a time")
