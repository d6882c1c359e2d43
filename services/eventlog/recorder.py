"""One shard of a log as recorders of the `eventsourcing` library: events by stream, and all of them by number.

Reading gives the room's events: `topic` is `<type>#<rev>`, `state` the whole body of the commit (nothing is serialised
again). Writing through a recorder is for the library's own test cases: it makes
commits of the reserved event `opaque.recorded` on `opaque:` streams, which the room's catalog refuses.
"""

import secrets
import threading
import time
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    IntegrityError,
    Notification,
    OperationalError,
    ProgrammingError,
    StoredEvent,
    Subscription,
)

from services.eventlog import body
from services.eventlog.body import Body, Fact
from services.eventlog.log import Entry, HeadMoved, Log, LogError, Part, VersionConflict, is_counted
from services.ids import uuid7

OPAQUE = "opaque.recorded"
"""The reserved event: some other program's topic and state, kept as they are."""

_PREFIX = "opaque:"
_POLL = 0.1
"""Seconds between looks for events that another writer appended."""


DECISION = "decision"
"""The topic under which what a commit added to a stream of the room is read."""


class StoredDecision(StoredEvent):
    """What one commit added to a stream of the room, as the library's stored event.

    A decision makes several facts at once, so they are read as one: `state` is the whole body, `originator_version` the
    last fact's version, `first` the first one's, `height` the commit's.
    """

    first: int
    height: int

    def __init__(self, stream: str, part: Part) -> None:
        # A frozen dataclass's own constructor costs three times as much.
        self.__dict__.update(
            originator_id=stream,
            originator_version=part.last,
            topic=DECISION,
            state=part.body,
            first=part.first,
            height=part.height,
        )


