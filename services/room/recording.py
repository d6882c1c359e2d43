"""A decision as a body of the log, and the answer that its sender gets."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain import catalog
from domain.desk import Desk, stream_of, version_of
from domain.messages import AlreadyDone, Command, Facts
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


class Told(NamedTuple):
    """A commit that was just recorded: its shard, the owner whose streams it extends (`table:t1`), and its answer. Of
    what the office records only that of the room itself (`room`) is told."""

    shard: int
    owner: str
    answer: Answer


def answer_of(record: Record) -> AnswerAgain:
    """The answer that the sender of a recorded command got and gets again."""
    said = body.decode(record.body)
    return AnswerAgain(said.at, said.events)


def outcome_again(command: Command, done: AlreadyDone) -> AnswerAgain:
    """The answer to a command that asks for what was done before: the fact that came of it, without its version. `at`
    is 0: when that was isn't remembered, only the outcome is, and for ever."""
    if done.outcome is None:
        return AnswerAgain(0, [])
    name, rev, data = catalog.event.dump(done.outcome)
    return AnswerAgain(0, [{"stream": stream_of(command.args), "type": name, "rev": rev, "data": data}])


def envelope(command: Command) -> dict[str, Any]:
    """A command as a body has it. Only that of an advance action says that it was queued."""
    name, rev, args = catalog.command.dump(command.args)
    said = {"id": command.id, "name": name, "rev": rev, "args": args, "by": command.by, "cause": command.cause}
    if command.queued is not None:
        said["queued"] = {"at": command.queued.at, "price": command.queued.price}
    return said


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


def events_of(decided: Sequence[Facts], after: Desk) -> list[dict[str, Any]]:
    """The events as a body has them: each with its version in its stream, whose last is the aggregate's after them."""
    recorded: list[dict[str, Any]] = []
    ahead = {stream: 0 for stream, _ in decided}
    for stream, events in reversed(decided):
        version = version_of(after, stream) - ahead[stream]
        ahead[stream] += len(events)
        for event in reversed(events):
            message = catalog.event.by_class[type(event)]
            recorded.append(body.fact(stream, version, message.name, message.rev, message.dump(event)))
            version -= 1
    recorded.reverse()
    return recorded
