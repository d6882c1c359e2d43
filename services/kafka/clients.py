"""kafka-python's clients as this house uses them: no topic made by accident, no group, nothing lost in silence."""

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError
from kafka.net.compat import KafkaNetClient

from services.eventlog.log import LogError
from services.kafka.reasons import failures_heard, refusal, unreachable
from services.kafka.settings import Broker

ANSWER = 3_000
"""Milliseconds to wait for a broker's answer before another try."""

DELIVERY = 8_000
"""Milliseconds to try to send a record: then whether it was appended is unknown."""

_GREETED = {"socket_connection_setup_timeout_ms": ANSWER, "socket_connection_setup_timeout_max_ms": ANSWER}
"""Milliseconds for a new connection to come about. By default it is 10 s and more, which a broker that hangs costs."""

_TOPICS = 20
"""Milliseconds between two looks at which topics there are. A new client looks twice, at the cluster and then at its
own topic: by default 100 ms apart, whatever `retry_backoff_ms` says (kafka-python 3.0.12 doesn't pass it on)."""

_MOST = 16 * 1024 * 1024
"""Bytes fetched from a partition at once."""


_LEADERS = 1_000
"""Milliseconds between two looks at who leads what. A reader that asks where a partition ends asks a broker that leads
it no more again and again, and never looks who does (as KAFKA-9535 had it): by default it looks every five minutes."""


class BrokerAway(LogError):
    """No broker of the cluster answers, or none that may: nothing could be read, and nothing was sent."""


class PartMissing(LogError):
    """Something that must be installed isn't."""


def check_crc32c() -> None:
    """Raise PartMissing unless the checksums are computed by a compiled library: else each record costs a multiple."""
    if importlib.util.find_spec("crc32c") is None:
        raise PartMissing(
            "kafka-python computes checksums in Python here, several times slower: install `kafka-python[crc32c]`"
        )


def consumer(broker: Broker, **more: Any) -> KafkaConsumer:
    """A reader of partitions, which the caller assigns; with `group_id` a member of a group. Raises BrokerAway."""
    check_crc32c()
    with _connecting(broker):
        return _made(
            KafkaConsumer,
            _common(broker)
            | {
                "enable_auto_commit": False,
                "auto_offset_reset": "earliest",
                "fetch_max_bytes": 4 * _MOST,
                "max_partition_fetch_bytes": _MOST,
                "max_poll_records": 5_000,
                "metadata_max_age_ms": _LEADERS,
            }
            | more,
        )


def producer(broker: Broker, **more: Any) -> KafkaProducer:
    """An idempotent sender whose records are acknowledged by every replica in sync. Raises BrokerAway.

    What is sent goes out with the next flush: so that what belongs together travels together.
    """
    check_crc32c()
    with _connecting(broker):
        return _made(
            KafkaProducer,
            _common(broker)
            | {
                "acks": "all",
                "enable_idempotence": True,
                "delivery_timeout_ms": DELIVERY,
                "max_block_ms": DELIVERY,
                "linger_ms": 1_000,
                "batch_size": 1_000_000,
                "max_request_size": 4_000_000,
            }
            | more,
        )


def admin(broker: Broker) -> KafkaAdminClient:
    """What makes and describes topics. Raises BrokerAway."""
    check_crc32c()
    with _connecting(broker):
        return _made(KafkaAdminClient, _reached(broker))


def _made(kind: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """A client. Where it can't be made, what it has opened is closed: it would keep its sockets, and a thread."""
    opened: list[KafkaNetClient] = []

    def net(**how: Any) -> KafkaNetClient:
        opened.append(KafkaNetClient(**how, **_GREETED))
        opened[-1].cluster.config["retry_backoff_ms"] = _TOPICS
        return opened[-1]

    try:
        return kind(kafka_client=net, **options)
    except BaseException:
        for one in opened:
            one.close()
        raise


def _common(broker: Broker) -> dict[str, Any]:
    return {**_reached(broker), "allow_auto_create_topics": False, "metrics_enabled": False}


def _reached(broker: Broker) -> dict[str, Any]:
    return {
        "bootstrap_servers": broker.bootstrap.split(","),
        "request_timeout_ms": ANSWER,
        "bootstrap_timeout_ms": DELIVERY,
        "reconnect_backoff_max_ms": 1_000,
        **broker.options,
    }


@contextmanager
def _connecting(broker: Broker) -> Iterator[None]:
    """Why no connection comes about, as a sentence. Raises BrokerAway."""
    with failures_heard() as failures:
        try:
            yield
        except (KafkaError, OSError) as error:
            raise BrokerAway(unreachable(broker, failures) or refusal(broker, error)) from error


@contextmanager
def explained(broker: Broker) -> Iterator[None]:
    """Errors of the client as a sentence. Raises BrokerAway."""
    try:
        yield
    except (KafkaError, OSError) as error:
        raise BrokerAway(refusal(broker, error)) from error
