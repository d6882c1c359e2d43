"""Folding commits into the builds of a store, a transaction each batch: rows and positions together.

Whoever goes on folding keeps the rows that he has met. Views are folds of the log and of nothing else, so rows are what
the positions say: as long as these are where he left them, the rows are too. He asks in each transaction, in which
nobody else writes.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, select

from projections.commit import Commit
from projections.mistakes import Gap
from projections.tables import POSITIONS, Build, upsert
from projections.view import Rows, View

Heights = dict[int, int]
"""The last commit that was folded, by shard."""


class Folding:
    """One who folds batch after batch. Not for several threads at once; others may fold into the same builds."""

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        builds: Callable[[Connection], Sequence[Build]],
    ) -> None:
        """`transaction`: begins one in which nobody else writes. `builds`: those that are to be folded into now."""
        self._transaction, self._builds = transaction, builds
        self._db: Connection
        self._heights: Mapping[Build, Heights] = {}
        self._rows: dict[Build, list[Rows[Any]]] = {}

    def apply(self, commits: Sequence[Commit]) -> int:
        """Fold a batch into every build, in one transaction; how many of the commits were new.

        Those of a shard stand in order. Those that a build has folded already are skipped. Raises Gap, OutOfDate; then
        nothing of the batch is stored.
        """
        try:
            with self._transaction() as self._db:
                self._look()
                return max(self._advance(build, commits) for build in self._heights)
        except BaseException:
            self._heights = {}
            raise

    def _look(self) -> None:
        """See where the builds stand, and forget the rows where that isn't where they were left."""
        stored = heights_of(self._db, self._builds(self._db))
        if stored != self._heights:
            self._heights = stored
            self._rows = {build: build.rows(lambda: self._db) for build in stored}

    def _advance(self, build: Build, commits: Sequence[Commit]) -> int:
        """Fold the commits that the build hasn't folded yet, and note how far it is now."""
        heights, rows, fold = self._heights[build], self._rows[build], build.view.fold
        new, ends = _not_folded(build.view, commits, heights)
        for commit in new:
            fold(commit, *rows)
        build.save(self._db, rows)
        upsert(self._db, POSITIONS, [(build.view.name, build.number, *end) for end in ends.items()])
        heights |= ends
        return len(new)


def _not_folded(view: View, commits: Sequence[Commit], heights: Heights) -> tuple[list[Commit], Heights]:
    """Those of the commits that come next for a view that stands there, and where it stands after them."""
    new: list[Commit] = []
    ends: Heights = {}
    for commit in commits:
        shard, height, _, _ = commit
        last = ends.get(shard, heights.get(shard, -1))
        if height > last + 1:
            raise Gap(
                f"view {view.name} can't fold commit {height} of shard {shard}: the next one is {last + 1}; give it "
                "the commits from there on, or run `handlog rebuild`"
            )
        if height == last + 1:
            ends[shard] = height
            new.append(commit)
    return new, ends


def heights_of(db: Connection, builds: Sequence[Build]) -> dict[Build, Heights]:
    """How far each of the builds is."""
    found: dict[tuple[str, int], Heights] = {(build.view.name, build.number): {} for build in builds}
    for row in db.execute(select(POSITIONS)):
        if (row.view, row.build) in found:
            found[row.view, row.build][row.shard] = row.height
    return {build: found[build.view.name, build.number] for build in builds}


def is_of(build: Build) -> Any:
    """The condition that a position is one of the build's."""
    return (POSITIONS.c.view == build.view.name) & (POSITIONS.c.build == build.number)
