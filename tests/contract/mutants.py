"""The embedded log with one clause of its contract broken, in a class each: what the contract must find."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from services.eventlog import commit
from services.eventlog.commit import GENESIS, LIMIT, BadRecord, Head, Record
from services.eventlog.log import Append, Entry, HeadMoved, LogError, Part, VersionConflict
from services.eventlog.sqlite_commits import Sealed, Stream
from services.eventlog.sqlite_log import SqliteLog
from tests.contract.logs import entry

# --- the head that a writer expects ----------------------------------------------------------------------------------


class AcceptsAnyHead(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        return super()._seal(append._replace(expected=self._end(append.shard)[0]))


class ComparesHeightsOnly(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        head, _ = self._end(append.shard)
        same = append.expected.height == head.height
        return super()._seal(append._replace(expected=head) if same else append)


class DoublesOnRetry(SqliteLog):
    """Takes an append that it has already once more, as a producer without a memory does."""

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        there = [record.body for record in super().read(shard, expected.height + 1)]
        if entries and there == [made.body for made in entries]:
            expected, entries = self._end(shard)[0], [made._replace(touches=()) for made in entries]
        return super().append(shard, expected, entries, claim=claim)


class KeepsAPrefixOfALateAppendInSilence(SqliteLog):
    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        try:
            return super().append(shard, expected, entries, claim=claim)
        except HeadMoved:
            super().append(shard, self._end(shard)[0], entries[:1])
            raise


class SwapsTheHeadsThatItTells(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        try:
            return super()._seal(append)
        except HeadMoved as moved:
            raise HeadMoved(moved.shard, moved.actual, moved.expected) from moved


class TellsTheHeadBeforeTheLast(SqliteLog):
    def head(self, shard: int) -> Head:
        height = super().head(shard).height
        return GENESIS if height < 1 else self.record(shard, height - 1).head


class TellsOneHeadForAllShards(SqliteLog):
    def head(self, shard: int) -> Head:
        return max(super().head(each) for each in range(self.shards))


class BeginsWithACommitOfItsOwn(SqliteLog):
    @classmethod
    def create(cls, path: Path | str, room: str, shards: int = 4, **how: Any) -> SqliteLog:
        log = super().create(path, room, shards, **how)
        log.append(0, GENESIS, [entry(("shard:0", 1, 1))])
        return log


class CountsShardsRoundAndRound(SqliteLog):
    def _end(self, shard: int) -> tuple[Head, int]:
        return super()._end(shard % self.shards)


# --- batches ---------------------------------------------------------------------------------------------------------


class KeepsAPrefixOfWhatItRefuses(SqliteLog):
    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        try:
            return super().append(shard, expected, entries, claim=claim)
        except (VersionConflict, BadRecord):
            if len(entries) > 1:
                super().append(shard, expected, entries[:1], claim=claim)
            raise


class AnswersForMoreThanItRecorded(SqliteLog):
    """Tears a batch: the answer names a head for each entry, the file has all but the last."""

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        with self._mutex:
            sealed = self._seal(Append(shard, expected, entries, claim))
            super().append(shard, expected, entries[:-1] if len(entries) > 1 else entries, claim=claim)
            return sealed.heads


class RecordsNothingAsACommit(SqliteLog):
    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        return super().append(shard, expected, entries or [Entry(b"{}", ())], claim=claim)


class AnswersInTheOrderOfShards(SqliteLog):
    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        return super().append_all(sorted(appends, key=lambda each: each.shard))


class RefusesAllForOne(SqliteLog):
    def _append_alone(self, append: Append) -> list[Head] | LogError:
        return LogError("a shard of this append was refused")


# --- epochs ----------------------------------------------------------------------------------------------------------


class ClaimsWithoutAnEpoch(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        return super()._seal(append._replace(claim=False))


class TakesEveryAppendForAClaim(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        return super()._seal(append._replace(claim=True))


class ClaimsAllShardsForOne(SqliteLog):
    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        claim = any(each.claim for each in appends)
        return super().append_all([each._replace(claim=claim) for each in appends])


class CountsEpochsFrom1(SqliteLog):
    def _seal(self, append: Append) -> Sealed:
        with patch.object(commit, "seal", _sealed_in_epoch_1) if append.expected == GENESIS else nullcontext():
            return super()._seal(append)


def _sealed_in_epoch_1(room: str, shard: int, head: Head, body: bytes, _: int, seal: Any = commit.seal) -> Any:
    return seal(room, shard, head, body, 1)


# --- versions and sizes ----------------------------------------------------------------------------------------------


class TakesAnyVersion(SqliteLog):
    def _advance(self, shard: int, stream: str, first: int, last: int) -> tuple[int, int]:
        known = self._versions.get(stream) or self._find_stream(stream)
        if known is not None:
            self._versions[stream] = known[0], first - 1, *known[2:]
        return super()._advance(shard, stream, first, last)


class TakesStreamsOfOtherShards(SqliteLog):
    def _advance(self, shard: int, stream: str, first: int, last: int) -> tuple[int, int]:
        known = self._versions.get(stream) or self._find_stream(stream)
        return super()._advance(shard if known is None else known[3], stream, first, last)


class OpensStreamsAtAnyVersion(SqliteLog):
    def _open_stream(self, shard: int, stream: str, first: int) -> Stream:
        number, _, weight, own = super()._open_stream(shard, stream, 1)
        return number, first - 1, weight, own


class OpensNoStreamAt0(SqliteLog):
    def _open_stream(self, shard: int, stream: str, first: int) -> Stream:
        if first == 0:
            raise VersionConflict(f"{stream} isn't open: its first event has version 1, not 0")
        return super()._open_stream(shard, stream, first)


class _WithAnotherLimit(SqliteLog):
    limit: int

    def _seal(self, append: Append) -> Sealed:
        with patch.object(commit, "LIMIT", self.limit):
            return super()._seal(append)


class TakesRecordsOfAnySize(_WithAnotherLimit):
    limit = 10 * LIMIT


class TakesAByteTooMany(_WithAnotherLimit):
    limit = LIMIT + 1


class RefusesTheLargestRecord(_WithAnotherLimit):
    limit = LIMIT - 1


# --- reading ---------------------------------------------------------------------------------------------------------


class ReadsOutOfOrder(SqliteLog):
    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        return iter(sorted(super().read(shard, start), key=lambda record: record.height ^ 1))


class WritesBodiesAnew(SqliteLog):
    """Reads a body's JSON and writes it as Python does: the same content, other bytes."""

    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        return map(_written_anew, super().read(shard, start))


