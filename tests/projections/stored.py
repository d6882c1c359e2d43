"""What a store holds, and how a log's commits come to it."""

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import event, select

from projections.commit import Commit
from projections.store import Store


def contents(store: Store) -> dict[str, Any]:
    """Every row of every view and where it stands, in order of the keys."""
    found: dict[str, Any] = {}
    with store.read() as db:
        for view in store.views:
            found[view.name] = store.heights(db, view)
            for layout in view.layouts:
                table = store.table(db, view, layout.name)
                rows = db.execute(select(table).order_by(*table.primary_key)).all()
                found[f"{view.name}.{layout.name}"] = [tuple(row) for row in rows]
    return found


def batches(commits: list[Commit], size: int) -> Iterator[list[Commit]]:
    return (commits[at : at + size] for at in range(0, len(commits), size))


def after(commits: list[Commit], positions: dict[int, int]) -> list[Commit]:
    """The commits that a reader of the log gives to views that stand there."""
    return [commit for commit in commits if commit.height > positions.get(commit.shard, -1)]


def raise_before(
    store: Store, statement: int, error: type[BaseException], of: Collection[str] = ("before_cursor_execute",)
) -> None:
    """Have it raised before the store executes that statement, counted from 1. `of`: the events that count, as
    SQLAlchemy names them."""
    left = statement

    def count(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise error

    for one in of:
        event.listen(store.engine, one, count)
