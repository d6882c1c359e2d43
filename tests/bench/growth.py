"""Whether a hand costs more, the more hands were played before it.

A few tables play on in one room. After so many hands a sample is measured: the hands that are played next, all
tables' commands durable together; and the newest of each table, loaded from the log and decided again. Each cost is the
median of the sample. The tables are few, so that their own histories grow long too.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.room.load import load_hand
from services.rulings import readjudicate_hand
from tests.bench.folder import folder
from tests.bench.homes import Lockstep
from tests.bench.rows import Row, Side, growing, timed

TABLES, PLAYERS = 16, 4
CHUNKS = 7
"""Of a sample of hands played, each timed apart."""

KINDS = ("played and recorded", "loaded", "decided again")


@dataclass(frozen=True, slots=True)
class Sample:
    """Microseconds for one hand of each kind, after so many hands."""

    hands: int
    cost: dict[str, float]


def rows(marks: Sequence[int], size: int) -> list[Row]:
    """The costs at each mark beside those at the first. `marks`: hands already played; `size` of each sample."""
    with folder() as home, closing(Lockstep(home, TABLES, PLAYERS, shards=1)) as room:
        first, *later = [_sample(room, mark, size) for mark in marks]
    return [
        growing(f"a hand {kind}, after {mark.hands:,} hands", "us/hand", mark.cost[kind], first.cost[kind],
                f"the same after {first.hands:,} hands")
        for mark in later
        for kind in KINDS
    ]  # fmt: skip


def _sample(room: Lockstep, mark: int, size: int) -> Sample:
    room.play_hands(mark)
    played = median(_seconds_a_hand(room, max(size // CHUNKS, 1)) for _ in range(CHUNKS))
    newest = [f"{table.table}-{table.hands_over}" for table in room.tables if table.hands_over]
    stored = repository(room.log)
    loaded = _median_seconds(newest, lambda hand: load_hand(stored, hand))
    again = _median_seconds(newest, lambda hand: _decide_again(room.log, hand))
    return Sample(mark, dict(zip(KINDS, (played * 1e6, loaded * 1e6, again * 1e6), strict=True)))


def _seconds_a_hand(room: Lockstep, more: int) -> float:
    before = room.hands
    seconds, _ = timed(Side(lambda _: room.play_hands(before + more)))
    return seconds / (room.hands - before)


def _median_seconds(hands: Sequence[str], do: Callable[[str], object]) -> float:
    seconds = []
    for hand in hands:
        start = perf_counter()
        do(hand)
        seconds.append(perf_counter() - start)
    return median(seconds)


def _decide_again(log: Log, hand: str) -> None:
    found = readjudicate_hand(log, hand)
    assert not found, f"{hand} is decided differently now: {found[0]}"