class WritesTheBodyOfOneRecordAnew(SqliteLog):
    def record(self, shard: int, height: int) -> Record:
        return _written_anew(super().record(shard, height))


def _written_anew(record: Record) -> Record:
    return record._replace(body=json.dumps(json.loads(record.body)).encode())


class EndsRecordsWithALineFeed(SqliteLog):
    def raws(self, shard: int) -> Iterator[bytes]:
        return (raw + b"\n" for raw in super().raws(shard))


class SealsWithoutALink(SqliteLog):
    """Each record begins a chain of its own."""

    def _seal(self, append: Append) -> Sealed:
        with patch.object(commit, "seal", _sealed_without_link):
            return super()._seal(append)


def _sealed_without_link(room: str, shard: int, head: Head, body: bytes, epoch: int, seal: Any = commit.seal) -> Any:
    return seal(room, shard, head._replace(hash=GENESIS.hash), body, epoch)


class ReadsOneChunk(SqliteLog):
    def _raws(self, shard: int, start: int) -> Iterator[bytes]:
        for raw, _ in zip(super()._raws(shard, start), range(256), strict=False):
            yield raw


class ReadsFromTheBeginning(SqliteLog):
    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        return super().read(shard)


class CountsHeightsFromTheEndToo(SqliteLog):
    def record(self, shard: int, height: int) -> Record:
        return super().record(shard, height if height >= 0 else self._end(shard)[0].height + 1 + height)


class HasTheLastRecordAtEveryGreaterHeight(SqliteLog):
    def record(self, shard: int, height: int) -> Record:
        return super().record(shard, min(height, self._end(shard)[0].height))


class FollowsTheLogWhileItGrows(SqliteLog):
    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        while start <= self._end(shard)[0].height:
            yield self.record(shard, start)
            start += 1


class FollowsStreamsWhileTheyGrow(SqliteLog):
    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        known = list(super().stream_commits(stream, gt, lte))
        yield from known
        yield from list(super().stream_commits(stream, gt, lte))[len(known) :]


class StopsReadingWhenTheLogGrows(SqliteLog):
    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        end = self._end(shard)
        for record in super().read(shard, start):
            if self._end(shard) != end:
                return
            yield record


# --- streams ---------------------------------------------------------------------------------------------------------


class IndexesAllCommitsAsTheFirst(SqliteLog):
    def _insert(self, sealed: Sealed) -> tuple[Head, int]:
        end = super()._insert(sealed)
        self.connection.execute("UPDATE touches SET height = 0")
        return end


class SeekingStreamsLooksInShard0(SqliteLog):
    def _shard_of(self, stream: str) -> int | None:
        return None if super()._shard_of(stream) is None else 0


class MissesACommitThatABoundCutsThrough(SqliteLog):
    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        whole = [part.height for part in super().stream_parts(stream) if gt is None or part.first > gt]
        return (record for record in super().stream_commits(stream, gt, lte) if record.height in whole)


class ReadsStreamsToTheirEnd(SqliteLog):
    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        return super().stream_commits(stream, gt)


class PutsPartsOneCommitLate(SqliteLog):
    def stream_parts(self, *asked: Any, **how: Any) -> list[Part]:
        return [part._replace(height=part.height + 1) for part in super().stream_parts(*asked, **how)]


