"""The chip runner: carries what is under way from one stream to another that may lie in another shard.

Money and news are sent by a fact of one stream, received or refused by a fact of the other, and closed by a fact of the
first; each step knows a repeat of itself (`domain/transfers.py`). So the runner may be wrong about anything: what it
carries twice happens once, and what it forgets is found in the log by whoever runs for that shard next.

The sender's shard drives: a room runs for the shards that it writes.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from domain import catalog
from domain.messages import SECOND, Command, Refused
from domain.transfers import (
    Closed,
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Received,
    Sent,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
    closing,
    delivery,
)
from services.ports import Ports
from services.room.door import TRANSFER
from services.room.recording import Answer, Told
from services.room.room import Room
from services.room.staff import command_of_room

SOON, LATEST = SECOND // 10, 10 * SECOND
"""Microseconds before a step is tried again that failed: at first, and at most; each time twice as long."""

_STEPS = {catalog.event.by_class[one].name for one in (TransferSent, NoticeSent, TransferClosed, NoticeClosed)}
_OUTCOMES = {catalog.event.by_class[one].name for one in (TransferReceived, TransferRefused, NoticeReceived)}

Pair = tuple[str, str]
"""The stream that sends, and the one that receives."""


class Found(NamedTuple):
    """What a stream of a shard has under way."""

    shard: int
    sender: str
    sent: Sent


@dataclass(slots=True)
class _Errand:
    """What is under way from one stream to another, oldest first, and how far the oldest is carried.

    outcome: what its receiver made of it. asked: the command whose answer is awaited. failed: tries, since it went on.
    """

    shard: int
    sent: list[Sent] = field(default_factory=list)
    outcome: Received | None = None
    asked: str = ""
    failed: int = 0
    not_before: int = 0

    def begin_next(self) -> None:
        self.outcome, self.asked, self.failed, self.not_before = None, "", 0, 0


class ChipRunner:
    """One of a room's staff (`services.room.staff.Attendant`)."""

    def __init__(self, ports: Ports, say: Callable[[str], object] = lambda sentence: None) -> None:
        """`say`: told in a sentence of what can't be carried for now."""
        self._ports, self._say = ports, say
        self._errands: dict[Pair, _Errand] = {}
        self._asked: dict[str, Pair] = {}

    @property
    def under_way(self) -> list[tuple[str, Sent]]:
        """All that is to be carried: who sent it, and what."""
        return [(sender, sent) for (sender, _), errand in self._errands.items() for sent in errand.sent]

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        for shard, owner, answer in told:
            for one in answer.events:
                if one["type"] in _STEPS:
                    fact = catalog.event.load(one["type"], one["rev"], one["data"])
                    self._note_earlier(room, owner, shard, one["stream"], fact)
                    self._note(shard, one["stream"], fact)

    def _note_earlier(self, room: Room, owner: str, shard: int, sender: str, fact: Sent | Closed) -> None:
        """What the same pair has under way that this runner hasn't heard of. Its receiver takes the numbers in order
        and remembers the last alone: once it had the next one, what became of that could never be closed."""
        errand = self._errands.get((sender, fact.to))
        if fact.seq > 1 + (errand.sent[-1].seq if errand else 0):
            for stream, sent in room.under_way(owner):
                if (stream, sent.to) == (sender, fact.to):
                    self._note(shard, stream, sent)

    def find(self, found: Iterable[Found]) -> None:
        """What was under way already, as the log has it now: to be called where `hear` is."""
        for shard, sender, sent in found:
            self._note(shard, sender, sent)

    def leave(self, shard: int) -> None:
        """The room writes that shard no more: another runs for it."""
        for pair in [pair for pair, errand in self._errands.items() if errand.shard == shard]:
            del self._errands[pair]

    def due(self, now: int) -> list[Command]:
        return [
            self._ask(pair, errand)
            for pair, errand in self._errands.items()
            if not errand.asked and not now < errand.not_before <= now + LATEST
        ]

    def answered(self, command: Command, outcome: Answer | Exception, now: int) -> None:
        pair = self._asked.pop(command.id)
        errand = self._errands.get(pair)
        if errand is None or errand.asked != command.id:  # it was closed meanwhile
            return
        errand.asked = ""
        if isinstance(outcome, Exception):
            self._failed(pair, errand, outcome, now)
        elif errand.outcome is None:
            errand.outcome, errand.failed = _outcome_in(outcome), 0
        else:
            self._close(*pair, errand.sent[0].seq)

    def wakes(self) -> int | None:
        return min((one.not_before for one in self._errands.values() if not one.asked), default=None)

    def _note(self, shard: int, sender: str, fact: Sent | Closed) -> None:
        if isinstance(fact, TransferClosed | NoticeClosed):
            self._close(sender, fact.to, fact.seq)
            return
        errand = self._errands.setdefault((sender, fact.to), _Errand(shard))
        if all(one.seq != fact.seq for one in errand.sent):
            insort(errand.sent, fact, key=attrgetter("seq"))

    def _close(self, sender: str, receiver: str, seq: int) -> None:
        """It and what was sent before it has come to its end."""
        errand = self._errands.get((sender, receiver))
        if errand is None or errand.sent[0].seq > seq:
            return
        errand.sent = [one for one in errand.sent if one.seq > seq]
        errand.begin_next()
        if not errand.sent:
            del self._errands[sender, receiver]

    def _ask(self, pair: Pair, errand: _Errand) -> Command:
        oldest = errand.sent[0]
        args: Any = delivery(pair[0], oldest)
        if errand.outcome is not None:
            args = closing(pair[0], oldest, errand.outcome)
        command = command_of_room(self._ports, args, TRANSFER)
        errand.asked = command.id
        self._asked[command.id] = pair
        return command

    def _failed(self, pair: Pair, errand: _Errand, error: Exception, now: int) -> None:
        errand.not_before = now + min(SOON << min(errand.failed, 16), LATEST)
        errand.failed += 1
        if isinstance(error, Refused) or errand.failed % 10 == 0:
            self._say(f"{errand.sent[0].seq} from {pair[0]} to {pair[1]} is still under way: {error}")


def _outcome_in(answer: Answer) -> Received | None:
    """What the receiver's answer says became of it; None where it says nothing, so that it is asked again."""
    for one in answer.events:
        if one["type"] in _OUTCOMES:
            outcome: Received = catalog.event.load(one["type"], one["rev"], one["data"])
            return outcome
    return None
