"""Writes what changed at a shard's tables since the last snapshot, and the manifest that makes a snapshot of it.

A record that a manifest names may be gone once a later one has its key: the topic is compacted. So a stream has two
places, which are written in turn, and takes the other one only once a manifest names this one: whenever a writer stops,
the newest manifest that is whole names only records that are the last ones of their keys. So do the manifests.

A busy table remembers more commands than should be written at each of its changes. As soon as `PAGE` of them have come,
they become a page, a record of its own that is written once; only those after it stand beside the table's state.

Whoever was owner before and doesn't know yet may write to the same places. It shows: then an offset isn't the next one,
and the next snapshot is written anew as a whole. So is the first one of an owner, and one after an error.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count, takewhile
from types import MappingProxyType
from typing import Any, NamedTuple

from domain.messages import table_stream
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.room.load import Known, dump_shard
from services.room.room import Room
from services.sealing.keyfile import RoomKeys
from services.snapshots import manifest
from services.snapshots.manifest import Manifest, Own, Part, Spot
from services.snapshots.records import MANIFEST, Title, pages_of, role_of, seal
from services.snapshots.states import Desk, dump_commands, dump_hand, dump_table

PAGE = 128
"""Commands of a page: some 5 KB."""

Send = Callable[[Sequence[tuple[bytes, bytes]]], Sequence[int]]
"""Sends (key, value) records to the shard's partition, in order, and gives their offsets once they are safe there.

Raises where it doesn't know: the snapshot is none then, and the next one takes its place.
"""


Places = Mapping[str, Collection[int]]
"""Places by the role of what stands there."""


class Page(NamedTuple):
    """A page that lies in the topic. `last`: the height of its newest command."""

    number: int
    last: int
    spot: Spot


class Changed(NamedTuple):
    """A stream that isn't as it was written: its state, and the commands that no page has."""

    name: str
    version: int
    state: dict[str, Any]
    commands: list[tuple[str, Known]]


class Taken(NamedTuple):
    """A shard's tables at one moment. names: all streams. pages: of the tables that changed, those still needed."""

    head: Head
    counted: int
    own: Own
    names: list[str]
    changed: list[Changed]
    pages: dict[str, list[Page]]


