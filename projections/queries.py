"""What reports ask of the views."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, FromClause, Table, and_, func, or_, select

from domain.rules.phrases import listed
from projections.balances import BALANCES, Balance
from projections.days import DAYS
from projections.filters import ALL, Only, of_the_hand, wanted, within
from projections.hands import HANDS, HandHeader
from projections.kinds import MAY_OWE, player_of, table_of
from projections.postings import HAND, HOUSE_RAKE
from projections.rake import RAKE, RakedHand
from projections.results import RESULTS
from projections.shards import SHARDS
from projections.store import Store, StoreError
from projections.view import View


class By(StrEnum):
    """What rake may be totalled by. `limit` is the game's structure, `day` the room's, `player` who bore it."""

    TABLE = "table"
    GAME = "game"
    LIMIT = "limit"
    STAKES = "stakes"
    RULEBOOK = "rulebook"
    DAY = "day"
    PLAYER = "player"


class RakeTotal(NamedTuple):
    """`of`: the values of what was asked for, in that order. Amounts in minor units of the currency.

    Of a player `pot` is what he put into the pots and `rake` his part of theirs (results.py).
    """

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

    `unsettled`: chips in the middle of a hand that is over. `overdrawn`: accounts under 0 that may not be (kinds.py,
    MAY_OWE). Both must be empty. `rake`: the two amounts must agree, and `unshared` be empty: hands of which the
    players' parts don't sum to the rake.
    """

    sums: dict[str, int]
    unsettled: list[Balance]
    overdrawn: list[Balance]
    rake: list[RakeCheck]
    unshared: list[str]

    @property
    def sound(self) -> bool:
        agreed = all(check.ledger == check.house for check in self.rake)
        return not (any(self.sums.values()) or self.unsettled or self.overdrawn or self.unshared) and agreed


def folded_rooms(store: Store) -> set[str]:
    """The ids of the rooms whose shards were folded: one, or none before the first commit."""
    with store.read() as db:
        return set(db.scalars(select(store.table(db, SHARDS, "shards").c.room_id)))


def zone_of(store: Store) -> str:
    """The room's time zone; UTC before its first commit."""
    with store.read() as db:
        return db.scalars(select(store.table(db, DAYS, "zones").c.name)).first() or "UTC"


def balances(store: Store, only: Only = ALL) -> list[Balance]:
    """Every account that isn't at 0, by name as people count: t2 before t10."""
    with store.read() as db:
        found = [Balance(*row) for row in db.execute(select(store.table(db, BALANCES, "accounts")))]
    found = [one for one in found if _is_wanted(one, only)]
    return sorted(found, key=lambda one: (as_counted(one.account), one.currency))


def _is_wanted(one: Balance, only: Only) -> bool:
    return (
        only.currency in {None, one.currency}
        and (only.table is None or only.table == table_of(one.account))
        and (only.player is None or only.player == player_of(one.account))
    )


def raked_hands(store: Store, limit: int | None = None) -> list[RakedHand]:
    """The rake ledger row by row, the latest days first."""
    with store.read() as db:
        ledger = store.table(db, RAKE, "ledger")
        found = db.execute(select(ledger).order_by(ledger.c.day.desc(), ledger.c.hand).limit(limit))
        return [RakedHand(*row) for row in found]


def rake_ledger(store: Store, by: Sequence[By] = (By.TABLE,), only: Only = ALL) -> list[RakeTotal]:
    """Totals of the rake ledger, one for each currency and combination of values, as people count: t2 before t10.

    Hands count by when they were settled.
    """
    with store.read() as db:
        ledger, players = store.table(db, RAKE, "ledger"), store.table(db, RESULTS, "players")
        columns = of_the_hand(ledger, "stakes")
        source: FromClause = ledger
        amounts = ledger.c.pot, ledger.c.rake
        if By.PLAYER in by or only.player is not None:
            source = ledger.join(players, ledger.c.hand == players.c.hand)
            columns |= {"player": players.c.player}
            amounts = players.c.put_in, players.c.rake
        keys = [*(players.c.player if each is By.PLAYER else ledger.c[each] for each in by), ledger.c.currency]
        rows = db.execute(
            select(*keys, func.count(), *map(func.sum, amounts))
            .select_from(source)
            .where(*within(only, ledger.c.settled_at), *wanted(only, **columns))
            .group_by(*keys)
        )
        found = [RakeTotal(tuple(row[: len(by)]), row[len(by)], *map(int, row[len(by) + 1 :])) for row in rows]
    return sorted(found, key=lambda total: ([as_counted(each) for each in total.of], total.currency))


