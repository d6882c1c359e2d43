"""Where the rows of the views are kept: SQLite by default, PostgreSQL by URL.

A view has builds, each with tables of its own; one is current, the one that is read. Rows and positions of a batch of
commits are stored in one transaction, so that a process that is killed leaves either all of a batch or nothing. The
store can be thrown away: the log is what counts, and a rebuild makes it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, delete, inspect, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from projections.commit import Commit
from projections.engines import alone, engine_for, keep_the_tables
from projections.folding import Folding, heights_of, is_of
from projections.mistakes import Gap, OutOfDate, StoreError
from projections.registry import VIEWS
from projections.tables import CURRENT, DIALECTS, POSITIONS, STORE, Build, drop_other_builds, upsert
from projections.view import View

__all__ = ["Gap", "OutOfDate", "Store", "StoreError"]


class Store:
    """The views of a room in a database. Threads may share it; of those who write, one waits for the other."""

    def __init__(self, engine: Engine, views: Sequence[View]) -> None:
        self.engine = engine
        self.views = tuple(views)

    @classmethod
    def open(cls, url: str | URL, views: Sequence[View] = VIEWS) -> "Store":
        """The store at an SQLAlchemy URL (`sqlite:///home/views.db`), made if nothing is there. Raises StoreError."""
        store = cls(_engine(url), views)
        try:
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Let go of the database; safe to call twice."""
        self.engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for queries, all of which see the same moment."""
        with self._transaction(write=False) as db:
            keep_the_tables(db)
            yield db

    def table(self, db: Connection, view: View, layout: str) -> Table:
        """The table to query for a layout of a view. Raises OutOfDate."""
        names = [each.name for each in view.layouts]
        return self._current(db, view).tables[names.index(layout)]

    def positions(self, view: View | None = None) -> dict[int, int]:
        """The height up to which the view (by default: every view) has folded each shard; -1 for one it hasn't begun.

        The next commit to give to `apply` is the one after it.
        """
        with self.read() as db:
            heights = heights_of(db, self._all_current(db, [view] if view else self.views)).values()
        shards = sorted({shard for each in heights for shard in each})
        return {shard: min(each.get(shard, -1) for each in heights) for shard in shards}

    def heights(self, db: Connection, view: View) -> dict[int, int]:
        """The last commit that the view has folded, by shard."""
        build = self._current(db, view)
        return heights_of(db, [build])[build]

    # Writing

    def apply(self, commits: Sequence[Commit]) -> int:
        """Fold one batch into every current view, as `Folding.apply` does batch after batch."""
        return self.folding().apply(commits)

    def folding(self, builds: Sequence[Build] | None = None) -> Folding:
        """To fold one batch after another, into the builds that are current then, or into others than those."""
        return Folding(partial(self._transaction, write=True), lambda db: builds or self._all_current(db, self.views))

    def begin_builds(self) -> tuple[Build, ...]:
        """A new, empty build of every view, beside the current one. What an earlier attempt left is dropped."""
        with self._transaction(write=True) as db:
            rows = _current_rows(db)
            builds = tuple(Build(view, _row_of(rows, view).build + 1) for view in self.views)
            for build in builds:
                build.create(db)
                db.execute(delete(POSITIONS).where(is_of(build)))
        return builds

    def switch(self, builds: Sequence[Build]) -> None:
        """Make the builds current, all at once, and drop the ones that they replace."""
        with self._transaction(write=True) as db:
            alone(db)
            for build in builds:
                _make_current(db, build)
                db.execute(
                    delete(POSITIONS).where(POSITIONS.c.view == build.view.name, POSITIONS.c.build != build.number)
                )
                drop_other_builds(db, build)

    def _prepare(self) -> None:
        with self._transaction(write=False) as db:
            ready = inspect(db).has_table(POSITIONS.name) and not self._without_build(db)
        if not ready:
            with self._transaction(write=True) as db:
                STORE.create_all(db)
                for view in self._without_build(db):
                    Build(view, 1).create(db)
                    _make_current(db, Build(view, 1))

    def _without_build(self, db: Connection) -> list[View]:
        there = set(db.scalars(select(CURRENT.c.view)))
        return [view for view in self.views if view.name not in there]

    def _current(self, db: Connection, view: View) -> Build:
        return self._all_current(db, [view])[0]

    def _all_current(self, db: Connection, views: Sequence[View]) -> tuple[Build, ...]:
        """Raises OutOfDate."""
        rows = _current_rows(db)
        return tuple(Build(view, _of_our_revision(_row_of(rows, view), view).build) for view in views)

    @contextmanager
    def _transaction(self, *, write: bool) -> Iterator[Connection]:
        try:
            with self.engine.connect().execution_options(write=write) as db, db.begin():
                yield db
        except DBAPIError as error:
            raise StoreError(
                f"the store of the views, {self.engine.url.render_as_string()}, can't be used: {_first_line(error)}. "
                "If it is damaged, delete it and run `handlog rebuild`: all that it held is in the log"
            ) from error


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0]


def _what_to_do(stored: int, ours: int) -> str:
    return "run `handlog rebuild`" if stored < ours else "use the newer version that wrote it, or run `handlog rebuild`"


def _current_rows(db: Connection) -> dict[str, Any]:
    return {row.view: row for row in db.execute(select(CURRENT))}


def _row_of(rows: Mapping[str, Any], view: View) -> Any:
    if view.name not in rows:
        raise OutOfDate(f"view {view.name} isn't stored here: run `handlog rebuild`")
    return rows[view.name]


def _of_our_revision(row: Any, view: View) -> Any:
    if row.revision != view.revision:
        raise OutOfDate(
            f"view {view.name} is stored in revision {row.revision}, this version of handlog reads revision "
            f"{view.revision}: {_what_to_do(row.revision, view.revision)}"
        )
    return row


def _make_current(db: Connection, build: Build) -> None:
    upsert(db, CURRENT, [(build.view.name, build.view.revision, build.number)])


def _engine(url: str | URL) -> Engine:
    try:
        engine = engine_for(url)
    except (ArgumentError, NoSuchModuleError, ImportError, TypeError) as error:
        raise StoreError(
            f"that is no address of a database: {error}; say `sqlite:///FILE` or `postgresql://USER@HOST/DATABASE`"
        ) from error
    if engine.dialect.name not in DIALECTS:
        raise StoreError(f"the views are kept in {' or '.join(DIALECTS)}, not in {engine.dialect.name}")
    return engine
