"""Rulings over a log: its commits as re-adjudication and replay read them."""

from collections.abc import Iterator
from typing import Any

from domain import catalog, room
from domain.hand.events import (
    BetMade,
    BroughtIn,
    Called,
    CardsDiscarded,
    Checked,
    Folded,
    Raised,
    SplitVoteCast,
    StoodPat,
)
from domain.hand.state import Hand, evolve
from domain.messages import hand_stream
from domain.rulings import opening, reasons
from domain.rulings import readjudicate as rulings
from domain.rulings.readjudicate import RecordedCommit, RecordedFact, Verdict
from domain.rulings.recorded_shoe import NO_KEYS, Keyholder
from domain.rulings.replay import Frame
from domain.rulings.seen import frames_for
from domain.rulings.words import describe
from domain.visibility import STAFF
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log
from services.eventlog.mapper import UnreadableEvent

_ALSO_READ = (opening, reasons, room)
"""Modules whose messages stand in logs too: the catalog knows them once they are imported."""

PLAYED = ("table.", "hand.", "account.", "player.")
"""Commands to tables, hands and patrons. Nothing is decided again of others, which concern the room itself, a shard of
its log, or what happens to a hand after it."""


ACTIONS = (BroughtIn, Folded, Checked, Called, BetMade, Raised, StoodPat, CardsDiscarded, SplitVoteCast)
"""The facts that a player makes in his turn; their words say nothing that another may not know."""


class NoSuchHand(LookupError):
    """A hand that the log doesn't hold."""


_RAISED = catalog.event.by_class[room.RevisionRaised].name


def recorded(record: Record) -> RecordedCommit:
    """A record's decision, validated and upcast. Raises UnreadableEvent for what this build can't read."""
    try:
        said = body.decode(record.body)
        command = said.command
        args = catalog.command.load(command["name"], command["rev"], command["args"])
        return RecordedCommit(record.shard, record.height, said.at, args, facts_of(said))
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableEvent(f"shard {record.shard}, height {record.height}: {error}") from error


def check_known(said: body.Body) -> None:
    """Raise UnknownMessage, a ValueError, for a decision with an event of a kind that this build can't read, or with
    one after which it can't read the shard: what costs little enough to ask of every commit that comes in."""
    for one in said.events:
        catalog.revision_of(one["type"], one["rev"])
        if one["type"] == _RAISED:
            room.check_revision(catalog.event.load(one["type"], one["rev"], one["data"]))


def facts_of(said: body.Body) -> list[RecordedFact]:
    """The events of a decision, validated and upcast. Raises UnknownMessage, also where the shard was raised to a
    revision that this build doesn't read; InvalidMessage."""
    facts = [
        RecordedFact(one["stream"], one["version"], catalog.event.load(one["type"], one["rev"], one["data"]))
        for one in said.events
    ]
    for fact in facts:
        room.check_revision(fact.event)
    return facts


def played_commits(log: Log, shard: int) -> Iterator[RecordedCommit]:
    """The shard's decisions on tables, hands and patrons, in order."""
    for record in log.read(shard):
        if body.decode(record.body).command["name"].startswith(PLAYED):
            yield recorded(record)


def hand_commits(log: Log, hand: str) -> list[RecordedCommit]:
    """The decisions of one hand, in order. Raises NoSuchHand."""
    commits = [recorded(record) for record in log.stream_commits(hand_stream(hand))]
    if not commits:
        raise NoSuchHand(f"there is no hand {hand} in this log: `handlog hands` lists them")
    return commits


def facts_of_hand(log: Log, hand: str) -> tuple[list[Any], int]:
    """The facts of a hand, and its shard. Raises NoSuchHand."""
    commits, stream = hand_commits(log, hand), hand_stream(hand)
    return [fact.event for commit in commits for fact in commit.facts if fact.stream == stream], commits[0].shard


def hand_frames(log: Log, hand: str, keyholder: Keyholder = NO_KEYS) -> list[Frame]:
    """The hand frame by frame, as staff see it, as far as it was played, with the cards that the keyholder can open:
    who asks for them has had that recorded. Raises NoSuchHand."""
    facts, _ = facts_of_hand(log, hand)
    return list(frames_for(STAFF, facts, keyholder, opened=True))


def actions_since(log: Log, hand: str, decision: int) -> list[str]:
    """What players did in a hand from one of its decisions on, in words: only their actions, which all have seen.

    Raises NoSuchHand.
    """
    state: Hand | None = None
    said = []
    for commit in hand_commits(log, hand):
        for stream, _, event in commit.facts:
            if stream == hand_stream(hand):
                state = evolve(state, event)
                if isinstance(event, ACTIONS) and state.decision >= decision:
                    said.append(describe(event, state))
    return said


def readjudicate_hand(log: Log, hand: str, keyholder: Keyholder) -> Verdict:
    """One hand, decided again from its opening on, under the values that it pinned, up to the first decision that
    isn't the same.

    Raises NoSuchHand.
    """
    return rulings.readjudicate_hand(hand_commits(log, hand), keyholder)


def readjudicate_all(log: Log, keyholder: Keyholder) -> Iterator[tuple[RecordedCommit, Verdict]]:
    """Every decision of the log, decided again: each commit with what that came to."""
    for shard in range(log.shards):
        yield from rulings.readjudicate(played_commits(log, shard), keyholder)
