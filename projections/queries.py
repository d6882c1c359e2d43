"""What reports ask of the views."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, and_, func, select

from projections.balances import BALANCES, Balance
from projections.hands import HANDS, HandHeader
from projections.postings import CASHIER, HAND, HOUSE_RAKE
from projections.rake import RAKE, RakedHand
from projections.shards import SHARDS
from projections.store import Store, StoreError


class By(StrEnum):
    """What rake may be totalled by; `day` is UTC."""

    TABLE = "table"
    GAME = "game"
    LIMIT = "limit"
    RULEBOOK = "rulebook"
    DAY = "day"


class RakeTotal(NamedTuple):
    """`of`: the values of what was asked for, in that order. Amounts in minor units of the currency."""

    of: tuple[str, ...]
    currency: str
    hands: int
    pot: int
    rake: int


class RakeCheck(NamedTuple):
    """The rake of a currency as the ledger's rows sum to it, and as it lies in the house's account."""

    currency: str
    ledger: int
    house: int


class Proof(NamedTuple):
    """Whether the books balance. `sums`: each currency's balances together, which must be 0.

    `unsettled`: chips in the middle of a hand that is over. `overdrawn`: accounts under 0 that may not be: all but the
    cashier's. Both must be empty. `rake`: the two amounts must agree.
    """

    sums: dict[str, int]
    unsettled: list[Balance]
    overdrawn: list[Balance]
    rake: list[RakeCheck]

    @property
    def sound(self) -> bool:
        agreed = all(check.ledger == check.house for check in self.rake)
        return not (any(self.sums.values()) or self.unsettled or self.overdrawn) and agreed


def folded_rooms(store: Store) -> set[str]:
    """The ids of the rooms whose shards were folded: one, or none before the first commit."""
    with store.read() as db:
        return set(db.scalars(select(store.table(db, SHARDS, "shards").c.room_id)))


def balances(store: Store) -> list[Balance]:
    """Every account that isn't at 0, by name as people count: t2 before t10."""
    with store.read() as db:
        found = [Balance(*row) for row in db.execute(select(store.table(db, BALANCES, "accounts")))]
    return sorted(found, key=lambda one: (as_counted(one.account), one.currency))


def raked_hands(store: Store, limit: int | None = None) -> list[RakedHand]:
    """The rake ledger row by row, the latest days first."""
    with store.read() as db:
        ledger = store.table(db, RAKE, "ledger")
        found = db.execute(select(ledger).order_by(ledger.c.day.desc(), ledger.c.hand).limit(limit))
        return [RakedHand(*row) for row in found]


def rake_ledger(store: Store, by: Sequence[By] = (By.TABLE,)) -> list[RakeTotal]:
    """Totals of the rake ledger, one for each currency and combination of values, as people count: t2 before t10."""
    with store.read() as db:
        ledger = store.table(db, RAKE, "ledger")
        keys = [*(ledger.c[each] for each in by), ledger.c.currency]
        totals = (func.count(), func.sum(ledger.c.pot), func.sum(ledger.c.rake))
        rows = db.execute(select(*keys, *totals).group_by(*keys))
        found = [RakeTotal(tuple(row[: len(by)]), row[len(by)], *map(int, row[len(by) + 1 :])) for row in rows]
    return sorted(found, key=lambda total: ([as_counted(each) for each in total.of], total.currency))


def as_counted(text: str) -> list[str | int]:
    """A key to sort names by, their numbers as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text)]


def hand_headers(store: Store, table: str | None = None, limit: int | None = None) -> list[HandHeader]:
    """The headers of hands, of one table or of all, the latest first."""
    with store.read() as db:
        headers = store.table(db, HANDS, "headers")
        wanted = select(headers).limit(limit)
        if table is None:
            wanted = wanted.order_by(headers.c.started_at.desc(), headers.c.hand)
        else:
            wanted = wanted.where(headers.c.table == table).order_by(headers.c.number.desc())
        return [HandHeader(*row) for row in db.execute(wanted)]


def hand_header(store: Store, hand: str) -> HandHeader | None:
    """The header of one hand; None where there is no such hand."""
    with store.read() as db:
        headers = store.table(db, HANDS, "headers")
        row = db.execute(select(headers).where(headers.c.hand == hand)).first()
        return None if row is None else HandHeader(*row)


def proof(store: Store) -> Proof:
    """Whether the books balance, from the rows as they are stored.

    Raises StoreError where balances and rake ledger stand at different commits, so that nothing can be compared.
    """
    with store.read() as db:
        if store.heights(db, BALANCES) != store.heights(db, RAKE):
            raise StoreError("balances and rake ledger stand at different commits: let both catch up, then ask again")
        return Proof(_sums(store, db), _unsettled(store, db), _overdrawn(store, db), _rake(store, db))


def _sums(store: Store, db: Connection) -> dict[str, int]:
    accounts = store.table(db, BALANCES, "accounts")
    total = func.sum(accounts.c.amount)
    found = db.execute(select(accounts.c.currency, total).group_by(accounts.c.currency).order_by(accounts.c.currency))
    return {currency: int(amount) for currency, amount in found}


def _unsettled(store: Store, db: Connection) -> list[Balance]:
    accounts, places = store.table(db, BALANCES, "accounts"), store.table(db, BALANCES, "places")
    under_way = select(places.c.stream).where(places.c.seat == 0)
    left = and_(accounts.c.account.startswith(HAND), accounts.c.account.not_in(under_way))
    return [Balance(*row) for row in db.execute(select(accounts).where(left).order_by(accounts.c.account))]


def _overdrawn(store: Store, db: Connection) -> list[Balance]:
    accounts = store.table(db, BALANCES, "accounts")
    under = and_(accounts.c.amount < 0, accounts.c.account != CASHIER)
    return [Balance(*row) for row in db.execute(select(accounts).where(under).order_by(accounts.c.account))]


def _rake(store: Store, db: Connection) -> list[RakeCheck]:
    ledger, accounts = store.table(db, RAKE, "ledger"), store.table(db, BALANCES, "accounts")
    booked = db.execute(select(ledger.c.currency, func.sum(ledger.c.rake)).group_by(ledger.c.currency))
    by_ledger = {currency: int(rake) for currency, rake in booked}
    held = db.execute(select(accounts).where(accounts.c.account == HOUSE_RAKE))
    by_house = {row.currency: row.amount for row in held}
    currencies = sorted(by_ledger.keys() | by_house.keys())
    return [RakeCheck(each, by_ledger.get(each, 0), by_house.get(each, 0)) for each in currencies]
