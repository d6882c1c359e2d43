"""The shortest script that still fails: fewer steps, fewer faults, fewer tables and clients, then steps left out."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tests.simulation.faults import KINDS, drawn
from tests.simulation.simulation import Run, Script, run

RUNS = 150
"""At most so many are tried."""


def shrunk(failed: Run, play: Callable[[Script], Run] = run, most: int = RUNS) -> Run:
    """The run of the shortest script that was found to fail in the same way; the given one, if no shorter one does."""
    best, left = failed, most
    improved = True
    while improved and left > 0:
        improved = False
        for script in _shorter(best.script):
            if left <= 0:
                break
            left -= 1
            tried = play(script)
            if tried.wrong is not None and _kind(tried.wrong) == _kind(failed.wrong):
                best, improved = tried, True
                break
    return best


def _kind(error: BaseException | None) -> tuple[str, str, int]:
    """What went wrong, whatever the numbers: its class, and the place that found it."""
    if error is None:
        return ("", "", 0)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name != "must"]
    return (type(error).__name__, frames[-1].filename, frames[-1].lineno or 0) if frames else ("", "", 0)


def _shorter(script: Script) -> Iterator[Script]:
    """Scripts that do less, those that leave out most first."""
    for steps in sorted({0, script.steps // 2, script.steps * 3 // 4, script.steps - 1}):
        if 0 <= steps < script.steps:
            yield replace(script, steps=steps, dropped=frozenset(step for step in script.dropped if step < steps))
    for tables in range(1, script.tables):
        yield replace(script, tables=tables)
    if script.clients > 1:
        yield replace(script, clients=1)
    has = sorted(drawn(script.seed, script.without))
    if len(has) > 1:
        yield replace(script, without=frozenset(KINDS))
    for kind in has:
        yield replace(script, without=script.without | {kind})
    kept = [step for step in range(script.steps) if step not in script.dropped]
    for chunk in _chunks(kept):
        yield replace(script, dropped=script.dropped | frozenset(chunk))


def _chunks(steps: list[int]) -> Iterable[list[int]]:
    size = max(1, len(steps) // 2)
    while size:
        yield from (steps[at : at + size] for at in range(0, len(steps), size))
        size //= 2
