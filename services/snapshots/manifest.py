"""The last record of a snapshot: where the shard stood, and where the records of all its tables and hands lie."""

from typing import Any, NamedTuple

from domain import catalog
from services.eventlog import canonical
from services.eventlog.commit import Head
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


class Manifest(NamedTuple):
    """A whole snapshot: it holds what the shard's log says up to `head`.

    counted: the number of the shard's last counted event there. parts: of every table and of its newest hand.
    """

    head: Head
    counted: int
    parts: tuple[Part, ...]


def write(manifest: Manifest, place: int) -> tuple[Title, bytes]:
    """Its title and its body."""
    head = manifest.head
    body = {
        "epoch": head.epoch,
        "head": head.hash,
        "fold": fold_revision(),
        "reads": catalog.READS,
        "counted": manifest.counted,
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
    return Manifest(Head(kept.title.height, said["epoch"], said["head"]), said["counted"], parts)
