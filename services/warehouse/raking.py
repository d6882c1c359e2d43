"""The rake of every hand computed anew, twice: by the rules' own code, and by plain arithmetic in SQL."""

from collections.abc import Mapping
from typing import Any

from domain.rules.rake import rake_by_pot
from domain.rules.vocabulary import RakeSchedule
from services.warehouse.asking import Answer, Warehouse, as_dicts

_COLUMNS = ["hand", "game", "rulebook", "currency", "pots", "pot", "rake", "by_rules", "by_arithmetic"]


def rake_that_differs(warehouse: Warehouse) -> Answer:
    """The hands whose rake, or a pot's part of it, differs from either recomputation (rules.md section 9): there must
    be none. `by_rules`: what each pot should bear, main pot first; `by_arithmetic`: all of it together."""
    found = {row["hand"]: row | {"by_rules": due_by_pot(row)} for row in as_dicts(warehouse.ask("raked"))}
    by_arithmetic = {row["hand"]: row["due"] for row in as_dicts(warehouse.ask("rake-differs"))}
    rows = [
        tuple((row | {"by_arithmetic": by_arithmetic.get(hand, row["rake"])})[name] for name in _COLUMNS)
        for hand, row in found.items()
        if hand in by_arithmetic or not _is_as_due(row)
    ]
    return Answer(_COLUMNS, rows)


def due_by_pot(row: Mapping[str, Any]) -> list[int]:
    """What each pot of a hand should bear, by the schedule that the hand pinned; none where no rake is due."""
    if not row["rake_due"]:
        return []
    schedule = RakeSchedule(
        per=row["rake_per"],
        each=row["rake_each"],
        cap=row["rake_cap"],
        small_under=row["rake_small_under"],
        small_per=row["rake_small_per"],
        small_each=row["rake_small_each"],
    )
    return rake_by_pot(schedule, row["pots"])


def _is_as_due(row: Mapping[str, Any]) -> bool:
    """A hand that owes nothing records nothing."""
    due = row["by_rules"]
    return bool(row["rake"] == sum(due) and row["rake_by_pot"] == (due if any(due) else []))
