"""Whether a hand costs more, the more hands were played before it.

Two rooms, each in a process of its own: in one few hands were played, in the other many. They are sampled in turns, so
that a machine that is busy now and idle then is so for both. A sample is some hands played on, all tables' commands
durable together, and the newest hand of each table loaded from the log and decided again. Each cost is the median over
the samples. The tables are few, so that their own histories grow long too.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter

from domain.rulings.recorded_shoe import Keyholder
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.room.load import load_hand
from services.rulings import readjudicate_hand
from tests.bench.folder import folder
from tests.bench.homes import Lockstep
from tests.bench.rows import Row, Side, growing, timed
from tests.services.homes import opener

TABLES, PLAYERS = 16, 4

Cost = dict[str, float]
"""Seconds for one hand, by what is done with it."""


def rows(few: int, many: int, sample: int, runs: int) -> list[Row]:
    """The costs after `many` hands beside those after `few`; `sample` hands are played for each of the samples."""
    with folder() as home, ExitStack() as stack:
        rooms = [stack.enter_context(_process(home / str(hands), hands)) for hands in (few, many)]
        for begun in [room.submit(_ready) for room in rooms]:
            begun.result()
        samples = [[room.submit(_sample, sample).result() for room in rooms] for _ in range(runs)]
    return [
        growing(
            f"a hand {kind}, after {many:,} hands",
            "us/hand",
            later=1e6 * median(of_many[kind] for _, of_many in samples),
            earlier=1e6 * median(of_few[kind] for of_few, _ in samples),
            earlier_name=f"the same after {few:,} hands",
        )
        for kind in samples[0][0]
    ]


def _process(home: Path, hands: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin, initargs=(home, hands))


# --- in the process of a room ----------------------------------------------------------------------------------------

_rooms: list[Lockstep] = []


def _begin(home: Path, hands: int) -> None:
    _rooms.append(Lockstep(home, TABLES, PLAYERS, shards=1))
    _rooms[0].play_hands(hands)


def _ready() -> None:
    """Nothing to do: the room has played its hands by now."""


def _sample(hands: int) -> Cost:
    (room,) = _rooms
    before = room.hands
    played, _ = timed(Side(lambda _: room.play_hands(before + hands)))
    newest = [f"{table.table}-{table.hands_over}" for table in room.tables if table.hands_over]
    stored, keyholder = repository(room.log), opener(room.log)
    return {
        "played and recorded": played / (room.hands - before),
        "loaded": _median_seconds(newest, lambda hand: load_hand(stored, hand)),
        "decided again": _median_seconds(newest, lambda hand: _decide_again(room.log, hand, keyholder)),
    }


def _median_seconds(hands: Sequence[str], do: Callable[[str], object]) -> float:
    seconds = []
    for hand in hands:
        start = perf_counter()
        do(hand)
        seconds.append(perf_counter() - start)
    return median(seconds)


def _decide_again(log: Log, hand: str, keyholder: Keyholder) -> None:
    found = readjudicate_hand(log, hand, keyholder)
    assert found is None, f"{hand} is decided differently now: {found}"
