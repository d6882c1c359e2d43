"""Homes of the bench, on the disk that holds the repository."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from domain.messages import Command
from domain.table.commands import DealHand
from services.bootstrap import LOG_FILE, make_home
from services.eventlog.sqlite_log import SqliteLog
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.room import Room
from tests.bench.hands import deck_of, openings
from tests.bench.scripts import Script, Variant, command_of, seat_of

BUILD = Path(__file__).parents[2] / "build"


@contextmanager
def folder() -> Iterator[Path]:
    """An empty folder in build/, cleared away afterwards."""
    BUILD.mkdir(exist_ok=True)
    path = Path(mkdtemp(prefix="bench-", dir=BUILD))
    try:
        yield path
    finally:
        shutil.rmtree(path)


def new_home(path: Path, ports: Ports) -> Path:
    make_home(path, "bench", ports)
    return path


def command(ports: Ports, args: object) -> Command:
    return Command(uuid7(ports.now(), ports.bits(74)), args, "bench", "player")


def record(home: Path, variant: Variant, scripts: Sequence[Script]) -> list[str]:
    """Play each script in a room at a table of its own; the ids of the hands."""
    decks = iter([deck_of(script) for script in scripts])
    ports = replace(seeded_ports(1), shuffled=lambda _: next(decks))
    new_home(home, ports)
    with SqliteLog.open(home / LOG_FILE) as log:
        room = Room(log, ports)
        return [_record(room, variant, script, f"t{number}") for number, script in enumerate(scripts, start=1)]


def _record(room: Room, variant: Variant, script: Script, table: str) -> str:
    _execute(room, openings(variant, script, table))
    _execute(room, [DealHand(table, 1)])
    hand = room.table(table).hand
    assert hand
    for action in script.actions:
        _execute(room, [command_of(hand, action, seat_of(action.player))])
    return hand.id


def _execute(room: Room, asked: Sequence[object]) -> None:
    for outcome in room.execute([command(room.ports, args) for args in asked]):
        if isinstance(outcome, Exception):
            raise outcome
