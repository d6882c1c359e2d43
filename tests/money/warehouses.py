"""Warehouses for tests: of hands that were played by sentences, and of a room that bots played."""

import atexit
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from domain.hand.events import HandOpened
from domain.messages import SECOND, hand_stream
from services.bootstrap import open_log
from services.demo import floor as demo
from services.eventlog.log import Log
from services.warehouse import asking
from services.warehouse.asking import Warehouse
from services.warehouse.files import write_batch
from services.warehouse.fold import Decided, Fold
from services.warehouse.manifest import Manifest, Position, save
from services.warehouse.tables import REVISION, TABLES
from tests.hands import open_hand_for, played

NOON = int(datetime(2026, 1, 31, 12, tzinfo=UTC).timestamp()) * SECOND


def dealt(hand: str, players: str, **terms: Any) -> HandOpened:
    """A hand's opening as `open_hand_for` makes it, by its id, with these players from seat 1 on."""
    table, _, number = hand.rpartition("-")
    opened = open_hand_for(**terms)
    named = tuple(replace(one, player=name) for one, name in zip(opened.seats, players.split(), strict=True))
    return replace(opened, table=table, number=int(number), seats=named)


def told(opened: HandOpened, *sentences: str) -> list[Any]:
    """The facts of a hand that was played so."""
    return played(opened, *sentences).facts


def commits_of(
    facts: Iterable[Any], at: int = NOON, *, every: int = SECOND, cause: str = "player"
) -> Iterator[Decided]:
    """One commit a fact, so much time after another; the first fact opens the hand."""
    stream = ""
    for nth, fact in enumerate(facts):
        if isinstance(fact, HandOpened):
            stream = hand_stream(f"{fact.table}-{fact.number}")
        yield Decided(0, nth, at + nth * every, cause, [(stream, nth + 1, fact)])


def folded(commits: Iterable[Decided], zone: str = "UTC") -> dict[str, list[Any]]:
    """All rows by table, in the order in which they were made, days and games apart."""
    fold = Fold(zone, lambda hand: "holdem")
    for commit in commits:
        fold.take(commit)
    rows: dict[str, list[Any]] = {table: [] for table in TABLES}
    for part, found in fold.taken_away().items():
        rows[part.table] += found
    return rows


@contextmanager
def warehouse_of(folder: Path, *hands: Iterable[Decided], zone: str = "UTC") -> Iterator[Warehouse]:
    """A warehouse of these commits, and of nothing else."""
    fold = Fold(zone, lambda hand: "holdem")
    for commits in hands:
        for commit in commits:
            fold.take(commit)
    files = write_batch(folder, 1, 1, fold.taken_away(), [])
    save(folder, Manifest(REVISION, "00", 1, 1, {0: Position(0, "", fold.under_way_in(0))}, files))
    with asking.opened(folder) as warehouse:
        yield warehouse


@cache
def _played() -> Path:
    home = Path(mkdtemp()) / "home"
    atexit.register(shutil.rmtree, home.parent)
    demo.play(home, hands=24, seed=64)
    return home


def played_home(home: Path) -> Path:
    """A copy of a home in which bots played 24 hands, of many games."""
    return Path(shutil.copytree(_played(), home))


@contextmanager
def played_log(home: Path) -> Iterator[Log]:
    with open_log(played_home(home)) as log:
        yield log


def rows_in(folder: Path) -> dict[str, list[Any]]:
    """Every row of a warehouse that counts, by table, in an order that doesn't depend on the files."""
    with asking.opened(folder) as warehouse:
        return {table: sorted(map(repr, warehouse.ask_freely(f"FROM {table}").rows)) for table in TABLES}
