"""The warehouse: writing it beside only reading and decoding the same commits, and an auditor's questions to it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, count
from pathlib import Path
from statistics import median
from typing import Any

from services.eventlog.log import Log
from services.warehouse.asking import Warehouse, opened
from services.warehouse.raking import rake_that_differs
from services.warehouse.worker import catch_up, decided
from tests.bench.folder import folder
from tests.bench.money_rooms import MoneyRoom
from tests.bench.rows import Row, Side, compare, faster, timed

ASKINGS = 5
"""How often a question is asked."""

BEGAN = datetime.fromtimestamp(1_700_000_000, UTC)
"""Where the clock of the bots' rooms begins."""

Question = Callable[[Warehouse], object]

ASKED: dict[str, dict[str, Any]] = {
    "folded": {"who": "p1", "to_whom": "p2"},
    "pots-over": {"hundredths": 100_00, "currency": None},
    "minute": {"begin": BEGAN, "end": BEGAN + timedelta(minutes=1)},
    "player": {"player": "p1"},
    "protection": {},
    "cancelled": {},
    "opened": {},
}
"""The questions that are one query, with what is asked."""

QUESTIONS: dict[str, Question] = {
    **{name: partial(Warehouse.ask, name=name, **parameters) for name, parameters in ASKED.items()},
    "rake that differs": rake_that_differs,
}


def rows(room: MoneyRoom, runs: int) -> list[Row]:
    """Writing the room's hands so many times; the first stays in its home."""
    with folder() as place:
        places = chain([kept(room)], (place / f"written-{number}" for number in count(2)))
        wrote, read = compare(
            Side(lambda to: catch_up(to, room.log), partial(next, places), lambda told: [told]),
            Side(lambda _: sum(1 for _ in _decoded(room.log)), results=lambda told: [told]),
            runs=runs,
        )
    return [
        faster(
            f"warehouse: written from {room.hands:,} hands", "us/hand", 1e6 / room.hands, wrote, read,
            "reading and decoding the same commits", None,
        )
    ]  # fmt: skip


def kept(room: MoneyRoom) -> Path:
    """Where the room's own warehouse is."""
    return room.home / "warehouse"


def asked(room: MoneyRoom) -> dict[str, float]:
    """Median seconds of each question to the room's warehouse, caught up."""
    catch_up(kept(room), room.log)
    return {f"warehouse: {name}": _asking(kept(room), question) for name, question in QUESTIONS.items()}


def plans(room: MoneyRoom) -> Iterator[str]:
    """How DuckDB answers each question that has parameters of its own, with what each step took."""
    catch_up(kept(room), room.log)
    with opened(kept(room)) as warehouse:
        for name, parameters in ASKED.items():
            yield f"{name}\n{warehouse.explain(name, **parameters)}"


def _decoded(log: Log) -> Iterator[object]:
    return (decided(record) for shard in range(log.shards) for record in log.read(shard))


def _asking(place: Path, question: Question) -> float:
    """Median seconds of one question, the warehouse's opening included."""

    def ask(_: object) -> None:
        with opened(place) as warehouse:
            question(warehouse)

    return median(timed(Side(ask))[0] for _ in range(ASKINGS))