class ShardAggregateRecorder(AggregateRecorder):
    """Streams, written to one shard and read from whichever shard holds them."""

    def __init__(self, log: Log, shard: int, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        """`clock` gives UTC microseconds."""
        self.log = log
        self.shard = shard
        self._clock = clock
        self._mutex = threading.Lock()

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append them as one commit. Raises IntegrityError unless each continues its stream."""
        self._insert(stored_events)
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """What was added to a stream, versions over `gt` and up to `lte`.

        A stream of the room gives one `StoredDecision` a commit, and `limit` counts those. A UUID stands for
        `opaque:<uuid>`, which gives one event each.
        """
        stream = stream_of(originator_id)
        parts = self.log.stream_parts(stream, gt, lte, desc=desc, limit=limit)
        if not isinstance(originator_id, UUID):
            return [StoredDecision(stream, part) for part in parts]
        events = [event for part in parts for event in _opaque_events(originator_id, stream, part, desc)]
        return events if limit is None else events[:limit]

    def _insert(self, stored_events: Sequence[StoredEvent]) -> range:
        """The numbers that the events got."""
        if not stored_events:
            return range(0)
        facts = [_opaque(event) for event in stored_events]
        touches = body.touches(facts)
        _check_dense(facts)
        with self._mutex:
            while True:
                entry = Entry(body.entry(*self._command(), facts).body, touches)
                try:
                    (head,) = self.log.append(self.shard, self.log.head(self.shard), [entry])
                except HeadMoved:
                    continue
                except VersionConflict as error:
                    raise IntegrityError(str(error)) from error
                except LogError as error:
                    raise OperationalError(str(error)) from error
                last = self.log.counted(self.shard, head.height)
                return range(last - len(facts) + 1, last + 1)

    def _command(self) -> tuple[int, dict[str, Any]]:
        """When, and the command that stands for the library's insert."""
        at = max(self._clock(), self._last_at())
        command = {
            "id": uuid7(at, secrets.randbits(74)),
            "name": "opaque.record",
            "rev": 1,
            "args": {},
            "by": "library",
            "cause": "library",
        }
        return at, command

    def _last_at(self) -> int:
        """A commit is never before its shard's last."""
        head = self.log.head(self.shard)
        return 0 if head.height < 0 else body.decode(self.log.record(self.shard, head.height).body).at


class ShardRecorder(ShardAggregateRecorder, ApplicationRecorder):
    """A shard's events by number as well: from 1, without gaps, `room` and `shard:<n>` left out."""

    def __init__(self, log: Log, shard: int, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        super().__init__(log, shard, clock)
        self._listeners: set[threading.Event] = set()

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append them as one commit; their numbers. Raises IntegrityError unless each continues its stream."""
        numbers = list(self._insert(stored_events))
        for listener in tuple(self._listeners):
            listener.set()
        return numbers

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """At most `limit` events from number `start` to `stop`, of those topics if any are given."""
        first = max(1, (start or 0) + (not inclusive_of_start))
        found: list[Notification] = []
        for notification in self._notifications(first):
            if len(found) >= limit or (stop is not None and notification.id > stop):
                break
            if not topics or notification.topic in topics:
                found.append(notification)
        return found

    def max_notification_id(self) -> int | None:
        """The number of the shard's last event; None before the first."""
        return self.log.counted(self.shard) or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """The events with numbers over `gt`, those to come among them, until it is stopped."""
        return ShardSubscription(self, gt, topics)

    def listen(self, listener: threading.Event) -> None:
        """Have the event set after each insert through this recorder."""
        self._listeners.add(listener)

    def unlisten(self, listener: threading.Event) -> None:
        self._listeners.discard(listener)

    def _notifications(self, first: int) -> Iterator[Notification]:
        for before, record in self.log.numbered(self.shard, first):
            commit, number = body.decode(record.body), before
            for fact in commit.events:
                if is_counted(fact["stream"]):
                    number += 1
                    if number >= first:
                        yield _notification(number, record.body, fact)


class ShardSubscription(Subscription[ApplicationRecorder]):
    """Waits for events: woken by inserts through its own recorder, and looking now and then for those of others."""

    _LIMIT = 500

    def __init__(self, recorder: ShardRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt, topics)
        self._shard_recorder = recorder
        self._woken = threading.Event()
        self._ready: deque[Notification] = deque()
        recorder.listen(self._woken)

    def stop(self) -> None:
        super().stop()
        self._shard_recorder.unlisten(self._woken)
        self._woken.set()

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._ready:
                return self._ready.popleft()
            self._woken.clear()
            if not self._fetch():
                self._woken.wait(_POLL)
        raise StopIteration

    def _fetch(self) -> bool:
        """Take what there is after the last event seen; whether there was anything."""
        end = self._shard_recorder.max_notification_id() or 0
        found = self._shard_recorder.select_notifications(
            self._last_notification_id, self._LIMIT, end, self._topics, inclusive_of_start=False
        )
        self._ready.extend(found)
        # Where fewer came than asked for, all up to the end was looked at, other topics too.
        self._last_notification_id = (
            found[-1].id if len(found) == self._LIMIT else max(end, self._last_notification_id or 0)
        )
        return bool(found)


def stream_of(originator: UUID | str) -> str:
    """The name of a stream as the log has it."""
    return f"{_PREFIX}{originator.hex}" if isinstance(originator, UUID) else originator


def _opaque(event: StoredEvent) -> Fact:
    if not isinstance(event.originator_id, UUID):
        raise ProgrammingError(
            f"a recorder writes only streams named by a UUID, not {event.originator_id!r}: the room appends its own"
        )
    data = {"topic": event.topic, "state": b64encode(event.state).decode()}
    return body.fact(stream_of(event.originator_id), event.originator_version, OPAQUE, 1, data)


def _check_dense(facts: Sequence[Fact]) -> None:
    """Each event follows the one before it in its stream; the log checks the first."""
    last: dict[str, int] = {}
    for fact in facts:
        stream, version = fact["stream"], fact["version"]
        if version != last.get(stream, version - 1) + 1:
            raise IntegrityError(
                f"{stream}: version {version} can't follow {last[stream]}: the next is {last[stream] + 1}"
            )
        last[stream] = version


def _opaque_events(originator: UUID, stream: str, part: Part, desc: bool) -> list[StoredEvent]:
    facts = facts_of(body.decode(part.body), stream, part.first, part.last)
    return [_opaque_event(originator, fact) for fact in (reversed(facts) if desc else facts)]


def facts_of(commit: Body, stream: str, first: int, last: int) -> list[Fact]:
    """The facts of one stream in a commit, from version `first` to `last`."""
    return [fact for fact in commit.events if fact["stream"] == stream and first <= fact["version"] <= last]


def _opaque_event(originator: UUID, fact: Fact) -> StoredEvent:
    return StoredEvent(originator, fact["version"], fact["data"]["topic"], b64decode(fact["data"]["state"]))


def _notification(number: int, state: bytes, fact: Fact) -> Notification:
    stream: str = fact["stream"]
    if not stream.startswith(_PREFIX):
        return Notification(stream, fact["version"], f"{fact['type']}#{fact['rev']}", state, number)
    event = _opaque_event(UUID(stream.removeprefix(_PREFIX)), fact)
    return Notification(event.originator_id, event.originator_version, event.topic, event.state, number)
