"""Keeps a warehouse up with a log: batch by batch, each counted once, wherever the worker was killed before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log, LogError
from services.eventlog.mapper import UnreadableEvent
from services.evidence.checkpointer import opening_of
from services.following import Noted, unnoted
from services.rulings import facts_of, facts_of_hand
from services.warehouse.files import remove_garbage, write_batch
from services.warehouse.fold import HAND, Decided, Fold
from services.warehouse.manifest import Manifest, Position, WarehouseError, load, removing, save, writing
from services.warehouse.tables import REVISION

ROWS = 100_000
"""After so many new rows a batch is written."""

Progress = Callable[[], object]
"""Called after each commit."""


def decided(record: Record) -> Decided:
    """A record as the warehouse reads it. Raises UnreadableEvent for what this build can't read."""
    try:
        said = body.decode(record.body)
        return Decided(record.shard, record.height, said.at, said.command["cause"], facts_of(said))
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableEvent(f"shard {record.shard}, height {record.height}: {error}") from error


def catch_up(folder: Path, log: Log, step: Progress = lambda: None, *, rows: int = ROWS) -> int:
    """Take in what the log has and the warehouse hasn't; the number of commits. A warehouse of an earlier revision is
    built anew.

    Raises WarehouseError where another process writes, or the warehouse is of another log or a later revision;
    LogError, after the shards that can be read were taken in.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder):
        manifest = load(folder)
        if manifest is not None and manifest.revision < REVISION:
            return _build(folder, log, step, rows)
        before = manifest or _empty(log, 1)
        _check(before, log)
        _clear(folder, before)
        work = _Work(folder, log, before, rows, current=True)
        return _done(work, work.go_on(step))


class WarehouseWorker:
    """Keeps a warehouse up with a log: a `services.following.Follower`."""

    def __init__(self, folder: Path, log: Log) -> None:
        self._folder, self._log = folder, log

    def heights(self) -> Mapping[int, int]:
        manifest = load(self._folder)
        return {shard: one.height for shard, one in manifest.positions.items()} if manifest else {}

    def catch_up(self, noted: Noted = unnoted) -> None:
        noted(catch_up(self._folder, self._log))


def rebuild(folder: Path, log: Log, step: Progress = lambda: None, *, rows: int = ROWS) -> int:
    """Build all anew from the log, beside what is there, which is read until the new takes its place at the end; the
    number of commits. If it is killed before that, nothing has changed. Raises as `catch_up`, but for what it reads."""
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder):
        return _build(folder, log, step, rows)


def _build(folder: Path, log: Log, step: Progress, rows: int) -> int:
    before = _readable(folder)
    work = _Work(folder, log, _empty(log, before.generation + 1 if before else 1), rows, current=False)
    faults = work.go_on(step)
    save(folder, work.manifest)
    return _done(work, faults)


def _done(work: "_Work", faults: Sequence[LogError]) -> int:
    """What is there now counts, also where a shard can't be read on: that is said last."""
    _clear(work.folder, work.manifest)
    if faults:
        raise faults[0]
    return work.commits


def _readable(folder: Path) -> Manifest | None:
    """The manifest that is there, if it can be read: a rebuild needs it for no more than its generation."""
    with suppress(WarehouseError):
        return load(folder)
    return None


def _empty(log: Log, generation: int) -> Manifest:
    return Manifest(REVISION, opening_of(log).room_id, generation, 0, {}, [])


def _check(manifest: Manifest, log: Log) -> None:
    """Raise WarehouseError unless this build reads the manifest, and it was made from this log."""
    if manifest.revision != REVISION:
        raise WarehouseError(
            f"the warehouse is of revision {manifest.revision}, this version of handlog reads revision {REVISION}: use "
            "the newer version that wrote it, or run `handlog warehouse --rebuild`"
        )
    for shard, position in manifest.positions.items():
        if not _knows(log, shard, position):
            raise WarehouseError(
                f"the warehouse was made from another log than this one, by shard {shard} at height "
                f"{position.height}: run `handlog warehouse --rebuild`"
            )


def _knows(log: Log, shard: int, position: Position) -> bool:
    """Whether the log's commit at the position is the one that was read."""
    if shard >= log.shards or position.height > log.head(shard).height:
        return False
    return log.record(shard, position.height).hash == position.hash


def _clear(folder: Path, manifest: Manifest) -> None:
    """Remove what doesn't count, unless somebody reads: then the next one does."""
    with removing(folder) as may:
        if may:
            remove_garbage(folder, manifest.files)


class _Work:
    """Reads the shards on from a manifest's positions. `current`: whether its batches count as they are written; else
    the last manifest is the caller's to save. commits: those read so far."""

    def __init__(self, folder: Path, log: Log, manifest: Manifest, rows: int, *, current: bool) -> None:
        self.folder, self.log, self.manifest, self.rows, self.current = folder, log, manifest, rows, current
        self.fold = Fold(opening_of(log).time_zone, lambda hand: str(facts_of_hand(log, hand)[0][0].game))
        self.commits = 0
        self._positions = dict(manifest.positions)

    def go_on(self, step: Progress) -> list[LogError]:
        """Up to the log's end. A shard that can't be read leaves the others be; the faults of such."""
        faults = []
        for shard in range(self.log.shards):
            try:
                self._read(shard, step)
            except LogError as fault:
                faults.append(fault)
        self._write()
        return faults

    def _read(self, shard: int, step: Progress) -> None:
        at = self.manifest.positions.get(shard)
        start = 0 if at is None else at.height + 1
        if start <= self.log.head(shard).height:
            self._read_on(shard, at, start, step)
        if shard in self.log.stopped:
            raise UnreadableEvent(self.log.stopped[shard])

    def _read_on(self, shard: int, at: Position | None, start: int, step: Progress) -> None:
        for commit in self._of_hands_under_way(at):
            self.fold.take(commit)
        for record in self.log.read(shard, start):
            self.fold.take(decided(record))
            self._positions[shard] = Position(record.height, record.hash, [])
            self.commits += 1
            step()
            if self.fold.made >= self.rows:
                self._write()

    def _of_hands_under_way(self, at: Position | None) -> Iterator[Decided]:
        """What was read before of the hands that were not over then."""
        for hand in at.under_way if at else ():
            stream = f"{HAND}{hand}"
            for record in self.log.stream_commits(stream):
                if at is not None and record.height <= at.height:
                    commit = decided(record)
                    yield commit._replace(facts=[one for one in commit.facts if one[0] == stream])

    def _write(self) -> None:
        """The batch's files, and then the manifest that makes them count."""
        if self._positions == self.manifest.positions:
            return
        before, batch = self.manifest, self.manifest.batch + 1
        files = write_batch(self.folder, before.generation, batch, self.fold.taken_away(), before.files)
        positions = {
            shard: one if one == before.positions.get(shard) else one._replace(under_way=self.fold.under_way_in(shard))
            for shard, one in self._positions.items()
        }
        self.manifest = before._replace(batch=batch, positions=positions, files=files)
        self._positions = dict(positions)
        if self.current:
            save(self.folder, self.manifest)
