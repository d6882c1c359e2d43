"""A room on Kafka brought to its final state by who knows nothing yet: read, checked against the chain, indexed, all
its tables and hands folded. The peer reads the same records with kafka-python's consumer and decodes their JSON, and
does nothing else.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from time import perf_counter
from typing import Any

from kafka import TopicPartition

from services.bootstrap import INDEX_FILE
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.kafka.clients import consumer
from services.kafka.settings import Broker
from services.kafka.topics import log_topic
from services.room.load import load_hand, load_table
from tests.bench.folder import folder
from tests.bench.homes import Lockstep, on_kafka
from tests.bench.rows import Row, Side, compare, faster, info, share
from tests.kafka.brokers import shared_broker

TABLES, PLAYERS = 64, 6

Stacks = tuple[str, dict[int, int]]
"""A hand that is over, and what each seat has then."""


def rows(hands: int, runs: int) -> list[Row]:
    with folder() as home:
        with closing(Lockstep(home / "room", TABLES, PLAYERS, new=on_kafka)) as room:
            room.play_hands(hands)
            played, commits = room.log.room, sum(room.log.head(shard).height + 1 for shard in range(room.log.shards))
        indexing: list[float] = []
        ours, peer = compare(our_side(played, home, indexing), their_side(played), runs=runs)
    each, index = 1e6 / commits, median(indexing)
    name, against = "replay from Kafka to the final state, index included", "reading and decoding alone"
    return [
        faster(name, "us/commit", each, ours, peer, against, None),
        share("of a replay from Kafka: reading and building the index", "us/commit", each, index, ours, "all"),
        info("building the index of a log on Kafka", "commits/s", commits / index),
    ]


def our_side(room: str, home: Path, indexing: list[float]) -> Side:
    """The seconds that reading and indexing took are added to `indexing`."""

    def run(_: None) -> list[Stacks]:
        start = perf_counter()
        index = Path(mkdtemp(prefix="index-", dir=home)) / INDEX_FILE
        with KafkaLog.open(shared_broker(), room, index, write=False) as log:
            indexing.append(perf_counter() - start)
            return list(_folded(log))

    return Side(run, results=_in_order)


def _folded(log: Log) -> Iterator[Stacks]:
    """Every table and hand, as far as hands are over."""
    stored = repository(log)
    for table in [table for shard in range(log.shards) for table in log.tables(shard)]:
        state = load_table(stored, table)
        assert state is not None
        for number in range(1, state.hands + 1):
            hand = load_hand(stored, f"{table}-{number}")
            assert hand is not None
            if hand.settled:
                yield hand.id, {seat: hand.stack[seat] for seat in hand.order}


def their_side(room: str) -> Side:
    return Side(lambda _: _decoded(shared_broker(), log_topic(room)), results=_settled)


def _decoded(broker: Broker, topic: str) -> list[Any]:
    """Decode all records of the topic; the events of hands that are over, since nothing else need be kept."""
    ends = []
    for record in records_of(broker, topic):
        events = json.loads(record.value.partition(b"\n")[2])["events"]
        ends += [event for event in events if event["type"] == "hand.settled"]
    return ends


def records_of(broker: Broker, topic: str) -> Iterator[Any]:
    """All that stands in a topic now, as kafka-python's consumer gives it."""
    with closing(consumer(broker)) as client:
        parts = [TopicPartition(topic, part) for part in client.partitions_for_topic(topic)]
        client.assign(parts)
        client.seek_to_beginning(*parts)
        missing = sum(client.end_offsets(parts).values())
        while missing:
            for records in client.poll(timeout_ms=500).values():
                missing -= len(records)
                yield from records


def _settled(events: list[Any]) -> list[Stacks]:
    return _in_order((event["stream"].removeprefix("hand:"), _stacks(**event["data"])) for event in events)


def _stacks(seats: list[int], stacks: list[int], **_: object) -> dict[int, int]:
    return dict(zip(seats, stacks, strict=True))


def _in_order(hands: Iterable[Stacks]) -> list[Stacks]:
    return sorted(hands, key=itemgetter(0))
