"""Histories to tamper with: a room that bots played in pieces, its checkpoints signed while it grew.

One history has a twin: the same room up to a moment, then played otherwise, and signed by the same key.
"""

import io
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from domain.messages import Command
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    TREE_FILE,
    make_home,
    open_log,
    opened_room,
    room_keys,
)
from services.bots import STYLES, act
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.transfer import export
from services.evidence import bundle as bundles
from services.evidence import checkpoints
from services.evidence import keyfile as checkpoint_key
from services.evidence.bundle import Bundle
from services.evidence.checkpointer import Checkpointer
from services.evidence.note import CheckpointKey, PublicKey, Signed
from services.evidence.tree import TreeStore
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.room import Room
from services.rulings import facts_of_hand
from services.sealing.shoe import SealedShoes

ROOM, SHARDS = "riverside", 3
TEN_MINUTES = 600_000_000
TABLES = (
    OpenTable("t1", "Elm", "holdem", "fixed", "euro", 100, 200, 2, "real", "EUR"),
    OpenTable("t2", "Oak", "stud", "fixed", "euro", 100, 200, 2, "real", "EUR", ante=25),
    OpenTable("t5", "Yew", "triple-draw", "fixed", "euro", 100, 200, 2, "real", "EUR"),
)
"""One for each shard."""

PLAYERS = (0, 5)
"""How the bots play: tight and timid, so that hands are short."""


class History(NamedTuple):
    """A log as it was exported, and what was signed of it, oldest first; `tail`: it goes on after the last one."""

    home: Path
    data: bytes
    signed: list[Signed]
    key: CheckpointKey

    @property
    def public(self) -> PublicKey:
        return self.key.public

    @property
    def notes(self) -> bytes:
        """The file of checkpoints."""
        return "".join(one.note for one in self.signed).encode()


@dataclass
class Floor:
    """Bots at the tables of a home, and the clock by which they play."""

    home: Path
    ports: Ports
    random: Random
    players: tuple[int, ...] = PLAYERS

    def play(self, hands: int, tables: tuple[OpenTable, ...] = TABLES) -> None:
        """So many more hands at each table, which is opened if need be."""
        with opened_room(self.home, self.ports) as room:
            self.play_in(room, hands, tables)

    def play_in(self, room: Room, hands: int, tables: tuple[OpenTable, ...]) -> None:
        for table in tables:
            if room.table(table.table).table is None:
                self._open(room, table)
            for _ in range(hands):
                self._hand(room, table.table)

    def sign(self, key: CheckpointKey) -> list[Signed]:
        with open_log(self.home) as log, TreeStore(self.home / TREE_FILE) as tree:
            return Checkpointer(log, tree, key, self.home / CHECKPOINTS_FILE).sign(self.ports.now())

    def _open(self, room: Room, table: OpenTable) -> None:
        self._give(room, table)
        for seat in range(1, table.seats + 1):
            self._give(room, SitDown(table.table, seat, f"bot{seat}", 20_000))

    def _hand(self, room: Room, table: str) -> None:
        now = room.table(table).table
        assert now
        self._give(room, DealHand(table, now.hands + 1))
        while True:
            play = room.table(table)
            if play.hand is None or play.hand.settled:
                return
            assert play.hand.turn is not None and play.shoe is not None
            self._give(room, act(STYLES[self.players[play.hand.turn.seat - 1]], play.hand, play.shoe, self.random))

    def _give(self, room: Room, args: Any) -> None:
        (answer,) = room.execute([Command(uuid7(self.ports.now(), self.ports.bits(74)), args, "floor:ann", "floor")])
        if isinstance(answer, Exception):
            raise answer


def ports_later(seed: int, later: int) -> Ports:
    """Seeded ports whose clock is ahead by so many microseconds."""
    seeded = seeded_ports(seed)
    return replace(seeded, now=lambda: seeded.now() + later)


def new_history(home: Path, pieces: int, seed: int = 1) -> History:
    """Play a hand at each table and sign, piece by piece, ten minutes apart; then one hand more, which isn't signed."""
    make_home(home, ROOM, seeded_ports(seed), shards=SHARDS)
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, f"handlog/{ROOM}")
    Floor(home, ports_later(seed, 0), Random(seed)).sign(key)
    return go_on(home, pieces, seed)


def go_on(home: Path, pieces: int, seed: int, later: int = TEN_MINUTES) -> History:
    """More pieces, the first one at a time that is `later`."""
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, f"handlog/{ROOM}")
    for piece in range(pieces):
        floor = Floor(home, ports_later(seed * 100 + piece, later + piece * TEN_MINUTES), Random(seed * 100 + piece))
        floor.play(1)
        floor.sign(key)
    Floor(home, ports_later(seed * 100 + 99, later + pieces * TEN_MINUTES), Random(seed)).play(1)
    return history_of(home, key)


def history_of(home: Path, key: CheckpointKey) -> History:
    with open_log(home) as log:
        out = io.BytesIO()
        export(log, out)
    return History(home, out.getvalue(), checkpoints.read(home / CHECKPOINTS_FILE, key.public), key)


def twins(folder: Path, before: int, after: int) -> tuple[History, History]:
    """Two histories of one room that part after some pieces; both have the same keys."""
    new_history(folder / "one", before)
    shutil.copytree(folder / "one", folder / "two")
    later = (before + 2) * TEN_MINUTES
    return go_on(folder / "one", after, seed=11, later=later), go_on(folder / "two", after, seed=12, later=later)


def hands_of(history: History) -> list[str]:
    """The hands that checkpoints cover in full."""
    played: dict[str, int] = {}
    with open_log(history.home) as log:
        for shard in range(SHARDS):
            newest = [one for one in history.signed if one.checkpoint.origin.endswith(f"/{shard}")][-1]
            for record in log.read(shard):
                if b'"hand.settled"' in record.body and record.height < newest.checkpoint.size:
                    (stream,) = {one["stream"] for one in facts_in(record) if one["type"] == "hand.settled"}
                    played[stream.removeprefix("hand:")] = record.height
    return list(played)


def facts_in(record: Record) -> list[body.Fact]:
    return body.decode(record.body).events


def bundle_of(history: History, hand: str, seats: tuple[int, ...] = (), *, deck: bool = False) -> Bundle:
    """The hand's bundle; with the keys to the cards of some seats, and to the deck."""
    with open_log(history.home) as log, TreeStore(history.home / TREE_FILE) as tree:
        facts, shard = facts_of_hand(log, hand)
        own = [one for one in history.signed if one.checkpoint.origin.endswith(f"/{shard}")][::-1]
        bundle = bundles.gather(log, tree, own, hand)
    if not seats and not deck:
        return bundle
    return bundles.with_keys(bundle, room_keys(history.home, ROOM), facts, seats, deck=deck)


def a_laid_deck(home: Path) -> History:
    """A history whose first hand was dealt from a deck that somebody laid: its seed shuffles to another order."""
    ports = seeded_ports(3)
    make_home(home, ROOM, ports, shards=SHARDS)
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, f"handlog/{ROOM}")
    floor = Floor(home, ports, Random(3))
    with open_log(home, write=True) as log:
        shoes = SealedShoes(room_keys(home, ROOM), ports.bits, lambda seed, hand, of, first: sorted(of))
        floor.play_in(Room(log, ports, shoes), 1, TABLES[:1])
    floor.sign(key)
    return history_of(home, key)
