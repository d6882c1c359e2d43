"""What each of the room's days did with the money on tables and in accounts, days without play too.

Start and moves come to the end on each line, and the end of one day is the start of the next; what there is after the
last day of all must be what the balances say, which are folded on their own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from projections.balances import BALANCES
from projections.days import DAYS
from projections.filters import Only
from projections.hands import HANDS
from projections.kinds import PLAYERS_OWN, Kind, kind_of, table_of
from projections.queries import check_together
from projections.store import Store

ELSEWHERE = ""


class DayLine(NamedTuple):
    """One day and currency, in minor units. A day is the room's: `2026-01-31`.

    On tables: `tables_start` + `buy_ins` - `cash_outs` - `rake` = `tables_end`; a buy-in counts when it arrives. In
    players' accounts, held and promotion money included: `accounts_start` + `deposits` - `withdrawals` - `to_tables` +
    `from_tables` + `other` = `accounts_end`, where `other` is what the house adjusted or gave, and `from_tables` has
    buy-ins that came back refused too. In transit: `transit_start` + what was sent - what arrived = `transit_end`.
    `hands`: those settled on that day, cancelled ones not counted; `pots`: theirs, without what came back uncalled.
    """

    day: str
    currency: str
    tables_start: int
    buy_ins: int
    cash_outs: int
    rake: int
    tables_end: int
    accounts_start: int
    deposits: int
    withdrawals: int
    to_tables: int
    from_tables: int
    other: int
    accounts_end: int
    transit_start: int
    transit_end: int
    hands: int
    pots: int

    @property
    def agrees(self) -> bool:
        """Whether start and moves come to the end."""
        tables = self.tables_start + self.buy_ins - self.cash_outs - self.rake
        came = self.deposits - self.withdrawals - self.to_tables + self.from_tables + self.other
        return tables == self.tables_end and self.accounts_start + came == self.accounts_end


class Moved(NamedTuple):
    """What went from one kind of account to another on a day, in minor units."""

    day: str
    currency: str
    giver: str
    taker: str
    amount: int


class EndCheck(NamedTuple):
    """What lies in the accounts of a kind by the days' movements, and by the balances, in minor units."""

    kind: str
    currency: str
    days: int
    balances: int


class DayReport(NamedTuple):
    lines: list[DayLine]
    checks: list[EndCheck]

    @property
    def sound(self) -> bool:
        return all(line.agrees for line in self.lines) and all(one.days == one.balances for one in self.checks)


def day_report(store: Store, first: date | None, last: date | None, only: Only) -> DayReport:
    """Each day from `first` to `last`, by default from the first day to the last on which money moved.

    Of `only` table and currency count; of one table the accounts' columns are 0. Raises StoreError where the views
    stand at different commits.
    """
    with store.read() as db:
        check_together(store, db, BALANCES, DAYS, HANDS)
        movements = _movements(store, db, only)
        hands = _hands(store, db, only)
        checks = _checks(store, db, movements, only)
    days = sorted({row.day for row in movements} | {day for day, _ in hands})
    if not days and (first is None or last is None):
        return DayReport([], checks)
    start, end = first or date.fromisoformat(days[0]), last or date.fromisoformat(days[-1])
    return DayReport(list(_lines(movements, hands, start, end)), checks)


def _movements(store: Store, db: Connection, only: Only) -> list[Moved]:
    """The days' movements over all tables, or one, by day."""
    rows = store.table(db, DAYS, "movements")
    keys = rows.c.day, rows.c.currency, rows.c.giver, rows.c.taker
    asked = select(*keys, func.sum(rows.c.amount)).where(*_asked(rows, only)).group_by(*keys).order_by(*keys)
    found = [Moved(*row[:-1], int(row[-1])) for row in db.execute(asked)]
    if only.table is None:
        return found
    return [row._replace(giver=_off_the_accounts(row.giver), taker=_off_the_accounts(row.taker)) for row in found]


def _off_the_accounts(kind: str) -> str:
    """To one table the accounts are elsewhere: what lies in them it can't say."""
    return ELSEWHERE if kind in PLAYERS_OWN else kind


def _asked(rows: Table, only: Only) -> list[ColumnElement[bool]]:
    return [rows.c[name] == value for name in ("table", "currency") if (value := getattr(only, name)) is not None]


