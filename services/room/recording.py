"""A decision as a body of the log, and the answer that its sender gets."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain import catalog
from domain.messages import Command, Facts, table_stream
from domain.table.play import Play
from services.eventlog import body
from services.eventlog.commit import LIMIT, Record
from services.eventlog.log import AppendRefused, Entry, LogError
from services.room.load import ShardFold

LARGEST_BODY = LIMIT - 400
"""Bytes of a body that leave room for any header."""


class TooLarge(LogError):
    """A decision that no record has room for: nothing was recorded."""


class NotRaised(AppendRefused):
    """A decision that can only be recorded once the log is raised to a later revision: nothing was recorded."""


class Answer(NamedTuple):
    """What a command made: when it was recorded (UTC microseconds), and its events as they stand in the log."""

    at: int
    events: list[dict[str, Any]]


class AnswerAgain(Answer):
    """The same to a repeat of a command that was recorded before."""

    __slots__ = ()


def answer_of(record: Record) -> AnswerAgain:
    """The answer that the sender of a recorded command got and gets again."""
    said = body.decode(record.body)
    return AnswerAgain(said.at, said.events)


def envelope(command: Command) -> dict[str, Any]:
    """A command as a body has it."""
    name, rev, args = catalog.command.dump(command.args)
    return {"id": command.id, "name": name, "rev": rev, "args": args, "by": command.by, "cause": command.cause}


def entry(at: int, said: dict[str, Any], events: list[dict[str, Any]]) -> Entry:
    """What the log is given. Raises TooLarge."""
    made = body.entry(at, said, events)
    if len(made.body) > LARGEST_BODY:
        raise TooLarge(f"command {said['id']} makes a commit of {len(made.body):,} bytes: at most {LARGEST_BODY:,}")
    return made


def check_revision(events: Sequence[dict[str, Any]], shards: ShardFold, shard: int) -> None:
    """Raise NotRaised for events that came with a revision of the log to which the shard wasn't raised: a node that
    can't read them may be its next owner."""
    if catalog.READS == 1:
        return
    newest = max((catalog.revision_of(one["type"], one["rev"]) for one in events), default=1)
    if newest > 1 and newest > (now := shards.now(shard).revision):
        raise NotRaised(
            f"shard {shard} is written in revision {now} of the log, this needs {newest}: `handlog upgrade {newest}` "
            "raises it once every node reads that"
        )


def events_of(decided: Sequence[Facts], after: Play) -> list[dict[str, Any]]:
    """The events as a body has them: each with its version in its stream, whose last is the aggregate's after them."""
    table = table_stream(after.id)
    recorded: list[dict[str, Any]] = []
    ahead = {stream: 0 for stream, _ in decided}
    for stream, events in reversed(decided):
        aggregate = after.table if stream == table else after.hand
        assert aggregate is not None
        version = aggregate.version - ahead[stream]
        ahead[stream] += len(events)
        for event in reversed(events):
            message = catalog.event.by_class[type(event)]
            recorded.append(body.fact(stream, version, message.name, message.rev, message.dump(event)))
            version -= 1
    recorded.reverse()
    return recorded
