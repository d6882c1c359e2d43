"""Homes with hands in them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from domain.messages import Command
from domain.table.commands import DealHand
from services.bootstrap import INDEX_FILE, LOG_FILE, make_home
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.sqlite_log import SqliteLog
from services.ids import uuid7
from services.kafka.settings import KAFKA
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from services.room.room import Room
from tests.bench.bots import PLAY, Money, TableBots
from tests.bench.hands import openings
from tests.bench.scripts import Variant
from tests.domain.hand.scripts import Script, command_of, deck_of
from tests.kafka.brokers import shared_broker
from tests.services.homes import room_over

SHARDS = 4

NewLog = Callable[[Path, Ports, int], SqliteCommits]
"""Makes the log of a new room with so many shards, and a home for it."""


def in_a_file(home: Path, ports: Ports, shards: int = SHARDS, *, kind: type[SqliteLog] = SqliteLog) -> SqliteLog:
    make_home(home, "bench", ports, shards=shards)
    return kind.open(home / LOG_FILE)


def on_kafka(home: Path, ports: Ports, shards: int = SHARDS, *, kind: type[KafkaLog] = KafkaLog) -> KafkaLog:
    """On the broker that the bench shares; the room's name is new."""
    broker, room = shared_broker(), f"bench-{uuid4().hex[:12]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KAFKA, broker.bootstrap)
        make_home(home, room, ports, shards=shards)
    return kind.open(broker, room, home / INDEX_FILE)


def command(ports: Ports, args: object) -> Command:
    return Command(uuid7(ports.now(), ports.bits(74)), args, "bench", "player")


def record(home: Path, variant: Variant, scripts: Sequence[Script]) -> list[str]:
    """Play each script in a room at a table of its own; the ids of the hands."""
    decks = iter([deck_of(script) for script in scripts])
    ports = seeded_ports(1)
    with in_a_file(home, ports) as log:
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

    def __init__(
        self,
        home: Path,
        tables: int,
        players: int,
        shards: int = SHARDS,
        new: NewLog = in_a_file,
        *,
        money: Money = PLAY,
        step: int = 1_000,
    ) -> None:
        """`step`: microseconds by which the room's clock goes on at each look."""
        self.ports = seeded_ports(1, step=step)
        self.log = new(home, self.ports, shards)
        self.room = room_over(self.log, self.ports)
        numbers = range(1, tables + 1)
        self.tables = [TableBots(f"t{number}", players, Random(number), money=money) for number in numbers]
        self.open(self.tables)

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
        self.play_at(self.tables)

    def open(self, tables: Sequence[TableBots]) -> None:
        _execute(self.room, [args for table in tables for args in table.opening()])

    def play_at(self, tables: Sequence[TableBots]) -> None:
        """One command at each of these."""
        answers = _execute(self.room, [table.next_command() for table in tables])
        for table, answer in zip(tables, answers, strict=True):
            table.take(answer)
