"""A secure cluster: who may do what, tried with each role's own user; who isn't let in, and what he is told.

The grants are those of deploy/kafka/acls.toml, held to by a real broker's authorizer.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from kafka import TopicPartition
from kafka.errors import AuthorizationError, GroupAuthorizationFailedError, KafkaError

from deploy.kafka.cluster import Cluster
from deploy.kafka.users import ACLS
from services.kafka import acls, clients, topics
from services.kafka.settings import Broker, broker_of
from tests.kafka.brokers import GIVEN, cluster, shared_broker
from tests.services.cli import Run, handlog

ROOM = "riverside"
LOG, FEED, SNAPSHOTS = topics.log_topic(ROOM), topics.feed_topic(ROOM), topics.snapshots_topic(ROOM)
GRANTS = acls.grants_of(ACLS.read_text(), ROOM)


@pytest.fixture(scope="module")
def secure() -> Iterator[Cluster]:
    """A cluster with the rooms riverside and riverside-2; what the file grants it grants in the first."""
    with cluster(secure=True) as made:
        acls.grant(as_user(made, "admin"), GRANTS)
        topics.create(as_user(made, "topic-maker"), ROOM, shards=1)
        topics.create(as_user(made, "admin"), "riverside-2", shards=1)
        for topic in (LOG, FEED, SNAPSHOTS):
            assert writes(as_user(made, "admin"), topic)
        yield made


def as_user(secure: Cluster, user: str, **instead: str) -> Broker:
    return reached(secure.environment(user) | instead)


def reached(environment: Mapping[str, str]) -> Broker:
    broker = broker_of(environment)
    assert broker is not None
    return broker


def check_refused(broker: Broker, said: str) -> None:
    """A client isn't let in, and is told this. It tries till its time is over: a slow machine is given more of it."""
    for milliseconds in (700, 20_000):
        with pytest.raises(clients.BrokerAway) as refused:
            clients.admin(Broker(broker.bootstrap, {**broker.options, "bootstrap_timeout_ms": milliseconds}))
        if re.search(said, str(refused.value)):
            return
    pytest.fail(f"{said!r} isn't said, but: {refused.value}")


def writes(broker: Broker, topic: str) -> bool:
    """Whether a record is acknowledged: anything but a refusal for want of a right is raised."""
    producer = clients.producer(broker)
    try:
        sent = producer.send(topic, b"record", key=b"key", partition=0)
        producer.flush()
        sent.get(timeout=60)
    except AuthorizationError:
        return False
    except KafkaError as error:
        if "AuthorizationFailed" not in str(error):
            raise
        return False
    finally:
        producer.close(timeout=1)
    return True


def reads(broker: Broker, topic: str) -> bool:
    """Whether its first record comes."""
    at = TopicPartition(topic, 0)
    with clients.consumer(broker) as consumer:
        consumer.assign([at])
        try:
            if not consumer.end_offsets([at])[at]:
                raise AssertionError(f"{topic} is empty")
            return bool(consumer.poll(60_000))
        except AuthorizationError:
            return False


def joins(broker: Broker, group: str, topic: str) -> bool:
    """Whether it becomes a member of a group and gets records as such."""
    with clients.consumer(broker, group_id=group) as consumer:
        consumer.subscribe([topic])
        try:
            return bool(consumer.poll(60_000))
        except GroupAuthorizationFailedError:
            return False


RIGHTS = {
    "node": ({LOG, SNAPSHOTS}, {LOG, SNAPSHOTS}),
    "feed-writer": ({LOG, FEED}, {FEED}),
    "feed-consumer": ({FEED}, set()),
    "auditor": ({LOG}, set()),
    "topic-maker": (set(), set()),
}
"""What each user may read, and what he may write."""


def test_the_roles_are_those_of_the_file() -> None:
    assert set(RIGHTS) == {one.user for one in GRANTS}


@pytest.mark.parametrize("topic", [LOG, FEED, SNAPSHOTS])
@pytest.mark.parametrize("user", RIGHTS)
def test_each_reads_and_writes_what_it_may_and_nothing_else(secure: Cluster, user: str, topic: str) -> None:
    readable, writable = RIGHTS[user]
    broker = as_user(secure, user)
    assert (reads(broker, topic), writes(broker, topic)) == (topic in readable, topic in writable)


@pytest.mark.parametrize("user", RIGHTS)
def test_nobody_may_touch_another_room_whose_name_begins_alike(secure: Cluster, user: str) -> None:
    assert not writes(as_user(secure, user), topics.log_topic("riverside-2"))


def test_a_node_joins_the_nodes_and_a_feed_consumer_its_own_groups_only(secure: Cluster) -> None:
    consumers = f"{FEED}.pots"
    assert joins(as_user(secure, "node"), topics.nodes_group(ROOM), LOG)
    assert joins(as_user(secure, "feed-consumer"), consumers, FEED)
    assert not joins(as_user(secure, "node"), consumers, LOG)
    assert not joins(as_user(secure, "feed-consumer"), topics.nodes_group(ROOM), FEED)


def test_the_maker_of_topics_can_check_them_and_delete_none(secure: Cluster) -> None:
    broker = as_user(secure, "topic-maker")
    topics.check(broker, ROOM, shards=1)
    with clients.admin(broker) as client, pytest.raises(KafkaError, match="TopicAuthorizationFailed"):
        client.delete_topics([LOG])