class SnapshotWriter:
    """Takes and writes the snapshots of one shard for as long as its room owns it."""

    def __init__(self, room: Room, keys: RoomKeys, shard: int, in_use: Places = MappingProxyType({})) -> None:
        """`in_use`: the places of the snapshot that the room went on from: none of them is written to before another
        manifest stands."""
        self._room, self._keys, self._shard = room, keys, shard
        self._in_use = dict(in_use)
        self._written: dict[str, Part] = {}
        self._pages: dict[str, list[Page]] = {}
        self._head: Head | None = None
        self._next: int | None = None
        self._disturbed = False

    # Taking

    def take(self) -> Taken | None:
        """What must be written; None where nothing was recorded since the last snapshot.

        Quick, and to be called by the thread that runs the room, between two of its batches and never while `write`
        runs. Raises NotOwner where the room writes the shard no more, NoKey where a table can't be loaded.
        """
        head = self._room.head(self._shard)
        if head == self._head:
            return None
        taken = Taken(head, self._room.log.counted(self._shard), self._own(), [], [], {})
        for id_, desk in self._room.desks_of(self._shard):
            self._look_at(taken, id_, desk)
        return taken

    def _own(self) -> Own:
        version, state = self._room.stands(self._shard)
        room = self._room.log.stream_parts("room") if self._shard == 0 else []
        return Own(version, dump_shard(state), tuple((part.first, part.last, part.height) for part in room))

    def _look_at(self, taken: Taken, id_: str, desk: Desk) -> None:
        stream, table, hand = table_stream(id_), desk.table, desk.hand
        assert table is not None
        taken.names.append(stream)
        if self._has_changed(stream, table.version):
            pages = taken.pages[stream] = _still_needed(self._pages.get(stream, []), desk)
            commands = _after(pages[-1].last, desk.of_table) if pages else list(desk.of_table.items())
            taken.changed.append(Changed(stream, table.version, dump_table(table), commands))
        if hand is not None:
            taken.names.append(hand.stream)
            if self._has_changed(hand.stream, hand.version):
                taken.changed.append(Changed(hand.stream, hand.version, dump_hand(hand), list(desk.of_hand.items())))

    def _has_changed(self, name: str, version: int) -> bool:
        before = self._written.get(role_of(name))
        return before is None or before[:2] != (name, version)

    # Writing

    def write(self, taken: Taken, send: Send) -> Manifest:
        """Write it and its manifest. Raises what `send` raises, BadSnapshot for what no record has room for: then what
        was written before still stands."""
        batch = _Batch(self._keys, self._shard, self._in_use)
        try:
            pages = self._write_pages(batch, taken, send)
            parts = self._write_states(batch, taken, pages, send)
            whole = Manifest(taken.head, taken.counted, taken.own, tuple(parts.values()))
            self._send(send, [batch.sealed(*manifest.write(whole, batch.free(MANIFEST)))])
        except BaseException:
            self._forget()
            raise
        self._stands(taken.head, batch, pages, parts)
        return whole

    def _write_pages(self, batch: "_Batch", taken: Taken, send: Send) -> dict[str, list[Page]]:
        """The pages of the tables that changed, the new ones among them."""
        full = [
            (name, commands[at - PAGE : at])
            for name, _, _, commands in taken.changed
            if name in taken.pages
            for at in range(PAGE, len(commands) + 1, PAGE)
        ]
        titles = [Title(pages_of(name), batch.free(pages_of(name)), 0, taken.head.height) for name, _ in full]
        sealed = [
            batch.sealed(title, canonical.write(dump_commands(some)))
            for title, (_, some) in zip(titles, full, strict=True)
        ]
        pages = {name: list(kept) for name, kept in taken.pages.items()}
        for (name, some), title, spot in zip(full, titles, self._send(send, sealed), strict=True):
            pages[name].append(Page(title.place, some[-1][1].height, spot))
        return pages

    def _write_states(
        self, batch: "_Batch", taken: Taken, pages: Mapping[str, list[Page]], send: Send
    ) -> dict[str, Part]:
        """The records of all streams by their roles; those that changed are written."""
        sealed = []
        for name, version, state, commands in taken.changed:
            value: dict[str, Any] = {"state": state}
            if name in pages:
                value["pages"] = [[page.number, *page.spot] for page in pages[name]]
                commands = commands[len(commands) // PAGE * PAGE :]  # noqa: PLW2901 - those that no page has
            value["commands"] = dump_commands(commands)
            title = Title(name, batch.free(role_of(name)), version, taken.head.height)
            sealed.append(batch.sealed(title, canonical.write(value)))
        spots = self._send(send, sealed)
        new = {one.name: Part(one.name, one.version, spot) for one, spot in zip(taken.changed, spots, strict=True)}
        return {role_of(name): new.get(name) or self._written[role_of(name)] for name in taken.names}

    def _send(self, send: Send, sealed: Sequence[tuple[bytes, bytes, str]]) -> list[Spot]:
        """Where the records stand; it is noted where another's came between."""
        if not sealed:
            return []
        offsets = list(send([(key, raw) for key, raw, _ in sealed]))
        first = offsets[0] if self._next is None else self._next
        self._disturbed |= offsets != list(range(first, first + len(sealed)))
        self._next = offsets[-1] + 1
        return [Spot(offset, digest) for offset, (_, _, digest) in zip(offsets, sealed, strict=True)]

    def _stands(self, head: Head, batch: "_Batch", pages: Mapping[str, list[Page]], parts: Mapping[str, Part]) -> None:
        """The manifest is safe: what it names is in use, and nothing else."""
        self._head, self._written = head, dict(parts)
        self._pages |= pages
        self._in_use |= batch.places
        self._in_use |= {pages_of(name): {page.number for page in some} for name, some in pages.items()}
        if self._disturbed:
            self._forget()

    def _forget(self) -> None:
        """Have the next snapshot written as a whole; what the newest one names is still in use."""
        self._head, self._written, self._pages = None, {}, {}
        self._next, self._disturbed = None, False


class _Batch:
    """The records of one snapshot in the making, and the places that they take."""

    def __init__(self, keys: RoomKeys, shard: int, in_use: Places) -> None:
        self._keys, self._shard, self._in_use = keys, shard, in_use
        self.places: dict[str, set[int]] = {}

    def free(self, role: str) -> int:
        """A place that neither the newest manifest nor this one needs; it is taken now."""
        taken = self.places.setdefault(role, set())
        place = next(place for place in count() if place not in taken and place not in self._in_use.get(role, ()))
        taken.add(place)
        return place

    def sealed(self, title: Title, body: bytes) -> tuple[bytes, bytes, str]:
        """Key, value and digest of a record."""
        return title.key, *seal(self._keys, self._shard, title, body)


def _after(height: int, known: dict[str, Known]) -> list[tuple[str, Known]]:
    """The commands of later commits, oldest first, without a look at the older ones."""
    newest_first = list(takewhile(lambda one: one[1].height > height, reversed(known.items())))
    return newest_first[::-1]


def _still_needed(pages: Sequence[Page], desk: Desk) -> list[Page]:
    """The pages with a command that the table still remembers."""
    first = next(iter(desk.of_table.values()), None)
    return [page for page in pages if first is not None and page.last >= first.height]
