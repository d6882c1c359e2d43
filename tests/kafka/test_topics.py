"""A room's topics on a real broker: made as they must be, and refused with what is wrong where they aren't."""

import time
from typing import Any
from uuid import uuid4

import pytest
from kafka.admin import ConfigResource, ConfigResourceType

from services.eventlog.log import NoLog
from services.kafka import topics
from services.kafka.clients import BrokerAway, admin
from services.kafka.settings import Broker
from services.kafka.topics import BadTopic, feed_topic, log_topic, snapshots_topic
from tests.kafka.brokers import shared_broker


@pytest.fixture
def room() -> str:
    return f"room-{uuid4().hex[:12]}"


def test_topics_are_made_as_they_must_be(room: str) -> None:
    topics.create(shared_broker(), room, 3)
    topics.check(shared_broker(), room, 3)
    assert topics.partitions_of(shared_broker(), log_topic(room)) == 3
    assert room in topics.rooms_on(shared_broker())


def test_making_them_again_changes_nothing(room: str) -> None:
    topics.create(shared_broker(), room, 3)
    topics.create(shared_broker(), room, 5)
    topics.check(shared_broker(), room, 3)


def test_what_is_missing_is_named(room: str) -> None:
    with pytest.raises(BadTopic) as wrong:
        topics.check(shared_broker(), room)
    for name in (log_topic(room), snapshots_topic(room), feed_topic(room)):
        assert f"there is no topic {name}" in str(wrong.value)


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        ("cleanup.policy", "compact", "cleanup.policy=compact, not delete"),
        ("retention.ms", "604800000", "retention.ms=604800000, not -1"),
        ("retention.bytes", "1000000", "retention.bytes=1000000, not -1"),
        ("max.message.bytes", "1000", "max.message.bytes=1000, less than 1048588"),
        ("unclean.leader.election.enable", "true", "unclean.leader.election.enable=true, not false"),
    ],
)
def test_a_setting_that_would_lose_commits_is_refused(room: str, setting: str, value: str, sentence: str) -> None:
    topics.create(shared_broker(), room, 1)
    _set(log_topic(room), {setting: value})
    with pytest.raises(BadTopic) as wrong:
        topics.check(shared_broker(), room)
    assert str(wrong.value) == f"topic {log_topic(room)} can't be the log: it has {sentence}"


def test_snapshots_must_be_compacted(room: str) -> None:
    topics.create(shared_broker(), room, 1)
    _set(snapshots_topic(room), {"cleanup.policy": "delete"})
    with pytest.raises(BadTopic, match="cleanup.policy=delete, not compact"):
        topics.check(shared_broker(), room)


def test_another_number_of_partitions_is_refused(room: str) -> None:
    topics.create(shared_broker(), room, 2)
    with pytest.raises(BadTopic, match="2 partitions where the room has 4 shards"):
        topics.check(shared_broker(), room, 4)


def test_more_replicas_than_brokers_are_refused(room: str) -> None:
    with pytest.raises(BadTopic, match="9 replicas need as many brokers"):
        topics.create(shared_broker(), room, 1, replicas=9)


def test_two_replicas_in_sync_are_wanted_where_there_are_three() -> None:
    assert [topics.insync_of(replicas) for replicas in (1, 2, 3, 5)] == [1, 1, 2, 2]


def test_of_several_rooms_one_must_be_named(room: str) -> None:
    for name in (room, f"{room}-b"):
        topics.create(shared_broker(), name, 1)
    with pytest.raises(NoLog, match="say which with --room"):
        topics.only_room(shared_broker(), None)
    assert topics.only_room(shared_broker(), room) == room
    with pytest.raises(NoLog, match="has no log of room nobody"):
        topics.only_room(shared_broker(), "nobody")


def test_a_broker_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(BrokerAway, match="Kafka at 127.0.0.1:1 can't be reached"):
        topics.rooms_on(Broker("127.0.0.1:1", {"bootstrap_timeout_ms": 500}))


def _set(topic: str, settings: dict[str, Any]) -> None:
    """Change settings, and wait until the brokers say so too: they learn of it a moment later."""
    with admin(shared_broker()) as client:
        client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs=settings)])
        last = time.monotonic() + 60
        while True:
            found = client.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)], config_filter="all")
            if all(found["topic"][topic][name]["value"] == value for name, value in settings.items()):
                return
            assert time.monotonic() < last, found
            time.sleep(0.05)
