"""Sends what the log has and the feed hasn't, shard by shard, in the log's order.

How far the feed is stands in the feed: the last record of a shard's partition bears the id of its event. So nothing
else keeps a position, and a worker that is killed, or two at once, send some events again, with equal ids and bytes,
and never leave one out: whoever wrote a record had sent all those before it, or found them there.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from services.eventlog.commit import Record
from services.eventlog.log import Log, LogError
from services.eventlog.mapper import UnreadableEvent
from services.feed.cloudevents import FeedEvent, NotOfTheFeed, Place, events_of, moment_of, place_of
from services.following import Noted, unnoted

MOST_EVENTS = 500
"""Sent at once. What is sent at once is to fit in one batch of the client, which the broker takes whole or not at all:
were it two, the second could be there without the first."""

MOST_BYTES = 400_000
"""The same, in bytes; an event is smaller than a record of the log."""


class NotThisFeed(LogError):
    """What stands in the feed isn't what this log says: another log's feed, or this log has lost commits."""


class Topic(Protocol):
    """The feed, with a partition for each shard."""

    def last(self, shard: int) -> bytes | None:
        """The value of the partition's last record; None where nothing stands there. Raises LogError."""
        ...

    def send(self, shard: int, key: str, value: bytes) -> None:
        """Append a record with the next `flush`, after those sent before."""
        ...

    def flush(self) -> None:
        """Return once all that was sent is there. Raises AppendUnknown where that isn't known, LogError where it isn't
        there; either way what was sent is forgotten."""
        ...


class Batch(NamedTuple):
    """Events to send at once, and where the one after them stands."""

    events: list[FeedEvent]
    upto: Place


class Worker:
    """Keeps a feed up with a log.

    `sent`: how many events it has sent in all, repeats among them. It is a `services.following.Follower`.
    """

    def __init__(self, log: Log, topic: Topic, starts: Mapping[int, int] | None = None) -> None:
        """`starts`: the heights from which shards are sent anew; the others go on where the feed ends.

        Raises NotThisFeed; LogError for a start that isn't in the log.
        """
        self._log, self._topic = log, topic
        self.sent = 0
        anew = {shard: self._anew(shard, height) for shard, height in (starts or {}).items()}
        self._next = {shard: anew.get(shard) or self._end_of_feed(shard) for shard in range(log.shards)}

    def heights(self) -> Mapping[int, int]:
        """By shard the last commit that is told whole."""
        return {shard: place.height - 1 for shard, place in self._next.items()}

    def catch_up(self, noted: Noted = unnoted) -> None:
        """Send all that the log has now. A shard that can't be read or sent leaves the others be.

        Raises, after the others were served, LogError: what isn't known to be there is sent again the next time.
        UnreadableEvent is one of them: a shard's feed ends before a commit that this build can't read.
        """
        faults = []
        for shard in range(self._log.shards):
            try:
                self._send(shard, noted)
            except LogError as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    def _send(self, shard: int, noted: Noted) -> None:
        for batch in batches(self._log.read(shard, self._next[shard].height), self._next[shard]):
            for event in batch.events:
                self._topic.send(shard, event.key, event.value)
            if batch.events:
                self._topic.flush()
            self._next[shard] = batch.upto
            self.sent += len(batch.events)
            noted(len(batch.events))
        if shard in self._log.stopped:
            raise UnreadableEvent(self._log.stopped[shard])

    def _anew(self, shard: int, height: int) -> Place:
        if not 0 <= shard < self._log.shards:
            raise LogError(f"there is no shard {shard}: this room has shards 0 to {self._log.shards - 1}")
        head = self._log.head(shard)
        if height > head.height + 1:
            raise LogError(f"shard {shard} can't be sent from height {height} on: the log ends at {head.height}")
        return Place(height, 0)

    def _end_of_feed(self, shard: int) -> Place:
        """Where the event after the feed's last one stands. Raises NotThisFeed."""
        last = self._topic.last(shard)
        if last is None:
            return Place(0, 0)
        try:
            place = self._place_in_log(shard, last)
        except NotOfTheFeed as fault:
            raise NotThisFeed(
                f"the feed of shard {shard} can't be gone on with: {fault}; look which feed this is, or send the shard "
                f"again from its beginning with `handlog feed --from {shard}:0`"
            ) from fault
        return Place(place.height, place.nth + 1)

    def _place_in_log(self, shard: int, value: bytes) -> Place:
        """Where the log has the event of a record. Raises NotOfTheFeed where it hasn't, or decided it another time."""
        place, time = place_of(value, self._log.room, shard)
        end = self._log.head(shard).height
        if place.height > end:
            raise NotOfTheFeed(f"it tells of height {place.height}, and the log ends at {end}")
        there = moment_of(self._log.record(shard, place.height))
        if time != there:
            raise NotOfTheFeed(f"it tells of height {place.height} at {time}, the log has that at {there}")
        return place


def batches(records: Iterable[Record], start: Place) -> Iterator[Batch]:
    """What the feed tells of these commits from a place on, in pieces that can be sent at once; the last may be empty.

    Raises LogError for what can't be read, after what comes before it.
    """
    events: list[FeedEvent] = []
    size = 0
    upto = start
    try:
        for record in records:
            for event in events_of(record):
                if event.place < start:
                    continue
                events.append(event)
                size += len(event.value)
                upto = Place(event.place.height, event.place.nth + 1)
                if len(events) >= MOST_EVENTS or size >= MOST_BYTES:
                    yield Batch(events, upto)
                    events, size = [], 0
            upto = Place(record.height + 1, 0)
    except LogError:
        yield Batch(events, upto)
        raise
    yield Batch(events, upto)
