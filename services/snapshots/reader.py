"""Finds the newest snapshot of a shard that can be restored, from the end of its partition, or says why there is none.

Nothing is believed that isn't sealed by the room, named by a manifest with its digest, of this build's fold, and at a
head that the log itself confirms. A snapshot is a shortcut: where any of it is wrong it is passed over.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from domain.rules.phrases import counted
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.eventlog.log import Beginning, Log
from services.sealing.keyfile import RoomKeys
from services.snapshots import manifest
from services.snapshots.manifest import Manifest, Spot
from services.snapshots.records import MANIFEST, BadSnapshot, Kept, pages_of, parse, role_of
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
    """A shard's tables up to `position`: from the next height on the log says the rest.

    counted: the number of the last counted event there. in_use: the places of its records, for the next writer.
    passed_over: why newer ones were, for those who look after the room. beginning: where the log may be read from on.
    """

    position: Head
    counted: int
    tables: Mapping[str, Stored]
    in_use: Mapping[str, Collection[int]]
    passed_over: tuple[str, ...]
    beginning: Beginning


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
    states = _states(records, whole)
    tables = {role.removeprefix("table:"): one for role, one in states.items() if role.startswith("table:")}
    spots = {table: [Spot(*spot) for _, *spot in canonical.decode(one.body)["pages"]] for table, one in tables.items()}
    pages = records.named({spot: f"commands:{table}" for table, some in spots.items() for spot in some})
    stored = {}
    in_use: dict[str, set[int]] = {role: {one.title.place} for role, one in states.items()}
    for table, one in tables.items():
        hand = states.get(f"hand:{table}")
        own = [pages[spot] for spot in spots[table]]
        stored[table] = Stored(one.body, None if hand is None else hand.body, tuple(page.body for page in own))
        in_use[pages_of(table)] = {page.title.place for page in own}
    in_use[MANIFEST] = {kept.title.place}
    return Snapshot(whole.head, whole.counted, stored, in_use, (), whole.beginning(records.shard))


def _states(records: _Records, whole: Manifest) -> dict[str, Kept]:
    """The records of tables and hands by their roles."""
    found = records.named({part.spot: part.name for part in whole.parts})
    return {role_of(kept.title.name): kept for kept in found.values()}
