"""What is made of a room's books, measured over the same two rooms: its views, its warehouse, its reports."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench import reports, views, warehouse
from tests.bench.folder import folder
from tests.bench.money_rooms import MoneyRoom, money_room
from tests.bench.rows import Row


def rows(few: int, many: int, runs: int) -> list[Row]:
    """`runs`: of building the views; the warehouse is written twice at the most."""
    with _rooms(few, many) as (early, late):
        return [*views.rows(early, late, runs), *warehouse.rows(early, late, min(runs, 2)), *reports.rows(early, late)]


def plans(hands: int) -> Iterator[str]:
    """How the databases answer reports and an auditor's questions, in a room of so many hands."""
    with folder() as place, money_room(place / "room", hands) as room:
        yield from reports.plans(room)
        yield from warehouse.plans(room)


@contextmanager
def _rooms(few: int, many: int) -> Iterator[tuple[MoneyRoom, MoneyRoom]]:
    with folder() as place, money_room(place / "few", few) as early, money_room(place / "many", many) as late:
        yield early, late
