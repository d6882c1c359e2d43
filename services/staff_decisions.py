"""What staff decided for a reason, as the log has it (`domain/rulings/reasons.py`)."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from domain import catalog
from domain.messages import ROOM_STREAM, Refused
from domain.rulings.reasons import DECISIONS, ReasonErased, SealedReason, reason_in
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log
from services.evidence.checkpointer import commits_before
from services.rulings import facts_of

_NAMES = {catalog.command.by_class[asked].name for asked in DECISIONS}
_MARKS = (b'"reason":', b'"room.erase-reason"')
"""What their bodies have and nearly no others: not to decode them all."""


class Decision(NamedTuple):
    """One decision. `at`: UTC microseconds; `asked`: the command; `reason`: its box, None where none was given."""

    shard: int
    height: int
    at: int
    by: str
    asked: Any
    reason: SealedReason | None

    @property
    def place(self) -> str:
        """As it is named on the command line: SHARD:HEIGHT."""
        return f"{self.shard}:{self.height}"


class Erasure(NamedTuple):
    """That a reason was erased. `at`: UTC microseconds."""

    at: int
    event: ReasonErased


Erasures = dict[tuple[int, int], Erasure]
"""By shard and height of the decision."""


def decisions_in(
    log: Log, since: int | None = None, until: int | None = None, step: Callable[[], None] = lambda: None
) -> Iterator[Decision]:
    """What staff decided from a moment on and before another (UTC microseconds), shard by shard, in order.

    `step` is called for each commit that was read: all between these moments are.
    """
    for shard in range(log.shards):
        first = 0 if since is None else commits_before(log, shard, since)
        end = None if until is None else max(0, commits_before(log, shard, until) - first)
        for record in islice(log.read(shard, first), end):
            step()
            if any(mark in record.body for mark in _MARKS):
                found = _decision(record)
                if found is not None:
                    yield found


def decision_at(log: Log, shard: int, height: int) -> Decision:
    """The one that stands there. Refused where there is none."""
    if not 0 <= shard < log.shards:
        raise Refused(f"there is no shard {shard}: this room has shards 0 to {log.shards - 1}")
    last = log.head(shard).height
    if not 0 <= height <= last:
        raise Refused(f"shard {shard} has no height {height}: its last commit is at {last}")
    found = _decision(log.record(shard, height))
    if found is None:
        raise Refused(
            f"at {shard}:{height} staff decided nothing for a reason: `handlog audit staff` names what they did"
        )
    return found


def erasures(log: Log) -> Erasures:
    """All reasons that were erased."""
    found: Erasures = {}
    for record in log.stream_commits(ROOM_STREAM):
        if _MARKS[1] in record.body:
            said = body.decode(record.body)
            for _, _, event in facts_of(said):
                if isinstance(event, ReasonErased):
                    found[event.shard, event.height] = Erasure(said.at, event)
    return found


def _decision(record: Record) -> Decision | None:
    """None for a commit that is another's, or the room's own."""
    said = body.decode(record.body)
    command = said.command
    if command["name"] not in _NAMES:
        return None
    asked = catalog.command.load(command["name"], command["rev"], command["args"])
    reason = reason_in((stream, event) for stream, _, event in facts_of(said))
    return Decision(record.shard, record.height, said.at, command["by"], asked, reason)
