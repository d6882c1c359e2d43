"""Homes for tests: a room that bots played, commands for it, and forgers of its log."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.state import Hand
from domain.messages import Command
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import LOG_FILE, make_home, open_log, room_keys
from services.eventlog import canonical
from services.eventlog.commit import GENESIS, Head, parse, seal
from services.eventlog.log import Log
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.door import RECOVERY, ROOM, ROOMS_OWN
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.sealing.shoe import Opener, Order, SealedShoes
from services.sealing.shuffle import shuffled
from tests.services.sealer import Sealer

START = 1_700_000_000_000_000
"""Where the clock of seeded ports begins, in UTC microseconds."""


class Desk:
    """Gives commands with ids of their own, as a client does."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports

    def __call__(self, args: Any, id_: str | None = None) -> Command:
        return Command(id_ or uuid7(self.ports.now(), self.ports.bits(74)), args, "floor:ann", "floor")


def in_its_name(desk: Desk, args: Any) -> Command:
    """A command as it comes: what only the room may ask for, from the room."""
    command = desk(args)
    cause = ROOMS_OWN.get(type(args))
    return command if cause is None else replace(command, by=ROOM, cause=cause)


def recovery(ports: Ports, args: Any) -> Command:
    """A command that the room gives itself after a failure."""
    return Command(uuid7(ports.now(), ports.bits(74)), args, ROOM, RECOVERY)


def new_home(home: Path, seed: int = 1) -> Ports:
    """An empty home, and the ports to go on with."""
    ports = seeded_ports(seed)
    make_home(home, "riverside", ports)
    return ports


def room_over(log: Log, ports: Ports, order: Order = shuffled) -> Room:
    """A room over the log of a test's home, or over one that wraps it; `order` stacks its decks."""
    return Room(log, ports, SealedShoes(keys_of(log), ports.bits, order))


def keys_of(log: Log) -> RoomKeys:
    """The keys of a test's home."""
    path: Path = log.path  # type: ignore[attr-defined]
    return room_keys(path.parent, log.room)


def opener(log: Log, order: Order | None = shuffled) -> Opener:
    """Opens what is sealed in a test's home; `order` is None where the test has stacked its decks."""
    return Opener(keys_of(log), order)


def sealer(log: Log, hand: str) -> Sealer:
    """Opens and seals the boxes of a hand in a test's home."""
    return Sealer(keys_of(log), hand)


def open_table(table: str = "t1", **terms: Any) -> OpenTable:
    usual: dict[str, Any] = {
        "name": "Elm", "game": "holdem", "limit": "no", "rulebook": "euro", "small": 1, "big": 2, "seats": 6,
        "kind": "play", "currency": "PLAY",
    }  # fmt: skip
    return OpenTable(table, **(usual | terms))


def a_table_of_two(table: str = "t1") -> list[Any]:
    """What opens a table, seats two players with 200 each and deals the first hand; seat 1 has the button."""
    return [open_table(table), SitDown(table, 1, "ann", 200), SitDown(table, 2, "bob", 200), DealHand(table, 1)]


def a_full_table(game: str, players: int, table: str = "t1", **terms: Any) -> list[Any]:
    """What opens a fixed-limit table, seats so many players with 200 each and deals the first hand."""
    seating = [SitDown(table, seat, f"p{seat}", 200) for seat in range(1, players + 1)]
    return [open_table(table, game=game, limit="fixed", seats=players, **terms), *seating, DealHand(table, 1)]


def hand_of(room: Room) -> Hand:
    """The hand at table t1."""
    hand = room.table("t1").hand
    assert hand
    return hand


def stays_in(hand: Hand) -> Any:
    """An answer to whatever the hand awaits that makes nobody leave it: no raise, all cards drawn that may be, and to
    every split a yes."""
    turn = hand.turn
    assert turn is not None
    answer = (hand.id, hand.decision, turn.seat)
    match turn:
        case fact.BringInOwed():
            return ask.BringIn(*answer, turn.least)
        case fact.DrawOffered():
            return ask.Draw(*answer, hand.dealt[turn.seat][: turn.most])
        case fact.SplitOffered():
            return ask.VoteToSplit(*answer, agree=True)
        case fact.TurnGiven():
            return ask.Call(*answer) if turn.call else ask.Check(*answer)


@dataclass(frozen=True)
class Place:
    """One event of a log: where it stands."""

    shard: int
    height: int
    index: int


Change = Callable[[dict[str, Any]], Any]
"""Changes an event's data in place; False where this event doesn't lend itself to it."""


SealedChange = Callable[[Sealer, dict[str, Any]], Any]
"""As Change, for an event that has boxes."""


def forge_event(home: Path, type_: str, change: Change, hand: str | None = None) -> Place:
    """Rewrite the first event of a type that the change applies to, and seal all commits after it anew."""
    return forge_sealed(home, type_, lambda _, data: change(data), hand)


def forge_sealed(home: Path, type_: str, change: SealedChange, hand: str | None = None) -> Place:
    """The same for a change that needs the keys."""
    with open_log(home) as log:
        keys = keys_of(log)

    def alter(body: dict[str, Any]) -> int | None:
        for index, event in enumerate(body["events"]):
            kind, _, of = event["stream"].partition(":")
            ours = event["type"] == type_ and (hand is None or (kind, of) == ("hand", hand))
            if ours and change(Sealer(keys, of), event["data"]) is not False:
                return index
        return None

    return forge(home, alter)


def forge(home: Path, alter: Callable[[dict[str, Any]], int | None]) -> Place:
    """Rewrite the first body for which `alter` gives an index, and seal all commits after it anew."""
    with sqlite3.connect(home / LOG_FILE) as db:
        (shards,) = db.execute("SELECT shards FROM log").fetchone()
        for shard in range(shards):
            rows = db.execute(f"SELECT height, record FROM commits_{shard} ORDER BY height").fetchall()
            records = [parse(raw) for _, raw in rows]
            for height, record in enumerate(records):
                body = canonical.decode(record.body)
                index = alter(body)
                if index is not None:
                    bodies = [canonical.encode(body), *(one.body for one in records[height + 1 :])]
                    head = records[height - 1].head if height else GENESIS
                    _reseal(db, record.room, shard, head, bodies)
                    return Place(shard, height, index)
    raise AssertionError("no commit of this log can be forged so")


def _reseal(db: sqlite3.Connection, room: str, shard: int, head: Head, bodies: list[bytes]) -> None:
    for body in bodies:
        raw, head = seal(room, shard, head, body)
        db.execute(f"UPDATE commits_{shard} SET record = ? WHERE height = ?", (raw, head.height))


def damage_record(home: Path, shard: int, height: int, old: bytes, new: bytes) -> None:
    """Change bytes of one record, as a failing disk does: nothing is sealed anew."""
    with sqlite3.connect(home / LOG_FILE) as db:
        (raw,) = db.execute(f"SELECT record FROM commits_{shard} WHERE height = ?", (height,)).fetchone()
        assert old in raw
        db.execute(f"UPDATE commits_{shard} SET record = ? WHERE height = ?", (raw.replace(old, new, 1), height))
