"""Writes what changed in a shard since its last snapshot, and the manifest that makes a snapshot of it.

A record that a manifest names may be gone once a later one has its key: the topic is compacted. So a stream has two
places, which are written in turn, and takes the other one only once a manifest names this one: whenever a writer stops,
the newest manifest that is whole names only records that are the last ones of their keys. So do the manifests.

A busy table remembers more commands than should be written at each of its changes. As soon as `PAGE` of them have come,
they become a page, a record of its own that is written once; only those after it stand beside the table's state.

What grows without end stands in drawers (`cabinet`), of which only those that changed are written: a table's letters as
soon as there are many, and all patrons. A state that is too large for a record all the same is left out, said aloud,
and read from the log by whoever takes over; the others aren't touched by that.

Whoever was owner before and doesn't know yet may write to the same places. It shows: then an offset isn't the next one,
and the next snapshot is written anew as a whole. So is the first one of an owner, and one after an error.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from domain.desk import is_unknown
from domain.messages import ROOM_STREAM, table_stream
from services.eventlog import canonical
from services.eventlog.commit import Head
from services.room.load import Known, dump_shard
from services.room.room import Room
from services.room.shards import ROOMS_SHARD
from services.sealing.keyfile import RoomKeys
from services.snapshots import manifest
from services.snapshots.batch import Batch, Sealed, Send, portions
from services.snapshots.cabinet import Cabinet
from services.snapshots.commands import dump_commands
from services.snapshots.letters import changed_after, dump_letters, others_of
from services.snapshots.manifest import Manifest, Own, Part, Spot
from services.snapshots.patrons import StoredPatrons, Written
from services.snapshots.reader import Snapshot
from services.snapshots.records import MANIFEST, PATRONS, BadSnapshot, Title, letters_of, pages_of, role_of
from services.snapshots.states import Desk, dump_hand, dump_table
from services.snapshots.taken import Changed, Letters, Page, Taken

PAGE = 128
"""Commands of a page: some 5 KB."""

FEW_LETTERS = 64
"""Streams with which a table has letters in its own record; where there are more, all lie in drawers."""


class SnapshotWriter:
    """Takes and writes the snapshots of one shard for as long as its room owns it."""

    def __init__(
        self,
        room: Room,
        keys: RoomKeys,
        shard: int,
        since: Snapshot | None = None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        """`since`: the snapshot that the room went on from: none of its places is written to before another manifest
        stands. `say`: told in a sentence of what is left out."""
        self._room, self._keys, self._shard, self._say = room, keys, shard, say
        self._in_use: dict[str, Collection[int]] = {} if since is None else dict(since.in_use)
        self._written: dict[str, Part] = {}
        self._pages: dict[str, list[Page]] = {}
        self._lists: dict[int, tuple[tuple[Part, ...], Spot]] = {}
        self._letters = _letters_in(since)
        self._at: dict[str, int] = {} if since is None else {name: since.versions[name] for name in self._letters}
        """The versions at which the tables in these drawers stand."""
        self._patrons = StoredPatrons((since and since.patrons) or ())
        self._to_gather: list[str] | None = [] if since and since.patrons is not None else None
        self._gathered: dict[str, Written] = {}
        self._left_out: set[str] = set()
        self._head: Head | None = None
        self._next: int | None = None
        self._disturbed = False

    @property
    def left_out(self) -> int:
        """How many streams were too large for the newest snapshot: whoever takes over reads them from the log."""
        return len(self._left_out)

    # Taking

    def gather(self, some: int) -> bool:
        """Look at some more of the patrons, of whom a log without a snapshot may have many; whether none is left.

        To be called as `take` is. Until none is left no snapshot has patrons. Raises LogError where they can't be read
        yet.
        """
        if self._has_patrons():
            return True
        if self._to_gather is None:
            self._to_gather = sorted(self._room.log.patrons(self._shard))
        for player in self._to_gather[-some:]:
            self._gathered[player] = Written(*self._room.patron_of(player))
        del self._to_gather[-some:]
        if self._has_patrons():
            self._head = None  # they are to be written, even where nothing else is new
        return self._has_patrons()

    def take(self) -> Taken | None:
        """What must be written; None where nothing was recorded since the last snapshot.

        Quick, and to be called by the thread that runs the room, between two of its batches and never while `write`
        runs. Raises NotOwner where the room writes the shard no more, NoKey where a table can't be loaded.
        """
        head = self._room.head(self._shard)
        if head == self._head:
            return None
        taken = Taken(head, self._room.log.counted(self._shard), self._own(), [], [], {}, {}, {})
        for id_, desk in self._room.desks_of(self._shard):
            self._look_at(taken, id_, desk)
        taken.patrons.update(self._changed_patrons())  # last: from here on the room takes them for written
        return taken

    def _changed_patrons(self) -> dict[str, Written]:
        """Those who aren't as they lie in the drawers; nobody, as long as not all of them can lie there."""
        if not self._has_patrons():
            return {}
        changed = self._room.changed_patrons(self._shard)
        found = {player: self._room.patron_of(player) for player in changed}
        patrons = self._gathered | {
            player: Written(now, known) for player, (now, known) in found.items() if not is_unknown(now)
        }
        self._gathered = {}
        changed.clear()
        return patrons

    def _has_patrons(self) -> bool:
        """Whether all of them are known."""
        return self._to_gather is not None and not self._to_gather

    def _own(self) -> Own:
        version, state = self._room.stands(self._shard)
        room = self._room.log.stream_parts(ROOM_STREAM) if self._shard == ROOMS_SHARD else []
        return Own(version, dump_shard(state), tuple((part.first, part.last, part.height) for part in room))

    def _look_at(self, taken: Taken, id_: str, desk: Desk) -> None:
        stream, table, hand = table_stream(id_), desk.table, desk.hand
        assert table is not None
        taken.names.append(stream)
        if self._has_changed(stream, table.version):
            pages = taken.pages[stream] = _still_needed(self._pages.get(stream, []), desk)
            commands = _after(pages[-1].last, desk.of_table) if pages else list(desk.of_table.items())
            apart = stream in self._letters or len(others_of(table)) > FEW_LETTERS
            if apart:
                new = dump_letters(table, changed_after(table, self._at.get(stream, 0)))
                values = {other: canonical.write(value) for other, value in new.items()}
                taken.letters[stream] = Letters(table.version, values)
            taken.changed.append(Changed(stream, table.version, dump_table(table, letters=not apart), commands))
        if hand is not None:
            taken.names.append(hand.stream)
            if self._has_changed(hand.stream, hand.version):
                taken.changed.append(Changed(hand.stream, hand.version, dump_hand(hand), list(desk.of_hand.items())))

    def _has_changed(self, name: str, version: int) -> bool:
        before = self._written.get(role_of(name))
        return before is None or before[:2] != (name, version)

    # Writing

    def write(self, taken: Taken, send: Send) -> Manifest:
        """Write it and its manifest. Raises what `send` raises: then what was written before still stands."""
        batch = Batch(self._keys, self._shard, self._in_use)
        try:
            self._lay(taken)
            pages = self._write_pages(batch, taken, send)
            parts = self._write_states(batch, taken, pages, send)
            for cabinet, prefix in self._cabinets(taken):
                parts |= self._write_drawers(batch, cabinet, prefix, taken.head.height, send)
            lists = self._write_lists(batch, parts, taken.head.height, send)
            whole = Manifest(
                taken.head,
                taken.counted,
                taken.own,
                self._has_patrons(),
                () if lists else tuple(parts.values()),
                tuple(spot for _, spot in lists.values()),
            )
            self._send(send, [batch.sealed(*manifest.write(whole, batch.free(MANIFEST)))])
        except BaseException:
            self._forget()
            raise
        self._stands(taken, batch, pages, parts, lists)
        return whole

    def _lay(self, taken: Taken) -> None:
        """Into the drawers, which are as the room is from now on, whatever becomes of this snapshot."""
        for stream, letters in taken.letters.items():
            self._letters.setdefault(stream, Cabinet()).put(letters.values)
            self._at[stream] = letters.version
        self._patrons.put(taken.patrons)

    def _cabinets(self, taken: Taken) -> Iterator[tuple[Cabinet, str]]:
        """Those of the snapshot, with what the names of their drawers begin with."""
        for name in taken.names:
            if name in self._letters:
                yield self._letters[name], letters_of(name)
        if self._has_patrons():
            yield self._patrons.cabinet, PATRONS

    def _write_pages(self, batch: Batch, taken: Taken, send: Send) -> dict[str, list[Page]]:
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

    def _write_states(self, batch: Batch, taken: Taken, pages: Mapping[str, list[Page]], send: Send) -> dict[str, Part]:
        """The records of all streams by their roles; those that changed are written."""
        sealed: list[Sealed] = []
        fitting: list[str] = []
        for name, version, state, commands in taken.changed:
            value: dict[str, Any] = {"state": state}
            if name in pages:
                value["pages"] = [[page.number, *page.spot] for page in pages[name]]
                commands = commands[len(commands) // PAGE * PAGE :]  # noqa: PLW2901 - those that no page has
            value["commands"] = dump_commands(commands)
            title = Title(name, batch.free(role_of(name)), version, taken.head.height)
            if self._fits(batch, title, canonical.write(value), sealed):
                fitting.append(name)
        spots = dict(zip(fitting, self._send(send, sealed), strict=True))
        new = {one.name: Part(one.name, one.version, spots.get(one.name)) for one in taken.changed}
        return {role_of(name): new.get(name) or self._written[role_of(name)] for name in taken.names}

    def _fits(self, batch: Batch, title: Title, body: bytes, sealed: list[Sealed]) -> bool:
        """Whether the state is small enough for a record, which is put to the others then; who isn't is left out, which
        is said once."""
        role = role_of(title.name)
        try:
            sealed.append(batch.sealed(title, body))
        except BadSnapshot as error:
            if role not in self._left_out:
                self._say(
                    f"{error}; so {title.name} is in no snapshot of shard {self._shard}: who takes over reads it "
                    "from the log"
                )
            self._left_out.add(role)
            return False
        self._left_out.discard(role)
        return True

    def _write_drawers(self, batch: Batch, cabinet: Cabinet, prefix: str, height: int, send: Send) -> dict[str, Part]:
        """The drawers of a cabinet by their roles; those that changed are written."""
        names = [f"{prefix}{number}" for number in range(len(cabinet.drawers))]
        changed = [at for at, name in enumerate(names) if at in cabinet.changed or name not in self._written]
        sealed = [
            batch.sealed(Title(names[at], batch.free(names[at]), 0, height), cabinet.drawers[at]) for at in changed
        ]
        new = {at: Part(names[at], 0, spot) for at, spot in zip(changed, self._send(send, sealed), strict=True)}
        return {name: new.get(at) or self._written[name] for at, name in enumerate(names)}

    def _write_lists(
        self, batch: Batch, parts: Mapping[str, Part], height: int, send: Send
    ) -> dict[int, tuple[tuple[Part, ...], Spot]]:
        """The lists in which so many parts stand, with their spots; those that changed are written."""
        lists = dict(enumerate(manifest.listed([parts[role] for role in sorted(parts)])))
        changed = [at for at, some in lists.items() if at not in self._lists or self._lists[at][0] != some]
        sealed = [
            batch.sealed(Title(f"list:{at}", batch.free(f"list:{at}"), 0, height), manifest.write_list(lists[at]))
            for at in changed
        ]
        new = {at: (lists[at], spot) for at, spot in zip(changed, self._send(send, sealed), strict=True)}
        return {at: new.get(at) or self._lists[at] for at in lists}

    def _send(self, send: Send, sealed: Sequence[Sealed]) -> list[Spot]:
        """Where the records stand; it is noted where another's came between."""
        spots: list[Spot] = []
        for some in portions(sealed):
            offsets = list(send([(key, raw) for key, raw, _ in some]))
            first = offsets[0] if self._next is None else self._next
            self._disturbed |= offsets != list(range(first, first + len(some)))
            self._next = offsets[-1] + 1
            spots += [Spot(offset, digest) for offset, (_, _, digest) in zip(offsets, some, strict=True)]
        return spots

    def _stands(
        self,
        taken: Taken,
        batch: Batch,
        pages: Mapping[str, list[Page]],
        parts: Mapping[str, Part],
        lists: Mapping[int, tuple[tuple[Part, ...], Spot]],
    ) -> None:
        """The manifest is safe: what it names is in use, and nothing else."""
        self._head, self._written, self._lists = taken.head, dict(parts), dict(lists)
        self._pages |= pages
        self._in_use |= batch.places
        self._in_use |= {pages_of(name): {page.number for page in some} for name, some in pages.items()}
        for cabinet, _ in self._cabinets(taken):
            cabinet.changed.clear()
        if self._disturbed:
            self._forget()

    def _forget(self) -> None:
        """Have the next snapshot written as a whole; what the newest one names is still in use."""
        self._head, self._written, self._pages, self._lists = None, {}, {}, {}
        self._next, self._disturbed = None, False


def _letters_in(since: Snapshot | None) -> dict[str, Cabinet]:
    """The drawers of the letters of those tables that have some there."""
    tables = {} if since is None else since.tables
    return {table_stream(table): Cabinet(one.letters) for table, one in tables.items() if one.letters}


def _after(height: int, known: dict[str, Known]) -> list[tuple[str, Known]]:
    """The commands of later commits, oldest first, without a look at the older ones."""
    newest_first = list(takewhile(lambda one: one[1].height > height, reversed(known.items())))
    return newest_first[::-1]


def _still_needed(pages: Sequence[Page], desk: Desk) -> list[Page]:
    """The pages with a command that the table still remembers."""
    first = next(iter(desk.of_table.values()), None)
    return [page for page in pages if first is not None and page.last >= first.height]
