"""How far the views are behind a room that is played in, while their worker keeps them up.

The worker of `handlog views --follow` runs as a process of its own beside the room's, with the pause between two looks
that it has there. How far it is behind is told each time when a batch is stored, for the moment before, when it is
farthest: in commits, those that the room had decided and the views not; in time, for each commit, from its decision
until the views have it. Where both have to share the processors with others, what these take is in it.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import monotonic, process_time, sleep, time_ns
from typing import NamedTuple

from services.bootstrap import LOG_FILE, open_log
from services.cli.views import PAUSE
from services.eventlog import body
from services.views import ViewsWorker, open_views, rebuild_views
from tests.bench import sitting
from tests.bench.folder import folder
from tests.bench.homes import SHARDS
from tests.bench.rows import Row, Side, info, more, timed
from tests.bench.sitting import PLAYERS

LONGEST = 60
"""Seconds for which it may be that nothing is new."""


class Stored(NamedTuple):
    """A batch that the views have. `when`: UTC microseconds. `decided`: when each of its commits was."""

    when: int
    decided: list[int]


Reached = tuple[int, Mapping[int, int]]
"""When a batch was stored, in UTC microseconds, and the height of each shard up to which the views were then."""


def rows(tables: int, commands: int) -> list[Row]:
    opened = SHARDS + tables * (1 + PLAYERS)
    with folder() as place, ProcessPoolExecutor(1, get_context("spawn")) as process:
        home = place / "room"
        process.submit(_ready).result()
        following = process.submit(_follow, home, opened + commands)
        seconds, _, _ = sitting.play(sitting.SQLITE, home, tables, commands, seed=1, clock=_clock)
        reached, busy = following.result()
        batches = _batches(home, reached)
        folding = _all_at_once(home)
    recorded = sorted(at for batch in batches for at in batch.decided)
    began = recorded[opened]
    where = f"views, kept up by their worker, behind a room of {tables} tables"
    return [
        *_behind(f"{where}, commits", "commits", in_commits(batches, began)),
        *_behind(f"{where}, time", "ms", [one / 1000 for one in in_time(batches, began)]),
        info(f"{where}: commits of a batch, mean", "commits", len(recorded) / len(batches)),
        info(f"{where}: the worker's processor time", "us/commit", 1e6 * busy / len(recorded)),
        more(
            f"commits folded by a rebuild, beside those that {tables} tables make", "commits/s",
            len(recorded) / folding, commands / seconds, "the room, its worker beside it", None,
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


def _batches(home: Path, reached: Sequence[Reached]) -> list[Stored]:
    """What was stored when, by what the log says of the commits."""
    with open_log(home) as log:
        decided = {shard: [body.decode(one.body).at for one in log.read(shard)] for shard in range(log.shards)}
    batches, before = [], dict.fromkeys(decided, -1)
    for when, heights in reached:
        new = [at for shard, height in heights.items() for at in decided[shard][before[shard] + 1 : height + 1]]
        batches.append(Stored(when, new))
        before |= heights
    return batches


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


def _follow(home: Path, until: int) -> tuple[list[Reached], float]:
    """Keep the views up until they have so many commits: what was stored when, and the processor seconds of it.
    TimeoutError where nothing more comes."""
    reached: list[Reached] = []
    began = process_time()
    _wait_for((home / LOG_FILE).exists, 0.001)
    with open_log(home) as log, open_views(home) as store:
        worker = ViewsWorker(store, log)

        def look() -> bool:
            before = worker.folded
            worker.catch_up(lambda _: reached.append((_clock(), dict(worker.heights()))))
            return worker.folded > before

        while worker.folded < until:
            _wait_for(look, PAUSE)
    return reached, process_time() - began


def _wait_for(what: Callable[[], object], pause: float) -> None:
    """Look again and again until it is so; with a pause after each look, as the worker makes one."""
    until = monotonic() + LONGEST
    while not what():
        if monotonic() > until:
            raise TimeoutError(f"nothing new for {LONGEST} s")
        sleep(pause)
    sleep(pause)
