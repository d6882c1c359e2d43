"""Asks the warehouse with DuckDB: the queries that have a name, and any other, which can only read it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from services.warehouse.manifest import Manifest, WarehouseError, load, reading
from services.warehouse.tables import PARTED_BY, REVISION, TABLES, schema

_QUERIES = Path(__file__).with_name("queries")


class Answer(NamedTuple):
    """Rows under their columns. Amounts are minor units, times are aware datetimes in UTC."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


class Warehouse:
    """The warehouse as of its last batch, open for questions. `under_way`: the hands that were not over then, and so
    stand in no table."""

    def __init__(self, db: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
        self._db = db
        self.under_way = sorted(hand for one in manifest.positions.values() for hand in one.under_way)

    def ask(self, name: str, **parameters: Any) -> Answer:
        """The answer to the query of that name, `queries/<name>.sql`."""
        return self._answer(query_text(name), parameters)

    def ask_freely(self, sql: str) -> Answer:
        """The answer to one SELECT over the tables. Raises WarehouseError for anything else, and for what DuckDB can't
        answer."""
        try:
            said = self._db.extract_statements(sql)
        except duckdb.Error as error:
            raise _cannot_be_answered(error) from error
        if [one.type for one in said] != [duckdb.StatementType.SELECT]:
            raise WarehouseError(
                f"{sql!r} isn't one query that only reads: ask a single one, such as FROM hands WHERE pot > 4000"
            )
        return self._answer(sql, {})

    def explain(self, name: str, **parameters: Any) -> str:
        """How DuckDB goes about the query of that name, with what each step took."""
        rows = self._db.execute(f"EXPLAIN ANALYZE {query_text(name)}", parameters).fetchall()
        return "\n".join(str(row[-1]) for row in rows)

    def _answer(self, sql: str, parameters: dict[str, Any]) -> Answer:
        try:
            found = self._db.sql(sql, params=parameters).to_arrow_table()
        except duckdb.Error as error:
            raise _cannot_be_answered(error) from error
        columns = [_whole(column.to_pylist()) for column in found.columns]
        return Answer(_told_apart(found.column_names), list(zip(*columns, strict=True)))


@contextmanager
def opened(folder: Path) -> Iterator[Warehouse]:
    """The warehouse that lies in the folder; as long as the context lasts, its files stay. Raises WarehouseError."""
    with reading(folder):
        manifest = load(folder)
        if manifest is None or manifest.revision != REVISION:
            raise WarehouseError(f"{folder} has no warehouse of revision {REVISION}: run `handlog warehouse`")
        with duckdb.connect(":memory:", config=_CONFIG) as db:
            _show_tables(db, folder, manifest)
            yield Warehouse(db, manifest)


def query_names() -> list[str]:
    return sorted(path.stem for path in _QUERIES.glob("*.sql"))


def query_text(name: str) -> str:
    """The query of that name, with its comment: what it answers, its parameters and columns."""
    return (_QUERIES / f"{name}.sql").read_text()


_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""Nothing is fetched from anywhere."""


def _show_tables(db: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Each table as a view of the files that the manifest names; from then on no other file can be reached."""
    paths: list[str] = []
    for table in TABLES:
        files = [str(folder / file.path) for file in manifest.files if file.table == table]
        paths += files
        if files:
            db.read_parquet(files, hive_partitioning=True).create_view(table)
        else:
            db.register(table, _empty(table))
    db.execute("SET TimeZone = 'UTC'")
    db.execute("SET allowed_paths = $paths", {"paths": paths})
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")


def _empty(table: str) -> Any:
    import pyarrow as pa  # noqa: PLC0415 -- a warehouse that has rows of every table needs none

    parted = dict(zip(PARTED_BY, (pa.date32(), pa.string()), strict=True))
    return pa.schema([*schema(table), *(pa.field(name, kind) for name, kind in parted.items())]).empty_table()


def _told_apart(names: Sequence[str]) -> list[str]:
    """The columns' names; of several alike, as a join gives them, the second becomes `day_2`, the third `day_3`."""
    taken = set(names)
    told: list[str] = []
    for name in names:
        free = (other for number in count(2) if (other := f"{name}_{number}") not in taken)
        told.append(next(free) if name in told else name)
        taken.add(told[-1])
    return told


def _whole(values: list[Any]) -> list[Any]:
    """Sums, which DuckDB gives as decimals without places, as the whole numbers that they are."""
    sums = all(value is None or (isinstance(value, Decimal) and value.as_tuple().exponent == 0) for value in values)
    return [None if value is None else int(value) for value in values] if sums else values


def _cannot_be_answered(error: duckdb.Error) -> WarehouseError:
    return WarehouseError(f"the query can't be answered: {' '.join(str(error).split())}")


def as_dicts(answer: Answer) -> Sequence[dict[str, Any]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
