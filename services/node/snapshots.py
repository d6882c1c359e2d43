"""A node's snapshots: written every few seconds of the shards that it owns, and gone on from when it takes one over."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Protocol, TypeVar

from services.eventlog.commit import Head
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import LogError, NotHereYet, NotOwner
from services.kafka.partitions import Sender
from services.kafka.topics import snapshots_topic
from services.room.room import Room
from services.sealing.keyfile import BadKeys, RoomKeys
from services.snapshots.reader import Missing, Snapshot, find, in_log
from services.snapshots.taken import Taken
from services.snapshots.topic import opened, send_to
from services.snapshots.writer import SnapshotWriter

EVERY = 5.0
"""Seconds between two snapshots of a shard in which something was recorded."""

STEP = 10
"""Patrons whom no snapshot had that are looked at together: some 10 ms, for which a command may have to wait."""

PAUSE = 0.01
"""Seconds between two such steps, in which the others of the process are let on."""

T = TypeVar("T")


class Do(Protocol):
    """Does something in the thread that runs the room, and returns what came of it."""

    def __call__(self, what: Callable[[], T]) -> T: ...


def look_for(log: KafkaLog, keys: RoomKeys, shard: int, confirmed: Callable[[Head], bool]) -> Snapshot | Missing:
    """The newest snapshot of a shard; none where the topic can't be read: it is only a shortcut."""
    try:
        with opened(log.broker, log.room) as topic:
            return find(topic, keys, shard, confirmed)
    except LogError as error:
        return Missing(f"no snapshot can be read: {error}")


class Snapshots:
    """Of a room whose log is on Kafka. `newest`, `began` and `ended` are called by the thread that runs the room."""

    def __init__(
        self,
        log: KafkaLog,
        room: Room,
        keys: RoomKeys,
        say: Callable[[str], object],
        left_out: Callable[[int, int], object] = lambda shard, streams: None,
    ) -> None:
        """`left_out`: told with each snapshot of a shard how many streams aren't in it; 0 once it isn't ours."""
        self._log, self._room, self._keys, self._say, self._left_out = log, room, keys, say, left_out
        self._writers: dict[int, SnapshotWriter] = {}
        self._sender = Sender(log.broker, snapshots_topic(log.room))

    def newest(self, shard: int) -> Snapshot | None:
        """The newest snapshot that can be gone on from; None where there is none, and the log is read instead."""
        found = look_for(self._log, self._keys, shard, in_log(self._log, shard))
        if isinstance(found, Missing):
            self._say(f"the tables of shard {shard} are read from the log: {found.reason}")
            return None
        for reason in found.passed_over:
            self._say(f"a snapshot of shard {shard} is passed over: {reason}")
        return found

    def began(self, shard: int, snapshot: Snapshot | None) -> None:
        """The room owns the shard, and has gone on from that snapshot."""
        self._writers[shard] = SnapshotWriter(self._room, self._keys, shard, snapshot, self._say)

    def ended(self, shard: int) -> None:
        """The room owns the shard no more."""
        self._writers.pop(shard, None)
        self._left_out(shard, 0)

    def write(self, do: Do, until: threading.Event) -> None:
        """Write them until the event is set, in a thread of its own."""
        failed = ""
        while not until.wait(EVERY):
            due = monotonic() + EVERY
            for shard, writer in list(self._writers.items()):
                try:
                    self._gather(writer, do, due, until)
                    taken = do(partial(self._take, shard, writer))
                    if taken is not None:
                        writer.write(taken, send_to(self._sender, shard))
                        self._left_out(shard, writer.left_out)
                    failed = ""
                except NotOwner:
                    do(partial(self._drop, shard, writer))
                except (LogError, BadKeys) as error:
                    if str(error) != failed:
                        self._say(f"no snapshot of shard {shard} could be written: {error}")
                    failed = str(error)
        self._sender.close()

    def _take(self, shard: int, writer: SnapshotWriter) -> Taken | None:
        """None for a writer in whose place another one stands meanwhile: the shard was lost, and taken over again."""
        return writer.take() if self._writers.get(shard) is writer else None

    def _drop(self, shard: int, writer: SnapshotWriter) -> None:
        if self._writers.get(shard) is writer:
            self.ended(shard)

    def _gather(self, writer: SnapshotWriter, do: Do, due: float, until: threading.Event) -> None:
        """Look at patrons whom no snapshot had, until all are known or a snapshot is due that can't have them yet."""
        with suppress(NotHereYet):  # then again after the next snapshot
            while not do(partial(writer.gather, STEP)) and monotonic() < due and not until.wait(PAUSE):
                pass
