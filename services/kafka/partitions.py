"""The partitions of a topic as a log needs them: what stands there from an offset on, and what is sent to their ends.

Nothing here knows what a record means.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from kafka import KafkaProducer, TopicPartition
from kafka.errors import KafkaError

from services.kafka.clients import ANSWER, BrokerAway, consumer, explained, producer
from services.kafka.settings import Broker

_POLL = 500
"""Milliseconds of one look for more records."""

_A_MOMENT = 0.5
"""Seconds that a dropped client's thread has to end: it may be in the midst of a look at its sockets."""


class Placed(NamedTuple):
    """A record's bytes and the offset at which they stand. A record without a value has none."""

    offset: int
    raw: bytes


class Reader:
    """Reads partitions of one topic. Not for several threads at once."""

    def __init__(self, broker: Broker, topic: str, patience: float = 30.0) -> None:
        """`patience`: seconds without a record that is known to be there, after which BrokerAway is raised."""
        self._broker, self._topic, self._patience = broker, topic, patience
        self._consumer = consumer(broker, auto_offset_reset="none")  # never on from another place than it was sent to

    def begin(self, partition: int) -> int:
        """The first offset that is kept. Raises BrokerAway."""
        at = TopicPartition(self._topic, partition)
        with explained(self._broker):
            begin: int = self._consumer.beginning_offsets([at], timeout_ms=self._patience * 1000)[at]
        return begin

    def end(self, partition: int) -> int:
        """The offset after the last record. Raises BrokerAway."""
        at = TopicPartition(self._topic, partition)
        with explained(self._broker):
            end: int = self._consumer.end_offsets([at], timeout_ms=self._patience * 1000)[at]
        return end

    def read(self, partition: int, offset: int, end: int | None = None) -> Iterator[Placed]:
        """The records from that offset to the end as it is now. Raises BrokerAway.

        Offsets between two of them may be missing: what stood there was no record, or is gone.
        """
        at = TopicPartition(self._topic, partition)
        stop = self.end(partition) if end is None else end
        if offset >= stop:
            return
        with explained(self._broker):
            self._consumer.assign([at])
            self._consumer.seek(at, offset)
        seen = time.monotonic()
        while offset < stop:
            with explained(self._broker):
                found = self._consumer.poll(timeout_ms=_POLL).get(at, ())
                offset = max(offset, self._consumer.position(at, timeout_ms=ANSWER))
            for record in found:
                if record.offset < stop:
                    yield Placed(record.offset, record.value or b"")
            if found:
                seen = time.monotonic()
            elif time.monotonic() - seen > self._patience:
                raise BrokerAway(f"Kafka at {self._broker} gave no record for {self._patience:.0f} s")

    def close(self) -> None:
        self._consumer.close(autocommit=False, timeout_ms=ANSWER)


class Sender:
    """Sends records to partitions of one topic, and says where the broker has put them."""

    def __init__(self, broker: Broker, topic: str) -> None:
        self._broker, self._topic = broker, topic
        self._producer: KafkaProducer | None = None

    def send(self, records: Sequence[tuple[int, bytes, bytes]], patience: float) -> list[int | None]:
        """The offset of each (partition, key, value), in order; None where it is unknown whether it was appended.

        Waits at most `patience` seconds. After anything unknown the client is dropped: what it still holds may be
        appended later, or never. Raises BrokerAway where nothing was sent.
        """
        futures: list[Any] = []
        client = self._client()
        try:
            for partition, key, value in records:
                futures.append(client.send(self._topic, value=value, key=key, partition=partition))
            client.flush(timeout=patience)
        except (KafkaError, ValueError) as error:
            if not futures:
                self._drop()
                raise BrokerAway(f"Kafka at {self._broker} can't be written to: {error}") from error
        offsets = [_offset(future) for future in futures]
        offsets += [None] * (len(records) - len(offsets))
        if None in offsets:
            self._drop()
        return offsets

    def close(self) -> None:
        self._drop()

    def _client(self) -> KafkaProducer:
        if self._producer is None:
            self._producer = producer(self._broker)
        return self._producer

    def _drop(self) -> None:
        if self._producer is not None:
            client, self._producer = self._producer, None
            sender = client._sender  # noqa: SLF001
            sender.force_close()  # first, for `close` begins with a flush: it would send what is held
            sender.join(_A_MOMENT)
            with suppress(KafkaError):
                client.close(timeout=0)


def _offset(future: Any) -> int | None:
    if not future.is_done or future.failed():
        return None
    offset: int = future.value.offset
    return offset if offset >= 0 else None
