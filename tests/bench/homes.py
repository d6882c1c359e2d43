"""Homes with hands in them."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from domain.messages import Command
from domain.table.commands import DealHand
from services.bootstrap import LOG_FILE, make_home
from services.eventlog.sqlite_log import SqliteLog
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from services.room.room import Room
from tests.bench.bots import TableBots
from tests.bench.hands import openings
from tests.bench.scripts import Variant
from tests.domain.hand.scripts import Script, command_of, deck_of
from tests.services.homes import room_over


def new_home(path: Path, ports: Ports, shards: int = 4) -> Path:
    make_home(path, "bench", ports, shards=shards)
    return path


def command(ports: Ports, args: object) -> Command:
    return Command(uuid7(ports.now(), ports.bits(74)), args, "bench", "player")


def record(home: Path, variant: Variant, scripts: Sequence[Script]) -> list[str]:
    """Play each script in a room at a table of its own; the ids of the hands."""
    decks = iter([deck_of(script) for script in scripts])
    ports = seeded_ports(1)
    new_home(home, ports)
    with SqliteLog.open(home / LOG_FILE) as log:
        room = room_over(log, ports, lambda *_: next(decks))
        return [_record(room, variant, script, f"t{number}") for number, script in enumerate(scripts, start=1)]


def _record(room: Room, variant: Variant, script: Script, table: str) -> str:
    _execute(room, openings(variant, script, table))
    _execute(room, [DealHand(table, 1)])
    now = room.table(table)
    hand, shoe = now.hand, now.shoe
    assert hand and shoe
    for step in script.decisions:
        _execute(room, [command_of(hand, shoe, step, script.seats[step.player - 1])])
    return hand.id


def _execute(room: Room, asked: Sequence[object]) -> list[Answer]:
    outcomes = room.execute([command(room.ports, args) for args in asked])
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return [outcome for outcome in outcomes if isinstance(outcome, Answer)]


class Lockstep:
    """A room without its thread: all tables ask at once, all get their answers, then all ask again."""

    def __init__(self, home: Path, tables: int, players: int, shards: int = 4) -> None:
        self.ports = seeded_ports(1)
        self.log = SqliteLog.open(new_home(home, self.ports, shards) / LOG_FILE)
        self.room = room_over(self.log, self.ports)
        self.tables = [TableBots(f"t{number}", players, Random(number)) for number in range(1, tables + 1)]
        for table in self.tables:
            _execute(self.room, table.opening())

    def close(self) -> None:
        self.log.close()

    @property
    def hands(self) -> int:
        """Those that are over."""
        return sum(table.hands_over for table in self.tables)

    def play_hands(self, until: int) -> None:
        """Play on until so many hands are over."""
        while self.hands < until:
            self.play_once()

    def play_once(self) -> None:
        """One command at each table."""
        answers = _execute(self.room, [table.next_command() for table in self.tables])
        for table, answer in zip(self.tables, answers, strict=True):
            table.take(answer)
