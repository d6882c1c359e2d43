"""The room's topics on Kafka."""

import os
from pathlib import Path

from domain.rules.phrases import counted
from services.cli.talk import FOUND, SOUND, emit, say, stop
from services.kafka import topics as kafka_topics
from services.kafka.acls import Grant, grant, grants_of, others
from services.kafka.settings import KAFKA, ROOM, Broker, broker_of
from services.kafka.topics import BadTopic, log_topic, only_room, partitions_of, topics_of


def topics(*, create: bool, shards: int, replicas: int, acls: Path | None, as_json: bool) -> int:
    broker = broker_of(os.environ)
    if broker is None:
        stop(f"no Kafka is named: set {KAFKA} or give --kafka host:port before the command")
    room = _room(broker, create=create)
    if create:
        kafka_topics.create(broker, room, shards, replicas)
    more = [] if acls is None else _granted(broker, room, acls)
    wrong = _wrong(broker, room)
    there = partitions_of(broker, log_topic(room))
    if as_json:
        emit({"kafka": str(broker), "room": room, "shards": there, "wrong": wrong})
    elif wrong:
        say(wrong)
    else:
        for topic in topics_of(room):
            say(f"{topic.name} is set up for {topic.purpose}: {counted(there, 'partition')}.")
    for one in more:
        say(f"beyond the file: {one}")
    return FOUND if wrong or more else SOUND


def _granted(broker: Broker, room: str, file: Path) -> list[Grant]:
    """Grant what the file says; what else is granted in the room."""
    if not file.is_file():
        stop(f"there is no file {file}: name one with the grants, such as deploy/kafka/acls.toml")
    grants = grants_of(file.read_text(), room)
    grant(broker, grants)
    return others(broker, room, grants)


def _room(broker: Broker, *, create: bool) -> str:
    named = os.environ.get(ROOM)
    if create and not named:
        stop("whose topics? name the room with --room before the command")
    return named if named else only_room(broker, None)


def _wrong(broker: Broker, room: str) -> str | None:
    try:
        kafka_topics.check(broker, room)
    except BadTopic as error:
        return str(error)
    return None
