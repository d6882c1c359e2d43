"""Where the room's money came from, and where it lies: deposits - withdrawals = accounts + tables + in transit + house.

What came in is summed from the days' movements, what is there from the balances: two views that fold the postings each
on its own.
"""

from collections import Counter
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from projections.balances import BALANCES
from projections.days import DAYS
from projections.kinds import HOUSE, Kind, kind_of
from projections.queries import check_together
from projections.store import Store


class Reconciliation(NamedTuple):
    """One currency, in minor units. `sold` and `bought_back`: chips of tables that the cashier serves at the seat.

    `accounts`: what players may withdraw or play; `held` and `promotion` lie in their accounts too.
    """

    currency: str
    deposits: int
    withdrawals: int
    sold: int
    bought_back: int
    accounts: int
    held: int
    promotion: int
    tables: int
    transit: int
    house: int

    @property
    def came_in(self) -> int:
        return self.deposits - self.withdrawals + self.sold - self.bought_back

    @property
    def is_there(self) -> int:
        return self.accounts + self.held + self.promotion + self.tables + self.transit + self.house

    @property
    def agrees(self) -> bool:
        return self.came_in == self.is_there


def reconciliation(store: Store, currency: str | None = None) -> list[Reconciliation]:
    """Each currency that ever moved, or one. Raises StoreError where the views stand at different commits."""
    with store.read() as db:
        check_together(store, db, BALANCES, DAYS)
        moved, lying = _moved(store, db), _lying(store, db)
    currencies = sorted({of for of, _, _ in moved} | {of for of, _ in lying})
    return [_of(each, moved, lying) for each in currencies if currency in {None, each}]


def _moved(store: Store, db: Connection) -> Counter[tuple[str, str, str]]:
    rows = store.table(db, DAYS, "movements")
    keys = rows.c.currency, rows.c.giver, rows.c.taker
    found = db.execute(select(*keys, func.sum(rows.c.amount)).group_by(*keys))
    return Counter({(currency, giver, taker): int(amount) for currency, giver, taker, amount in found})


def _lying(store: Store, db: Connection) -> Counter[tuple[str, str]]:
    sums: Counter[tuple[str, str]] = Counter()
    for account, currency, amount in db.execute(select(store.table(db, BALANCES, "accounts"))):
        sums[currency, kind_of(account)] += amount
    return sums


def _of(currency: str, moved: Counter[tuple[str, str, str]], lying: Counter[tuple[str, str]]) -> Reconciliation:
    def given_by(kind: Kind) -> int:
        return sum(amount for (of, giver, _), amount in moved.items() if (of, giver) == (currency, kind))

    def taken_by(kind: Kind) -> int:
        return sum(amount for (of, _, taker), amount in moved.items() if (of, taker) == (currency, kind))

    return Reconciliation(
        currency=currency,
        deposits=given_by(Kind.BANK),
        withdrawals=taken_by(Kind.BANK),
        sold=given_by(Kind.CASHIER),
        bought_back=taken_by(Kind.CASHIER),
        accounts=lying[currency, Kind.ACCOUNTS],
        held=lying[currency, Kind.HELD],
        promotion=lying[currency, Kind.PROMOTION],
        tables=lying[currency, Kind.TABLES],
        transit=lying[currency, Kind.TRANSIT],
        house=sum(lying[currency, kind] for kind in HOUSE),
    )
