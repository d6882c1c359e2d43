"""Where the time of a durable command goes, on either log.

In a sitting of its own, since a watched one is slower than a timed one, and without the writer's thread, so that no
part is charged with waiting for another thread. `seal` is the shuffle and the boxes of deck and cards, `commit` the
salts and root of the deck, `chain` the record's header, `store` the SQLite file: on Kafka its index. There `send` hands
the records to kafka-python, and `wait` lasts until the broker has acknowledged them all. The tree grows outside of the
room, whenever checkpoints are signed: here once, over all commands of the sitting.
"""

from collections.abc import Sequence
from contextlib import closing
from time import perf_counter
from typing import Any

import pytest
from kafka import KafkaProducer

from domain.hand import state as hand_state
from domain.table import state as table_state
from services.bootstrap import TREE_FILE
from services.eventlog import body, commit
from services.eventlog.log import Log
from services.eventlog.sqlite_commits import SqliteCommits
from services.evidence.tree import TreeStore
from services.kafka.partitions import Sender
from services.room import room
from services.sealing import shoe
from tests.bench import homes
from tests.bench.bots import TableBots
from tests.bench.folder import folder
from tests.bench.homes import Lockstep, NewLog, in_a_file, on_kafka
from tests.bench.rows import Row, info
from tests.bench.sitting import PLAYERS
from tests.bench.stopwatch import Stopwatch, Watched

PARTS = ("decide", "evolve", "check", "seal", "commit", "encode", "chain", "hash", "store", "the bots, not ours")
KAFKA_PARTS = (*PARTS, "send", "wait")

_WATCHED: tuple[Watched, ...] = (
    (room, "play_desk", "decide"),
    (room, "check", "check"),
    (shoe.SealedShoe, "shuffle", "seal"),
    (shoe.SealedShoe, "down", "seal"),
    (shoe, "salts", "commit"),
    (shoe, "root", "commit"),
    (room, "events_of", "encode"),
    (body, "entry", "encode"),
    (commit, "seal", "chain"),
    (commit, "sha256", "hash"),
    (SqliteCommits, "_write", "store"),
    (homes, "command", "the bots, not ours"),
    (TableBots, "next_command", "the bots, not ours"),
    (TableBots, "take", "the bots, not ours"),
)
_WATCHED_KAFKA: tuple[Watched, ...] = ((Sender, "send", "send"), (KafkaProducer, "flush", "wait"))
_WATCHED_FOLDS: tuple[dict[Any, Any], ...] = (hand_state.EVOLVE, table_state.EVOLVE)


def rows(tables: int, commands: int) -> list[Row]:
    """Microseconds of each part for one command; the rest is the room's book-keeping."""
    return _rows("of a durable command", in_a_file, PARTS, _WATCHED, tables, commands)


def kafka_rows(tables: int, commands: int) -> list[Row]:
    """The same for a log on Kafka."""
    return _rows("of a durable command on Kafka", on_kafka, KAFKA_PARTS, _WATCHED + _WATCHED_KAFKA, tables, commands)


def _rows(
    name: str, new: NewLog, parts: Sequence[str], watched: Sequence[Watched], tables: int, commands: int
) -> list[Row]:
    stopwatch = Stopwatch(parts)
    rounds = max(commands // tables, 1)
    with (
        folder() as home,
        closing(Lockstep(home / "room", tables, PLAYERS, new=new)) as room,
        TreeStore(home / TREE_FILE) as tree,
    ):
        room.play_hands(tables)  # tables of rankings are built at the first showdown
        _grow(tree, room.log)
        with pytest.MonkeyPatch.context() as patch:
            _install(stopwatch, patch, watched)
            start = perf_counter()
            for _ in range(rounds):
                room.play_once()
            whole = perf_counter() - start
        spent = stopwatch.seconds | {"the rest": whole - sum(stopwatch.seconds.values())}
        spent["tree, outside of the room"] = _grow(tree, room.log)
    return [info(f"{name}: {part}", "us", seconds / (rounds * tables) * 1e6) for part, seconds in spent.items()]


def _install(stopwatch: Stopwatch, patch: pytest.MonkeyPatch, watched: Sequence[Watched]) -> None:
    stopwatch.install(patch, watched)
    for folds in _WATCHED_FOLDS:
        for kind, fold in folds.items():
            patch.setitem(folds, kind, stopwatch.watch(fold, "evolve"))


def _grow(tree: TreeStore, log: Log) -> float:
    """Seconds in which the trees catch up with the log."""
    start = perf_counter()
    for shard in range(log.shards):
        tree.catch_up(log, shard)
    return perf_counter() - start
