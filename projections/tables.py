"""The SQL tables of views. Each build of a view has its own: `balances_accounts_r1_b3` is build 3, of revision 1."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from sqlalchemy import (
    BigInteger,
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

    def rows(self, db: Connection) -> list[Rows[Any]]:
        """The rows of each layout, loaded when they are asked for."""
        return [
            Rows(layout, _loader(db, layout, table))
            for layout, table in zip(self.view.layouts, self.tables, strict=True)
        ]

    def save(self, db: Connection, rows: Iterable[Rows[Any]]) -> None:
        """Write the rows that changed."""
        for table, changed in zip(self.tables, (each.changed for each in rows), strict=True):
            upsert(db, table, [row._asdict() for row in changed.values() if row is not None])
            _delete(db, table, [key for key, row in changed.items() if row is None])


def upsert(db: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert the rows; one whose key is there already is replaced."""
    if rows:
        db.execute(_upsert(table, db.dialect.name), rows)


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


@cache
def _upsert(table: Table, dialect: str) -> Any:
    insert = _INSERT[dialect](table)
    key = [column.name for column in table.primary_key]
    rest = {column.name: insert.excluded[column.name] for column in table.c if not column.primary_key}
    return insert.on_conflict_do_update(index_elements=key, set_=rest)


@cache
def _by_key(table: Table) -> tuple[Any, ...]:
    return tuple(column == bindparam(f"key_{column.name}") for column in table.primary_key)


@cache
def _select(table: Table) -> Any:
    return select(table).where(*_by_key(table))


def _loader(db: Connection, layout: Layout, table: Table) -> Callable[[Key], Any]:
    names = [f"key_{column.name}" for column in table.primary_key]

    def load(key: Key) -> Any:
        row = db.execute(_select(table), dict(zip(names, key, strict=True))).first()
        return None if row is None else layout.row(*row)

    return load


def _delete(db: Connection, table: Table, keys: list[Key]) -> None:
    names = [f"key_{column.name}" for column in table.primary_key]
    if keys:
        db.execute(delete(table).where(*_by_key(table)), [dict(zip(names, key, strict=True)) for key in keys])
