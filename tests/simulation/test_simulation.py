"""The whole room under faults, from many seeds; and that a seed reproduces its run."""

import os

import pytest

from tests.simulation import report
from tests.simulation.simulation import Script, run

SEEDS = range(1, 201)

SOAK = 100_000
"""Seeds of the long run."""

HOUR = 3600


def check(found: report.Report) -> None:
    """Nothing went wrong, and everything that should happen did."""
    print("\n".join(found.lines()))
    assert not found.failed, report.explain(found.failed[0])
    assert not found.missing(), f"these never happened: {found.missing()}"


def test_two_hundred_seeds() -> None:
    check(report.play(SEEDS))


@pytest.mark.soak
def test_a_hundred_thousand_seeds_or_as_many_as_an_hour_has() -> None:
    check(report.play(range(1_000, 1_000 + SOAK), jobs=os.cpu_count() or 1, seconds=HOUR))


@pytest.mark.parametrize("seed", [3, 4, 8])
def test_a_seed_reproduces_its_run(seed: int) -> None:
    first, again = run(Script(seed)), run(Script(seed))
    assert first.lines == again.lines
    assert first.happened == again.happened
    assert first.digest == again.digest != run(Script(seed + 1)).digest


def test_what_never_happened_is_a_failure() -> None:
    found = report.Report(seeds=report.ENOUGH)
    assert "crash at sync" in found.missing()
    assert "reshuffles" in found.missing()
