"""What goes from one stream to another that lies in another shard: money as transfers, news as notices.

Each step is a fact of one stream: sent (the sender's), received or refused (the receiver's), closed (the sender's).
They are numbered densely from 1 for each ordered pair of streams, and the receiver remembers the last number with what
became of it, for ever: so each step can be repeated after any failure, and none happens twice (design, Idempotence).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Protocol

from pydantic import Field

from domain.catalog import command, event
from domain.messages import AlreadyDone, Count, Flag, Identifier, Refused, SeatNumber, Text
from domain.money import Chips

Party = Annotated[
    str, Field(strict=True, pattern=r"^(table|player):[a-z0-9]{1,32}$|^account:[a-z0-9]{1,32}:[a-z]{3,8}$")
]
"""A stream that sends and receives: `table:t1`, `account:ann:eur`, `player:ann`."""

Number = Annotated[int, Field(strict=True, ge=1, le=2**53 - 1)]
"""Which one of its ordered pair of streams, from 1."""

Why = Annotated[str, Field(strict=True, max_length=500)]
"""The sentence of a refusal; empty where nothing was refused."""

OfHand = Annotated[str, Field(strict=True, pattern=r"^([a-z0-9]{1,32}-[0-9]{1,12})?$")]
"""The hand that a notice is about; empty for none."""


class Purpose(StrEnum):
    """What money goes to or from a table for."""

    BUY_IN = "buy-in"
    TOP_UP = "top-up"
    CASH_OUT = "cash-out"


class About(StrEnum):
    """What a notice tells.

    To a table: the player is frozen, is so no longer, or leaves (he excluded himself, or cools off). To a player's
    file: his connection is lost in a hand, may he be protected; he was; the protection that he may have wasn't used.
    """

    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    LEAVE = "leave"
    PROTECTION = "protection"
    PROTECTION_USED = "protection-used"
    PROTECTION_RELEASED = "protection-released"


class Outcome(StrEnum):
    """What became of a notice. OVER: a protection was used that hadn't been granted, which goes on a report."""

    DONE = "done"
    ABSENT = "absent"
    GRANTED = "granted"
    REFUSED = "refused"
    OVER = "over"


# --- facts -----------------------------------------------------------------------------------------------------------


@event("transfer.sent")
@dataclass(slots=True)
class TransferSent:
    """Money has left this stream and is under way to the stream `to`.

    `amount` in minor units of `currency`, 0 where somebody leaves a table without chips; `promotion`: how much of it is
    promotion credit. `posts`: of a buy-in, whether he enters at once (rules.md section 7). `at`: UTC microseconds, as
    in every fact here.
    """

    to: Party
    seq: Number
    amount: Chips
    currency: Text
    purpose: Purpose
    player: Identifier
    seat: SeatNumber
    promotion: Chips
    posts: Flag
    at: Count


@event("transfer.received")
@dataclass(slots=True)
class TransferReceived:
    """Money that was under way from the stream `sender` has come to this one."""

    sender: Party
    seq: Number
    amount: Chips
    currency: Text
    purpose: Purpose
    player: Identifier
    seat: SeatNumber
    promotion: Chips
    at: Count


@event("transfer.refused")
@dataclass(slots=True)
class TransferRefused:
    """This stream doesn't take the money: it goes back to `sender`, whatever happens here later."""

    sender: Party
    seq: Number
    amount: Chips
    currency: Text
    purpose: Purpose
    player: Identifier
    seat: SeatNumber
    promotion: Chips
    why: Why
    at: Count


@event("transfer.closed")
@dataclass(slots=True)
class TransferClosed:
    """What this stream sent has been received; or it hasn't, `why`, and the money is back where it came from."""

    to: Party
    seq: Number
    amount: Chips
    currency: Text
    purpose: Purpose
    player: Identifier
    seat: SeatNumber
    promotion: Chips
    received: Flag
    why: Why
    at: Count


@event("notice.sent")
@dataclass(slots=True)
class NoticeSent:
    """News of a player is under way to the stream `to`.

    `allowed`: of a request for protection, how many uses the table's rulebook allows in 24 hours (rules.md section 8).
    """

    to: Party
    seq: Number
    about: About
    player: Identifier
    hand: OfHand
    allowed: Count
    at: Count


@event("notice.received")
@dataclass(slots=True)
class NoticeReceived:
    sender: Party
    seq: Number
    about: About
    player: Identifier
    hand: OfHand
    allowed: Count
    outcome: Outcome
    at: Count


@event("notice.closed")
@dataclass(slots=True)
class NoticeClosed:
    to: Party
    seq: Number
    about: About
    player: Identifier
    hand: OfHand
    outcome: Outcome
    at: Count


# --- commands, which only the room gives -----------------------------------------------------------------------------


@command("table.receive-transfer")
@dataclass(slots=True)
class TableReceiveTransfer:
    table: Identifier
    sender: Party
    seq: Number
    amount: Chips
    currency: Text
    purpose: Purpose
    player: Identifier
    seat: SeatNumber
    promotion: Chips
    posts: Flag


