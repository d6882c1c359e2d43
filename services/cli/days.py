"""Closing a day: its heights and totals become a fact, which the next checkpoint signs with all before it."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from domain.money import Money
from domain.room import CloseDay, DayTotal
from projections.day_report import DayLine, day_report
from projections.filters import Only
from services.bootstrap import CHECKPOINT_KEY_FILE, opened_office
from services.cli import evidence
from services.cli.opening import Asker, give
from services.cli.talk import emit, say, stop, table
from services.evidence.checkpointer import commits_before, opening_of
from services.ledger import is_any
from services.ports import real_ports
from services.room.days import end_of
from services.views import current_views


def close(home: Path, day: str, by: str, as_json: bool) -> None:
    """Close a day, by default yesterday, and sign it where the checkpointer's key lies in the home."""
    Asker(by).check()
    ports = real_ports()
    with opened_office(home, ports) as room:
        zone = opening_of(room.log).time_zone
        day = day or _yesterday(ports.now(), zone)
        ended = end_of(day, zone)
        with current_views(home, room.log) as views:
            report = day_report(views, date.fromisoformat(day), date.fromisoformat(day), Only())
        if not report.sound:
            stop(f"the books of {day} don't agree: see `handlog report day` and `handlog verify --ledger`")
        totals = tuple(filter(is_any, map(_total, report.lines)))
        commits = tuple(commits_before(room.log, shard, ended) for shard in range(room.log.shards))
        give(room, CloseDay(day, ended, commits, totals), by)
    _tell(day, zone, commits, totals, as_json)
    if (home / CHECKPOINT_KEY_FILE).exists():
        evidence.checkpoint(home, None, None, as_json)
    elif not as_json:
        say("Sign it: `handlog checkpoint --key FILE` where the checkpointer's key lies.")


def _yesterday(now: int, zone: str) -> str:
    today = datetime.fromtimestamp(now // 1_000_000, ZoneInfo(zone)).date()
    return (today - timedelta(days=1)).isoformat()


def _total(line: DayLine) -> DayTotal:
    return DayTotal(
        currency=line.currency,
        deposits=line.deposits,
        withdrawals=line.withdrawals,
        rake=line.rake,
        hands=line.hands,
        accounts=line.accounts_end,
        tables=line.tables_end,
        in_transit=line.transit_end,
    )


_AMOUNTS = ("deposits", "withdrawals", "rake", "accounts", "tables", "in_transit")


def _tell(day: str, zone: str, commits: tuple[int, ...], totals: tuple[DayTotal, ...], as_json: bool) -> None:
    if as_json:
        emit({
            "day": day,
            "zone": zone,
            "commits": list(commits),
            "totals": [{name: getattr(one, name) for name in ("currency", "hands", *_AMOUNTS)} for one in totals],
        })  # fmt: skip
        return
    rows = [[str(one.hands), *(str(Money(getattr(one, name), one.currency)) for name in _AMOUNTS)] for one in totals]
    table(["hands", *(name.replace("_", " ") for name in _AMOUNTS)], rows, ("hands", *_AMOUNTS, "in transit"))
    ends = ", ".join(map(str, commits))
    say(f"{day} ({zone}) is closed, after {ends} commits of the shards: what comes now is booked to later days.")
