"""Answers of the warehouse as people and machines read them: a table, CSV, JSON."""

import csv
import io
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from domain.money import SCALES, decimal_text
from domain.rules.phrases import listed
from services.cli.talk import complain, emit, say, stop, table
from services.cli.times import in_zone, to_the_second
from services.warehouse.asking import Answer, as_dicts
from services.warehouse.tables import AMOUNTS


class As(StrEnum):
    """How an answer is told."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def form(as_json: bool, as_csv: bool) -> As:
    """What two options ask for. Stops where that is both."""
    if as_json and as_csv:
        stop("--json and --csv can't both be: choose one")
    return As.JSON if as_json else As.CSV if as_csv else As.TABLE


def tell(answer: Answer, how: As, zone: str, under_way: Sequence[str], *, nothing: str, as_money: bool) -> None:
    """An answer, and which hands it can't know of yet; `nothing`: what to say where there is no row.

    For machines each time stands in UTC and, as `..._room`, by the room's clock, and amounts are minor units.
    """
    if how is As.JSON:
        emit({"time_zone": zone, "rows": _plain(as_dicts(_for_machines(answer, zone))), "under_way": under_way})
        return
    if how is As.CSV:
        write(_for_machines(answer, zone), how)
    elif answer.rows:
        write(_for_people(_in_money(answer) if as_money else answer, zone), how)
    else:
        say(nothing)
    if under_way:
        out = say if how is As.TABLE else complain
        out(f"Not counted, since {'they are' if len(under_way) > 1 else 'it is'} under way: {listed(under_way)}.")


def write(answer: Answer, how: As) -> None:
    """Rows as they are."""
    if how is As.JSON:
        emit(_plain(as_dicts(answer)))
    elif how is As.CSV:
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(answer.columns)
        lines.writerows([_cell(value) for value in row] for row in answer.rows)
        say(text.getvalue().rstrip("\n"))
    else:
        amounts = {name for name in answer.columns if name in AMOUNTS} | _of_kind(answer, _is_number)
        heads = {name: name.replace("_", " ") for name in answer.columns}
        rows = [[_cell(value) for value in row] for row in answer.rows]
        table(list(heads.values()), rows, tuple(heads[name] for name in amounts))


def in_both(time: datetime, zone: str) -> str:
    """A time by the room's clock and in UTC, in words."""
    utc = f"{to_the_second(time)} UTC"
    return utc if zone == "UTC" else f"{to_the_second(in_zone(time, zone))} {zone} ({utc})"


def _plain(value: Any) -> Any:
    """A value of DuckDB's as JSON has it; what JSON doesn't know is text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return str(value)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(str, value))
        case _:
            return str(value)


# --- times -----------------------------------------------------------------------------------------------------------

Columns = Callable[[str, Sequence[datetime | None]], dict[str, list[str | None]]]
"""What becomes of a column of times."""


def _for_machines(answer: Answer, zone: str) -> Answer:
    return _with_times(
        answer,
        lambda name, times: {
            name: _texts(times, datetime.isoformat),
            f"{name}_room": _texts(times, lambda time: in_zone(time, zone).isoformat()),
        },
    )


def _for_people(answer: Answer, zone: str) -> Answer:
    def both(name: str, times: Sequence[datetime | None]) -> dict[str, list[str | None]]:
        in_utc = {f"{name} (UTC)": _texts(times, to_the_second)}
        if zone == "UTC":
            return in_utc
        return {f"{name} ({zone})": _texts(times, lambda time: to_the_second(in_zone(time, zone)))} | in_utc

    return _with_times(answer, both)


def _with_times(answer: Answer, become: Columns) -> Answer:
    times = _of_kind(answer, lambda value: isinstance(value, datetime) and value.tzinfo is not None)
    columns: dict[str, Sequence[Any]] = {}
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows]
        columns |= become(name, values) if name in times else {name: values}
    return Answer(list(columns), list(zip(*columns.values(), strict=True)))


def _texts(times: Sequence[datetime | None], text: Callable[[datetime], str]) -> list[str | None]:
    return [None if time is None else text(time) for time in times]


# --- amounts ---------------------------------------------------------------------------------------------------------


def _in_money(answer: Answer) -> Answer:
    """Amounts with their decimal point, where each row says in which currency."""
    if "currency" not in answer.columns:
        return answer
    currency = answer.columns.index("currency")
    rows = [
        tuple(
            _amount(value, SCALES[row[currency]]) if name in AMOUNTS else value
            for name, value in zip(answer.columns, row, strict=True)
        )
        for row in answer.rows
    ]
    return Answer(answer.columns, rows)


def _amount(value: Any, scale: int) -> Any:
    if isinstance(value, list):
        return [decimal_text(one, scale) for one in value]
    return None if value is None else decimal_text(value, scale)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _of_kind(answer: Answer, is_it: Callable[[Any], bool]) -> set[str]:
    """The columns that have values of a kind and no others, but for those that are missing."""
    found = set()
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows if row[place] is not None]
        if values and all(map(is_it, values)):
            found.add(name)
    return found
