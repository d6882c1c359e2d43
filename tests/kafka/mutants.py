"""The log on Kafka with one clause broken, in a class each: what its tests must find."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from unittest.mock import patch

from kafka.errors import KafkaError

from services.eventlog import placed as of_partition
from services.eventlog.chain import accept as chain_accept
from services.eventlog.commit import BadRecord, Head, Record, parse
from services.eventlog.kafka_log import PATIENCE, KafkaLog, _Surprise
from services.eventlog.log import Append, AppendRefused, AppendUnknown, HeadMoved, LogError, VersionConflict
from services.eventlog.placed import Found
from services.eventlog.sqlite_commits import Sealed
from services.kafka.clients import BrokerAway

# --- answering -------------------------------------------------------------------------------------------------------


class AnswersWithoutLookingAtTheOffset(KafkaLog):
    def _publish(self, several: Sequence[Sealed]) -> None:
        with suppress(_Surprise):
            super()._publish(several)
        self._published = True


class AnswersBeforeAnythingIsSent(KafkaLog):
    """Leaves what it was given to the producer, to go out with what comes next."""

    _waiting: tuple[tuple[int, bytes, bytes], ...] = ()

    def _publish(self, several: Sequence[Sealed]) -> None:
        waiting = self._waiting
        self._waiting = tuple((each.shard, b"", raw) for each in several for raw in each.raws)
        if waiting:
            self._sender.send(waiting, PATIENCE)
        self._published = True


class AnswersHeadsWhereItWasSurprised(KafkaLog):
    def _what_counts(self, expected: Head, sealed: Sealed) -> list[Head]:
        with suppress(LogError):
            self.catch_up(sealed.shard)
        return sealed.heads


class SendsAgainWhereItWasSurprised(KafkaLog):
    """Decides that a surprise means "not recorded", and does all of it once more at the new end."""

    def append(self, shard: int, expected: Head, entries: Sequence[Any], *, claim: bool = False) -> list[Head]:
        with self._mutex:
            sealed = self._seal(Append(shard, expected, entries, claim))
            try:
                self._write([sealed])
            except _Surprise:
                self.catch_up(shard)
                again = [entry._replace(touches=()) for entry in entries]
                return super().append(shard, self.head(shard), again, claim=claim)
            return sealed.heads


class SaysRefusedWhereItIsUnknown(KafkaLog):
    def _what_counts(self, expected: Head, sealed: Sealed) -> list[Head]:
        try:
            return super()._what_counts(expected, sealed)
        except AppendUnknown as unknown:
            raise AppendRefused(f"{unknown}; nothing was recorded") from unknown


class SaysUnknownWhereAnotherCommitStands(KafkaLog):
    def _what_counts(self, expected: Head, sealed: Sealed) -> list[Head]:
        try:
            return super()._what_counts(expected, sealed)
        except HeadMoved as moved:
            raise AppendUnknown(str(moved), moved.accepted) from moved


class SaysRefusedWhereTheIndexFailsAfterwards(KafkaLog):
    def _verdict(self, shards: Sequence[int], error: Any) -> LogError:
        return AppendRefused(f"the index can't be written ({error}); nothing was recorded")


# --- catching up -----------------------------------------------------------------------------------------------------


class SkipsWhatItCannotRead(KafkaLog):
    def _touches(self, record: Record) -> Any:
        try:
            return super()._touches(record)
        except ValueError:
            return ()


class VoidsWhatItCannotRead(KafkaLog):
    """As a build would that lets its own idea of a body decide what counts."""

    def _take_over(self, shard: int, found: Sequence[Found]) -> int:
        good = []
        for one in found:
            with suppress(ValueError):
                self._touches(one.record)
                good.append(one)
        with suppress(VersionConflict):
            return super()._take_over(shard, good)
        return 0

    def _stop(self, shard: int, found: Found, reason: str) -> None:
        self.voids[shard] += 1


class AcceptsAnyPrev(KafkaLog):
    def _catch_up(self, shard: int) -> int:
        with patch.object(of_partition, "accept", _accepted_by_height):
            return super()._catch_up(shard)


def _accepted_by_height(room: str, shard: int, head: Head, raw: bytes, accept: Any = chain_accept) -> Any:
    try:
        return accept(room, shard, head._replace(hash=parse(raw).prev), raw)
    except BadRecord:
        return accept(room, shard, head, raw)


class PassesOverWhatItFailedToTakeOver(KafkaLog):
    def catch_up(self, shard: int) -> int:
        with self._mutex:
            return self._catch_up(shard)


class TrustsAnIndexAheadOfThePartition(KafkaLog):
    def _place_of_head(self, shard: int, end: int) -> int:
        with suppress(LogError):
            return super()._place_of_head(shard, end)
        return end


class LetsADroppedProducerSend(KafkaLog):
    """Drops it as kafka-python's own `close` does."""

    def __init__(self, *opened: Any, **how: Any) -> None:
        super().__init__(*opened, **how)
        self._sender._drop = self._drop  # type: ignore[method-assign]

    def _drop(self) -> None:
        client, self._sender._producer = self._sender._producer, None
        if client is not None:
            with suppress(KafkaError):
                client.close(timeout=0)


class CountsNoVoids(KafkaLog):
    def _catch_up(self, shard: int) -> int:
        taken = super()._catch_up(shard)
        self.voids.clear()
        return taken


class GivesUpAtAHole(KafkaLog):
    def _unread(self, shard: int) -> Any:
        expected = self._next[shard]
        for placed in super()._unread(shard):
            if expected is not None and placed.offset != expected:
                raise BrokerAway("an offset is missing")
            expected = placed.offset + 1
            yield placed


MUTANTS = tuple(
    kind
    for name, kind in list(globals().items())
    if isinstance(kind, type) and issubclass(kind, KafkaLog) and kind is not KafkaLog and not name.startswith("_")
)
