"""Reasons that staff give for what they decide: which decisions have one, where its box lies, and the fact that it was
erased (design, Format: body).

A reason is erased by forgetting the key of its box, which lies outside the log. That it was is an event in `room`
before it is done: who, and the reason of which decision; no word of the reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from domain import room
from domain.account import commands as of_account
from domain.catalog import command, event
from domain.messages import Count, Person, Refused
from domain.rulings.opening import OpenCards
from domain.table import commands as of_table


@event("room.reason-erased")
@dataclass(slots=True)
class ReasonErased:
    """The reason of a decision is to be read by nobody any more. `shard`, `height`: of the decision's commit."""

    shard: Count
    height: Count
    by: Person


@command("room.erase-reason")
@dataclass(slots=True)
class EraseReason:
    """As ReasonErased has them. What forgets the key is `handlog erase-reason`, where the keys of reasons lie."""

    shard: Count
    height: Count


DECISIONS: Mapping[type[Any], str] = {
    of_table.PauseTable: "table paused",
    of_table.ResumeTable: "table resumed",
    of_table.StopDealing: "new hands stopped",
    of_table.StartDealing: "new hands started again",
    of_table.CloseAfterHand: "table closed after its hand",
    of_table.ReopenTable: "table reopened",
    of_table.FreezePlayer: "player frozen in his seat",
    of_table.UnfreezePlayer: "player in his seat no longer frozen",
    of_table.RemovePlayer: "player removed from his seat",
    of_account.Freeze: "player's money frozen",
    of_account.Unfreeze: "player's money no longer frozen",
    of_account.Adjust: "balance adjusted",
    of_account.ChangeAloneLimit: "limit of adjusting alone changed",
    OpenCards: "sealed cards opened",
    room.CloseRoom: "room closed",
    room.ReopenRoom: "room reopened",
    room.AcceptLoss: "loss of commits accepted",
    EraseReason: "reason erased",
}
"""What staff decide for a reason, and that they erased one, in words; every command that takes a reason stands here."""


class SealedReason(NamedTuple):
    """The box of a reason, and the stream that it was sealed for."""

    box: str
    stream: str


def reason_in(facts: Iterable[tuple[str, Any]]) -> SealedReason | None:
    """The reason among the facts of one decision, each with its stream; None where none was given."""
    given = ((stream, getattr(fact, "reason", "")) for stream, fact in facts)
    return next((SealedReason(box, stream) for stream, box in given if box), None)


def erase_reason(
    asked: EraseReason, reason: SealedReason | None, before: ReasonErased | None, by: Person
) -> ReasonErased:
    """The fact that a reason was erased. Refused where the decision has none, or where that stands in the log already.

    `reason`: of the decision that is meant; `before`: the same fact of earlier.
    """
    if before is not None:
        raise Refused(
            f"the reason of decision {asked.shard}:{asked.height} was erased already, by {before.by}: where its key is "
            "still there, `handlog erase-reason` forgets it"
        )
    if reason is None:
        raise Refused(
            f"decision {asked.shard}:{asked.height} has no reason: `handlog audit staff` names those that have one"
        )
    return ReasonErased(asked.shard, asked.height, by)
