"""Logs for the feed to tell of, made by hand or kept of old, and what the feed says of them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from domain import catalog
from domain.table.commands import DealHand, SitDown
from services.bootstrap import open_log
from services.eventlog import body
from services.eventlog.commit import GENESIS, Record, parse, seal
from services.eventlog.log import Log
from services.feed.cloudevents import FeedEvent, events_of
from services.ports import Ports
from services.room.room import Room
from tests.domain.hand.random_hands import Mood, answer
from tests.services.homes import Desk, in_its_name, open_table, room_over

KEPT = sorted((Path(__file__).parents[1] / "history").glob("*/log.hl"))
"""The logs that are kept of each version: every event of it stands there."""

NEW_YEAR = 1_767_225_600_000_000
"""2026-01-01 00:00 UTC in microseconds."""


def commit(*facts: tuple[str, Any], at: int = NEW_YEAR) -> Record:
    """A commit of these events, each with its stream: height 0 of shard 0 of a room."""
    return stored(*((stream, *catalog.event.dump(event)) for stream, event in facts), at=at)


def stored(*facts: tuple[str, str, int, dict[str, Any]], at: int = NEW_YEAR) -> Record:
    """The same from what stands in the log: stream, wire name, revision, data."""
    command = {"id": "1", "name": "test", "rev": 1, "args": {}, "by": "ann", "cause": "floor"}
    events = [body.fact(one[0], number, *one[1:]) for number, one in enumerate(facts, start=1)]
    return sealed(body.entry(at, command, events).body)


def sealed(data: bytes) -> Record:
    """The same of any body."""
    raw, _ = seal("riverside", 0, GENESIS, data)
    return parse(raw)


def records_of(*logs: Log) -> Iterator[Record]:
    """All commits of these logs, shard by shard."""
    return (record for log in logs for shard in range(log.shards) for record in log.read(shard))


def told(records: Iterable[Record]) -> list[FeedEvent]:
    """What the feed says of these commits."""
    return [event for record in records for event in events_of(record)]


def told_of(*logs: Log) -> list[FeedEvent]:
    """What the feed says of whole logs, shard by shard."""
    return told(records_of(*logs))


def read(event: FeedEvent) -> dict[str, Any]:
    """An event as a consumer has it."""
    value: dict[str, Any] = json.loads(event.value)
    return value


def events_like(events: Iterable[FeedEvent], name: str) -> list[dict[str, Any]]:
    """Those of one wire name, as a consumer has them."""
    return [one for one in map(read, events) if one["type"].startswith(f"handlog.{name}.v")]


def play(home: Path, ports: Ports, hands: int, seed: int = 1) -> None:
    """So many hands at each of three tables, played at random; the tables are opened when the home has none."""
    random, desk = Random(seed), Desk(ports)
    with open_log(home, write=True) as log:
        room = room_over(log, ports)
        for table, terms in TABLES.items():
            if room.table(table).table is None:
                seated = [SitDown(table, seat, f"{table}p{seat}", DEEP) for seat in (1, 2, 3)]
                _give(room, desk, open_table(table, seats=3, most_buy_in=DEEP, **terms), *seated)
            for _ in range(hands):
                now = room.table(table).table
                assert now is not None
                _give(room, desk, DealHand(table, now.hands + 1))
                while (hand := room.table(table).hand) is not None and not hand.settled:
                    _give(room, desk, answer(random, MOOD, hand))


def _give(room: Room, desk: Desk, *asked: Any) -> None:
    for args in asked:
        (outcome,) = room.execute([in_its_name(desk, args)])
        assert not isinstance(outcome, Exception), f"{args}: {outcome}"


TABLES: dict[str, dict[str, Any]] = {
    "t1": {"game": "holdem", "limit": "no", "small": 50, "big": 100, "kind": "real", "currency": "EUR"},
    "t2": {"game": "triple-draw", "limit": "fixed", "small": 2, "big": 4},
    "t3": {"game": "holdem", "limit": "pot"},
}
DEEP = 100_000
MOOD = Mood(fold=0.15, bet=0.2, most=0, late=0.05, agree=0.5, wish=0)
