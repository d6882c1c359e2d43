"""Where the time of a durable command goes.

In a sitting of its own, since a watched one is slower than a timed one, and without the writer's thread, so that no
part is charged with waiting for another thread.
"""

from collections.abc import Callable
from contextlib import closing
from time import perf_counter
from typing import Any

import pytest

from domain.hand import state as hand_state
from domain.table import state as table_state
from services.eventlog import body, commit
from services.eventlog.sqlite_log import SqliteLog
from services.room import room
from tests.bench import homes
from tests.bench.bots import TableBots
from tests.bench.durable import PLAYERS
from tests.bench.folder import folder
from tests.bench.homes import Lockstep
from tests.bench.rows import Row, info

PARTS = ("decide", "evolve", "check", "encode", "seal", "hash", "store", "the bots, not ours")

_WATCHED: tuple[tuple[object, str, str], ...] = (
    (room, "play", "decide"),
    (room, "check", "check"),
    (room, "events_of", "encode"),
    (body, "entry", "encode"),
    (commit, "seal", "seal"),
    (commit, "sha256", "hash"),
    (SqliteLog, "_write", "store"),
    (homes, "command", "the bots, not ours"),
    (TableBots, "next_command", "the bots, not ours"),
    (TableBots, "take", "the bots, not ours"),
)
_WATCHED_FOLDS: tuple[dict[Any, Any], ...] = (hand_state.EVOLVE, table_state.EVOLVE)


class Stopwatch:
    """The seconds spent in each part, what a part spends within another one not counted for the outer."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._running: list[str] = []
        self._since = 0.0

    def watch(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._running.append(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self._running.pop()

        return watched

    def _switch(self) -> None:
        """Charge the time since the last switch to the part that ran."""
        now = perf_counter()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now


def rows(tables: int, commands: int) -> list[Row]:
    """Microseconds of each part for one command; the rest is the room's book-keeping."""
    stopwatch = Stopwatch()
    rounds = max(commands // tables, 1)
    with folder() as home, closing(Lockstep(home, tables, PLAYERS)) as room, pytest.MonkeyPatch.context() as patch:
        room.play_hands(tables)  # tables of rankings are built at the first showdown
        _install(stopwatch, patch)
        start = perf_counter()
        for _ in range(rounds):
            room.play_once()
        whole = perf_counter() - start
    spent = stopwatch.seconds | {"the rest": whole - sum(stopwatch.seconds.values())}
    return [
        info(f"of a durable command: {part}", "us", seconds / (rounds * tables) * 1e6)
        for part, seconds in spent.items()
    ]


def _install(stopwatch: Stopwatch, patch: pytest.MonkeyPatch) -> None:
    for owner, name, part in _WATCHED:
        patch.setattr(owner, name, stopwatch.watch(getattr(owner, name), part))
    for folds in _WATCHED_FOLDS:
        for kind, fold in folds.items():
            patch.setitem(folds, kind, stopwatch.watch(fold, "evolve"))
