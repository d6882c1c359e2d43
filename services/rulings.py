"""Rulings over a log: its commits as re-adjudication and replay read them."""

from collections.abc import Iterator

from domain import catalog
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
from domain.rulings import readjudicate as rulings
from domain.rulings.readjudicate import Divergence, RecordedCommit, RecordedFact
from domain.rulings.replay import Frame, frames
from domain.rulings.words import describe
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log
from services.eventlog.mapper import UnreadableEvent

ROOM_COMMANDS = ("room.",)
"""Commands of the room itself concern no table: nothing of theirs is decided again."""


ACTIONS = (BroughtIn, Folded, Checked, Called, BetMade, Raised, StoodPat, CardsDiscarded, SplitVoteCast)
"""The facts that a player makes in his turn; their words say nothing that another may not know."""


class NoSuchHand(LookupError):
    """A hand that the log doesn't hold."""


def recorded(record: Record) -> RecordedCommit:
    """A record's decision, validated and upcast. Raises UnreadableEvent for what this build can't read."""
    try:
        said = body.decode(record.body)
        command = said.command
        args = catalog.command.load(command["name"], command["rev"], command["args"])
        return RecordedCommit(record.shard, record.height, args, facts_of(said))
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableEvent(f"shard {record.shard}, height {record.height}: {error}") from error


def facts_of(said: body.Body) -> list[RecordedFact]:
    """The events of a decision, validated and upcast. Raises UnknownMessage, InvalidMessage."""
    return [
        RecordedFact(one["stream"], one["version"], catalog.event.load(one["type"], one["rev"], one["data"]))
        for one in said.events
    ]


def table_commits(log: Log, shard: int) -> Iterator[RecordedCommit]:
    """The shard's decisions on tables and hands, in order."""
    for record in log.read(shard):
        if not body.decode(record.body).command["name"].startswith(ROOM_COMMANDS):
            yield recorded(record)


def hand_commits(log: Log, hand: str) -> list[RecordedCommit]:
    """The decisions of one hand, in order. Raises NoSuchHand."""
    commits = [recorded(record) for record in log.stream_commits(hand_stream(hand))]
    if not commits:
        raise NoSuchHand(f"there is no hand {hand} in this log: `handlog hands` lists them")
    return commits


def hand_frames(log: Log, hand: str) -> list[Frame]:
    """The hand frame by frame, as far as it was played. Raises NoSuchHand."""
    stream = hand_stream(hand)
    return list(
        frames(fact.event for commit in hand_commits(log, hand) for fact in commit.facts if fact.stream == stream)
    )


def actions_since(log: Log, hand: str, version: int) -> list[str]:
    """What players did in a hand after one of its versions, in words: only their actions, which all have seen.

    Raises NoSuchHand.
    """
    state: Hand | None = None
    said = []
    for commit in hand_commits(log, hand):
        for stream, at, event in commit.facts:
            if stream == hand_stream(hand):
                state = evolve(state, event)
                if at > version and isinstance(event, ACTIONS):
                    said.append(describe(event, state))
    return said


def readjudicate_hand(log: Log, hand: str) -> list[Divergence]:
    """One hand, decided again from its opening on, under the values that it pinned: its first divergence, if any.

    Raises NoSuchHand.
    """
    found = rulings.readjudicate_hand(hand_commits(log, hand))
    return [] if found is None else [found]


def readjudicate_all(log: Log) -> Iterator[tuple[RecordedCommit, Divergence | None]]:
    """Every decision of the log, decided again: each commit with its divergence, None where it came out the same."""
    for shard in range(log.shards):
        yield from rulings.readjudicate(table_commits(log, shard))
