"""Who may do what on a room's topics and groups: a file says it by role, and the brokers' authorizer holds to it.

The file is TOML (deploy/kafka/acls.toml): a table a role, with `does`, `users`, `topics` and `groups`, the last two
from names to what may be done there. In a name {room} stands for the room, and a * at its end for whatever follows.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.errors import SecurityDisabledError

from domain.rules.phrases import listed
from services.eventlog.log import LogError
from services.kafka.clients import admin, explained
from services.kafka.settings import Broker

_OPERATIONS = {
    "topic": ("read", "write", "create", "describe", "alter", "delete", "describe-configs", "alter-configs"),
    "group": ("read", "describe", "delete"),
}
_FIELDS = ("does", "users", "topics", "groups")
_EVERYWHERE = "*"


class BadGrants(LogError):
    """The file of grants can't be used, or the brokers don't take it; the sentence says why."""


@dataclass(frozen=True, order=True)
class Grant:
    """`user` may do `operation` on the `kind` ("topic" or "group") of that name, or on all that begin so (`prefix`)."""

    user: str
    operation: str
    kind: str
    name: str
    prefix: bool = False

    def __str__(self) -> str:
        return f"{self.user} may {self.operation} {self.kind} {self.name}{'*' if self.prefix else ''}"


def grants_of(text: str, room: str) -> list[Grant]:
    """What a file of grants, given as its text, grants in a room. Raises BadGrants."""
    try:
        roles = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadGrants(f"the file of grants isn't TOML: {error}") from None
    return sorted(grant for role, said in roles.items() for grant in _of_role(role, said, room))


def grant(broker: Broker, grants: Sequence[Grant]) -> None:
    """Let the cluster's authorizer know the grants; those it knows already stay. Raises BadGrants, BrokerAway."""
    with admin(broker) as client, explained(broker):
        failed = set(client.create_acls([_binding(one) for one in grants])["failed"])
    if SecurityDisabledError in failed:
        raise _no_authorizer(broker)
    if failed:
        raise BadGrants(f"Kafka at {broker} takes no grants: {listed(sorted(error.__name__ for error in failed))}")


def others(broker: Broker, room: str, grants: Sequence[Grant]) -> list[Grant]:
    """What the cluster's authorizer allows on the room's topics and groups beyond the grants: somebody should know why.

    Raises BadGrants, BrokerAway.
    """
    everything = ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY)
    asked = ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ALLOW, everything)
    with admin(broker) as client, explained(broker):
        try:
            found, _ = client.describe_acls(asked)
        except SecurityDisabledError:
            raise _no_authorizer(broker) from None
    return sorted({one for one in map(_read, found) if one and _touches(one, room)} - set(grants))


def _no_authorizer(broker: Broker) -> BadGrants:
    return BadGrants(f"Kafka at {broker} has no authorizer, so everybody may do all: set authorizer.class.name")


def _of_role(role: str, said: Any, room: str) -> Iterator[Grant]:
    if not isinstance(said, dict) or not {"users"} <= said.keys() <= set(_FIELDS):
        raise BadGrants(f"role {role} is a table of {listed(_FIELDS)}, with users at least")
    users = _names(said["users"], f"role {role}: users is a list of names")
    for kind, operations in _OPERATIONS.items():
        places = said.get(f"{kind}s", {})
        if not isinstance(places, dict):
            raise BadGrants(f"role {role}: {kind}s is a table, from names to what may be done there")
        for name, allowed in places.items():
            may = _names(allowed, f"role {role}: {name} is granted a list of operations")
            unknown = [one for one in may if one not in operations]
            if unknown:
                raise BadGrants(
                    f"role {role}: a {kind} can't be granted {listed(unknown)}, only {listed(operations, 'or')}"
                )
            where = _place(role, name, room)
            yield from (Grant(user, operation, kind, *where) for user in users for operation in may)


def _names(said: Any, otherwise: str) -> list[str]:
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        raise BadGrants(otherwise)
    return said


def _place(role: str, name: str, room: str) -> tuple[str, bool]:
    """A name in full, and whether it stands for all that begin so."""
    full = name.replace("{room}", room)
    if not full.startswith(_own(room)):
        raise BadGrants(f"role {role}: {name} isn't of the room, whose names begin with handlog.{{room}}.")
    return full.removesuffix("*"), full.endswith("*")


def _own(room: str) -> str:
    return f"handlog.{room}."


def _touches(one: Grant, room: str) -> bool:
    if one.prefix:
        return one.name.startswith(_own(room)) or _own(room).startswith(one.name)
    return one.name.startswith(_own(room)) or one.name == _EVERYWHERE


def _binding(one: Grant) -> ACL:
    pattern = ACLResourcePatternType.PREFIXED if one.prefix else ACLResourcePatternType.LITERAL
    resource = ResourcePattern(ResourceType[one.kind.upper()], one.name, pattern)
    operation = ACLOperation[one.operation.upper().replace("-", "_")]
    return ACL(f"User:{one.user}", _EVERYWHERE, operation, ACLPermissionType.ALLOW, resource)


def _read(binding: ACL) -> Grant | None:
    """A binding as a grant; None for what is neither topic nor group."""
    resource = binding.resource_pattern
    kind = resource.resource_type.name.lower()
    if kind not in _OPERATIONS:
        return None
    operation = binding.operation.name.lower().replace("_", "-")
    prefix = resource.pattern_type is ACLResourcePatternType.PREFIXED
    return Grant(binding.principal.removeprefix("User:"), operation, kind, resource.resource_name, prefix)
