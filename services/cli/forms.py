"""How rows are written: as a table for people; as CSV, JSON or Parquet for machines, where amounts are minor units."""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import typer

from domain.money import SCALES, Money, decimal_text
from domain.rules.phrases import listed
from services.cli.talk import emit, say, stop, table


class Form(NamedTuple):
    """How rows are written: JSON or CSV to stdout, Parquet to a new file, else a table for people."""

    json: bool = False
    csv: bool = False
    parquet: Path | None = None

    @property
    def for_machines(self) -> bool:
        return self.json or self.csv or self.parquet is not None


def form(json: bool, csv: bool, parquet: Path | None = None) -> Form:
    """What the options ask for. Stops where that is more than one form, or the file is there already."""
    options = {"--json": json, "--csv": csv, "--parquet": parquet is not None}
    given = [option for option, is_given in options.items() if is_given]
    if len(given) > 1:
        stop(f"{listed(given)} can't go together: an answer has one form")
    if parquet is not None and parquet.exists():
        stop(f"{parquet} is there already: name a new file, or remove it")
    return Form(json, csv, parquet)


@dataclass(frozen=True, slots=True)
class Report:
    """Rows, and what is said of them.

    `name`: of the rows in JSON. `columns`: their names and types, str or int (None where there is nothing). `amounts`:
    those that are minor units of the row's `currency`, or lists of them. `tables`: for people, the columns of each
    table. `said`: of the rows, such as their proof, in words; `also`: the same for machines. `nothing`: what people
    read where there is no row.
    """

    name: str
    columns: Mapping[str, type]
    rows: Sequence[Mapping[str, Any]]
    amounts: Collection[str] = ()
    tables: Sequence[Sequence[str]] = ()
    said: Sequence[str] = ()
    also: Mapping[str, Any] = field(default_factory=dict)
    nothing: str = "Nothing to report."

    def write(self, form: Form) -> None:
        """To stdout, or to a new file. What is said of the rows goes to stderr unless people read the rest too."""
        if form.parquet is not None:
            self._write_parquet(form.parquet)
        elif form.json:
            emit({self.name: _plain(self.rows), **self.also})
        elif form.csv:
            typer.echo(self._csv(), nl=False)
        else:
            self._show()
        for line in self.said:
            typer.echo(line, err=form.for_machines)

    def _csv(self) -> str:
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(self.columns)
        lines.writerows([_cell(row[name]) for name in self.columns] for row in self.rows)
        return text.getvalue()

    def _write_parquet(self, file: Path) -> None:
        import pyarrow as arrow  # noqa: PLC0415 -- only this form needs it
        from pyarrow import parquet  # noqa: PLC0415

        types = {str: arrow.string(), int: arrow.int64()}
        schema = arrow.schema([(name, types[kind]) for name, kind in self.columns.items()])
        parquet.write_table(arrow.Table.from_pylist(list(self.rows), schema), file)

    def _show(self) -> None:
        if not self.rows:
            say(self.nothing)
            return
        for names in self.tables:
            numbers = tuple(_title(name) for name in names if self.columns[name] is int or name in self.amounts)
            rows = [[_cell(self._for_people(row, name, names)) for name in names] for row in self.rows]
            table(list(map(_title, names)), rows, numbers)

    def _for_people(self, row: Mapping[str, Any], name: str, beside: Collection[str]) -> Any:
        """An amount with its decimal point, and with its currency unless that stands in a column beside it."""
        value = row[name]
        if value is None or name not in self.amounts:
            return value
        currency = row["currency"]
        if isinstance(value, list):
            return [_amount(one, currency, beside) for one in value]
        return _amount(value, currency, beside)


def _amount(amount: int, currency: str, beside: Collection[str]) -> str:
    return decimal_text(amount, SCALES[currency]) if "currency" in beside else str(Money(amount, currency))


def _title(name: str) -> str:
    return name.replace("_", " ")


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


def _plain(value: Any) -> Any:
    """A value as JSON has it; what JSON doesn't know is text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): _plain(one) for key, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return str(value)
