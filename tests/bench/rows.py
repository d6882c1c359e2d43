"""The rows of the bench: how two sides are compared, and how a row is stated."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from rich.table import Table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report. `ratio`: how many times better ours is than the peer, or, of two costs of ours, the
    later over the earlier, the part over the whole. `goal`: None where the row only informs; `reached` then too."""

    name: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str | None = None
    ratio: float | None = None
    goal: float | None = None
    reached: bool | None = None


class Side(NamedTuple):
    """One of those that do the same. `run` alone is timed: it takes what `prepare` made, and what it returns `results`
    turns into what must be equal on all sides."""

    run: Callable[[Any], Any]
    prepare: Callable[[], Any] = lambda: None
    results: Callable[[Any], Sequence[Any]] = list


def compare(*sides: Side, runs: int) -> tuple[float, ...]:
    """The median seconds of each side, run in turns. Raises AssertionError where their results differ."""
    seconds: list[list[float]] = [[] for _ in sides]
    for _ in range(runs):
        first = None
        for side, of_side in zip(sides, seconds, strict=True):
            duration, returned = timed(side)
            of_side.append(duration)
            results = side.results(returned)
            first = results if first is None else first
            assert_equal(first, results)
    return tuple(median(of_side) for of_side in seconds)


def timed(side: Side) -> tuple[float, Any]:
    """(seconds, what was returned) of one run. Garbage collection stays on; what was left over is collected before."""
    assert gc.isenabled()
    given = side.prepare()
    gc.collect()
    start = perf_counter()
    returned = side.run(given)
    seconds = perf_counter() - start
    return seconds, returned


def assert_equal(first: Sequence[Any], other: Sequence[Any]) -> None:
    """Raise AssertionError with the first result that differs."""
    for place, (one, another) in enumerate(zip(first, other, strict=True)):
        assert one == another, f"the sides differ at {place}: {one} and {another}"


def faster(name: str, unit: str, each: float, ours: float, peer: float, peer_name: str, goal: float | None) -> Row:
    """A row of two durations, in seconds: how many times faster ours is. `each`: what turns a run into one unit."""
    ratio = peer / ours
    return Row(name, unit, ours * each, peer * each, peer_name, ratio, goal, _at_least(ratio, goal))


def more(name: str, unit: str, ours: float, peer: float, peer_name: str, goal: float | None) -> Row:
    """A row of two rates: how many times as many ours does."""
    ratio = ours / peer
    return Row(name, unit, ours, peer, peer_name, ratio, goal, _at_least(ratio, goal))


def within(name: str, unit: str, ours: float, goal: float) -> Row:
    """A row of ours alone, which is to be at most the goal."""
    return Row(name, unit, ours, goal=goal, reached=ours <= goal)


STEADY = 1.25
"""A cost that is more than this many times the earlier one has grown; less is the noise of a machine."""


def growing(name: str, unit: str, later: float, earlier: float, earlier_name: str, goal: float | None = 1) -> Row:
    """A row of one cost at two times, which is to stay what it was; with no goal it only informs."""
    ratio = later / earlier
    return Row(name, unit, later, earlier, earlier_name, ratio, goal, None if goal is None else ratio <= goal * STEADY)


def share(name: str, unit: str, each: float, part: float, whole: float, whole_name: str) -> Row:
    """A row of a part of a cost, both in seconds: its share of the whole."""
    return Row(name, unit, part * each, whole * each, whole_name, part / whole)


def info(name: str, unit: str, ours: float) -> Row:
    """A row that only informs."""
    return Row(name, unit, ours)


def answer_rows(name: str, waits: Sequence[float]) -> list[Row]:
    """How long answers took, in seconds: the usual one, and one of the slow."""
    slow = quantiles(waits, n=100, method="inclusive")[98]
    return [info(f"{name}, median", "ms", 1e3 * median(waits)), info(f"{name}, p99", "ms", 1e3 * slow)]


def _at_least(ratio: float, goal: float | None) -> bool | None:
    return None if goal is None else ratio >= goal


def as_json(rows: list[Row]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


def as_table(rows: list[Row]) -> Table:
    table = Table("what", "unit", title="Handlog beside others", title_justify="left")
    for heading in ("ours", "peer"):
        table.add_column(heading, justify="right")
    table.add_column("against")
    for heading in ("ratio", "goal"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for row in rows:
        verdict = {True: "[green]reached", False: "[bold red]MISSED", None: ""}[row.reached]
        numbers = (_number(row.ours), _number(row.peer)), (_number(row.ratio), _number(row.goal))
        table.add_row(row.name, row.unit, *numbers[0], row.peer_name or "", *numbers[1], verdict)
    return table


def _number(value: float | None) -> str:
    """Three digits that count."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
