"""Tables and hands out of the log: the one way in which room, replay and re-adjudication load.

`Repository.get` of the `eventsourcing` library reads a stream with our own projector, a fold of the domain; where the
room asks for it, the stream's commands are noted on the way.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from eventsourcing.application import AggregateNotFoundError, Repository

from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import hand_stream, table_stream
from domain.table.state import Table
from domain.table.state import evolve as evolve_table
from services.eventlog.mapper import Recorded


class Known(NamedTuple):
    """A command that was answered, as the log has it, when (UTC microseconds), and the height of its commit."""

    command: dict[str, Any]
    at: int
    height: int


def load_table(repository: Repository[str], table: str, known: dict[str, Known] | None = None) -> Table | None:
    """The table, None where there is none. Its commands are noted in `known`."""
    loaded: Table | None = _load(repository, table_stream(table), evolve_table, known)
    return loaded


def load_hand(repository: Repository[str], hand: str, known: dict[str, Known] | None = None) -> Hand | None:
    """The hand, None where there is none. Its commands are noted in `known`."""
    loaded: Hand | None = _load(repository, hand_stream(hand), evolve_hand, known)
    return loaded


def _load(
    repository: Repository[str],
    stream: str,
    evolve: Callable[[Any, Any], Any],
    known: dict[str, Known] | None,
) -> Any:
    def project(state: Any, recorded: Iterable[Recorded]) -> Any:
        for one in recorded:
            for event in one.events:
                state = evolve(state, event)
            if known is not None:
                commit = one.commit
                known[commit.command["id"]] = Known(commit.command, commit.at, one.height)
        return state

    try:
        return repository.get(stream, projector_func=project)
    except AggregateNotFoundError:
        return None
