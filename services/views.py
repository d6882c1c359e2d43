"""The views of a home: the log's commits as the projections read them, and the store that keeps the rows."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlalchemy import URL

from domain.room import ShardOpened
from projections import rebuild as fold
from projections.commit import Commit, CommittedFact
from projections.queries import folded_rooms
from projections.store import Gap, Store, StoreError
from services.bootstrap import VIEWS_FILE
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log, LogError
from services.eventlog.mapper import UnreadableEvent
from services.following import Noted, unnoted
from services.rulings import facts_of

VIEWS = "HANDLOG_VIEWS"
"""What in the environment names the database of the views, where it isn't a file in the home."""


def committed(record: Record) -> Commit:
    """A record as the projections read it. Raises UnreadableEvent for what this build can't read."""
    try:
        said = body.decode(record.body)
        facts = [CommittedFact(*one) for one in facts_of(said)]
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableEvent(f"shard {record.shard}, height {record.height}: {error}") from error
    return Commit(record.shard, record.height, said.at, facts)


def commits(log: Log, folded: Mapping[int, int] | None = None) -> Iterator[Commit]:
    """The log's commits, shard by shard, after the height up to which each shard is `folded` already.

    Raises Gap where the views know more than the log has: they were made from another one.
    """
    for shard in range(log.shards):
        yield from _commits_of(log, shard, (folded or {}).get(shard, -1))


def _commits_of(log: Log, shard: int, height: int) -> Iterator[Commit]:
    """A shard's commits after that height."""
    end = log.head(shard).height
    if height > end:
        raise Gap(
            f"the views have folded shard {shard} up to height {height}, the log ends at {end}: they are of another "
            "log; run `handlog rebuild`"
        )
    if height < end:
        for record in log.read(shard, height + 1):
            yield committed(record)


def open_views(home: Path) -> Store:
    """The home's store of views, or the one that HANDLOG_VIEWS names; made if there is none. Raises StoreError."""
    return Store.open(os.environ.get(VIEWS) or URL.create("sqlite", database=str(home / VIEWS_FILE)))


class ViewsWorker:
    """Keeps views up with a log: a `services.following.Follower`. Not for several threads at once; others may fold into
    the same store meanwhile, or build all of it anew, since a batch goes where the positions stand in its transaction.

    `folded`: how many commits it has folded in all.
    """

    def __init__(self, store: Store, log: Log) -> None:
        """Raises StoreError where the views are of another log."""
        _check_room(store, log)
        self._store, self._log, self._folding = store, log, store.folding()
        self._heights: dict[int, int] = {}
        self.folded = 0

    def heights(self) -> Mapping[int, int]:
        return self._heights

    def catch_up(self, noted: Noted = unnoted) -> None:
        try:
            faults = self._fold_on(noted)
        except Gap:  # a rebuild took the place of the views, and stands lower: on from there
            faults = self._fold_on(noted)
        if faults:
            raise faults[0]

    def _fold_on(self, noted: Noted) -> list[LogError]:
        """Fold up to the log's end; the faults of shards that can't be read so far."""
        self._heights = self._store.positions()
        faults: list[LogError] = []
        for batch in fold.batches(self._new(dict(self._heights), faults)):
            folded = self._folding.apply(batch)
            self._heights |= {commit.shard: commit.height for commit in batch}
            self.folded += folded
            noted(folded)
        return faults

    def _new(self, heights: Mapping[int, int], faults: list[LogError]) -> Iterator[Commit]:
        for shard in range(self._log.shards):
            try:
                yield from _commits_of(self._log, shard, heights.get(shard, -1))
                if shard in self._log.stopped:
                    raise UnreadableEvent(self._log.stopped[shard])
            except LogError as fault:
                faults.append(fault)


def current_views(home: Path, log: Log, noted: Noted = unnoted) -> Store:
    """The home's views, caught up with its log; the caller closes them. Raises StoreError, LogError."""
    store = open_views(home)
    try:
        ViewsWorker(store, log).catch_up(noted)
    except BaseException:
        store.close()
        raise
    return store


def _check_room(store: Store, log: Log) -> None:
    """Raise StoreError where the views were folded from another room's log, which was put away since."""
    if _of_another_room(store, log):
        raise StoreError("the views are of another log than this one; run `handlog rebuild`")


def _of_another_room(store: Store, log: Log) -> bool:
    opened = next((fact.event for fact in committed(log.record(0, 0)).facts), None)
    return isinstance(opened, ShardOpened) and bool(folded_rooms(store) - {opened.room_id})


def rebuild_views(home: Path, log: Log, progress: fold.Progress | None = None) -> int:
    """Build every view anew from the log; the number of commits. Raises StoreError, LogError.

    In a home those of another log are replaced; in a database that HANDLOG_VIEWS names they may be in use.
    """
    with open_views(home) as store:
        if os.environ.get(VIEWS) and _of_another_room(store, log):
            raise StoreError(f"{VIEWS} names a database with the views of another room: each room needs its own")
        return fold.rebuild(store, commits(log), progress)
