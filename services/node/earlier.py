"""A node that comes up without an index begins at a snapshot, and reads what was recorded before while it works."""

import threading
from collections.abc import Callable
from pathlib import Path

from services.bootstrap import CHECKPOINTS_FILE, room_keys
from services.eventlog.kafka_log import BeginAt, KafkaLog
from services.eventlog.log import Beginning, LogError
from services.node.snapshots import look_for
from services.snapshots.reader import Missing

WORTH = 2_000
"""Commits that are read at once rather than afterwards."""

STEP = 50
"""Commits of a step: some 10 ms, for which a command may have to wait."""

PAUSE = 0.01
"""Seconds between two steps, in which the others of the process are let on."""

RETRY = 1.0
"""Seconds before a step is made again that failed."""


def beginning(home: Path, keys: Path | None, say: Callable[[str], object], worth: int = WORTH) -> BeginAt | None:
    """Where the index of a node with that home is to begin; None for one that has signed: it compares all of its log
    with that first."""
    if (home / CHECKPOINTS_FILE).exists():
        return None

    def begin_at(log: KafkaLog, shard: int) -> Beginning | None:
        if log.records(shard) < worth:
            return None
        own = room_keys(home, log.room, keys)
        found = look_for(log, own, shard, lambda head: log.stands(shard, head))
        if isinstance(found, Missing):
            say(f"shard {shard} is read from its first commit on: {found.reason}")
            return None
        height = found.position.height
        if height < worth:
            return None
        say(f"shard {shard} is read from height {height:,} on, a snapshot's; what is before it, afterwards")
        return found.beginning(shard)

    return begin_at


def read_earlier(log: KafkaLog, say: Callable[[str], object], until: threading.Event) -> None:
    """Read what was recorded before the shards' beginnings, until nothing is missing or the event is set."""
    for shard in range(log.shards):
        if log.began(shard) is None:
            continue
        whole, failed = False, ""
        while not whole:
            if until.wait(RETRY if failed else PAUSE):
                return
            try:
                whole, failed = log.read_earlier(shard, STEP), ""
            except LogError as error:
                if not failed:
                    say(f"what was recorded before in shard {shard} can't be read just now: {error}")
                failed = str(error)
        say(log.stopped.get(shard) or f"shard {shard} is read as a whole")
