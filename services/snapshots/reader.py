"""Finds the newest snapshot of a shard that can be restored, from the end of its partition, or says why there is none.

Nothing is believed that isn't sealed by the room, named by a manifest with its digest, of this build's fold, and at a
head that the log itself confirms. A snapshot is a shortcut: where any of it is wrong it is passed over.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count, takewhile
from typing import NamedTuple, Protocol

from domain.messages import shard_stream
from domain.rules.phrases import counted
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.eventlog.log import Beginning, Log
from services.sealing.keyfile import RoomKeys
from services.snapshots import manifest
from services.snapshots.manifest import Own, Spot
from services.snapshots.patrons import StoredPatrons
from services.snapshots.records import MANIFEST, PATRONS, BadSnapshot, Kept, letters_of, pages_of, parse, role_of
from services.snapshots.states import Stored

FURTHEST = 100_000
"""How many offsets before the end a manifest is looked for."""

_FIRST_LOOK = 512
_GAP = 256
"""Offsets between two records that are rather read than jumped over."""


class Topic(Protocol):
    """The partitions of a compacted topic, one a shard."""

    def end(self, shard: int) -> int:
        """The offset after the last record."""
        ...

    def read(self, shard: int, start: int, stop: int) -> Iterable[tuple[int, bytes]]:
        """The records that are left from offset `start` to before `stop`, each with its offset, in order."""
        ...


class Snapshot(NamedTuple):
    """A shard's tables and patrons up to `position`: from the next height on the log says the rest.

    counted: the number of the last counted event there. tables: but for those of `left_out`, whose records would have
    been too large: the log must be read for them. patrons: the drawers of all patrons; None where they aren't in it.
    in_use: the places of its records, for the next writer. passed_over: why newer ones were, for those who look after
    the room.
    """

    position: Head
    counted: int
    own: Own
    versions: Mapping[str, int]
    tables: Mapping[str, Stored]
    left_out: tuple[str, ...]
    patrons: tuple[bytes, ...] | None
    in_use: Mapping[str, Collection[int]]
    passed_over: tuple[str, ...]

    def beginning(self, shard: int) -> Beginning:
        """Where somebody may begin to read who leaves what was recorded before for later."""
        streams = {**self.versions, shard_stream(shard): self.own.version}
        streams |= StoredPatrons(self.patrons or ()).streams()
        whole = self.patrons is not None
        return Beginning(self.position, self.counted, streams, self.own.state, self.own.room, patrons=whole)


class Missing(NamedTuple):
    """No snapshot can be restored: the log is read from its beginning."""

    reason: str


def find(topic: Topic, keys: RoomKeys, shard: int, confirmed: Callable[[Head], bool]) -> Snapshot | Missing:
    """The newest snapshot of the shard of the keys' room; `confirmed` says whether a head stands in the log."""
    passed_over: list[str] = []
    stop = end = topic.end(shard)
    look = _FIRST_LOOK
    while stop > 0 and end - stop < FURTHEST:
        start = max(0, stop - look)
        seen = dict(topic.read(shard, start, stop))
        for kept in _manifests(keys, shard, seen, passed_over):
            try:
                found = _restored(_Records(topic, keys, shard, seen), kept, confirmed)
                return found._replace(passed_over=tuple(passed_over))
            except BadSnapshot as error:
                passed_over.append(f"the snapshot of height {kept.title.height}: {error}")
        stop, look = start, look * 2
    return Missing("; ".join(passed_over) or f"shard {shard} has no manifest in the topic of snapshots")


def in_log(log: Log, shard: int) -> Callable[[Head], bool]:
    """Whether a head is that of the log's own record at its height."""

    def confirmed(head: Head) -> bool:
        try:
            return log.record(shard, head.height).head == head
        except IndexError:
            return False

    return confirmed


def _manifests(keys: RoomKeys, shard: int, seen: Mapping[int, bytes], passed_over: list[str]) -> list[Kept]:
    """The manifests among some records, newest first: not by where they stand, as a former owner may write late."""
    found, strange = [], []
    for offset in sorted(seen, reverse=True):
        try:
            kept = parse(keys, shard, seen[offset])
        except BadSnapshot as error:
            strange.append(f"the record at offset {offset}: {error}")
            continue
        if kept.title.name == MANIFEST:
            found.append(kept)
    if strange:
        passed_over.append(f"{counted(len(strange), 'record')} can't be used, such as {strange[0]}")
    return sorted(found, key=lambda kept: kept.title.height, reverse=True)


