"""The last record of a snapshot: where the shard stood, and where the records of all its tables and hands lie."""

from typing import Any, NamedTuple

from domain import catalog
from domain.messages import shard_stream
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.eventlog.log import Beginning
from services.snapshots.records import MANIFEST, BadSnapshot, Kept, Title
from services.snapshots.states import fold_revision


class Spot(NamedTuple):
    """Where a record lies in the topic's partition, and its digest: no other one is meant."""

    offset: int
    digest: str


class Part(NamedTuple):
    """A stream's record."""

    name: str
    version: int
    spot: Spot


class Own(NamedTuple):
    """What a shard's log says of the shard itself and of the room: what its stream `shard:<n>` comes to at a version,
    and the commits of the stream `room`, where it lies here: first version, last version, height."""

    version: int
    state: Any
    room: tuple[tuple[int, int, int], ...]


class Manifest(NamedTuple):
    """A whole snapshot: it holds what the shard's log says up to `head`.

    counted: the number of the shard's last counted event there. parts: of every table and of its newest hand.
    """

    head: Head
    counted: int
    own: Own
    parts: tuple[Part, ...]

    def beginning(self, shard: int) -> Beginning:
        """Where somebody may begin to read who leaves what was recorded before for later."""
        streams = {part.name: part.version for part in self.parts} | {shard_stream(shard): self.own.version}
        return Beginning(self.head, self.counted, streams, self.own.state, self.own.room)


def write(manifest: Manifest, place: int) -> tuple[Title, bytes]:
    """Its title and its body."""
    head = manifest.head
    body = {
        "epoch": head.epoch,
        "head": head.hash,
        "fold": fold_revision(),
        "reads": catalog.READS,
        "counted": manifest.counted,
        "own": list(manifest.own),
        "parts": [[name, version, *spot] for name, version, spot in manifest.parts],
    }
    return Title(MANIFEST, place, 0, head.height), canonical.write(body)


def read(kept: Kept) -> Manifest:
    """The manifest of a record. Raises BadSnapshot where its states are those of another fold, or of a build that may
    have read what this one can't."""
    said: dict[str, Any] = canonical.decode(kept.body)
    if said.get("fold") != fold_revision():
        raise BadSnapshot(f"its states are of fold revision {said.get('fold')}, this build's is {fold_revision()}")
    if said["reads"] > catalog.READS:
        raise BadSnapshot(
            f"its writer reads the log up to revision {said['reads']}, this build only up to {catalog.READS}"
        )
    parts = tuple(Part(name, version, Spot(offset, digest)) for name, version, offset, digest in said["parts"])
    version, state, room = said["own"]
    own = Own(version, state, tuple((first, last, height) for first, last, height in room))
    return Manifest(Head(kept.title.height, said["epoch"], said["head"]), said["counted"], own, parts)
