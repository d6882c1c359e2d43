"""What is under way between a log's streams, looked up in the view of it: where a room's staff begins."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from threading import Event

from sqlalchemy import URL, select

from domain import catalog
from domain.transfers import NOTES
from projections import rebuild as fold
from projections.commit import Commit, CommittedFact
from projections.store import Gap, OutOfDate, Store, StoreError
from projections.transfers import TRANSFERS
from services.bootstrap import VIEWS_FILE
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log, LogError
from services.staffing import Say

RETRY = 1.0
"""Seconds before it is looked again for what is under way, where that failed."""

_STEPS = frozenset(catalog.event.by_class[one].name for one in NOTES)
_MARKS = (b'"transfer.', b'"notice.')
"""Parts of a body without which it has no such step."""


def find_under_way(
    home: Path,
    log: Log,
    shards: frozenset[int],
    until: Event,
    say: Say,
    tell: Callable[[list[tuple[int, str]]], object],
) -> None:
    """Tell of the streams of these shards that have something under way: shard and stream, by the log as it is now.

    It is tried until it is known, or the event is set: what nobody carries stays under way.
    """
    failed = ""
    while not until.is_set():
        try:
            senders = senders_of(home, log, shards, until)
            tell(senders)
        except (StoreError, LogError) as error:
            if failed != str(error):
                say(f"what is under way between streams can't be looked up: {error}")
            failed = str(error)
            until.wait(RETRY)
        else:
            return


def senders_of(home: Path, log: Log, shards: frozenset[int], until: Event) -> list[tuple[int, str]]:
    """The streams of these shards that have something under way, from the view of it, caught up with the log.

    Raises StoreError, LogError.
    """
    url = URL.create("sqlite", database=str(home / VIEWS_FILE))
    with Store.open(url, (TRANSFERS,)) as store:
        try:
            fold.catch_up(store, _steps(log, store.positions(), until))
        except (OutOfDate, Gap):  # of another build, or another log: nobody need be asked to make it anew
            fold.rebuild(store, _steps(log, {}, until))
        with store.read() as db:
            table = store.table(db, TRANSFERS, "under_way")
            found = db.execute(select(table.c.shard, table.c.sender).where(table.c.shard.in_(shards)).distinct())
            return sorted((row.shard, row.sender) for row in found)


def _steps(log: Log, folded: dict[int, int], until: Event) -> Iterator[Commit]:
    """The log's commits after those heights, with the facts that the view reads: nothing else need be decoded. Once the
    event is set no more of them."""
    for shard in range(log.shards):
        start = folded.get(shard, -1) + 1
        if start > log.head(shard).height + 1:
            raise Gap(f"the views know more of shard {shard} than its log has")
        for record in takewhile(lambda _: not until.is_set(), log.read(shard, start)):
            yield _steps_of(record)


def _steps_of(record: Record) -> Commit:
    if not any(mark in record.body for mark in _MARKS):
        return Commit(record.shard, record.height, 0, ())
    said = body.decode(record.body)
    facts = [
        CommittedFact(one["stream"], one["version"], catalog.event.load(one["type"], one["rev"], one["data"]))
        for one in said.events
        if one["type"] in _STEPS
    ]
    return Commit(record.shard, record.height, said.at, facts)
