"""The room's compacted topic of snapshots on Kafka: a partition a shard."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from services.kafka.clients import BrokerAway
from services.kafka.partitions import Reader, Sender
from services.kafka.settings import Broker
from services.kafka.topics import snapshots_topic
from services.snapshots.batch import Send

PATIENCE = 10.0
"""Seconds to wait for a broker: a snapshot is only a shortcut."""


class SnapshotReader:
    """The topic as `reader.find` needs it. Not for several threads at once."""

    def __init__(self, broker: Broker, room: str) -> None:
        self._reader = Reader(broker, snapshots_topic(room), PATIENCE)

    def end(self, shard: int) -> int:
        return self._reader.end(shard)

    def read(self, shard: int, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
        return self._reader.read(shard, start, stop)

    def close(self) -> None:
        self._reader.close()


@contextmanager
def opened(broker: Broker, room: str) -> Iterator[SnapshotReader]:
    """The topic, to be read for as long as the context lasts. Raises BrokerAway."""
    with closing(SnapshotReader(broker, room)) as topic:
        yield topic


def send_to(sender: Sender, shard: int) -> Send:
    """How a shard's snapshots are sent by a sender of their topic, which one thread has for itself."""

    def send(records: Sequence[tuple[bytes, bytes]]) -> list[int]:
        offsets = sender.send([(shard, key, raw) for key, raw in records], PATIENCE)
        known = [offset for offset in offsets if offset is not None]
        if len(known) < len(records):
            raise BrokerAway(
                f"Kafka took {len(known)} of {len(records)} records of a snapshot of shard {shard} for sure"
            )
        return known

    return send
