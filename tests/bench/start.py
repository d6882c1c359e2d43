"""How long starting takes: in fresh processes, measured from outside, so the interpreter's own start counts."""

import subprocess
import sys
from collections.abc import Collection
from statistics import median
from time import perf_counter

from domain.rules.registry import GAMES_BY_NAME
from tests.bench.rows import Row, info, within

GOAL_HELP, GOAL_FIRST_HAND = 0.5, 1.0


def rows(runs: int, games: Collection[str] = tuple(GAMES_BY_NAME)) -> list[Row]:
    help_took = median(_seconds("-c", "from services.cli import main; main()", "--help") for _ in range(runs))
    rounds = [{game: _seconds("-m", "tests.bench.first_hand", game) for game in games} for _ in range(runs)]
    first = {game: median(one[game] for one in rounds) for game in games}
    slowest, *others = sorted(first, key=first.__getitem__, reverse=True)
    return [
        within("start: handlog --help", "s", help_took, GOAL_HELP),
        within(f"start: first hand of the slowest game ({slowest}), durable", "s", first[slowest], GOAL_FIRST_HAND),
        *(info(f"start: first hand of {game}, durable", "s", first[game]) for game in others),
    ]


def _seconds(*arguments: str) -> float:
    start = perf_counter()
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    took = perf_counter() - start
    assert done.returncode == 0, f"{arguments} failed: {done.stderr[-500:]}"
    return took
