"""The settings of each broker: every one is broker and controller at once, and listens on 127.0.0.1 only.

A secure one lets clients in by password over TLS (SASL_SSL), at another port by certificate; brokers and controllers
know each other by theirs. What isn't granted is forbidden, and one user may do all: he who grants.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HOST = "127.0.0.1"
SUPER = "admin"
"""The user of a secure cluster who may do all."""


class Ports(NamedTuple):
    """Where a broker listens: for clients, for the other controllers, for clients with certificates."""

    clients: int
    controllers: int
    certificates: int


def properties(node: int, cluster: Sequence[Ports], data: Path, users: Path | None) -> dict[str, str]:
    """The settings of broker `node` (1 is the first) of a cluster whose brokers listen at these ports.

    `users`: the folder of certificates of a secure cluster.
    """
    access = _open(cluster[node - 1]) if users is None else _secure(node, cluster, users)
    return _place(node, cluster, data) | access | _COMMON | (_THREE if len(cluster) > 1 else _ONE)


def _place(node: int, cluster: Sequence[Ports], data: Path) -> dict[str, str]:
    voters = (f"{number}@{HOST}:{one.controllers}" for number, one in enumerate(cluster, 1))
    return {
        "process.roles": "broker,controller",
        "node.id": str(node),
        "controller.quorum.voters": ",".join(voters),
        "controller.listener.names": "CONTROLLERS",
        "log.dirs": str(data),
    }


def _open(ports: Ports) -> dict[str, str]:
    return {
        "listeners": f"CLIENTS://{HOST}:{ports.clients},CONTROLLERS://{HOST}:{ports.controllers}",
        "listener.security.protocol.map": "CLIENTS:PLAINTEXT,CONTROLLERS:PLAINTEXT",
        "inter.broker.listener.name": "CLIENTS",
    }


def _secure(node: int, cluster: Sequence[Ports], users: Path) -> dict[str, str]:
    ports = cluster[node - 1]
    brokers = (f"User:broker-{number}" for number in range(1, len(cluster) + 1))
    return {
        "listeners": ",".join((
            f"CLIENTS://{HOST}:{ports.clients}",
            f"CERTIFICATES://{HOST}:{ports.certificates}",
            f"CONTROLLERS://{HOST}:{ports.controllers}",
        )),
        "listener.security.protocol.map": "CLIENTS:SASL_SSL,CERTIFICATES:SSL,CONTROLLERS:SSL",
        "inter.broker.listener.name": "CERTIFICATES",
        "listener.name.certificates.ssl.client.auth": "required",
        "listener.name.controllers.ssl.client.auth": "required",
        "listener.name.clients.scram-sha-512.sasl.jaas.config":
            "org.apache.kafka.common.security.scram.ScramLoginModule required;",
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(users / f"broker-{node}.pem"),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(users / "ca.pem"),
        "ssl.principal.mapping.rules": "RULE:^CN=([^,]+).*$/$1/",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found": "false",
        "super.users": ";".join((f"User:{SUPER}", *brokers)),
    }  # fmt: skip


_COMMON = {
    "auto.create.topics.enable": "false",
    "unclean.leader.election.enable": "false",
    "message.max.bytes": "1048588",
    # Members of a group may have short sessions, and wait for no others when the first one joins.
    "group.min.session.timeout.ms": "1000",
    "group.initial.rebalance.delay.ms": "0",
    # A broker that is away is soon held to be away.
    "broker.heartbeat.interval.ms": "500",
    "controller.quorum.election.timeout.ms": "1000",
    "controller.quorum.fetch.timeout.ms": "2000",
    # Small: few partitions of Kafka's own, little memory for compaction.
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
    "share.coordinator.state.topic.num.partitions": "4",
    "log.cleaner.dedupe.buffer.size": "16777216",
    "log.cleaner.backoff.ms": "500",
}

_ONE = {
    "broker.session.timeout.ms": "4000",
    "default.replication.factor": "1",
    "min.insync.replicas": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}

_THREE = {
    "broker.session.timeout.ms": "6000",
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
}
