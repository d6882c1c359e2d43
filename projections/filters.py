"""Which rows a report is asked for: by time, table, game, player, stakes, currency."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table


class Only(NamedTuple):
    """What is wanted; None: any. `since` and `until` are UTC microseconds since 1970, the second no longer wanted.

    `stakes` as the views name them: `0.50/1.00`, or the minimum bet where there are no blinds.
    """

    since: int | None = None
    until: int | None = None
    table: str | None = None
    game: str | None = None
    player: str | None = None
    stakes: str | None = None
    currency: str | None = None


ALL = Only()


def within(only: Only, at: ColumnElement[Any]) -> Iterator[ColumnElement[bool]]:
    """The conditions on rows whose time stands in `at`."""
    if only.since is not None:
        yield at >= only.since
    if only.until is not None:
        yield at < only.until


def wanted(only: Only, **columns: ColumnElement[Any]) -> Iterator[ColumnElement[bool]]:
    """The conditions on rows whose table, game, ... stand in `columns`, each by its name."""
    for name, column in columns.items():
        value = getattr(only, name)
        if value is not None:
            yield column == value


def of_the_hand(rows: Table, stakes: str) -> dict[str, ColumnElement[Any]]:
    """The columns by which the rows of hands are asked for; `stakes` names the one of the stakes."""
    return {"table": rows.c.table, "game": rows.c.game, "stakes": rows.c[stakes], "currency": rows.c.currency}
