"""The last record of a snapshot: where the shard stood, and where the records of all that it holds lie.

Where these are many, they stand in lists, records of their own, of which the manifest names each: a list that is as it
was needn't be written again.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from domain import catalog
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.snapshots.records import MANIFEST, BadSnapshot, Kept, Title, role_of
from services.snapshots.states import fold_revision

FEW = 512
"""Parts that the manifest names itself; and of a list at most, on average."""


class Spot(NamedTuple):
    """Where a record lies in the topic's partition, and its digest: no other one is meant."""

    offset: int
    digest: str


class Part(NamedTuple):
    """A record's name, and the version of the stream in it. spot: None where it was too large for any record, so that
    the log has to be read instead."""

    name: str
    version: int
    spot: Spot | None


class Own(NamedTuple):
    """What a shard's log says of the shard itself and of the room: what its stream `shard:<n>` comes to at a version,
    and the commits of the stream `room`, where it lies here: first version, last version, height."""

    version: int
    state: Any
    room: tuple[tuple[int, int, int], ...]


class Manifest(NamedTuple):
    """A whole snapshot: it holds what the shard's log says up to `head`.

    counted: the number of the shard's last counted event there. patrons: whether all patrons are in it, or none. parts:
    all records but lists, if `lists` don't have them.
    """

    head: Head
    counted: int
    own: Own
    patrons: bool
    parts: tuple[Part, ...]
    lists: tuple[Spot, ...] = ()


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
        "patrons": manifest.patrons,
        "parts": _written(manifest.parts),
        "lists": [list(spot) for spot in manifest.lists],
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
    version, state, room = said["own"]
    own = Own(version, state, tuple((first, last, height) for first, last, height in room))
    head = Head(kept.title.height, said["epoch"], said["head"])
    lists = tuple(Spot(*spot) for spot in said["lists"])
    return Manifest(head, said["counted"], own, said["patrons"], _read(said["parts"]), lists)


# --- lists -----------------------------------------------------------------------------------------------------------


def listed(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """The same in lists, so that a part stands in the same one as long as there are about as many; none for a few."""
    if len(parts) <= FEW:
        return []
    lists: list[list[Part]] = [[] for _ in range(1 << (len(parts) // FEW).bit_length())]
    for part in parts:
        lists[int.from_bytes(sha256(role_of(part.name).encode()).digest()[:4]) % len(lists)].append(part)
    return [tuple(some) for some in lists]


def write_list(parts: Sequence[Part]) -> bytes:
    """The body of a list's record."""
    return canonical.write(_written(parts))


def read_list(body: bytes) -> tuple[Part, ...]:
    return _read(canonical.decode(body))


def _written(parts: Sequence[Part]) -> list[list[Any]]:
    return [[name, version, *(spot or ())] for name, version, spot in parts]


def _read(parts: list[Any]) -> tuple[Part, ...]:
    return tuple(Part(name, version, Spot(*spot) if spot else None) for name, version, *spot in parts)
