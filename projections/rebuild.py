"""Fold a log from its beginning, beside the views that are read, and let the new ones take their place at once."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from projections.commit import Commit
from projections.folding import Folding
from projections.store import Store

BATCH = 1024
"""Commits to a transaction."""

Progress = Callable[[int], None]
"""Called with how many commits were folded since it was called last."""


def rebuild(store: Store, commits: Iterable[Commit], progress: Progress | None = None) -> int:
    """Build every view anew from all commits of the log; returns how many there were.

    The old views stay readable, and go on with `Store.apply`, until the new ones take over. If it is killed before
    that, nothing has changed. A projector that runs on must ask `Store.positions` again when it meets a Gap.
    """
    builds = store.begin_builds()
    folded = _fold(store.folding(builds), commits, progress)
    store.switch(builds)
    return folded


def catch_up(store: Store, commits: Iterable[Commit], progress: Progress | None = None) -> int:
    """Fold commits into the current views, a transaction each batch; returns how many were new."""
    return _fold(store.folding(), commits, progress)


def _fold(folding: Folding, commits: Iterable[Commit], progress: Progress | None) -> int:
    folded = 0
    for batch in batches(commits):
        new = folding.apply(batch)
        folded += new
        if progress is not None:
            progress(new)
    return folded


def batches(commits: Iterable[Commit]) -> Iterator[list[Commit]]:
    """The commits in as many transactions as they are folded in."""
    rest = iter(commits)
    while batch := list(islice(rest, BATCH)):
        yield batch
