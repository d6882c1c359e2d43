"""Stored commits to domain events: validated, upcast to what this build writes, each with the commit that it stands in.

`repository(log).get("hand:t1-17", version=v, projector_func=fold)` is how room, replay and re-adjudication load.
"""

from typing import Any

from eventsourcing.application import Repository
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import EventStore, JSONTranscoder, Mapper, StoredEvent

from domain import catalog
from domain.catalog import Catalog
from services.eventlog import body
from services.eventlog.body import Body, Fact
from services.eventlog.log import Log, LogError
from services.eventlog.recorder import ShardAggregateRecorder, StoredDecision, facts_of


class UnreadableEvent(LogError):
    """An event in the log that this build can't read; its shard stops. Names stream, version, type and why."""


class Recorded:
    """What one commit added to a stream, as domain events, and the decoded commit with its command and time.

    `height` is the commit's in its shard; -1 for an event that was read by its number, not with its stream.
    """

    __slots__ = ("commit", "events", "height", "originator_id", "originator_version")

    def __init__(
        self, originator_id: str, originator_version: int, events: list[Any], commit: Body, height: int
    ) -> None:
        self.height = height
        self.originator_id = originator_id
        """The stream."""
        self.originator_version = originator_version
        """The last event's."""
        self.events = events
        """The validated messages, of the revisions that this build writes."""
        self.commit = commit
        """When, the command, and all events of the decision as they stand in the log."""

    def __repr__(self) -> str:
        return f"Recorded({self.originator_id!r}, {self.originator_version}, {self.events!r})"


class CommitMapper(Mapper[str]):
    """The library's mapper over whole commits; a body is parsed once, not once an event."""

    def __init__(self, events: Catalog = catalog.event) -> None:
        super().__init__(JSONTranscoder())
        self._load = events.load
        self._last_state: bytes | None = None
        self._last_commit: Body | None = None

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[str]:
        """The events, with their commit: a `Recorded`. Raises UnreadableEvent for what this build can't read."""
        stream, last = stored_event.originator_id, stored_event.originator_version
        first, height = last, -1
        if isinstance(stored_event, StoredDecision):
            first, height = stored_event.first, stored_event.height
        commit = self._decode(stored_event)
        facts = facts_of(commit, stream, first, last)  # type: ignore[arg-type]
        if not facts:
            raise UnreadableEvent(f"{_name(stored_event)}: the commit holds no such event")
        events = [self._load_one(fact) for fact in facts]
        return Recorded(stream, last, events, commit, height)  # type: ignore[arg-type]

    def _load_one(self, fact: Fact) -> Any:
        """A fact of any revision, upcast; what can't be read is named."""
        try:
            return self._load(fact["type"], fact["rev"], fact["data"])
        except (ValueError, KeyError, TypeError) as error:
            where = f"{fact['stream']}, version {fact['version']}, {fact.get('type')}#{fact.get('rev')}"
            raise UnreadableEvent(f"{where}: {error}") from error

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """Refused: an event is stored by appending the decision that it belongs to."""
        raise LogError("one event can't be stored alone: append the whole commit to the log")

    def _decode(self, stored: StoredEvent) -> Body:
        if stored.state is not self._last_state or self._last_commit is None:
            try:
                self._last_commit = body.decode(stored.state)
            except body.BadBody as error:
                raise UnreadableEvent(f"{_name(stored)}: {error}") from error
            self._last_state = stored.state
        return self._last_commit


def _name(stored: StoredEvent) -> str:
    return f"{stored.originator_id}, version {stored.originator_version}, {stored.topic}"


def repository(log: Log, shard: int = 0, events: Catalog = catalog.event) -> Repository[str]:
    """The library's repository over a log. It finds a stream in whichever shard it lives; `shard` is the recorder's."""
    return Repository(EventStore(CommitMapper(events), ShardAggregateRecorder(log, shard)))
