"""A view: a pure fold with a name and a revision, and the rows that it keeps.

A fold sees its rows as `Rows`, by key, and nothing else: in a store they are loaded when first asked for, without one
they begin empty.
"""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

Key = tuple[Any, ...]
R = TypeVar("R", bound=tuple[Any, ...])

MOST_KNOWN = 20_000
"""Rows of a layout that are kept in memory from one batch to the next."""


class MissingRow(Exception):
    """A fact came without the one that it follows from; the sentence names the row that isn't there."""


class Layout(NamedTuple):
    """A table of a view. `row` is a NamedTuple of str, int and None; its first `key` fields tell the rows apart."""

    name: str
    row: type[Any]
    key: int
    indexes: tuple[tuple[str, ...], ...] = ()


class Rows(Generic[R]):
    """The rows of one layout, and which of them changed: key to row, None for one that was dropped."""

    __slots__ = ("_absent", "_key", "_known", "_load", "_name", "changed")

    def __init__(self, layout: Layout, load: Callable[[Key], R | None] = lambda key: None) -> None:
        self._name, self._key, self._load = layout.name, layout.key, load
        self._known: dict[Key, R | None] = {}
        self._absent: set[Key] = set()
        """Keys that are surely not stored: nothing need be deleted where such a row is dropped."""
        self.changed: dict[Key, R | None] = {}

    def get(self, key: Key) -> R | None:
        known = self._known
        if key not in known:
            known[key] = row = self._load(key)
            if row is None:
                self._absent.add(key)
        return known[key]

    def __getitem__(self, key: Key) -> R:
        """The row, where there must be one. Raises MissingRow."""
        row = self.get(key)
        if row is None:
            raise MissingRow(f"{self._name} has no row {key}: the fact that opens it was never folded")
        return row

    def put(self, row: R) -> None:
        """Add a row, or replace the one with its key."""
        key = row[: self._key]
        self._known[key] = self.changed[key] = row

    def drop(self, key: Key) -> None:
        """Remove a row; one that isn't there is no error."""
        self._known[key] = None
        if key in self._absent:
            self.changed.pop(key, None)
        else:
            self.changed[key] = None

    def begin(self, key: Key) -> None:
        """Say that no row of this key can be stored, since what it tells of begins now: nobody need look for it."""
        self._known[key] = None
        self._absent.add(key)

    def stored(self) -> None:
        """Say that what changed is stored. The rows stay known, so many at the most: then all are loaded again."""
        for key, row in self.changed.items():
            if row is None:
                del self._known[key]  # such as what lay in a hand that is over, which nobody asks for again
            else:
                self._absent.discard(key)
        self.changed = {}
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
            self._absent.clear()

    def all(self) -> list[R]:
        """The rows that are known here, by key: all of them where none are loaded from a store."""
        return [row for _, row in sorted(self._known.items()) if row is not None]


class View(NamedTuple):
    """A fold with its name, its revision and its tables.

    `fold(commit, *rows)` takes the Rows of each layout, in order. A change of fold or layouts is revision + 1 and a
    rebuild: that is the only migration.
    """

    name: str
    revision: int
    layouts: tuple[Layout, ...]
    fold: Callable[..., None]