class _Records:
    """The records that a manifest names, out of the topic."""

    def __init__(self, topic: Topic, keys: RoomKeys, shard: int, seen: Mapping[int, bytes]) -> None:
        self._topic, self._keys, self.shard, self._seen = topic, keys, shard, seen

    def named(self, wanted: Mapping[Spot, str]) -> dict[Spot, Kept]:
        """The records at these spots, by the names that they must have. Raises BadSnapshot where one is another."""
        raws = dict(self._raws(sorted({spot.offset for spot in wanted})))
        found = {}
        for spot, name in wanted.items():
            if spot.offset not in raws:
                raise BadSnapshot(f"the record of {name} at offset {spot.offset} is gone")
            kept = found[spot] = parse(self._keys, self.shard, raws[spot.offset])
            if (kept.digest, kept.title.name) != (spot.digest, name):
                raise BadSnapshot(f"another record stands at offset {spot.offset} than that of {name}")
        return found

    def _raws(self, offsets: list[int]) -> Iterator[tuple[int, bytes]]:
        unseen = []
        for offset in offsets:
            if offset in self._seen:
                yield offset, self._seen[offset]
            else:
                unseen.append(offset)
        wanted = set(unseen)
        for start, stop in _runs(unseen):
            yield from ((at, raw) for at, raw in self._topic.read(self.shard, start, stop) if at in wanted)


def _runs(offsets: list[int]) -> Iterator[tuple[int, int]]:
    """Ranges that hold all of the offsets, without what lies far between them."""
    start = last = None
    for offset in offsets:
        if start is None or last is None:
            start = offset
        elif offset - last > _GAP:
            yield start, last + 1
            start = offset
        last = offset
    if start is not None and last is not None:
        yield start, last + 1


def _restored(records: _Records, kept: Kept, confirmed: Callable[[Head], bool]) -> Snapshot:
    """The snapshot that a manifest makes. Raises BadSnapshot."""
    whole = manifest.read(kept)
    if not confirmed(whole.head):
        raise BadSnapshot(f"the log has another commit than {whole.head.hash[:12]} at its height, or none")
    lists = records.named({spot: f"list:{number}" for number, spot in enumerate(whole.lists)})
    parts = (*whole.parts, *(part for one in lists.values() for part in manifest.read_list(one.body)))
    found = records.named({part.spot: part.name for part in parts if part.spot})
    states = {role_of(one.title.name): one for one in found.values()}
    pages = _pages(records, states)
    return Snapshot(
        whole.head,
        whole.counted,
        whole.own,
        {part.name: part.version for part in parts if part.name.startswith(("table:", "hand:"))},
        {role.removeprefix("table:"): _stored(role, states, pages[role]) for role in pages},
        tuple(part.name.removeprefix("table:") for part in parts if not part.spot and part.name.startswith("table:")),
        _drawers(states, PATRONS) if whole.patrons else None,
        _places([kept, *lists.values(), *found.values(), *(page for some in pages.values() for page in some)]),
        (),
    )


def _pages(records: _Records, states: Mapping[str, Kept]) -> dict[str, list[Kept]]:
    """Of each table, by its role, the pages of its commands."""
    tables = {role: canonical.decode(one.body) for role, one in states.items() if role.startswith("table:")}
    spots = {role: [Spot(*spot) for _, *spot in said["pages"]] for role, said in tables.items()}
    found = records.named({spot: pages_of(role) for role, some in spots.items() for spot in some})
    return {role: [found[spot] for spot in some] for role, some in spots.items()}


def _stored(role: str, states: Mapping[str, Kept], pages: Iterable[Kept]) -> Stored:
    one, table = states[role], role.removeprefix("table:")
    hand, letters = states.get(f"hand:{table}"), _drawers(states, letters_of(role))
    return Stored(one.body, None if hand is None else hand.body, tuple(page.body for page in pages), letters)


def _drawers(states: Mapping[str, Kept], prefix: str) -> tuple[bytes, ...]:
    """The bodies of a cabinet's drawers."""
    numbered = (states.get(f"{prefix}{number}") for number in count())
    return tuple(one.body for one in takewhile(lambda one: one is not None, numbered) if one)


def _places(records: Iterable[Kept]) -> dict[str, set[int]]:
    """The places of records, by the role of what stands there."""
    places: dict[str, set[int]] = {}
    for one in records:
        places.setdefault(role_of(one.title.name), set()).add(one.title.place)
    return places
