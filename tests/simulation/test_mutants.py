"""The simulator finds bugs that were planted, says how to see them again, and shortens the way there."""

import ast
from pathlib import Path

import pytest

from tests.simulation import report, shrink
from tests.simulation.faults import KINDS
from tests.simulation.money_mutants import (
    MONEY_MUTANTS,
    account_receives_a_transfer_twice,
    advance_is_done_at_any_price,
    day_is_closed_while_it_goes_on,
    failed_hand_goes_on,
    limits_forget_what_counts,
    missed_blind_is_charged_twice,
    newcomer_plays_for_nothing,
    overtaken_node_refuses_by_what_it_remembers,
    pause_is_taken_for_a_failure,
    staff_forgets_what_was_under_way,
    table_receives_a_transfer_twice,
)
from tests.simulation.mutants import (
    MUTANTS,
    planted,
    room_forgets_ids_by_a_wrong_clock,
    room_keeps_what_was_not_recorded,
    room_lets_time_go_back,
    room_takes_other_arguments,
)
from tests.simulation.simulation import STEPS, TABLES, Run, Script, run

WITHIN = 100
"""Seeds within which each is found."""

AT_ONE_TABLE = {limits_forget_what_counts, missed_blind_is_charged_twice, newcomer_plays_for_nothing}
"""What is found sooner in a longer day at one table."""

FEW = 40
"""Scripts that are tried to find one that is shorter by far; a shorter one is found at once."""

REPEATS = {"lost answer", "late answer", "duplicate", "late command"}

ONLY = {
    room_forgets_ids_by_a_wrong_clock: {"clock glitch"},
    room_keeps_what_was_not_recorded: {"full disk"},
    day_is_closed_while_it_goes_on: {"clock glitch"},
    table_receives_a_transfer_twice: REPEATS,
    account_receives_a_transfer_twice: REPEATS,
    staff_forgets_what_was_under_way: {"restart", "crash"},
    failed_hand_goes_on: {"restart", "crash", "outage"},
    pause_is_taken_for_a_failure: {"restart", "crash"},
    overtaken_node_refuses_by_what_it_remembers: {"zombie writer", "lost answer", "duplicate"},
    missed_blind_is_charged_twice: set(),
    newcomer_plays_for_nothing: set(),
}
"""The faults that a bug needs, where it is seldom found among all of them."""


def found(mutant) -> Run:
    """The first run that goes wrong."""
    without = frozenset(KINDS) - ONLY.get(mutant, frozenset(KINDS))
    steps, tables = (25, 1) if mutant in AT_ONE_TABLE else (STEPS, TABLES)
    with planted(mutant):
        for seed in range(1, WITHIN + 1):
            played = run(Script(seed, steps, tables, without=without))
            if played.wrong is not None:
                return played
    raise AssertionError(f"{mutant.__name__} isn't found within {WITHIN} seeds")


LONG = {
    advance_is_done_at_any_price,
    account_receives_a_transfer_twice,
    day_is_closed_while_it_goes_on,
    failed_hand_goes_on,
    limits_forget_what_counts,
    overtaken_node_refuses_by_what_it_remembers,
    table_receives_a_transfer_twice,
}
"""What takes seconds to be found; of transfers that count twice one stays, of hands after a failure the pause."""

FOUND = [
    pytest.param(mutant, marks=pytest.mark.soak if mutant in LONG or mutant in MUTANTS else ())
    for mutant in [*MONEY_MUTANTS, *MUTANTS]
]
"""Those of room and log, where little changes any more, are sought in the soak."""


@pytest.mark.parametrize("mutant", FOUND, ids=lambda mutant: mutant.__name__)
def test_a_planted_bug_is_found(mutant) -> None:
    played = found(mutant)
    assert run(played.script).wrong is None, "the same script is right without the bug"


@pytest.mark.soak
def test_a_failing_script_is_shortened() -> None:
    failed = found(room_lets_time_go_back)
    with planted(room_lets_time_go_back):
        short = shrink.shrunk(failed, most=FEW)
        again = run(short.script)
    assert "is before" in str(again.wrong)
    assert len(short.lines) < len(failed.lines) / 2
    assert short.script.steps < failed.script.steps


def test_a_failure_says_how_to_run_it_again() -> None:
    with planted(room_takes_other_arguments):
        told = report.explain(run(Script(1)), most=10)
    assert "run it again: python -m tests.simulation --seed 1\n" in told
    assert "the shortest that fails: python -m tests.simulation --seed 1 --steps" in told
    assert "got the answer of" in told


AUDITORS = (
    "accounts_book", "advance_book", "auditor", "books", "mail_book", "money_book", "seats_book", "shards",
    "table_book", "unsealing",
)  # fmt: skip
"""The auditor's own modules."""


@pytest.mark.parametrize("name", AUDITORS)
def test_the_auditor_knows_nothing_of_the_product(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    own = {f"tests.simulation.{one}" for one in AUDITORS}
    assert not {
        module for module in imported - own if module.split(".")[0] in ("domain", "projections", "services", "tests")
    }