@command("account.receive-transfer")
@dataclass(slots=True)
class AccountReceiveTransfer:
    player: Identifier
    currency: Text
    sender: Party
    seq: Number
    amount: Chips
    purpose: Purpose
    seat: SeatNumber
    promotion: Chips


@command("table.close-transfer")
@dataclass(slots=True)
class TableCloseTransfer:
    table: Identifier
    to: Party
    seq: Number
    received: Flag
    why: Why


@command("account.close-transfer")
@dataclass(slots=True)
class AccountCloseTransfer:
    player: Identifier
    currency: Text
    to: Party
    seq: Number
    received: Flag
    why: Why


@command("table.receive-notice")
@dataclass(slots=True)
class TableReceiveNotice:
    table: Identifier
    sender: Party
    seq: Number
    about: About
    player: Identifier
    hand: OfHand
    allowed: Count


@command("player.receive-notice")
@dataclass(slots=True)
class PlayerReceiveNotice:
    player: Identifier
    sender: Party
    seq: Number
    about: About
    hand: OfHand
    allowed: Count


@command("table.close-notice")
@dataclass(slots=True)
class TableCloseNotice:
    table: Identifier
    to: Party
    seq: Number
    outcome: Outcome


@command("player.close-notice")
@dataclass(slots=True)
class PlayerCloseNotice:
    player: Identifier
    to: Party
    seq: Number
    outcome: Outcome


CARRIED = (
    TableReceiveTransfer, AccountReceiveTransfer, TableCloseTransfer, AccountCloseTransfer,
    TableReceiveNotice, PlayerReceiveNotice, TableCloseNotice, PlayerCloseNotice,
)  # fmt: skip
"""The commands with which the room carries what is under way. Nobody else may give them."""

Sent = TransferSent | NoticeSent
Received = TransferReceived | TransferRefused | NoticeReceived
Closed = TransferClosed | NoticeClosed


def delivery(sender: str, sent: Sent) -> Any:
    """The command that brings to its receiver what the stream `sender` has sent."""
    kind, _, id_ = sent.to.partition(":")
    if isinstance(sent, NoticeSent):
        news = (sender, sent.seq, sent.about)
        if kind == "table":
            return TableReceiveNotice(id_, *news, sent.player, sent.hand, sent.allowed)
        return PlayerReceiveNotice(id_, *news, sent.hand, sent.allowed)
    if kind == "table":
        return TableReceiveTransfer(
            id_, sender, sent.seq, sent.amount, sent.currency, sent.purpose, sent.player, sent.seat, sent.promotion,
            sent.posts,
        )  # fmt: skip
    return AccountReceiveTransfer(
        sent.player, sent.currency, sender, sent.seq, sent.amount, sent.purpose, sent.seat, sent.promotion
    )


def closing(sender: str, sent: Sent, outcome: Received) -> Any:
    """The command that tells its sender what became of what he sent."""
    kind, _, id_ = sender.partition(":")
    if isinstance(outcome, NoticeReceived):
        of_notice = TableCloseNotice if kind == "table" else PlayerCloseNotice
        return of_notice(id_, sent.to, sent.seq, outcome.outcome)
    received = isinstance(outcome, TransferReceived)
    why = outcome.why if isinstance(outcome, TransferRefused) else ""
    if kind == "table":
        return TableCloseTransfer(id_, sent.to, sent.seq, received, why)
    assert isinstance(sent, TransferSent)
    return AccountCloseTransfer(sent.player, sent.currency, sent.to, sent.seq, received, why)


# --- what sender and receiver remember -------------------------------------------------------------------------------


@dataclass(slots=True)
class Outbox:
    """What a stream has sent to one other: the last number, what isn't closed yet, oldest first, and how what was
    closed last has ended. `version`: of the stream, since when this is so."""

    last: int = 0
    under_way: list[Sent] = field(default_factory=list)
    ended: str = ""
    version: int = 0

    @property
    def closed(self) -> int:
        """The number of what was closed last."""
        return self.last - len(self.under_way)


@dataclass(slots=True)
class Inbox:
    """The last that a stream has received from one other, in short, since it is remembered for ever: number, time,
    minor units, and how it ended: RECEIVED, why it was refused, or the outcome of a notice. `version`: of the stream,
    since when this is so."""

    last: int
    at: int
    amount: int
    ended: str
    version: int


RECEIVED, REFUSED = "received", "refused"
"""How transfers end, as their senders see it; notices end by their outcomes."""


class Correspondent(Protocol):
    """The state of a stream that sends and receives, by the stream at the other end; what has changed last stands
    last, so that nobody need look at those with whom nothing has been going on."""

    version: int
    sent: dict[str, Outbox]
    received: dict[str, Inbox]


def next_number(party: Correspondent, to: str) -> int:
    return party.sent[to].last + 1 if to in party.sent else 1


def check_nothing_under_way(party: Correspondent, to: str) -> None:
    """Raise Refused while money is under way to that stream: one transfer of a pair at a time."""
    under_way = party.sent[to].under_way if to in party.sent else []
    if under_way:
        raise Refused(f"a transfer to {to} is under way: wait until it has arrived, a moment, and ask again")


