"""What the reports ask of the views, and the plans that serve them (SQLite)."""

from collections.abc import Callable, Iterator
from contextlib import closing
from statistics import median
from typing import Any

from sqlalchemy import event

from projections.day_report import day_report
from projections.filters import ALL, Only
from projections.player_totals import PlayerBy, player_totals
from projections.queries import By, balances, hand_headers, proof, rake_ledger
from projections.reconciliation import reconciliation
from projections.store import Store
from services.views import current_views
from tests.bench.money_rooms import MoneyRoom
from tests.bench.rows import Side, timed

ASKINGS = 5
"""How often a report is asked for."""

Report = Callable[[Store], object]

REPORTS: dict[str, Report] = {
    "balances": balances,
    "proof that they balance": proof,
    "rake by table": lambda store: rake_ledger(store, [By.TABLE]),
    "rake by day": lambda store: rake_ledger(store, [By.DAY]),
    "rake by player": lambda store: rake_ledger(store, [By.PLAYER]),
    "a table's hands": lambda store: hand_headers(store, "t1"),
    "players by game": lambda store: player_totals(store, [PlayerBy.GAME]),
    "a player at a table": lambda store: player_totals(store, (), Only(table="t1", player="p1")),
    "days": lambda store: day_report(store, None, None, ALL),
    "reconcile": reconciliation,
}


def asked(room: MoneyRoom) -> dict[str, float]:
    """Median seconds of each report with its rows, from views that are caught up."""
    with closing(current_views(room.home, room.log)) as store:
        return {f"report: {name}": _asking(store, report) for name, report in REPORTS.items()}


def plans(room: MoneyRoom) -> Iterator[str]:
    """How SQLite answers the queries of each report."""
    with current_views(room.home, room.log) as store:
        for name, report in REPORTS.items():
            said = [line for asked in _queries(store, report) for line in _plan(store, *asked)]
            yield "\n".join([name, *dict.fromkeys(said)])


def _asking(store: Store, report: Report) -> float:
    return median(timed(Side(lambda _: report(store)))[0] for _ in range(ASKINGS))


def _queries(store: Store, report: Report) -> list[tuple[str, Any]]:
    """The statements that the report sends, with their parameters."""
    sent: list[tuple[str, Any]] = []

    def note(_1: Any, _2: Any, statement: str, parameters: Any, *_: Any) -> None:
        sent.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        report(store)
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    return [asked for asked in sent if asked[0].startswith("SELECT")]


def _plan(store: Store, statement: str, parameters: Any) -> list[str]:
    with store.read() as db:
        return [f"  {row.detail}" for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
