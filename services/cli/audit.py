"""What an auditor asks: the queries of the warehouse as commands, told as a table, CSV or JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from domain.money import SCALES, BadAmount, Money
from domain.rules.phrases import counted, listed
from services.bootstrap import WAREHOUSE_FOLDER, open_log
from services.cli.answers import in_both, tell
from services.cli.forms import Form, Report
from services.cli.homes import commits_in
from services.cli.talk import FOUND, SOUND, progress, say, stop
from services.cli.times import minute_of, read_time
from services.evidence.checkpointer import opening_of
from services.warehouse.asking import Answer, Warehouse, as_dicts, opened, query_names, query_text
from services.warehouse.raking import rake_that_differs
from services.warehouse.tables import PARTED_BY, TABLES, columns
from services.warehouse.worker import catch_up


class Audit(NamedTuple):
    """The warehouse, caught up with its log, and the room's time zone, by name."""

    warehouse: Warehouse
    zone: str


@contextmanager
def audit_of(home: Path) -> Iterator[Audit]:
    folder = home / WAREHOUSE_FOLDER
    with open_log(home) as log:
        with progress("taking in", commits_in(log)) as step:
            catch_up(folder, log, step)
        zone = opening_of(log).time_zone
    with opened(folder) as warehouse:
        yield Audit(warehouse, zone)


def folded(home: Path, who: str, to_whom: str, form: Form) -> int:
    with audit_of(home) as audit:
        for player in (who, to_whom):
            _check_player(audit.warehouse, player)
        answer = audit.warehouse.ask("folded", who=who, to_whom=to_whom)
        return _tell(audit, answer, form, nothing=f"{who} never folded to {to_whom}.")


def pots_over(home: Path, amount: str, currency: str | None, form: Form) -> int:
    if currency is not None and currency not in SCALES:
        stop(f"{currency} is no currency of a room: one of {', '.join(SCALES)}")
    try:
        hundredths = Money.parse(amount, "EUR").amount
    except BadAmount:
        stop(f"{amount!r} is no amount: write digits, such as 40 or 12.50")
    with audit_of(home) as audit:
        answer = audit.warehouse.ask("pots-over", hundredths=hundredths, currency=currency)
        return _tell(audit, answer, form, nothing=f"No pot was over {amount}{f' {currency}' if currency else ''}.")


def minute(home: Path, text: str, around: int, form: Form) -> int:
    with audit_of(home) as audit:
        begin, end = minute_of(read_time(text, audit.zone), around)
        answer = audit.warehouse.ask("minute", begin=begin, end=end)
        span = f"from {in_both(begin, audit.zone)} to {in_both(end, audit.zone)}"
        if not form.for_machines:
            say(f"Hands that were under way {span}:")
        return _tell(audit, answer, form, nothing="No hand was.")


def protection(home: Path, form: Form) -> int:
    return _ask(home, "protection", form, nothing="All-in protection was never used.")


def cancelled(home: Path, form: Form) -> int:
    return _ask(home, "cancelled", form, nothing="No hand was cancelled.")


def opened_cards(home: Path, form: Form) -> int:
    return _ask(home, "opened", form, nothing="No sealed card was opened to anybody.")


def rake_differs(home: Path, form: Form) -> int:
    """FOUND where any does."""
    with audit_of(home) as audit:
        answer = rake_that_differs(audit.warehouse)
        raked = len(audit.warehouse.ask("raked").rows)
        same = f"The rake of {counted(raked, 'hand')} is what the schedules and pots make of it."
        _tell(audit, answer, form, nothing=same)
    return FOUND if answer.rows else SOUND


def sql(home: Path, query: str, form: Form) -> int:
    with audit_of(home) as audit:
        return _tell(audit, audit.warehouse.ask_freely(query), form, nothing="No row.", as_money=False)


def show_tables(of: str | None, form: Form) -> int:
    """The tables' columns and their meanings."""
    if of is not None and of not in TABLES:
        stop(f"the warehouse has no table {of}: it has {listed(list(TABLES))}")
    tables = [of] if of is not None else list(TABLES)
    rows = [(name, one.name, str(one.type), one.text) for name in tables for one in columns(name)]
    rows += [(name, by, "by where the file lies", PARTED_BY[by]) for name in tables for by in PARTED_BY]
    names = ["table", "column", "type", "means"]
    dicts = as_dicts(Answer(names, rows))
    Report("columns", dict.fromkeys(names, str), dicts, tables=[names]).write(form)
    return SOUND


def show_query(name: str | None) -> int:
    """The text of a query; without a name, of all."""
    known = query_names()
    if name is not None and name not in known:
        stop(f"there is no query {name}: there are {listed(known)}")
    for one in [name] if name is not None else known:
        say(f"-- {one}.sql\n{query_text(one)}")
    return SOUND


def _ask(home: Path, name: str, form: Form, *, nothing: str) -> int:
    with audit_of(home) as audit:
        return _tell(audit, audit.warehouse.ask(name), form, nothing=nothing)


def _tell(audit: Audit, answer: Answer, form: Form, *, nothing: str, as_money: bool = True) -> int:
    tell(answer, form, audit.zone, audit.warehouse.under_way, nothing=nothing, as_money=as_money)
    return SOUND


def _check_player(warehouse: Warehouse, player: str) -> None:
    """Stop where nobody of that reference was ever dealt in: a slip of the pen must not read as innocence."""
    if not warehouse.ask("player", player=player).rows:
        stop(f"no player {player} was dealt in to a hand that is over: give the reference as `handlog replay` shows it")
