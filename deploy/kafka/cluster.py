"""A cluster of one or three brokers in a folder: made once, started and ended as often as one likes, its data kept."""

import base64
import json
import shutil
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deploy.kafka import users
from deploy.kafka.broker import BrokerProcess
from deploy.kafka.ports import are_free, free_ports
from deploy.kafka.settings import HOST, Ports, properties

SIZES = (1, 3)


class OtherCluster(Exception):
    """The folder holds another cluster than the one asked for; the sentence says which."""


@dataclass(frozen=True)
class Cluster:
    """The brokers that live in a folder."""

    folder: Path
    brokers: Sequence[BrokerProcess]
    secure: bool

    @property
    def bootstrap(self) -> str:
        """host:port[,host:port], for clients."""
        return ",".join(broker.address for broker in self.brokers)

    @property
    def access(self) -> str:
        """Who may enter, in words."""
        return "secure" if self.secure else "open to all"

    @property
    def users(self) -> Path:
        """The folder of a secure cluster's certificates and passwords."""
        return self.folder / "users"

    def environment(self, user: str) -> dict[str, str]:
        """How a user of a secure cluster reaches it with his password, as Handlog's settings."""
        return users.environment(self.users, user, self.bootstrap)

    def environment_with_certificate(self, user: str) -> dict[str, str]:
        """How a user of a secure cluster reaches it with his certificate, as Handlog's settings."""
        bootstrap = ",".join(f"{HOST}:{broker.ports.certificates}" for broker in self.brokers)
        return users.environment_with_certificate(self.users, user, bootstrap)

    @property
    def running(self) -> bool:
        """Whether any of its brokers runs."""
        return any(broker.running for broker in self.brokers)

    def start(self) -> None:
        """Start those that don't run, and return when all answer. Raises BrokerEnded."""
        for broker in self.brokers:
            broker.launch()
        for broker in self.brokers:
            broker.wait()

    def stop(self) -> None:
        """End them in good order."""
        for broker in self.brokers:
            broker.ask_to_stop()
        for broker in self.brokers:
            broker.stop()

    def kill(self) -> None:
        """End them at once."""
        for broker in self.brokers:
            broker.kill()


def opened(folder: Path, brokers: int | None = None, secure: bool | None = None) -> Cluster:
    """The cluster of a folder, made where there is none, started by nobody yet.

    `brokers`: how many it must have, `secure`: whether only known users may enter; None takes it as it is. Where
    nothing runs and one of its ports was taken meanwhile it gets others. Raises OtherCluster, PartMissing.
    """
    if not _about(folder).exists():
        return _made(folder, brokers or 1, secure or False)
    cluster = _found(folder)
    _check(cluster, brokers, secure)
    if not cluster.running and not are_free([port for broker in cluster.brokers for port in broker.ports]):
        return _moved(cluster)
    return cluster


def existing(folder: Path) -> Cluster | None:
    """The cluster of a folder, None where there is none."""
    return _found(folder) if _about(folder).exists() else None


def _check(cluster: Cluster, brokers: int | None, secure: bool | None) -> None:
    if brokers not in (None, len(cluster.brokers)) or secure not in (None, cluster.secure):
        has = "one broker" if len(cluster.brokers) == 1 else f"{len(cluster.brokers)} brokers"
        raise OtherCluster(
            f"the cluster in {cluster.folder} isn't the one asked for, it has {has} and is {cluster.access}: "
            "stop it and remove the folder, or take another with --dir"
        )


def _made(folder: Path, brokers: int, secure: bool) -> Cluster:
    """Format the storage of each broker; what says that the cluster is there is written last."""
    if brokers not in SIZES:
        raise OtherCluster(f"a cluster has {' or '.join(map(str, SIZES))} brokers, not {brokers}")
    folder.mkdir(parents=True, exist_ok=True)
    cluster = _at(folder, _ports(brokers), secure)
    for part in (cluster.users, *(broker.folder for broker in cluster.brokers)):
        shutil.rmtree(part, ignore_errors=True)
    if secure:
        users.make(cluster.users, brokers)
    identity = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
    more = users.scram(cluster.users) if secure else []
    with ThreadPoolExecutor() as formatting:
        for _ in formatting.map(
            lambda broker: broker.format(identity, _settings(cluster, broker), more), cluster.brokers
        ):
            pass
    _remember(cluster)
    return cluster


def _moved(cluster: Cluster) -> Cluster:
    moved = _at(cluster.folder, _ports(len(cluster.brokers)), cluster.secure)
    for broker in moved.brokers:
        broker.configure(_settings(moved, broker))
    _remember(moved)
    return moved


def _ports(brokers: int) -> list[Ports]:
    free = iter(free_ports(brokers * len(Ports._fields)))
    return [Ports(*(next(free) for _ in Ports._fields)) for _ in range(brokers)]


def _at(folder: Path, ports: Sequence[Ports], secure: bool) -> Cluster:
    heap = "512m" if len(ports) == 1 else "384m"
    brokers = [BrokerProcess(node, one, folder / str(node), heap) for node, one in enumerate(ports, 1)]
    return Cluster(folder, brokers, secure)


def _settings(cluster: Cluster, broker: BrokerProcess) -> dict[str, str]:
    ports = [one.ports for one in cluster.brokers]
    return properties(broker.node, ports, broker.folder / "data", cluster.users if cluster.secure else None)


def _about(folder: Path) -> Path:
    return folder / "cluster.json"


def _remember(cluster: Cluster) -> None:
    if cluster.secure:
        users.tell(cluster.users, cluster.bootstrap)
    about = {"secure": cluster.secure, "ports": [broker.ports for broker in cluster.brokers]}
    half = cluster.folder / "cluster.half"
    half.write_text(json.dumps(about))
    half.replace(_about(cluster.folder))


def _found(folder: Path) -> Cluster:
    try:
        about = json.loads(_about(folder).read_text())
        return _at(folder, [Ports(*one) for one in about["ports"]], about["secure"])
    except (ValueError, KeyError, TypeError):
        raise OtherCluster(
            f"{_about(folder)} isn't what this version writes: end what runs there by hand and remove the folder"
        ) from None
