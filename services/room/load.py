"""Tables and hands out of the log: the one projector through which room, replay and re-adjudication load.

`Repository.get` of the `eventsourcing` library reads a stream; the folds here make a table or a hand of it, together
with the answers that its commands got.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from eventsourcing.application import AggregateNotFoundError, Repository

from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import hand_stream, table_stream
from domain.table.state import Table
from domain.table.state import evolve as evolve_table
from services.eventlog.mapper import Recorded

T = TypeVar("T")


class Answer(NamedTuple):
    """What a command made: when it was recorded (UTC microseconds), and its events as they stand in the log."""

    at: int
    events: list[dict[str, Any]]


class Known(NamedTuple):
    """A command that was answered, as the log has it, and the answer. A repeat with the same arguments gets it again."""

    command: dict[str, Any]
    answer: Answer


class Loaded(NamedTuple):
    """An aggregate at the version of its last event, and the commands that its stream remembers, by their ids."""

    state: Any
    known: dict[str, Known]
    version: int


def projector(evolve: Callable[[Any, Any], Any]) -> Callable[[Any, Iterable[Recorded]], Loaded | None]:
    """The projector of a fold, in the form that `Repository.get` takes."""

    def project(_: Any, recorded: Iterable[Recorded]) -> Loaded | None:
        state, known, version = None, {}, 0
        for one in recorded:
            for event in one.events:
                state = evolve(state, event)
            version, commit = one.originator_version, one.commit
            known[commit.command["id"]] = Known(commit.command, Answer(commit.at, commit.events))
        return None if state is None else Loaded(state, known, version)

    return project


project_hand = projector(evolve_hand)
project_table = projector(evolve_table)


def load_table(repository: Repository[str], table: str, version: int | None = None) -> Loaded | None:
    """The table at a version (default: its last), None where there is none: its state is a `Table`."""
    return _get(repository, table_stream(table), version, project_table)


def load_hand(repository: Repository[str], hand: str, version: int | None = None) -> Loaded | None:
    """The hand at a version (default: its last), None where there is none: its state is a `Hand`."""
    return _get(repository, hand_stream(hand), version, project_hand)


def _get(
    repository: Repository[str],
    stream: str,
    version: int | None,
    project: Callable[[Any, Iterable[Recorded]], Loaded | None],
) -> Loaded | None:
    try:
        loaded: Loaded = repository.get(stream, version=version, projector_func=project)
    except AggregateNotFoundError:
        return None
    return loaded


__all__ = ["Answer", "Hand", "Known", "Loaded", "Table", "load_hand", "load_table"]
