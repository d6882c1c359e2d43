"""Whether a log is sound in full: its chains, and what its bodies say.

The chain proves that nothing was changed since; here every event must decode and fold, and every invariant of a hand
must hold after each commit.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from domain.account.invariants import check as check_account
from domain.account.state import Account, PlayerFile, evolve_account, evolve_player
from domain.hand.events import HandSettled
from domain.hand.invariants import Broken, check, check_sealed
from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.room import ShardClaimed, ShardOpened
from domain.rules.phrases import counted, listed
from domain.rulings.readjudicate import RecordedFact
from domain.table.events import HandFinished
from domain.table.state import Table
from domain.table.state import evolve as evolve_table
from services.eventlog.commit import Record
from services.eventlog.log import CorruptLog, Log
from services.eventlog.mapper import UnreadableEvent
from services.eventlog.verify import Report, Verifier, file_records
from services.evidence.against import Evidence, Find
from services.ledger import Ledger
from services.rulings import recorded


def verify_home(
    log: Log,
    step: Callable[[], object] = lambda: None,
    evidence: Evidence | None = None,
    ledger: Ledger | None = None,
) -> Report:
    """What is wrong with a log in its home, and with its checkpoints and its money where these are given; `step` is
    called after each record."""
    verifier, bodies = Verifier(log.room, holds_voids=log.holds_voids), Bodies(evidence, ledger)
    for shard in range(log.shards):
        try:
            _take_all(verifier, bodies, ((shard, raw) for raw in log.raws(shard)), step)
        except CorruptLog:
            _take_to_the_damage(verifier, bodies, log, shard)
    seen = {finding.shard for finding in verifier.report.findings} | verifier.report.heads.keys()
    for shard in range(log.shards):
        if shard not in seen:
            verifier.find(shard, 0, "the shard has no commit, not even the one that opened it")
    bodies.check_shards(verifier)
    try:
        for shard, height, what in log.index_faults():
            verifier.find(shard, height, what)
    except CorruptLog as error:
        if verifier.report.sound:
            verifier.find(0, 0, str(error))
    return verifier.report


def verify_export(
    path: Path | str,
    step: Callable[[], object] = lambda: None,
    evidence: Evidence | None = None,
    ledger: Ledger | None = None,
) -> Report:
    """What is wrong with an exported file, and with its checkpoints and its money where these are given. Raises
    LogError where there is no file to read."""
    verifier, bodies = Verifier(), Bodies(evidence, ledger)
    _take_all(verifier, bodies, file_records(path, verifier), step)
    bodies.check_shards(verifier)
    return verifier.report


def _take_to_the_damage(verifier: Verifier, bodies: "Bodies", log: Log, shard: int) -> None:
    """Where the home can't be read in one go: record by record, so that the first one that is lost can be named."""
    height = verifier.head(shard).height + 1
    try:
        while True:
            raw = log.record(shard, height).raw
            _take_all(verifier, bodies, [(shard, raw)], lambda: None)
            height += 1
    except IndexError:
        verifier.find(shard, height, "the home's file is damaged: no more of this shard can be read")
    except CorruptLog as error:
        verifier.find(shard, height, str(error))


def _take_all(
    verifier: Verifier, bodies: "Bodies", raws: Iterable[tuple[int, bytes]], step: Callable[[], object]
) -> None:
    for shard, raw in raws:
        record = verifier.take(shard, raw)
        if record is not None:
            bodies.take(record, verifier.find)
        step()


