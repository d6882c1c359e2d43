"""The warehouse: writing it beside only reading and decoding the same commits, and an auditor's questions to it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from services.eventlog.log import Log
from services.warehouse.asking import Warehouse, opened
from services.warehouse.raking import rake_that_differs
from services.warehouse.worker import catch_up, decided
from tests.bench.folder import folder
from tests.bench.money_rooms import MoneyRoom
from tests.bench.rows import Row, Side, compare, faster, growing, timed

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


def rows(few: MoneyRoom, many: MoneyRoom, runs: int) -> list[Row]:
    """Writing the many hands, and each question to them beside the same to the few; `runs`: of the writing."""
    with folder() as place:
        numbers = count(1)
        wrote, read = compare(
            Side(lambda to: catch_up(to, many.log), lambda: place / f"written-{next(numbers)}", lambda told: [told]),
            Side(lambda _: sum(1 for _ in _decoded(many.log)), results=lambda told: [told]),
            runs=runs,
        )
        catch_up(place / "of-few", few.log)
        of_many = partial(_asking, place / "written-1")
        of_few = partial(_asking, place / "of-few")
        return [
            faster(
                f"warehouse: written from {many.hands:,} hands", "us/hand", 1e6 / many.hands, wrote, read,
                "reading and decoding the same commits", None,
            ),
            *(
                growing(
                    f"warehouse: {name}, at {many.hands:,} hands", "ms", 1e3 * of_many(question),
                    1e3 * of_few(question), f"the same at {few.hands:,} hands", None,
                )
                for name, question in QUESTIONS.items()
            ),
        ]  # fmt: skip


def plans(room: MoneyRoom) -> Iterator[str]:
    """How DuckDB answers each question that has parameters of its own, with what each step took."""
    with folder() as place:
        catch_up(place / "warehouse", room.log)
        with opened(place / "warehouse") as warehouse:
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
