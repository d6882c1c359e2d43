"""Durable commands on Kafka: tables at once through the writer, beside kafka-python's own producer.

The peers send the records that ours made, keys and partitions the same, to another topic of the same broker that is set
up alike: idempotent, acknowledged by all. The first sends as fast as it can and waits at the end alone, which no table
can do that must know its answer before it acts again; the second waits after each batch, as ours did.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from uuid import uuid4

from kafka import KafkaProducer

from domain.rules.phrases import counted
from services.eventlog import body, commit
from services.kafka.clients import producer
from services.kafka.settings import Broker
from services.kafka.topics import create, log_topic
from tests.bench import sitting
from tests.bench.folder import folder
from tests.bench.homes import SHARDS
from tests.bench.replay_kafka import records_of
from tests.bench.rows import Row, Side, answer_rows, info, more, timed
from tests.kafka.brokers import shared_broker

GOAL, GOAL_TABLES = 0.4, 64

BEST = {"linger_ms": 5, "batch_size": 1024 * 1024}
"""What the peer was fastest with, of linger 0 to 100 ms and batches of 16 KiB to 1 MiB."""

OURS: Mapping[str, int] = MappingProxyType({})
"""As our own log has it: what was sent goes out with the next flush."""

Keyed = tuple[int, bytes, bytes]
"""What the log gives to Kafka of a record: partition, key, value."""


def rows(sizes: Iterable[tuple[int, int]], runs: int) -> list[Row]:
    """`sizes`: how many tables at once, and how many commands they give together."""
    return [row for tables, commands in sizes for row in _rows(tables, commands, runs)]


def _rows(tables: int, commands: int, runs: int) -> list[Row]:
    ours, at_once, together, size, waits = [], [], [], [], list[float]()
    for run in range(runs):
        with folder() as home:
            seconds, appends, waited = sitting.play(sitting.KAFKA, home, tables, commands, run)
        ours.append(commands / seconds)
        waits += waited
        batches = [[keyed(raw) for raw in batch] for batch in appends]
        at_once.append(commands / produced(shared_broker(), [[one for batch in batches for one in batch]], BEST))
        together.append(commands / produced(shared_broker(), batches))
        size.append(commands / len(batches))
    where, unit = f"Kafka, {counted(tables, 'table')} at once", "commands/s"
    name, goal = f"durable commands, {where}", GOAL if tables == GOAL_TABLES else None
    return [
        more(name, unit, median(ours), median(at_once), "kafka-python's producer, same bytes", goal),
        more(name, unit, median(ours), median(together), "the same, batch after batch as ours", None),
        info(f"commands of one append, {where}, mean", "commands", median(size)),
        *answer_rows(f"the answer to a durable command, {where}", waits),
    ]


def keyed(raw: bytes) -> Keyed:
    record = commit.parse(raw)
    return record.shard, body.touches(body.decode(record.body).events)[0].stream.encode(), raw


def produced(broker: Broker, batches: Sequence[Sequence[Keyed]], settings: Mapping[str, int] = OURS) -> float:
    """Seconds in which a peer sends the batches to a new topic, each when the one before is acknowledged; what stands
    there then is read back and compared."""
    room = f"bench-peer-{uuid4().hex[:12]}"
    create(broker, room, SHARDS)
    topic = log_topic(room)
    sender = producer(broker, **settings)
    try:
        sender.partitions_for(topic)
        seconds, _ = timed(Side(lambda _: _send(sender, topic, batches)))
    finally:
        sender.close()
    assert stored(broker, topic) == sorted(one for batch in batches for one in batch)
    return seconds


def _send(sender: KafkaProducer, topic: str, batches: Sequence[Sequence[Keyed]]) -> None:
    for batch in batches:
        futures = [sender.send(topic, value, key, partition=partition) for partition, key, value in batch]
        sender.flush()
        assert all(future.succeeded() for future in futures)


def stored(broker: Broker, topic: str) -> list[Keyed]:
    """All that stands in a topic."""
    return sorted((record.partition, record.key, record.value) for record in records_of(broker, topic))