def test_a_certificate_has_the_same_rights_as_its_users_password(secure: Cluster) -> None:
    auditor = reached(secure.environment_with_certificate("auditor"))
    assert (reads(auditor, LOG), writes(auditor, LOG)) == (True, False)


def test_a_shell_finds_what_a_user_needs_in_his_file(secure: Cluster) -> None:
    sourced = ["sh", "-c", '. "$0"; env', str(secure.users / "auditor.env")]
    shown = subprocess.run(
        sourced, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert dict(line.split("=", 1) for line in shown if line.startswith("HANDLOG_")) == secure.environment("auditor")


def test_nobody_else_on_the_machine_reads_passwords_and_keys(secure: Cluster) -> None:
    assert secure.users.stat().st_mode & 0o077 == 0
    assert [file.name for file in secure.users.iterdir() if file.stat().st_mode & 0o077] == []


def test_only_who_may_all_can_grant(secure: Cluster) -> None:
    with pytest.raises(acls.BadGrants, match="takes no grants: ClusterAuthorizationFailedError"):
        acls.grant(as_user(secure, "node"), GRANTS)


def test_what_is_granted_beyond_the_file_is_found(secure: Cluster) -> None:
    broker = as_user(secure, "admin")
    assert acls.others(broker, ROOM, GRANTS) == []
    beyond = [acls.Grant("guest", "read", "topic", LOG), acls.Grant("guest", "write", "topic", "handlog", prefix=True)]
    acls.grant(broker, [*beyond, acls.Grant("guest", "read", "topic", topics.log_topic("riverside-2"))])
    assert acls.others(broker, ROOM, GRANTS) == beyond
    assert str(beyond[1]) == "guest may write topic handlog*"


def test_a_wrong_password_is_refused(secure: Cluster, tmp_path: Path) -> None:
    wrong = tmp_path / "password"
    wrong.write_text("wrong\n")
    said = r"(doesn't let node in|cuts the connection as node comes in): .*HANDLOG_KAFKA_PASSWORD_FILE.* is wrong"
    check_refused(as_user(secure, "node", HANDLOG_KAFKA_PASSWORD_FILE=str(wrong)), said)


def test_a_broker_that_no_trusted_authority_signed_is_refused(secure: Cluster, tmp_path: Path) -> None:
    other = tmp_path / "ca.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=another authority"]
    subprocess.run([*make, "-keyout", tmp_path / "key", "-out", other], check=True, capture_output=True)
    stranger = as_user(secure, "node", HANDLOG_KAFKA_CA=str(other))
    check_refused(stranger, r"shows a certificate that isn't trusted: .*; HANDLOG_KAFKA_CA is")


def test_who_shows_no_certificate_where_one_is_asked_is_refused(secure: Cluster) -> None:
    given = secure.environment_with_certificate("node")
    for name in ("HANDLOG_KAFKA_CERT", "HANDLOG_KAFKA_KEY"):
        del given[name]
    check_refused(reached(given), "lets in only who shows a certificate that it trusts")


def test_who_speaks_no_tls_is_refused(secure: Cluster) -> None:
    check_refused(reached({"HANDLOG_KAFKA": secure.bootstrap}), "can't be reached")


def test_what_is_not_allowed_is_said_so(secure: Cluster) -> None:
    broker = as_user(secure, "node")
    with pytest.raises(clients.BrokerAway, match="doesn't allow node to do that: TopicAuthorizationFailedError"):
        topics.create(broker, "another", shards=1)


@pytest.mark.skipif(GIVEN is not None, reason="the brokers that were given may have an authorizer")
def test_brokers_without_an_authorizer_take_no_grants() -> None:
    with pytest.raises(acls.BadGrants, match="has no authorizer, so everybody may do all"):
        acls.grant(shared_broker(), GRANTS)
    with pytest.raises(acls.BadGrants, match="has no authorizer, so everybody may do all"):
        acls.others(shared_broker(), ROOM, GRANTS)


def test_a_room_is_made_kept_and_verified_by_users_who_may_do_no_more(secure: Cluster, tmp_path: Path) -> None:
    """The commands themselves: the administrator makes topics and grants, a node's user the room, an auditor reads."""

    def asked(user: str, *args: object, home: str = "home") -> Run:
        env = dict(secure.environment(user)) | {"HANDLOG_ROOM": "harbour"}
        return handlog(*args, "--home", tmp_path / home, env=env)

    env = dict(secure.environment("admin")) | {"HANDLOG_ROOM": "harbour"}
    made = handlog("topics", "--create", "--acls", ACLS, env=env)
    assert made.err == ""
    assert "handlog.harbour.log.v1 is set up for the log: 4 partitions." in made.out
    assert asked("auditor", "init", "--room", "harbour").code == 2
    assert not (tmp_path / "home" / "room.keys").exists()
    done = asked("node", "init", "--room", "harbour")
    assert done.code == 0, done.err
    seen = asked("auditor", "verify", home="another")
    assert seen.code == 0, seen.err
    assert "is sound: room harbour, 4 commits" in seen.out
    refused = asked("feed-consumer", "verify", home="third")
    assert refused.code == 2
    assert "Traceback" not in refused.err
