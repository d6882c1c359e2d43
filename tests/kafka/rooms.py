"""A room on a real broker for the tests of its log: writers with an index of their own, and what is put in by hand."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Self
from uuid import uuid4

from kafka import KafkaProducer, TopicPartition

from services.eventlog import commit
from services.eventlog.commit import Head, Record
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Entry
from services.kafka.clients import consumer
from services.kafka.settings import Broker
from services.kafka.topics import log_topic
from tests.contract.logs import entry
from tests.kafka.brokers import shared_broker


class KafkaRoom:
    """A new room with one log open for writing, of class `kind`; all that is opened here is closed."""

    def __init__(
        self, folder: Path, kind: type[KafkaLog] = KafkaLog, *, broker: Broker | None = None, shards: int = 2
    ) -> None:
        self.broker = broker or shared_broker()
        self.name = f"riverside-{uuid4().hex[:12]}"
        self.index = folder / f"{self.name}.sqlite"
        self._kind, self._folder = kind, folder
        self.log = kind.create(self.broker, self.name, self.index, shards)
        self._open: list[KafkaLog] = [self.log]
        self._hands: KafkaProducer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for log in self._open:
            log.close()
        if self._hands is not None:
            self._hands.close(timeout=2)

    def another(self, **how: Any) -> KafkaLog:
        """The room's log opened once more, with an empty index of its own."""
        return self._opened(Path(mkdtemp(prefix="another-", dir=self._folder)) / "index.sqlite", **how)

    def again(self, **how: Any) -> KafkaLog:
        """The first log closed, and opened again with its index."""
        self.log.close()
        self.log = self._opened(self.index, **how)
        return self.log

    def _opened(self, index: Path, **how: Any) -> KafkaLog:
        log = self._kind.open(self.broker, self.name, index, **how)
        self._open.append(log)
        return log

    def records(self, shard: int = 0) -> list[Record]:
        """What a reader with nothing but the partition holds to be recorded."""
        folder = Path(mkdtemp(prefix="fresh-", dir=self._folder))
        with KafkaLog.open(self.broker, self.name, folder / "index.sqlite", write=False) as log:
            return list(log.read(shard))

    def put(self, *values: bytes | None, shard: int = 0) -> None:
        """Put records into the partition past the log, as any client may."""
        if self._hands is None:
            self._hands = KafkaProducer(
                bootstrap_servers=self.broker.bootstrap, acks="all", enable_idempotence=True, max_request_size=2_000_000
            )
        topic = log_topic(self.name)
        for sent in [self._hands.send(topic, value, key=b"by hand", partition=shard) for value in values]:
            sent.get(timeout=60)

    def end(self, shard: int = 0) -> int:
        """The offset after the partition's last record."""
        at = TopicPartition(log_topic(self.name), shard)
        client = consumer(self.broker)
        try:
            return int(client.end_offsets([at])[at])
        finally:
            client.close()


def sealed(room: KafkaRoom, head: Head, made: Entry, shard: int = 0, epoch: int | None = None) -> tuple[bytes, Head]:
    """The record of a commit that follows that head, and the head after it."""
    return commit.seal(room.name, shard, head, made.body, epoch)


def table(version: int, name: str = "a", **more: Any) -> Entry:
    """A commit of one event of a table, the one of that version."""
    return entry((f"table:{name}", version, version), **more)


def tables(number: int, first: int = 1, name: str = "a") -> Iterator[Entry]:
    """So many commits in a row of one table."""
    return (table(version, name) for version in range(first, first + number))


def hashes(records: list[Record]) -> list[str]:
    return [record.hash for record in records]