class GivesWholeParts(SqliteLog):
    def stream_parts(self, stream: str, *asked: Any, **how: Any) -> list[Part]:
        whole = {part.height: part for part in super().stream_parts(stream)}
        return [whole[part.height] for part in super().stream_parts(stream, *asked, **how)]


class ReadsPartsForwardsOnly(SqliteLog):
    def stream_parts(self, *asked: Any, **how: Any) -> list[Part]:
        return super().stream_parts(*asked, **how | {"desc": False})


class LimitsNoParts(SqliteLog):
    def stream_parts(self, *asked: Any, **how: Any) -> list[Part]:
        return super().stream_parts(*asked, **how | {"limit": None})


class TellsAVersionThatWasNeverThere(SqliteLog):
    def stream_version(self, stream: str) -> int | None:
        return super().stream_version(stream) or 0


class CountsCommitsForVersions(SqliteLog):
    def stream_version(self, stream: str) -> int | None:
        return len(super().stream_parts(stream)) or None


class KnowsPlayersByTheirFilesOnly(SqliteLog):
    def patrons(self, shard: int, after: int = -1) -> set[str]:
        return {one for one in super().patrons(shard, after) if self._shard_of(f"player:{one}") is not None}


class FindsFaultWithASoundIndex(SqliteLog):
    def index_faults(self) -> Iterator[tuple[int, int, str]]:
        return ((shard, self._end(shard)[0].height, "not looked at") for shard in range(self.shards))


# --- event numbers ---------------------------------------------------------------------------------------------------


class NumbersTheRoomsOwnEvents(SqliteLog):
    def _advance(self, shard: int, stream: str, first: int, last: int) -> tuple[int, int]:
        number, _ = super()._advance(shard, stream, first, last)
        return number, 1


class LeavesAGapInTheNumbers(SqliteLog):
    def _counted_at(self, shard: int, height: int) -> int:
        return super()._counted_at(shard, height) + max(height, 0)


class BeginsAfterTheNumberAskedFor(SqliteLog):
    def numbered(self, shard: int, start: int) -> Iterator[tuple[int, Record]]:
        return super().numbered(shard, start + 1)


# --- what lasts ------------------------------------------------------------------------------------------------------


class LosesTheLastCommitOnClosing(SqliteLog):
    def close(self) -> None:
        if self._broken is None:
            for shard in range(self.shards):
                self.connection.execute(f"DELETE FROM commits_{shard} WHERE height = ?", (self._end(shard)[0].height,))
        super().close()


class AnswersBeforeItIsDurable(SqliteLog):
    """Leaves the transaction open and ends it with the next one, or on closing."""

    @contextmanager
    def _transaction(self, shards: Sequence[int]) -> Iterator[None]:
        self._end_the_last()
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._versions.clear()
            self._undo()
            raise

    def close(self) -> None:
        if self._broken is None:
            self._end_the_last()
        super().close()

    def _end_the_last(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("COMMIT")


class AnswersForOtherShardsBeforeTheyAreDurable(AnswersBeforeItIsDurable):
    """Waits where one shard is appended to, but not where several are."""

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        heads = super().append(shard, expected, entries, claim=claim)
        self._end_the_last()
        return heads


class WritesWithoutSyncing(SqliteLog):
    def __init__(self, *opened: Any) -> None:
        super().__init__(*opened)
        self.connection.execute("PRAGMA synchronous = OFF")


class SyncsAtCheckpointsOnly(SqliteLog):
    """Syncs when SQLite moves its log into the database, as it is usual where speed matters more."""

    def __init__(self, *opened: Any) -> None:
        super().__init__(*opened)
        self.connection.execute("PRAGMA synchronous = NORMAL")


class CantBeClosedTwice(SqliteLog):
    def close(self) -> None:
        if self._broken is not None:
            raise LogError("the log is closed already")
        super().close()


class OpensAgainForReadingOnly(SqliteLog):
    @classmethod
    def open(cls, path: Path | str, *, write: bool = True, **how: Any) -> SqliteLog:
        return super().open(path, write=False, **how)


# --- what a room needs -----------------------------------------------------------------------------------------------


class ForgetsCommandIds(SqliteLog):
    """Reads streams as it should, but for the ids of the commands that made them."""

    def stream_parts(self, *asked: Any, **how: Any) -> list[Part]:
        return [part._replace(body=_without_id(part.body)) for part in super().stream_parts(*asked, **how)]


def _without_id(body: bytes) -> bytes:
    said = json.loads(body)
    said["command"]["id"] = "forgotten"
    return json.dumps(said, separators=(",", ":"), sort_keys=True).encode()


class ForgetsTheNewestCommitOfAStream(SqliteLog):
    def stream_parts(self, *asked: Any, **how: Any) -> list[Part]:
        parts = super().stream_parts(*asked, **how)
        return parts[1:] if how.get("desc") else parts[:-1]


MUTANTS = tuple(
    kind
    for name, kind in list(globals().items())
    if isinstance(kind, type) and issubclass(kind, SqliteLog) and kind is not SqliteLog and not name.startswith("_")
)
