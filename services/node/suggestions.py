"""Who should own which shard: what a consumer group suggests, or what the node was told (design, Owners).

A suggestion, no more: the chain says who owns a shard. So a node goes on while the group is being balanced, or the
broker is away, until somebody else has claimed what it has.
"""

import threading
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from kafka import ConsumerRebalanceListener, KafkaConsumer
from kafka.errors import InvalidSessionTimeoutError, KafkaError

from services.eventlog.log import LogError
from services.kafka.clients import ANSWER, consumer
from services.kafka.settings import Broker
from services.kafka.topics import log_topic, nodes_group
from services.node.sharing import ByShard, Member

SESSION = 2_000
"""Milliseconds without a sign of life after which a node's shards are given to others."""

HEARTBEAT = 600
"""Milliseconds between two signs of life."""

LOOK = 100
"""Milliseconds of one look for news of the group."""


class Suggested(NamedTuple):
    """The shards that the node should own, and the number of times that this was said."""

    shards: frozenset[int]
    turn: int


class Suggestions(Protocol):
    """Where a node learns which shards it should own."""

    def now(self) -> Suggested:
        """What is suggested now. Raises LogError where nothing can be any more."""
        ...

    def leave(self) -> None:
        """The node goes: its shards may be given to others at once."""
        ...


class Given:
    """The shards that the node was told to own."""

    def __init__(self, shards: Iterable[int]) -> None:
        self._suggested = Suggested(frozenset(shards), 1)

    def now(self) -> Suggested:
        return self._suggested

    def leave(self) -> None:
        pass


class Group(ConsumerRebalanceListener):  # type: ignore[misc]
    """A member of the room's group of nodes, from its making on; its thread gives signs of life."""

    def __init__(self, broker: Broker, room: str, member: Member) -> None:
        """Raises BrokerAway."""
        self._suggested = Suggested(frozenset(), 0)
        self._failed: LogError | None = None
        self._left = threading.Event()
        self._consumer: KafkaConsumer = consumer(
            broker,
            group_id=nodes_group(room),
            client_id=f"handlog-{member.node}",
            session_timeout_ms=SESSION,
            heartbeat_interval_ms=HEARTBEAT,
            partition_assignment_strategy=(ByShard(member),),
        )
        self._consumer.subscribe([log_topic(room)], listener=self)
        self._broker = broker
        self._thread = threading.Thread(target=self._stay, name="group", daemon=True)
        self._thread.start()

    def now(self) -> Suggested:
        if self._failed is not None:
            raise self._failed
        return self._suggested

    def leave(self) -> None:
        self._left.set()
        self._thread.join(timeout=ANSWER / 1000)

    def on_partitions_assigned(self, assigned: Iterable[tuple[str, int]]) -> None:
        self._consumer.pause(*assigned)  # the log reads for itself
        shards = frozenset(partition for _, partition in self._consumer.assignment())
        self._suggested = Suggested(shards, self._suggested.turn + 1)

    def on_partitions_revoked(self, revoked: Iterable[tuple[str, int]]) -> None:
        """They are this node's until another claims them.

        Where news of the topic began this, kafka-python 3.0.12 forgets on the way that it is joining, and stays out of
        the group for ever, unless it is told that it must (as Kafka's own client did before KAFKA-9815).
        """
        self._consumer._coordinator.request_rejoin()  # noqa: SLF001 -- it has no other way

    def _stay(self) -> None:
        try:
            while not self._left.is_set():
                self._stay_once()
        except Exception as error:  # noqa: BLE001 - a defect; the node would go by an old suggestion for ever
            self._failed = LogError(f"the group of nodes can't be followed any more: {error!r}")
        finally:
            self._consumer.close(autocommit=False, timeout_ms=ANSWER)

    def _stay_once(self) -> None:
        try:
            self._consumer.poll(timeout_ms=LOOK)
        except InvalidSessionTimeoutError:
            self._failed = LogError(
                f"Kafka at {self._broker} refuses a group's session of {SESSION} ms: lower "
                f"group.min.session.timeout.ms to {SESSION} or less at its brokers"
            )
            self._left.set()
        except KafkaError:  # the broker is away: it will be asked again
            self._left.wait(0.2)
