"""Building all views anew beside only reading and decoding the same commits, and where that time goes.

The few and the many hands are folded in turns, each in its home as `handlog rebuild` does it; in PostgreSQL the many,
once. The views of the homes are then there for who asks them.
"""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import pytest

from projections import tables
from projections.queries import proof
from projections.rebuild import rebuild
from projections.registry import VIEWS
from projections.store import Store
from projections.tables import Build
from services.bootstrap import VIEWS_FILE
from services.eventlog.log import Log
from services.views import commits, open_views, rebuild_views
from tests.bench.folder import folder
from tests.bench.money_rooms import MoneyRoom
from tests.bench.rows import Row, Side, compare, faster, growing, info, timed
from tests.bench.stopwatch import Stopwatch
from tests.postgresql import empty_database

GOAL = 0.3
PEER = "reading and decoding the same events"


def rows(few: MoneyRoom, many: MoneyRoom, runs: int) -> list[Row]:
    read, rebuilt, rebuilt_few = compare(
        Side(lambda _: sum(1 for _ in commits(many.log)), results=_all_of(many.log)),
        *(Side(partial(_rebuilt, room), results=_all_of(room.log)) for room in (many, few)),
        runs=runs,
    )
    with open_views(many.home) as store:
        assert proof(store).sound
    name, unit, each = f"all views rebuilt from {many.hands:,} hands", "us/hand", 1e6 / many.hands
    return [
        faster(f"{name}, SQLite", unit, each, rebuilt, read, PEER, GOAL),
        growing(
            f"{name}, SQLite: growth", unit, each * rebuilt, 1e6 / few.hands * rebuilt_few,
            f"the same from {few.hands:,} hands",
        ),
        *(faster(f"{name}, PostgreSQL", unit, each, seconds, read, PEER, None) for seconds in _in_postgresql(many)),
        *where(few),
    ]  # fmt: skip


def _rebuilt(room: MoneyRoom, _: object) -> int:
    return rebuild_views(room.home, room.log)


def _all_of(log: Log) -> Callable[[int], Sequence[int]]:
    """Of how many commits each side tells: all that the log has."""
    there = sum(log.head(shard).height + 1 for shard in range(log.shards))

    def results(told: int) -> Sequence[int]:
        assert told == there, f"{told} of {there} commits"
        return ()

    return results


def _in_postgresql(room: MoneyRoom) -> list[float]:
    """The seconds of one run; none where there is no PostgreSQL, which is said."""
    try:
        with empty_database() as url, Store.open(url) as store:
            seconds, told = timed(Side(lambda _: rebuild(store, commits(room.log))))
            assert proof(store).sound
    except pytest.skip.Exception as missing:
        warnings.warn(f"without the views in PostgreSQL: {missing}", stacklevel=2)
        return []
    _all_of(room.log)(told)
    return [seconds]


def where(room: MoneyRoom) -> list[Row]:
    """Microseconds of each part for one hand; the rest is what hands commits on to the folds."""
    watch = Stopwatch(("read and decode", *(f"fold {view.name}" for view in VIEWS), "load rows", "store rows"))
    watched = [view._replace(fold=watch.watch(view.fold, f"fold {view.name}")) for view in VIEWS]
    loader = tables._loader

    def watched_loader(*of: Any) -> Callable[..., Any]:
        return watch.watch(loader(*of), "load rows")

    with (
        folder() as place,
        pytest.MonkeyPatch.context() as patch,
        Store.open(f"sqlite:///{place / VIEWS_FILE}", watched) as store,
    ):
        patch.setattr(tables, "_loader", watched_loader)
        watch.install(patch, [(Build, "save", "store rows")])
        next_one = watch.watch(partial(next, commits(room.log), None), "read and decode")
        start = perf_counter()
        rebuild(store, iter(next_one, None))
        whole = perf_counter() - start
    spent = watch.seconds | {"the rest": whole - sum(watch.seconds.values())}
    each = 1e6 / room.hands
    return [info(f"of rebuilding all views: {part}", "us/hand", each * seconds) for part, seconds in spent.items()]
