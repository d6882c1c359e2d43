"""Rooms in which bots played for euros, rake and all, over days by the room's own clock: what the books are made of."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from services.bootstrap import open_log
from services.eventlog.log import Log
from tests.bench.bots import EUROS
from tests.bench.homes import Lockstep

TABLES, PLAYERS = 16, 4

LOOK = 1_000_000
"""Microseconds between two looks at the clock: 10^4 hands take some days."""


class MoneyRoom(NamedTuple):
    """A room that nobody plays in any more, its log open for reading. `hands`: those that are over."""

    home: Path
    log: Log
    hands: int


@contextmanager
def money_room(home: Path, hands: int) -> Iterator[MoneyRoom]:
    """A new room in which so many hands were played, or a few more."""
    room = Lockstep(home, TABLES, PLAYERS, money=EUROS, step=LOOK)
    room.play_hands(hands)
    room.close()
    with open_log(home) as log:
        yield MoneyRoom(home, log, room.hands)
