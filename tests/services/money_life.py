"""All that can happen to players' money, and what may be forged of it."""

from typing import Any

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from domain.table.commands import StandUp
from tests.services.homes import Change
from tests.services.patrons import REASON, buy_in, real_table, with_money

SOME_DAY = 2_000_000_000_000_000
"""Long after the clock of seeded ports."""


def life(table: str = "t1") -> list[Any]:
    """Commands in order, each to be given when the one before has come to its end: at the cage, at a table, a buy-in
    that is refused since the seat is taken, news of a freeze, and what keeps players from playing."""
    return [
        real_table(table),
        *(args for player in ("ann", "bob", "cleo") for args in with_money(player)),
        ask.Hold("ann", "EUR", "h1", 200),
        ask.ReleaseHold("ann", "EUR", "h1"),
        ask.Withdraw("ann", "EUR", 50, "to her bank"),
        ask.Adjust("ann", "EUR", 50, "floor:ann", "floor:bob", REASON, "t1-17"),
        ask.ChangeAloneLimit("ann", "EUR", 500, "floor:ann", "floor:bob", REASON),
        ask.GrantPromotion("ann", "EUR", 100, "welcome"),
        ask.TakeBackPromotion("ann", "EUR", 30, "welcome"),
        ask.SetLimit("ann", LimitKind.DEPOSIT, Period.DAY, "EUR", 5000),
        buy_in("ann", 1, table=table),
        ask.TopUp("ann", "EUR", table, 1, 100),
        buy_in("cleo", 1, table=table),
        ask.Freeze("ann", REASON),
        ask.Unfreeze("ann", REASON),
        StandUp(table, 1, "ann"),
        ask.CoolOff("bob", SOME_DAY),
        ask.Exclude("cleo", None),
    ]


def more(field: str) -> Change:
    def change(data: dict[str, Any]) -> None:
        data[field] += 1

    return change


def other(field: str, value: Any) -> Change:
    def change(data: dict[str, Any]) -> Any:
        if data[field] == value:
            return False
        data[field] = value
        return True

    return change


FORGERIES_OF_MONEY: list[tuple[str, str, Change]] = [
    ("account.opened", "what one may adjust alone", more("alone_up_to")),
    ("account.opened", "whether it is play money", other("kind", "play")),
    ("account.deposited", "amount", more("amount")),
    ("account.deposited", "payment", other("reference", "another")),
    ("account.withdrawn", "amount", more("amount")),
    ("account.held", "amount", more("amount")),
    ("account.hold-released", "amount", more("amount")),
    ("account.adjusted", "amount", more("amount")),
    ("account.adjusted", "by whom", other("by", "floor:mallory")),
    ("account.adjusted", "what it puts right", other("about", "t1-18")),
    ("account.alone-limit-changed", "amount", more("alone_up_to")),
    ("account.alone-limit-changed", "by whom", other("second", "floor:mallory")),
    ("account.promotion-granted", "amount", more("amount")),
    ("account.promotion-taken-back", "amount", more("amount")),
    ("player.account-added", "currency", other("currency", "USD")),
    ("player.limit-set", "how much", more("most")),
    ("player.limit-set", "from when on", more("effective")),
    ("player.cooling-off-begun", "until when", more("until")),
    ("player.excluded", "until when", other("until", SOME_DAY)),
    ("player.frozen", "when", more("at")),
    ("player.unfrozen", "when", more("at")),
    ("transfer.sent", "amount", more("amount")),
    ("transfer.sent", "to whom", other("to", "table:t2")),
    ("transfer.sent", "number", more("seq")),
    ("transfer.received", "amount", more("amount")),
    ("transfer.refused", "why", other("why", "because")),
    ("transfer.closed", "whether it was received", other("received", False)),
    ("notice.sent", "about what", other("about", "leave")),
    ("notice.received", "what came of it", other("outcome", "absent")),
    ("notice.closed", "what came of it", other("outcome", "absent")),
]
"""Of a room in which all of that happened."""
