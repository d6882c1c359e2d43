"""How a report is written: as a table with its proof in words, CSV, JSON, Parquet. Amounts are minor units but in the
table."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import typer

from domain.money import Money
from services.cli.talk import emit, say, table


class Form(NamedTuple):
    """How a report is written: JSON or CSV to stdout, Parquet to a new file, else a table for people."""

    json: bool = False
    csv: bool = False
    parquet: Path | None = None

    @property
    def for_machines(self) -> bool:
        return self.json or self.csv or self.parquet is not None


@dataclass(slots=True)
class Report:
    """`columns`: their names and types, str or int (None where there is nothing). `amounts`: those that are minor units
    of the row's `currency`. `tables`: for people, the columns of each table. `proof`: the same in words and for
    machines."""

    name: str
    columns: Mapping[str, type]
    rows: Sequence[Mapping[str, Any]]
    amounts: Sequence[str]
    tables: Sequence[Sequence[str]]
    said: Sequence[str] = ()
    also: Mapping[str, Any] = field(default_factory=dict)

    def write(self, form: Form) -> None:
        """To stdout, or to a new file. What it says of its proof goes to stderr unless people read the rest too."""
        if form.parquet is not None:
            self._write_parquet(form.parquet)
        elif form.json:
            emit({self.name: list(self.rows), **self.also})
        elif form.csv:
            typer.echo(self._csv(), nl=False)
        else:
            self._show()
        for line in self.said:
            typer.echo(line, err=form.for_machines)

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(self.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def _write_parquet(self, file: Path) -> None:
        import pyarrow as arrow  # noqa: PLC0415 -- only this form needs it
        from pyarrow import parquet  # noqa: PLC0415

        types = {str: arrow.string(), int: arrow.int64()}
        schema = arrow.schema([(name, types[kind]) for name, kind in self.columns.items()])
        parquet.write_table(arrow.Table.from_pylist(list(self.rows), schema), file)

    def _show(self) -> None:
        if not self.rows:
            say("Nothing to report.")
            return
        for columns in self.tables:
            right = tuple(_title(name) for name in columns if self.columns[name] is int)
            table(list(map(_title, columns)), [[self._cell(row, name) for name in columns] for row in self.rows], right)

    def _cell(self, row: Mapping[str, Any], name: str) -> str:
        value = row[name]
        if value is None:
            return ""
        return str(Money(value, row["currency"])) if name in self.amounts else str(value)


def _title(name: str) -> str:
    return name.replace("_", " ")
