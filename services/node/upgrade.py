"""Raising the revision of the log: only when every node of the room can read what may be written then."""

from collections.abc import Sequence

from domain import catalog
from domain.messages import Command
from domain.room import RaiseRevision
from domain.rules.phrases import listed
from services.eventlog.log import LogError
from services.ids import uuid7
from services.kafka.clients import admin, explained
from services.kafka.settings import Broker
from services.kafka.topics import nodes_group
from services.node.sharing import Member
from services.room.load import ShardFold
from services.room.room import Room


class NotAll(LogError):
    """A node of the room can't read that revision, or doesn't say what it can."""


def members_of(broker: Broker, room: str) -> list[Member | None]:
    """The nodes that are in the room's group now; None for one that doesn't say what it is. Raises BrokerAway."""
    group = nodes_group(room)
    with admin(broker) as client, explained(broker):
        found = client.describe_groups([group])[group]["members"]
    told = [(one["member_metadata"] or {}).get("user_data") or "" for one in found]
    parsed = [Member.from_bytes(one.encode() if isinstance(one, str) else one) for one in told]
    return [None if one is None else one[0] for one in parsed]


def check_all_read(members: Sequence[Member | None], revision: int) -> None:
    """Raise NotAll unless every node reads the revision."""
    if None in members:
        raise NotAll("a node of the room's group doesn't say what it reads: stop it, or upgrade it")
    behind = [f"{one.node} ({one.software}, up to {one.reads})" for one in members if one and one.reads < revision]
    if behind:
        raise NotAll(
            f"revision {revision} of the log can't be read by {listed(behind)}: upgrade these nodes first; nothing was "
            "raised"
        )


def raise_all(room: Room, revision: int, by: str) -> list[int]:
    """Raise every shard that isn't there yet; which. Raises Refused, LogError: then those before it are raised."""
    raised = []
    for shard in range(room.log.shards):
        if ShardFold(room.log).now(shard).revision >= revision:
            continue
        ports = room.ports
        command = Command(uuid7(ports.now(), ports.bits(74)), RaiseRevision(shard, revision), by, "floor")
        (outcome,) = room.execute([command])
        if isinstance(outcome, Exception):
            raise outcome
        raised.append(shard)
    return raised


def check_can_read(revision: int) -> None:
    """Raise LogError where this build itself can't read the revision."""
    if not 1 < revision <= catalog.READS:
        raise LogError(
            f"this build reads the log up to revision {catalog.READS}: "
            + ("there is none to raise it to" if catalog.READS == 1 else f"it can be raised to {catalog.READS} at most")
        )
