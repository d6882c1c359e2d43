"""How the shards of a room are shared out among its nodes: evenly, and each stays where it is as far as that goes.

What a node tells of itself travels in its subscription, so that everybody can ask the group who is there.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment, ConsumerProtocolSubscription

NAME = "handlog-shards"


@dataclass(frozen=True, slots=True)
class Member:
    """A node as the group knows it. `reads`: the newest revision of the log that it can read."""

    node: str
    address: str
    software: str
    reads: int

    def to_bytes(self, owned: Sequence[int]) -> bytes:
        said = {"node": self.node, "address": self.address, "software": self.software, "reads": self.reads}
        return json.dumps(said | {"owned": sorted(owned)}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> "tuple[Member, list[int]] | None":
        """The member and the shards that it owns; None where the bytes aren't a node's."""
        try:
            said = json.loads(data)
            member = cls(str(said["node"]), str(said["address"]), str(said["software"]), int(said["reads"]))
            return member, [int(shard) for shard in said["owned"]]
        except (ValueError, KeyError, TypeError):
            return None


def share_out(shards: int, owned: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """The shards of each member, whose present ones are given: as even as can be, and few of them move."""
    members = sorted(owned)
    shares: dict[str, list[int]] = {member: [] for member in members}
    if not members:
        return shares
    least, more = divmod(shards, len(members))
    free = set(range(shards))
    for member in sorted(members, key=lambda each: (-len(owned[each]), each)):
        most = least + (1 if more > 0 else 0)
        kept = [shard for shard in sorted(owned[member]) if shard in free][:most]
        if len(kept) > least:
            more -= 1
        shares[member] = kept
        free.difference_update(kept)
    for shard in sorted(free):
        shares[min(members, key=lambda each: (len(shares[each]), each))].append(shard)
    return {member: sorted(share) for member, share in shares.items()}


class ByShard(AbstractPartitionAssignor):  # type: ignore[misc]
    """The same as a consumer group's assignor; the group's leader computes it for all."""

    name = NAME
    version = 0

    def __init__(self, member: Member) -> None:
        self._member = member
        self._owned: list[int] = []

    def assign(self, cluster: Any, members: Sequence[Any]) -> dict[str, Any]:
        topic = next(iter(members[0].metadata.topics))
        partitions = cluster.partitions_for_topic(topic) or set()
        owned = {}
        for one in members:
            said = Member.from_bytes(one.metadata.user_data or b"")
            owned[one.member_id] = said[1] if said else []
        shares = share_out(len(partitions), owned)
        return {
            member: ConsumerProtocolAssignment(self.version, [(topic, share)], b"") for member, share in shares.items()
        }

    def metadata(self, topics: Any) -> Any:
        return ConsumerProtocolSubscription(self.version, list(topics), self._member.to_bytes(self._owned))

    def on_assignment(self, assignment: Any, generation: int = -1) -> None:
        self._owned = [partition for _, partitions in assignment.assigned_partitions for partition in partitions]
