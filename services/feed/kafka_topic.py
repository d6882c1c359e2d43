"""The feed as a Kafka topic: `handlog.<room>.feed.v1`, a partition a shard."""

from domain.rules.phrases import counted
from services.eventlog.log import AppendUnknown
from services.kafka.clients import DELIVERY
from services.kafka.partitions import Reader, Sender
from services.kafka.settings import Broker
from services.kafka.topics import BadTopic, feed_topic, partitions_of

_PATIENCE = DELIVERY / 1000 + 1
"""Seconds after which it is unknown whether what was sent is there."""


class KafkaTopic:
    """A `services.feed.worker.Topic`. Not for several threads at once."""

    def __init__(self, broker: Broker, room: str, shards: int) -> None:
        """Raises BadTopic unless the topic has a partition for each shard, BrokerAway."""
        self._name = feed_topic(room)
        there = partitions_of(broker, self._name)
        if not there:
            raise BadTopic(f"there is no topic {self._name} for the feed: `handlog topics --create` makes it")
        if there != shards:
            raise BadTopic(
                f"topic {self._name} has {counted(there, 'partition')} where the room has {counted(shards, 'shard')}"
            )
        self._reader, self._sender = Reader(broker, self._name), Sender(broker, self._name)
        self._waiting: list[tuple[int, bytes, bytes]] = []

    def last(self, shard: int) -> bytes | None:
        begin, end = self._reader.begin(shard), self._reader.end(shard)
        if begin == end:
            return None
        return next((placed.raw for placed in self._reader.read(shard, end - 1, end)), None)

    def send(self, shard: int, key: str, value: bytes) -> None:
        self._waiting.append((shard, key.encode(), value))

    def flush(self) -> None:
        records, self._waiting = self._waiting, []
        offsets = self._sender.send(records, _PATIENCE)
        if None in offsets:
            missing = offsets.count(None)
            raise AppendUnknown(
                f"Kafka didn't say whether {self._name} has {counted(missing, 'event')} that it was sent"
            )

    def close(self) -> None:
        self._sender.close()
        self._reader.close()
