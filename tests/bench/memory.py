"""What an open table costs a node in memory: its state, its newest hand's, its deck and the commands they remember.

In a process of its own: a room plays at one table until all code and all tables of rankings are loaded; then many more
are opened, seated and played at, with a hand under way at each in the end. What the process then holds more in the
machine's memory is theirs.
"""

import gc
import resource
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random

from tests.bench.bots import TableBots
from tests.bench.folder import folder
from tests.bench.homes import Lockstep
from tests.bench.rows import Row, within

GOAL = 100
"""KiB."""

PLAYERS, ROUNDS, TOGETHER = 6, 12, 50
"""ROUNDS: commands that each table is given after its opening. TOGETHER: tables that are at work at the same time."""


def rows(tables: int) -> list[Row]:
    with folder() as home, ProcessPoolExecutor(1, get_context("spawn")) as process:
        bytes_ = process.submit(_bytes_of, home / "room", tables).result()
    name = f"memory of a node's room, per open table of {tables:,}, each with a hand under way"
    return [within(name, "KiB", bytes_ / tables / 1024, GOAL)]


def _bytes_of(home: Path, tables: int) -> int:
    with closing(Lockstep(home, 1, PLAYERS)) as room:
        room.play_hands(10)
        random, before = Random(1), _resident()
        for first in range(0, tables, TOGETHER):
            bots = [TableBots(f"m{at}", PLAYERS, random) for at in range(first, min(first + TOGETHER, tables))]
            room.open(bots)
            for _ in range(ROUNDS):
                room.play_at(bots)
            while some := [table for table in bots if not table.hand_under_way]:
                room.play_at(some)
        return _resident() - before


def _resident() -> int:
    """Bytes of this process in the machine's memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()