class Bodies:
    """Folds the commits of a log and looks at each hand that they touch."""

    def __init__(self, evidence: Evidence | None = None, ledger: Ledger | None = None) -> None:
        self._evidence, self._ledger = evidence, ledger
        self._tables: dict[str, Table] = {}
        self._hands: dict[str, Hand] = {}
        self._accounts: dict[str, Account] = {}
        self._files: dict[str, PlayerFile] = {}
        self._stopped: set[str] = set()
        self._stopped_shards: set[int] = set()
        self._shard_of: dict[str, int] = {}
        self._epochs: dict[int, int] = {}
        self._first: ShardOpened | None = None

    def take(self, record: Record, find: Find) -> None:
        """Look at a commit and write down what is wrong with it."""
        if self._evidence is not None:
            self._evidence.take(record, find)
        wrong = self._wrong(record, find)
        if wrong is not None:
            find(record.shard, record.height, wrong)

    def _wrong(self, record: Record, find: Find) -> str | None:
        """What is wrong with the commit; None where all is right.

        A stream that broke is looked at no further, nor a shard whose commits can't be read: what follows from them
        would be wrong for no reason of its own.
        """
        if record.shard in self._stopped_shards:
            return None
        try:
            commit = recorded(record)
            facts = commit.facts
        except UnreadableEvent as error:
            self._stopped_shards.add(record.shard)
            return f"{error.__cause__}; nothing after it in this shard was looked at but the chain"
        if self._ledger is not None:
            self._ledger.take(record.shard, record.height, commit.at, facts, find)
        return self._misplaced(record, facts) or self._unclaimed(record, facts) or self._broken(facts)

    def check_shards(self, verifier: Verifier) -> None:
        """At the end: whether there are as many shards as the room was opened with, and all that was signed."""
        if self._evidence is not None:
            self._evidence.finish(verifier.find)
        if self._ledger is not None:
            self._ledger.finish(verifier.find)
        if self._first is None:
            return
        heads, found = verifier.report.heads, {finding.shard for finding in verifier.report.findings}
        strange = [shard for shard in heads.keys() ^ set(range(self._first.shards)) if shard not in found]
        if strange:
            opened = f"the room was opened with {counted(self._first.shards, 'shard')}, but {len(heads)} have commits"
            verifier.find(min(strange), 0, opened)

    def _misplaced(self, record: Record, facts: Sequence[RecordedFact]) -> str | None:
        """What stands in a shard where it can't: an opening of another one, or a stream of another one."""
        if record.height == 0:
            opened = facts[0].event if len(facts) == 1 else None
            if not isinstance(opened, ShardOpened):
                return "the first commit doesn't open the shard"
            self._first = self._first or opened
            return _other_shard(opened, replace(self._first, room=record.room, shard=record.shard))
        for stream in {fact.stream for fact in facts}:
            shard = self._shard_of.setdefault(stream, record.shard)
            if shard != record.shard:
                return f"{stream} stands in shard {shard} already"
        return None

    def _unclaimed(self, record: Record, facts: Sequence[RecordedFact]) -> str | None:
        """What is wrong with the owner: an epoch begins with his claim, and nothing else does."""
        before = self._epochs.get(record.shard, record.epoch)
        self._epochs[record.shard] = record.epoch
        claims = [fact for fact in facts if isinstance(fact.event, ShardClaimed)]
        if record.epoch > before and not (len(claims) == len(facts) == 1):
            return f"epoch {record.epoch} begins, but not with the claim of its owner"
        if claims and record.epoch == before:
            return f"the shard is claimed, but no epoch begins: it stays {before}"
        return None

    def _broken(self, facts: Sequence[RecordedFact]) -> str | None:
        for stream in dict.fromkeys(fact.stream for fact in facts if fact.stream not in self._stopped):
            wrong = self._take_stream(stream, [fact for fact in facts if fact.stream == stream])
            if wrong is not None:
                self._stopped.add(stream)
                return f"{stream}: {wrong}"
        return _told_otherwise([fact.event for fact in facts])

    def _take_stream(self, stream: str, facts: list[RecordedFact]) -> str | None:
        kind = stream.partition(":")[0]
        fold = {
            "table": self._fold_into_table,
            "hand": self._fold_into_hand,
            "account": self._fold_into_account,
            "player": self._fold_into_file,
        }.get(kind)
        try:
            if fold is not None:
                fold(stream, facts)
        except Broken as broken:
            return str(broken)
        except (LookupError, AttributeError, TypeError, ValueError) as error:  # a fold never refuses what a room wrote
            return f"its events don't follow from each other ({type(error).__name__}: {error})"
        return None

    def _fold_into_table(self, stream: str, facts: list[RecordedFact]) -> None:
        for fact in facts:
            self._tables[stream] = evolve_table(self._tables.get(stream), fact.event)

    def _fold_into_account(self, stream: str, facts: list[RecordedFact]) -> None:
        for fact in facts:
            account = self._accounts[stream] = evolve_account(self._accounts.get(stream), fact.event)
        check_account(account)

    def _fold_into_file(self, stream: str, facts: list[RecordedFact]) -> None:
        for fact in facts:
            self._files[stream] = evolve_player(self._files.get(stream), fact.event)

    def _fold_into_hand(self, stream: str, facts: list[RecordedFact]) -> None:
        for fact in facts:
            check_sealed(fact.event)
            self._hands[stream] = evolve_hand(self._hands.get(stream), fact.event)
        self._hands[stream].facts = [fact.event for fact in facts]
        check(self._hands[stream])
        if type(facts[-1].event) is HandSettled:
            del self._hands[stream]


def _told_otherwise(events: Sequence[object]) -> str | None:
    """What is wrong where a hand's end isn't what its table is told of it; None where nothing is."""
    ends = [event for event in events if isinstance(event, HandSettled)]
    told = [event for event in events if isinstance(event, HandFinished)]
    if [(end.seats, end.stacks, end.rake) for end in ends] == [(one.seats, one.stacks, one.rake) for one in told]:
        return None
    return f"the hand ends as {ends or 'nothing'} says, but its table is told {told or 'nothing'}"


_OPENING = {
    "shard": "the shard",
    "room": "the room's name",
    "room_id": "the room's random id",
    "shards": "the number of shards",
}


def _other_shard(opened: ShardOpened, here: ShardOpened) -> str | None:
    """What is wrong with an opening that should be `here`'s but for the time zone; None where nothing is."""
    differ = [name for field, name in _OPENING.items() if getattr(opened, field) != getattr(here, field)]
    if not differ:
        return None
    return f"it opens {_named(opened)}, but this is {_named(here)}: {listed(differ)} differ{'s' * (len(differ) == 1)}"


def _named(opened: ShardOpened) -> str:
    shards = counted(opened.shards, "shard")
    return f"shard {opened.shard} of room {opened.room} (random id {opened.room_id}, {shards})"
