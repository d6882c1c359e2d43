"""Snapshots of a build that makes another state of the same facts are never taken for this one's."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from types import ModuleType

import pytest

from domain import room as of_shard
from domain import transfers
from domain.account import state as of_patron
from domain.hand import state as of_hand
from domain.table import state as of_table
from services.snapshots import cabinet, commands, letters, manifest, shapes, states
from services.snapshots.states import FOLD, fold_revision

LOOKED_AT = {
    # FOLD: (the revision with the fields of all states, the code of the folds and of what writes them)
    2: ("2-2581233fd0435b19", "aed5547bedd89ac5"),
}
"""What was looked at when FOLD got its number."""


def code_of(*parts: ModuleType | Callable[..., object]) -> str:
    """A digest of what modules and functions do: no comment counts, no docstring, no blank."""
    told = []
    for part in parts:
        tree = ast.parse(inspect.getsource(part))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
        told.append(ast.unparse(tree))
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_fold_was_looked_at_when_the_states_or_their_folds_were_changed() -> None:
    """Where this fails: if what was folded by the code before is not what this code makes of the same facts, raise
    FOLD; then put here what there is now. Other fields are noticed without it."""
    notes = (transfers.note_sent, transfers.note_received, transfers.note_closed)
    drawers = (cabinet._packed, cabinet._cut, cabinet._drawer_of)
    written = (commands, letters, shapes, states.dump_patron, manifest.write, manifest.write_list, *drawers)
    code = code_of(of_table, of_hand, of_patron, of_shard.evolve, *notes, *written)
    assert {FOLD: (fold_revision(), code)} == LOOKED_AT


@dataclass
class Inner:
    amount: int


@dataclass
class Before:
    seats: dict[int, Inner] = field(default_factory=dict)
    pot: int = 0


@dataclass
class InnerRenamed:
    chips: int


def layout(cls: type) -> set[str]:
    return set(states._layout(cls))


@pytest.mark.parametrize(
    ("name", "annotations"),
    [
        ("another field", {"seats": dict[int, Inner], "pot": int, "rake": int}),
        ("a field less", {"seats": dict[int, Inner]}),
        ("another type", {"seats": dict[int, Inner], "pot": str}),
        ("within", {"seats": dict[int, InnerRenamed], "pot": int}),
    ],
)
def test_another_field_is_another_revision(name: str, annotations: dict[str, object]) -> None:
    after: type = dataclass(type("Before", (), {"__annotations__": annotations}))
    assert layout(after) != layout(Before), name


def test_what_follows_from_the_opening_is_not_written() -> None:
    """Only what `Hand.__init__` sets and no fact ever changes may be left out: else it would come back as it began."""
    source = inspect.getsource(of_hand)
    folds = source[source.index("def evolve") :]
    for slot in states.FOLLOWS - {"facts"}:
        assert f"hand.{slot} = " not in folds
        assert f"hand.{slot} += " not in folds