def _hands(store: Store, db: Connection, only: Only) -> dict[tuple[str, str], tuple[int, int]]:
    """How many hands were settled, and their pots, by day and currency."""
    rows = store.table(db, HANDS, "headers")
    settled = and_(rows.c.day != "", rows.c.cancelled_after.is_(None), *_asked(rows, only))
    keys = rows.c.day, rows.c.currency
    found = db.execute(select(*keys, func.count(), func.sum(rows.c.pot)).where(settled).group_by(*keys))
    return {(day, currency): (count, int(pots)) for day, currency, count, pots in found}


def _lines(
    movements: Sequence[Moved], hands: dict[tuple[str, str], tuple[int, int]], first: date, last: date
) -> Iterator[DayLine]:
    currencies = sorted({row.currency for row in movements})
    by_day: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in movements:
        by_day.setdefault((row.day, row.currency), Counter())[row.giver, row.taker] += row.amount
    lying: dict[str, Counter[str]] = {currency: Counter() for currency in currencies}
    for row in movements:
        if row.day < first.isoformat():
            _move(lying[row.currency], row.giver, row.taker, row.amount)
    for place in range((last - first).days + 1):
        day = (first + timedelta(place)).isoformat()
        for currency in currencies:
            moved = by_day.get((day, currency), Counter())
            yield _line(day, currency, lying[currency], moved, hands.get((day, currency), (0, 0)))


def _line(
    day: str, currency: str, lying: Counter[str], moved: Counter[tuple[str, str]], hands: tuple[int, int]
) -> DayLine:
    """The day's line; `lying` moves on to its end."""
    start = lying.copy()
    for (giver, taker), amount in moved.items():
        _move(lying, giver, taker, amount)
    tables, own, between = {Kind.TABLES}, set(PLAYERS_OWN), {Kind.TABLES, Kind.TRANSIT}
    others = {ELSEWHERE, *Kind} - tables - {Kind.RAKE}
    house = set(Kind) - own - between - {Kind.BANK}
    return DayLine(
        day=day,
        currency=currency,
        tables_start=_sum(start, tables),
        buy_ins=_went(moved, others, tables),
        cash_outs=_went(moved, tables, others),
        rake=_went(moved, tables, {Kind.RAKE}) - _went(moved, {Kind.RAKE}, tables),
        tables_end=_sum(lying, tables),
        accounts_start=_sum(start, own),
        deposits=_went(moved, {Kind.BANK}, own),
        withdrawals=_went(moved, own, {Kind.BANK}),
        to_tables=_went(moved, own, between),
        from_tables=_went(moved, between, own),
        other=_went(moved, house, own) - _went(moved, own, house),
        accounts_end=_sum(lying, own),
        transit_start=start[Kind.TRANSIT],
        transit_end=lying[Kind.TRANSIT],
        hands=hands[0],
        pots=hands[1],
    )


def _move(lying: Counter[str], giver: str, taker: str, amount: int) -> None:
    lying[giver] -= amount
    lying[taker] += amount


def _sum(lying: Counter[str], kinds: Set[str]) -> int:
    return sum(lying[kind] for kind in kinds)


def _went(moved: Counter[tuple[str, str]], givers: Set[str], takers: Set[str]) -> int:
    return sum(amount for (giver, taker), amount in moved.items() if giver in givers and taker in takers)


def _checks(store: Store, db: Connection, movements: Sequence[Moved], only: Only) -> list[EndCheck]:
    """Of tables, accounts and what is in transit: by the days, and by the balances."""
    by_days: Counter[tuple[str, str]] = Counter()
    for row in movements:
        by_days[row.giver, row.currency] -= row.amount
        by_days[row.taker, row.currency] += row.amount
    by_balances: Counter[tuple[str, str]] = Counter()
    for account, currency, amount in db.execute(select(store.table(db, BALANCES, "accounts"))):
        if only.currency in {None, currency} and (only.table is None or only.table == table_of(account)):
            by_balances[kind_of(account), currency] += amount
    kinds = tuple(Kind) if only.table is None else (Kind.TABLES, Kind.TRANSIT)
    keys = sorted(key for key in by_days.keys() | by_balances.keys() if key[0] in kinds)
    return [
        EndCheck(str(kind), currency, by_days[kind, currency], by_balances[kind, currency]) for kind, currency in keys
    ]