def check_next(party: Correspondent, asked: Any) -> None:
    """That what is to be received is the next one of its sender.

    Raises AlreadyDone with its outcome for a repeat of the last one, Refused for any other.
    """
    before = party.received.get(asked.sender)
    last = 0 if before is None else before.last
    if before is not None and asked.seq == last:
        raise AlreadyDone(_taken(before, asked))
    if asked.seq != last + 1:
        raise Refused(f"{asked.seq} of {asked.sender} can't be taken: the next one is {last + 1}")


def _taken(before: Inbox, asked: Any) -> Received:
    """What became of it the first time."""
    if hasattr(asked, "about"):
        return noticed_as(asked, Outcome(before.ended), before.at)
    if before.amount != asked.amount:
        raise Refused(f"{asked.seq} of {asked.sender} was of {before.amount}, not {asked.amount}: it can't change")
    if before.ended == RECEIVED:
        return received_as(asked, before.at)
    return refused_as(asked, before.ended, before.at)


def under_way(party: Correspondent, asked: Any) -> Any:
    """What is to be closed. Raises AlreadyDone, without a fact, for a repeat of the last closing, Refused for any
    other."""
    box = party.sent.get(asked.to, Outbox())
    if box.under_way and box.under_way[0].seq == asked.seq:
        return box.under_way[0]
    if not box.closed or box.closed != asked.seq:
        oldest = f"{box.under_way[0].seq} is the oldest under way" if box.under_way else "nothing is under way"
        raise Refused(f"{asked.seq} to {asked.to} can't be closed: {oldest} there")
    if box.ended != _ending(asked):
        raise Refused(f"{asked.seq} to {asked.to} was closed as {box.ended}, not {_ending(asked)}: it can't change")
    raise AlreadyDone(None)


def _ending(closed: Any) -> str:
    """Of a closing, or of the command that asks for it."""
    if hasattr(closed, "outcome"):
        return str(closed.outcome)
    return RECEIVED if closed.received else REFUSED


def received_as(asked: Any, at: int) -> TransferReceived:
    return TransferReceived(
        asked.sender, asked.seq, asked.amount, asked.currency, asked.purpose, asked.player, asked.seat,
        asked.promotion, at,
    )  # fmt: skip


def refused_as(asked: Any, why: str, at: int) -> TransferRefused:
    return TransferRefused(
        asked.sender, asked.seq, asked.amount, asked.currency, asked.purpose, asked.player, asked.seat,
        asked.promotion, why, at,
    )  # fmt: skip


def noticed_as(asked: Any, outcome: Outcome, at: int) -> NoticeReceived:
    return NoticeReceived(asked.sender, asked.seq, asked.about, asked.player, asked.hand, asked.allowed, outcome, at)


def closed_as(sent: TransferSent, *, received: bool, why: str, at: int) -> TransferClosed:
    return TransferClosed(
        sent.to, sent.seq, sent.amount, sent.currency, sent.purpose, sent.player, sent.seat, sent.promotion,
        received, why, at,
    )  # fmt: skip


def notices(
    party: Correspondent,
    news: Iterable[tuple[str, About]],
    player: str,
    at: int,
    *,
    hand: str = "",
    allowed: int = 0,
) -> list[NoticeSent]:
    """The next notices, (to which stream, about what); each waits behind those that are under way there."""
    numbers: dict[str, int] = {}
    sent = []
    for to, about in news:
        numbers[to] = numbers.get(to, next_number(party, to) - 1) + 1
        sent.append(NoticeSent(to, numbers[to], about, player, hand, allowed, at))
    return sent


def note_sent(party: Correspondent, fact: Sent) -> None:
    box = _changing(party, fact.to)
    box.last = fact.seq
    box.under_way.append(fact)


def note_received(party: Correspondent, fact: Received) -> None:
    match fact:
        case NoticeReceived():
            amount, ended = 0, str(fact.outcome)
        case TransferReceived():
            amount, ended = fact.amount, RECEIVED
        case TransferRefused():
            amount, ended = fact.amount, fact.why
    party.received.pop(fact.sender, None)
    party.received[fact.sender] = Inbox(fact.seq, fact.at, amount, ended, party.version + 1)


def note_closed(party: Correspondent, fact: Closed) -> None:
    box = _changing(party, fact.to)
    del box.under_way[0]
    box.ended = _ending(fact)


def _changing(party: Correspondent, to: str) -> Outbox:
    """The box to that stream, as the last one, to be changed by the fact that the stream's next version is made of."""
    box = party.sent[to] = party.sent.pop(to) if to in party.sent else Outbox()
    box.version = party.version + 1
    return box


NOTES: Mapping[type[Any], Callable[[Any, Any], None]] = {
    TransferSent: note_sent, NoticeSent: note_sent,
    TransferReceived: note_received, TransferRefused: note_received, NoticeReceived: note_received,
    TransferClosed: note_closed, NoticeClosed: note_closed,
}  # fmt: skip
"""How the bookkeeping goes on with each fact, whatever else it means to its stream."""
