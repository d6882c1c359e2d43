"""A room's topics: what each is for, how it must be set up, and whether it is (design, The log: topics).

The log's topic keeps everything for ever: were it compacted or cleaned, commits would be gone, and the chain broken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import TopicAlreadyExistsError, UnknownTopicOrPartitionError, for_code

from domain.rules.phrases import counted, listed
from services.eventlog.log import LogError, NoLog
from services.kafka.clients import admin, explained
from services.kafka.settings import Broker

LARGEST_RECORD = 1_048_588
"""Bytes that a record batch of the log's topic may have at least: the largest record and its envelope."""

Settings = Mapping[str, str]

_UNKNOWN = UnknownTopicOrPartitionError.errno

_FOR_EVER = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
_COMPACTED_SOON = {"segment.ms": "600000", "segment.bytes": str(64 * 1024 * 1024), "min.cleanable.dirty.ratio": "0.1"}
"""What a segment still takes is never compacted, and by default that may be a week's snapshots."""
_SAFE = {"unclean.leader.election.enable": "false"}


class BadTopic(LogError):
    """A topic isn't set up as the room needs it; the sentence says what is wrong, and what would be right."""


@dataclass(frozen=True)
class Topic:
    """A topic of the room, with a partition for each of its shards. `must`: settings that it can't do without;
    `made_with`: those that it is made with, which an operator may change."""

    name: str
    purpose: str
    must: Settings
    made_with: Settings = field(default_factory=dict)


def log_topic(room: str) -> str:
    return f"handlog.{room}.log.v1"


def snapshots_topic(room: str) -> str:
    return f"handlog.{room}.snapshots.v1"


def feed_topic(room: str) -> str:
    return f"handlog.{room}.feed.v1"


def nodes_group(room: str) -> str:
    """The consumer group by which nodes share the shards out."""
    return f"handlog.{room}.nodes"


def topics_of(room: str) -> tuple[Topic, ...]:
    """All topics of a room."""
    return (
        Topic(log_topic(room), "the log", _FOR_EVER | _SAFE),
        Topic(
            snapshots_topic(room),
            "snapshots of tables and hands",
            {"cleanup.policy": "compact"} | _SAFE,
            _COMPACTED_SOON,
        ),
        Topic(feed_topic(room), "the feed", {"cleanup.policy": "delete"} | _SAFE),
    )


def rooms_on(broker: Broker) -> list[str]:
    """The rooms whose log lies on the cluster. Raises BrokerAway."""
    with admin(broker) as client, explained(broker):
        names = client.list_topics()
    return sorted(name[8:-7] for name in names if name.startswith("handlog.") and name.endswith(".log.v1"))


def partitions_of(broker: Broker, topic: str) -> int:
    """The number of the topic's partitions; 0 where there is no such topic. Raises BrokerAway."""
    with admin(broker) as client, explained(broker):
        return len(_described(client, [topic]).get(topic, ()))


def create(broker: Broker, room: str, shards: int, replicas: int = 0) -> None:
    """Make what is missing of a room's topics. `replicas`: 0 takes three, or as many as there are brokers.

    Raises BrokerAway, BadTopic.
    """
    with admin(broker) as client, explained(broker):
        brokers = len(client.describe_cluster()["brokers"])
        copies = replicas or min(3, brokers)
        if copies > brokers:
            raise BadTopic(f"{counted(copies, 'replica')} need as many brokers: {broker} has {brokers}")
        insync = str(insync_of(copies))
        there = _described(client, [topic.name for topic in topics_of(room)])
        wanted = {
            topic.name: {
                "num_partitions": shards,
                "replication_factor": copies,
                "configs": {
                    **topic.must,
                    **topic.made_with,
                    "min.insync.replicas": insync,
                    "max.message.bytes": str(LARGEST_RECORD),
                },
            }
            for topic in topics_of(room)
            if topic.name not in there
        }
        try:
            if wanted:
                client.create_topics(wanted, wait_for_metadata=True)
        except TopicAlreadyExistsError:  # another made it at this moment; what it is like, `check` says
            pass


