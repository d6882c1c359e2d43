"""What is made of a room's books: its views, its warehouse, and what reports and auditors ask of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from services.views import current_views
from services.warehouse.worker import catch_up
from tests.bench import reports, views, warehouse
from tests.bench.folder import BUILD, folder
from tests.bench.money_rooms import MoneyRoom, money_room
from tests.bench.rows import Row, Side, growing, timed


class Books(NamedTuple):
    """Of a room with so many hands: seconds for one hand to make what is made of it, and seconds of each asking."""

    hands: int
    made: dict[str, float]
    asked: dict[str, float]


def rows(few: int, many: int, runs: int) -> list[Row]:
    """Making the books of two rooms beside only reading their logs, and asking them. `runs`: of building the views; the
    warehouse is written twice at the most."""
    with _rooms(few, many) as (early, late):
        made = [*views.rows(early, late, runs), *warehouse.rows(late, min(runs, 2))]
        return [*made, *_growth(*(Books(room.hands, {}, _asked(room)) for room in (early, late)))]


def grown(few: int, many: int) -> list[Row]:
    """The books of two rooms, made once each and asked; how they answer goes to build/plans-<hands>.txt."""
    return _growth(_books(few), _books(many))


def plans(hands: int) -> Iterator[str]:
    """How the databases answer reports and an auditor's questions, in a room of so many hands."""
    with folder() as place, money_room(place / "room", hands) as room:
        yield from _plans(room)


@contextmanager
def _rooms(few: int, many: int) -> Iterator[tuple[MoneyRoom, MoneyRoom]]:
    with folder() as place, money_room(place / "few", few) as early, money_room(place / "many", many) as late:
        yield early, late


@cache
def _books(hands: int) -> Books:
    """The room is cleared away before another is played: 10^6 hands are some twenty gigabytes."""
    with folder() as place, money_room(place / "room", hands) as room:
        built, _ = timed(Side(lambda _: current_views(room.home, room.log).close()))
        written, _ = timed(Side(lambda _: catch_up(warehouse.kept(room), room.log)))
        made = {"all views built": built / room.hands, "warehouse written": written / room.hands}
        (BUILD / f"plans-{hands}.txt").write_text("\n\n".join(_plans(room)) + "\n")
        return Books(room.hands, made, _asked(room))


def _asked(room: MoneyRoom) -> dict[str, float]:
    return reports.asked(room) | warehouse.asked(room)


def _plans(room: MoneyRoom) -> Iterator[str]:
    yield from reports.plans(room)
    yield from warehouse.plans(room)


def _growth(few: Books, many: Books) -> list[Row]:
    """Each cost beside the same with fewer hands: of making the books, which is to stay; of asking, which informs."""
    at, beside = f"at {many.hands:,} hands", f"the same at {few.hands:,} hands"
    made = [
        growing(f"{name}, {at}", "us/hand", 1e6 * cost, 1e6 * few.made[name], beside)
        for name, cost in many.made.items()
    ]
    asked = [
        growing(f"{name}, {at}", "ms", 1e3 * cost, 1e3 * few.asked[name], beside, None)
        for name, cost in many.asked.items()
    ]
    return made + asked
