"""Answers of the warehouse as reports: times by the room's clock and in UTC, and which hands it can't know of yet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from domain.rules.phrases import listed
from services.cli.forms import Form, Report
from services.cli.times import in_zone, to_the_second
from services.warehouse.asking import Answer, as_dicts
from services.warehouse.tables import AMOUNTS


def tell(
    answer: Answer,
    form: Form,
    zone: str,
    under_way: Sequence[str],
    *,
    nothing: str,
    as_money: bool,
    aside: Collection[str] = (),
) -> None:
    """An answer, and which hands it can't know of yet; `nothing`: what people read where there is no row.

    For machines each time stands in UTC and, as `..._room`, by the room's clock. `as_money`: people read the amounts of
    rows that say their currency with their decimal point. `aside`: columns that only machines are told.
    """
    timed = _with_times(answer, _for_machines(zone) if form.for_machines else _for_people(zone))
    Report(
        name="rows",
        columns=_types(timed),
        rows=as_dicts(timed),
        amounts=AMOUNTS.intersection(timed.columns) if as_money and "currency" in timed.columns else (),
        tables=[[name for name in timed.columns if name not in aside]],
        said=[_not_counted(under_way)] if under_way else [],
        also={"time_zone": zone, "under_way": under_way},
        nothing=nothing,
    ).write(form)


def in_both(time: datetime, zone: str) -> str:
    """A time by the room's clock and in UTC, in words."""
    utc = f"{to_the_second(time)} UTC"
    return utc if zone == "UTC" else f"{to_the_second(in_zone(time, zone))} {zone} ({utc})"


def _not_counted(hands: Sequence[str]) -> str:
    return f"Not counted, since {'they are' if len(hands) > 1 else 'it is'} under way: {listed(hands)}."


def _types(answer: Answer) -> Mapping[str, type]:
    numbers = _of_kind(answer, lambda value: isinstance(value, int) and not isinstance(value, bool))
    return {name: int if name in numbers else str for name in answer.columns}


def _of_kind(answer: Answer, is_it: Callable[[Any], bool]) -> set[str]:
    """The columns that have values of a kind and no others, but for those that are missing."""
    found = set()
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows if row[place] is not None]
        if values and all(map(is_it, values)):
            found.add(name)
    return found


# --- times -----------------------------------------------------------------------------------------------------------

Columns = Callable[[str, Sequence[datetime | None]], dict[str, list[str | None]]]
"""What becomes of a column of times."""


def _for_machines(zone: str) -> Columns:
    return lambda name, times: {
        name: _texts(times, datetime.isoformat),
        f"{name}_room": _texts(times, lambda time: in_zone(time, zone).isoformat()),
    }


def _for_people(zone: str) -> Columns:
    def both(name: str, times: Sequence[datetime | None]) -> dict[str, list[str | None]]:
        in_utc = {f"{name} (UTC)": _texts(times, to_the_second)}
        if zone == "UTC":
            return in_utc
        return {f"{name} ({zone})": _texts(times, lambda time: to_the_second(in_zone(time, zone)))} | in_utc

    return both


def _with_times(answer: Answer, become: Columns) -> Answer:
    times = _of_kind(answer, lambda value: isinstance(value, datetime) and value.tzinfo is not None)
    columns: dict[str, Sequence[Any]] = {}
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows]
        columns |= become(name, values) if name in times else {name: values}
    return Answer(list(columns), list(zip(*columns.values(), strict=True)))


def _texts(times: Sequence[datetime | None], text: Callable[[datetime], str]) -> list[str | None]:
    return [None if time is None else text(time) for time in times]
