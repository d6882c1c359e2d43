"""The simulator finds bugs that were planted, says how to see them again, and shortens the way there."""

import ast
from pathlib import Path

import pytest

from tests.simulation import report, shrink
from tests.simulation.faults import KINDS
from tests.simulation.mutants import (
    MUTANTS,
    planted,
    room_forgets_ids_by_a_wrong_clock,
    room_keeps_what_was_not_recorded,
    room_lets_time_go_back,
    room_takes_other_arguments,
)
from tests.simulation.simulation import Run, Script, run

WITHIN = 40
"""Seeds within which each is found; without a planted bug the same seeds are right (test_simulation)."""


ONLY = {room_forgets_ids_by_a_wrong_clock: {"clock glitch"}, room_keeps_what_was_not_recorded: {"full disk"}}
"""The faults that a bug needs, where it is seldom found among all of them."""


def found(mutant) -> Run:
    """The first run that goes wrong."""
    without = frozenset(KINDS) - ONLY.get(mutant, frozenset(KINDS))
    with planted(mutant):
        for seed in range(1, WITHIN + 1):
            played = run(Script(seed, without=without))
            if played.wrong is not None:
                return played
    raise AssertionError(f"{mutant.__name__} isn't found within {WITHIN} seeds")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_planted_bug_is_found(mutant) -> None:
    assert found(mutant).wrong is not None


def test_a_failing_script_is_shortened() -> None:
    failed = found(room_lets_time_go_back)
    with planted(room_lets_time_go_back):
        short = shrink.shrunk(failed)
        again = run(short.script)
    assert "is before" in str(again.wrong)
    assert len(short.lines) < len(failed.lines) / 2
    assert short.script.steps < failed.script.steps


def test_a_failure_says_how_to_run_it_again() -> None:
    with planted(room_takes_other_arguments):
        told = report.explain(run(Script(1)))
    assert "run it again: python -m tests.simulation --seed 1\n" in told
    assert "the shortest that fails: python -m tests.simulation --seed 1 --steps" in told
    assert "got the answer of" in told


@pytest.mark.parametrize("name", ["auditor", "books", "unsealing"])
def test_the_auditor_knows_nothing_of_the_product(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    own = {"tests.simulation.books", "tests.simulation.unsealing"}
    assert not {
        module for module in imported - own if module.split(".")[0] in ("domain", "projections", "services", "tests")
    }
