"""The SQL tables of views. Each build of a view has its own: `balances_accounts_r1_b3` is build 3, of revision 1."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from sqlalchemy import (
    BigInteger,
    ClauseElement,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    delete,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg

from projections.view import Key, Layout, Rows, View

STORE = MetaData()

TEXT = String().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Ordered as its bytes are, in every database."""

CURRENT = Table(
    "views",
    STORE,
    Column("view", String, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("build", Integer, nullable=False),
)
"""The build of each view that is read."""

POSITIONS = Table(
    "positions",
    STORE,
    Column("view", String, primary_key=True),
    Column("build", Integer, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("height", BigInteger, nullable=False),
)
"""The last commit of each shard that a build has folded."""

_INSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
DIALECTS = tuple(_INSERT)

_PSYCOPG: Any = psycopg.dialect
_BY_PLACE = {"sqlite": sqlite.dialect(paramstyle="qmark"), "postgresql": _PSYCOPG(paramstyle="format")}
"""As each driver takes values by their places."""


class Build(NamedTuple):
    """A view and the number of one set of its tables."""

    view: View
    number: int

    @property
    def tables(self) -> tuple[Table, ...]:
        return _tables(self.view, self.number)

    def create(self, db: Connection) -> None:
        """Make the tables, empty: what an earlier attempt may have left under their names goes."""
        for table in self.tables:
            table.drop(db, checkfirst=True)
            table.create(db)

    def rows(self, connection: Callable[[], Connection]) -> list[Rows[Any]]:
        """The rows of each layout, loaded when they are asked for, by the connection of that moment."""
        return [
            Rows(layout, _loader(connection, layout, table))
            for layout, table in zip(self.view.layouts, self.tables, strict=True)
        ]

    def save(self, db: Connection, rows: Iterable[Rows[Any]]) -> None:
        """Write the rows that changed."""
        for table, each in zip(self.tables, rows, strict=True):
            if each.changed:
                upsert(db, table, [row for row in each.changed.values() if row is not None])
                _delete(db, table, [key for key, row in each.changed.items() if row is None])
                each.stored()


def upsert(db: Connection, table: Table, rows: list[tuple[Any, ...]]) -> None:
    """Insert the rows, in the order of the columns; one whose key is there already is replaced."""
    if rows:
        db.exec_driver_sql(_statements(table, db.dialect.name).upsert, rows)


def drop_other_builds(db: Connection, build: Build) -> None:
    """Drop every table of the view, of whatever revision, that isn't the build's."""
    ours = {table.name for table in build.tables}
    of_the_view = re.compile(rf"{build.view.name}_[a-z_]+_r\d+_b\d+")
    for name in inspect(db).get_table_names():
        if of_the_view.fullmatch(name) and name not in ours:
            db.execute(text(f'DROP TABLE "{name}"'))


@cache
def _tables(view: View, number: int) -> tuple[Table, ...]:
    metadata = MetaData()
    return tuple(
        _table(metadata, f"{view.name}_{layout.name}_r{view.revision}_b{number}", layout) for layout in view.layouts
    )


def _table(metadata: MetaData, name: str, layout: Layout) -> Table:
    columns = [
        Column(
            field,
            TEXT if kind is str else BigInteger,
            primary_key=place < layout.key,
            nullable=kind == int | None,
            autoincrement=False,
        )
        for place, (field, kind) in enumerate(get_type_hints(layout.row).items())
    ]
    table = Table(name, metadata, *columns)
    for index in layout.indexes:
        Index(f"{name}_by_{'_'.join(index)}", *(table.c[field] for field in index))
    return table


class Statements(NamedTuple):
    """What is asked of a table all the time: `select` and `delete` take a key, `upsert` a row, by places."""

    select: str
    upsert: str
    delete: str


@cache
def _statements(table: Table, dialect: str) -> Statements:
    """Compiled once: to have SQLAlchemy execute them costs more than the database takes for one row."""
    key = list(table.primary_key)
    by_key = [column == bindparam(f"key_{column.name}") for column in key]
    insert = _INSERT[dialect](table)
    rest = {column.name: insert.excluded[column.name] for column in table.c if not column.primary_key}
    upsert = insert.on_conflict_do_update(index_elements=key, set_=rest)
    keys, columns = [f"key_{column.name}" for column in key], [column.name for column in table.c]
    return Statements(
        _text(select(table).where(*by_key), dialect, keys),
        _text(upsert, dialect, columns),
        _text(delete(table).where(*by_key), dialect, keys),
    )


def _text(statement: ClauseElement, dialect: str, places: Sequence[str]) -> str:
    """The statement as its driver takes it, the values in the order of `places`."""
    compiled: Any = statement.compile(dialect=_BY_PLACE[dialect])
    assert compiled.positiontup == list(places)
    return str(compiled)


def _loader(connection: Callable[[], Connection], layout: Layout, table: Table) -> Callable[[Key], Any]:
    def load(key: Key) -> Any:
        db = connection()
        row = db.exec_driver_sql(_statements(table, db.dialect.name).select, key).first()
        return None if row is None else layout.row(*row)

    return load


def _delete(db: Connection, table: Table, keys: list[Key]) -> None:
    if keys:
        db.exec_driver_sql(_statements(table, db.dialect.name).delete, keys)