def insync_of(replicas: int) -> int:
    """How many replicas must have a record before it is acknowledged: two where there are three."""
    return 2 if replicas >= 3 else 1


def check(broker: Broker, room: str, shards: int | None = None) -> None:
    """Raise BadTopic unless the room's topics are there and set up as they must; all that is wrong stands in it.

    `shards`: how many the room has, None for as many as the log's topic has partitions. Raises BrokerAway.
    """
    topics = topics_of(room)
    with admin(broker) as client, explained(broker):
        there = _described(client, [topic.name for topic in topics])
        asked = [ConfigResource(ConfigResourceType.TOPIC, name) for name in there]
        settings = client.describe_configs(asked, config_filter="all").get("topic", {}) if asked else {}
    wanted = shards or len(there.get(topics[0].name, ())) or None
    wrong = [fault for topic in topics for fault in _faults(topic, there.get(topic.name), settings, wanted)]
    if wrong:
        raise BadTopic("; ".join(wrong))


def _described(client: Any, names: Sequence[str]) -> dict[str, list[int]]:
    """The topics that exist, with the number of replicas of each partition."""
    try:
        found = client.describe_topics(list(names))
    except UnknownTopicOrPartitionError:
        return {}
    for topic in found:
        if topic["error_code"] not in (0, _UNKNOWN):
            raise for_code(topic["error_code"])(f"topic {topic['name']} can't be described")
    return {
        topic["name"]: [len(partition["replica_nodes"]) for partition in topic["partitions"]]
        for topic in found
        if not topic["error_code"]
    }


def _faults(topic: Topic, replicas: list[int] | None, settings: Mapping[str, Any], shards: int | None) -> list[str]:
    """What is wrong with a topic."""
    if replicas is None:
        return [f"there is no topic {topic.name} for {topic.purpose}: `handlog topics --create` makes it"]
    has = {name: str(entry["value"]) for name, entry in settings.get(topic.name, {}).items()}
    wrong = []
    if shards is not None and len(replicas) != shards:
        wrong.append(f"{counted(len(replicas), 'partition')} where the room has {counted(shards, 'shard')}")
    wrong += [f"{name}={has.get(name)}, not {value}" for name, value in topic.must.items() if has.get(name) != value]
    insync = insync_of(min(replicas, default=1))
    if int(has.get("min.insync.replicas", "0")) < insync:
        wrong.append(f"min.insync.replicas={has.get('min.insync.replicas')}, not {insync}")
    if int(has.get("max.message.bytes", "0")) < LARGEST_RECORD:
        wrong.append(f"max.message.bytes={has.get('max.message.bytes')}, less than {LARGEST_RECORD}")
    return [f"topic {topic.name} can't be {topic.purpose}: it has {listed(wrong)}"] if wrong else []


def only_room(broker: Broker, wanted: str | None) -> str:
    """The room whose log is meant: the one named, or the only one there. Raises NoLog."""
    rooms = rooms_on(broker)
    if wanted:
        if wanted not in rooms:
            raise NoLog(f"Kafka at {broker} has no log of room {wanted}, but {_told(rooms)}")
        return wanted
    if len(rooms) != 1:
        advice = "say which with --room" if rooms else "`handlog init` makes one"
        raise NoLog(f"Kafka at {broker} has {_told(rooms)}, but one is meant: {advice}")
    return rooms[0]


def _told(rooms: Sequence[str]) -> str:
    if not rooms:
        return "no log"
    some = listed([*rooms[:5], f"{len(rooms) - 5} more"] if len(rooms) > 5 else rooms)
    return f"{'that' if len(rooms) == 1 else 'those'} of {'room' if len(rooms) == 1 else 'rooms'} {some}"