def as_counted(text: str) -> list[str | int]:
    """A key to sort names by, their numbers as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text)]


def hand_headers(
    store: Store, table: str | None = None, limit: int | None = None, only: Only = ALL
) -> list[HandHeader]:
    """The headers of hands, of one table or of all, the latest first.

    A hand counts by when it was settled; one under way, by when it began.
    """
    with store.read() as db:
        headers = store.table(db, HANDS, "headers")
        asked = select(headers).limit(limit).where(*wanted(only, **of_the_hand(headers, "stakes_text")))
        if only.since is not None or only.until is not None:
            asked = asked.where(_within(only, headers))
        if only.player is not None:
            asked = asked.where(_dealt_in(store, db, headers, only.player))
        if table is None:
            asked = asked.order_by(headers.c.started_at.desc(), headers.c.hand)
        else:
            asked = asked.where(headers.c.table == table).order_by(headers.c.number.desc())
        return [HandHeader(*row) for row in db.execute(asked)]


def _within(only: Only, headers: Table) -> ColumnElement[bool]:
    """Two conditions, each of which an index serves."""
    settled, began = headers.c.finished_at, headers.c.started_at
    return or_(
        and_(settled.is_not(None), *within(only, settled)),
        and_(settled.is_(None), *within(only, began)),
    )


def _dealt_in(store: Store, db: Connection, headers: Table, player: str) -> ColumnElement[bool]:
    """The hands in which he was dealt in, those under way too."""
    parts = [store.table(db, RESULTS, layout) for layout in ("players", "unsettled")]
    return or_(*(headers.c.hand.in_(select(rows.c.hand).where(rows.c.player == player)) for rows in parts))


def hand_header(store: Store, hand: str) -> HandHeader | None:
    """The header of one hand; None where there is no such hand."""
    with store.read() as db:
        headers = store.table(db, HANDS, "headers")
        row = db.execute(select(headers).where(headers.c.hand == hand)).first()
        return None if row is None else HandHeader(*row)


def proof(store: Store) -> Proof:
    """Whether the books balance, from the rows as they are stored. Raises StoreError, as check_together does."""
    with store.read() as db:
        check_together(store, db, BALANCES, RAKE, RESULTS)
        return Proof(
            _sums(store, db), _unsettled(store, db), _overdrawn(store, db), _rake(store, db), _unshared(store, db)
        )


def check_together(store: Store, db: Connection, *views: View) -> None:
    """Raise StoreError where the views stand at different commits, so that nothing can be compared."""
    if any(store.heights(db, view) != store.heights(db, views[0]) for view in views):
        names = listed([view.name for view in views])
        raise StoreError(f"the views {names} stand at different commits: let all catch up, then ask again")


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
    under = and_(accounts.c.amount < 0, accounts.c.account.not_in(MAY_OWE))
    return [Balance(*row) for row in db.execute(select(accounts).where(under).order_by(accounts.c.account))]


def _unshared(store: Store, db: Connection) -> list[str]:
    ledger, players = store.table(db, RAKE, "ledger"), store.table(db, RESULTS, "players")
    parts = select(players.c.hand, func.sum(players.c.rake).label("rake")).group_by(players.c.hand).subquery()
    both = ledger.outerjoin(parts, ledger.c.hand == parts.c.hand)
    differ = func.coalesce(parts.c.rake, 0) != ledger.c.rake
    return list(db.scalars(select(ledger.c.hand).select_from(both).where(differ).order_by(ledger.c.hand)))


def _rake(store: Store, db: Connection) -> list[RakeCheck]:
    ledger, accounts = store.table(db, RAKE, "ledger"), store.table(db, BALANCES, "accounts")
    booked = db.execute(select(ledger.c.currency, func.sum(ledger.c.rake)).group_by(ledger.c.currency))
    by_ledger = {currency: int(rake) for currency, rake in booked}
    held = db.execute(select(accounts).where(accounts.c.account == HOUSE_RAKE))
    by_house = {row.currency: row.amount for row in held}
    currencies = sorted(by_ledger.keys() | by_house.keys())
    return [RakeCheck(each, by_ledger.get(each, 0), by_house.get(each, 0)) for each in currencies]
