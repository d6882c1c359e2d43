"""Losses that two people took upon them: what a log may lack of what was signed, and no more."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain import catalog
from domain.room import LossAccepted
from services.eventlog import body
from services.eventlog.commit import Record
from services.evidence.note import Signed


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss that was accepted, with the height and the time (Unix seconds) at which it was."""

    event: LossAccepted
    height: int
    time: int

    def covers(self, one: Signed) -> bool:
        """Whether a checkpoint is of what was lost: the one that is named, or one signed before of commits beyond.

        It was accepted where the log ended then: the same record behind another end is nobody's consent.
        """
        checkpoint, lost = one.checkpoint, self.event
        if self.height != lost.commits:
            return False
        named = (checkpoint.size, checkpoint.root.hex()) == (lost.size, lost.root)
        return named or (lost.commits < checkpoint.size <= lost.size and one.time <= self.time)


def losses_in(records: Iterable[Record]) -> Iterator[Loss]:
    """The losses that were accepted in these commits of a shard's own stream."""
    for record in records:
        said = body.decode(record.body)
        for one in said.events:
            if str(one["stream"]).startswith("shard:"):
                event = catalog.event.load(one["type"], one["rev"], one["data"])
                if isinstance(event, LossAccepted):
                    yield Loss(event, record.height, said.at // 1_000_000)
