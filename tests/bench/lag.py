"""How far the views are behind a room that is played in.

Nothing keeps them up by itself: a report folds what is new when it is asked for. Here somebody asks without a pause: a
process beside the room's, with a handle of its own on the log, folds what is new into a store, again and again. How far
it is behind is told each time when a batch is stored, for the moment before, when it is farthest: in commits, those
that the room had decided and the views not; in time, for each commit, from its decision until the views have it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import monotonic, sleep, time_ns
from typing import NamedTuple

from projections.commit import Commit
from projections.rebuild import catch_up
from services.bootstrap import LOG_FILE, open_log
from services.views import commits, open_views, rebuild_views
from tests.bench import sitting
from tests.bench.folder import folder
from tests.bench.homes import SHARDS
from tests.bench.rows import Row, Side, info, more, timed
from tests.bench.sitting import PLAYERS

PAUSE, LONGEST = 0.001, 60
"""Seconds before it is looked again where nothing was new, and for how long that may be so."""


class Stored(NamedTuple):
    """A batch that the views have. `when`: UTC microseconds. `decided`: when each of its commits was."""

    when: int
    decided: list[int]


def rows(tables: int, commands: int) -> list[Row]:
    opened = SHARDS + tables * (1 + PLAYERS)
    with folder() as place, ProcessPoolExecutor(1, get_context("spawn")) as process:
        home = place / "room"
        process.submit(_ready).result()
        following = process.submit(_follow, home, opened + commands)
        seconds, _, _ = sitting.play(sitting.SQLITE, home, tables, commands, seed=1, clock=_clock)
        batches = following.result()
        folding = _all_at_once(home)
    recorded = sorted(at for batch in batches for at in batch.decided)
    began = recorded[opened]
    where = f"views behind a room of {tables} tables"
    return [
        *_behind(f"{where}, commits", "commits", in_commits(batches, began)),
        *_behind(f"{where}, time", "ms", [one / 1000 for one in in_time(batches, began)]),
        info(f"{where}: commits of a batch, mean", "commits", len(recorded) / len(batches)),
        more(
            f"commits folded by a rebuild, beside those that {tables} tables make", "commits/s",
            len(recorded) / folding, commands / seconds, "the room, its views kept up beside it", None,
        ),
    ]  # fmt: skip


def in_commits(batches: Sequence[Stored], began: int) -> list[int]:
    """For each batch that was stored since then: how many commits were decided, and not in the views, just before."""
    recorded = sorted(at for batch in batches for at in batch.decided)
    behind, folded = [], 0
    for batch in batches:
        if batch.when >= began:
            behind.append(bisect_right(recorded, batch.when) - folded)
        folded += len(batch.decided)
    return behind


def in_time(batches: Sequence[Stored], began: int) -> list[int]:
    """For each commit that was decided since then: the microseconds until the views had it."""
    return [batch.when - at for batch in batches for at in batch.decided if at >= began]


def _behind(name: str, unit: str, values: Sequence[float]) -> list[Row]:
    return [info(f"{name}, median", unit, median(values)), info(f"{name}, worst", unit, max(values))]


def _clock() -> int:
    """UTC microseconds."""
    return time_ns() // 1000


def _all_at_once(home: Path) -> float:
    """Seconds in which all views are built anew, when the room has stopped."""
    with open_log(home) as log:
        seconds, _ = timed(Side(lambda _: rebuild_views(home, log)))
    return seconds


# --- in the process beside -------------------------------------------------------------------------------------------


def _ready() -> None:
    """Nothing to do: what is needed is imported by now."""


def _follow(home: Path, until: int) -> list[Stored]:
    """Fold what is new until the views have so many commits; each batch. TimeoutError where nothing more comes."""
    stored: list[Stored] = []
    taken: list[int] = []

    def noted(new: Iterator[Commit]) -> Iterator[Commit]:
        for commit in new:
            taken.append(commit.at)
            yield commit

    def note(_: int) -> None:
        stored.append(Stored(_clock(), list(taken)))
        taken.clear()

    _wait_for((home / LOG_FILE).exists)
    with open_log(home) as log, open_views(home) as store:
        while sum(len(batch.decided) for batch in stored) < until:
            _wait_for(lambda: catch_up(store, noted(commits(log, store.positions())), note))
    return stored


def _wait_for(what: Callable[[], object]) -> None:
    """Look again and again until it is so."""
    until = monotonic() + LONGEST
    while not what():
        if monotonic() > until:
            raise TimeoutError(f"nothing new for {LONGEST} s")
        sleep(PAUSE)
