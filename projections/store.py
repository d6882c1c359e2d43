"""Where the rows of the views are kept: SQLite by default, PostgreSQL by URL.

A view has builds, each with tables of its own; one is current, the one that is read. Rows and positions of a batch of
commits are stored in one transaction, so that a process that is killed leaves either all of a batch or nothing. The
store can be thrown away: the log is what counts, and a rebuild makes it again.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, delete, inspect, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from projections.commit import Commit
from projections.engines import alone, engine_for, keep_the_tables
from projections.registry import VIEWS
from projections.tables import CURRENT, DIALECTS, POSITIONS, STORE, Build, drop_other_builds, upsert
from projections.view import View


class StoreError(Exception):
    """Something is wrong with the store; the sentence says what, and what would be right."""


class Gap(StoreError):
    """Commits are missing between those that were folded and the one that was given."""


class OutOfDate(StoreError):
    """The store's views are of another revision than this build's."""


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
            heights = [self.heights(db, each) for each in ([view] if view else self.views)]
        shards = sorted({shard for each in heights for shard in each})
        return {shard: min(each.get(shard, -1) for each in heights) for shard in shards}

    def heights(self, db: Connection, view: View) -> dict[int, int]:
        """The last commit that the view has folded, by shard."""
        return _heights(db, self._current(db, view))

    # Writing

    def apply(self, commits: Sequence[Commit]) -> int:
        """Fold a batch into every current view, in one transaction; how many of the commits were new.

        Those of a shard stand in order. Those that a view has folded already are skipped. Raises Gap, OutOfDate; then
        nothing of the batch is stored.
        """
        with self._transaction(write=True) as db:
            return max(_advance(db, self._current(db, view), commits) for view in self.views)

    def begin_builds(self) -> tuple[Build, ...]:
        """A new, empty build of every view, beside the current one. What an earlier attempt left is dropped."""
        with self._transaction(write=True) as db:
            builds = tuple(Build(view, _current_row(db, view).build + 1) for view in self.views)
            for build in builds:
                build.create(db)
                db.execute(delete(POSITIONS).where(_is_of(build)))
        return builds

    def apply_to(self, builds: Sequence[Build], commits: Sequence[Commit]) -> int:
        """As `apply`, to builds that aren't current yet."""
        with self._transaction(write=True) as db:
            return max(_advance(db, build, commits) for build in builds)

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
        row = _current_row(db, view)
        if row.revision != view.revision:
            raise OutOfDate(
                f"view {view.name} is stored in revision {row.revision}, this version of handlog reads revision "
                f"{view.revision}: {_what_to_do(row.revision, view.revision)}"
            )
        return Build(view, row.build)

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


def _advance(db: Connection, build: Build, commits: Sequence[Commit]) -> int:
    """Fold the commits that the build hasn't folded yet, and note how far it is now."""
    heights, rows = _heights(db, build), build.rows(db)
    new, fold = 0, build.view.fold
    for commit in commits:
        if _is_next(build.view, commit, heights.get(commit.shard, -1)):
            fold(commit, *rows)
            heights[commit.shard] = commit.height
            new += 1
    if new:
        build.save(db, rows)
        of_build = {"view": build.view.name, "build": build.number}
        upsert(db, POSITIONS, [of_build | {"shard": shard, "height": height} for shard, height in heights.items()])
    return new


def _is_next(view: View, commit: Commit, height: int) -> bool:
    """Whether the commit is the next one for a view that stands at that height; False where it was folded already."""
    if commit.height > height + 1:
        raise Gap(
            f"view {view.name} can't fold commit {commit.height} of shard {commit.shard}: the next one is "
            f"{height + 1}; give it the commits from there on, or run `handlog rebuild`"
        )
    return commit.height == height + 1


def _heights(db: Connection, build: Build) -> dict[int, int]:
    found = db.execute(select(POSITIONS.c.shard, POSITIONS.c.height).where(_is_of(build)))
    return {row.shard: row.height for row in found}


def _is_of(build: Build) -> Any:
    return (POSITIONS.c.view == build.view.name) & (POSITIONS.c.build == build.number)


def _current_row(db: Connection, view: View) -> Any:
    row = db.execute(select(CURRENT.c.revision, CURRENT.c.build).where(CURRENT.c.view == view.name)).first()
    if row is None:
        raise OutOfDate(f"view {view.name} isn't stored here: run `handlog rebuild`")
    return row


def _make_current(db: Connection, build: Build) -> None:
    upsert(db, CURRENT, [{"view": build.view.name, "revision": build.view.revision, "build": build.number}])


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
