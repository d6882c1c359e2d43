"""Deciding again: the recorded commands and cards, under the pinned values, must make the recorded facts.

A chain proves that nobody changed the bytes since; this proves that the bytes were right by the rules when they were
written. The first fact that comes out differently is named exactly.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from domain.hand.dealing import OpenShoe
from domain.hand.events import HandOpened
from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import Refused, table_stream
from domain.table.play import Play, play, table_of
from domain.table.state import Table
from domain.table.state import evolve as evolve_table

NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What folds and rules raise over facts that no room wrote: a seat that nobody sits in, a table never opened."""


class RecordedFact(NamedTuple):
    """A fact with its stream and its version there."""

    stream: str
    version: int
    event: Any


class RecordedCommit(NamedTuple):
    """A decision as the log has it: where it stands, the command's arguments and the facts."""

    shard: int
    height: int
    args: Any
    facts: Sequence[RecordedFact]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first fact of a commit that comes out differently.

    `index` counts the commit's events from 0. `recorded` is None where the rules make one more fact than the log has,
    `decided` where the log has one more; `refused` is the sentence of a command that the rules refuse.
    """

    shard: int
    height: int
    index: int
    stream: str
    version: int
    recorded: Any
    decided: Any
    refused: str = ""

    def __str__(self) -> str:
        where = f"shard {self.shard}, height {self.height}, event {self.index} ({self.stream}, version {self.version})"
        if self.refused:
            return f"{where}: recorded {self.recorded}, but its command is refused: {self.refused}"
        return f"{where}: recorded {self.recorded or 'nothing'}, decided again {self.decided or 'nothing'}"


class Again:
    """One table, decided again commit by commit.

    Beside the table as decided, it keeps the table as recorded, and goes on from there after a divergence: one wrong
    fact is named once, not again in every hand that follows. Where the recorded facts can't even be folded, it goes on
    from what was decided.
    """

    def __init__(self, table: str, start: Table | None = None) -> None:
        """`start`: the table as recorded before the first commit that will be given; None from its opening on."""
        self._recorded = Play(table, start)
        self._decided = deepcopy(self._recorded)

    @property
    def hand(self) -> Hand | None:
        """The newest hand, as recorded."""
        return self._recorded.hand

    def take(self, commit: RecordedCommit) -> Divergence | None:
        """Decide a commit's command again, and compare."""
        found = self._compare(commit)
        try:
            self._fold(commit)
        except NONSENSE:
            if found is None:
                raise
            self._recorded = deepcopy(self._decided)  # nothing can follow from such facts
            return found
        if found is not None:
            self._decided = deepcopy(self._recorded)
        return found

    def _compare(self, commit: RecordedCommit) -> Divergence | None:
        recorded_deck = next((fact.event.deck for fact in commit.facts if type(fact.event) is HandOpened), ())
        try:
            decided = play(self._decided, commit.args, lambda _: recorded_deck)
        except Refused as refused:
            return self._divergence(commit, 0, None, str(refused))
        except NONSENSE as error:
            why = f"the facts before it make no hand or table to decide on ({type(error).__name__}: {error})"
            return self._divergence(commit, 0, None, why)
        flat = [(stream, event) for stream, events in decided for event in events]
        for index, (stream, event) in enumerate(flat):
            fact = commit.facts[index] if index < len(commit.facts) else None
            if fact is None or fact.stream != stream or fact.event != event:
                return self._divergence(commit, index, event)
        if len(commit.facts) > len(flat):
            return self._divergence(commit, len(flat), None)
        return None

    def _divergence(self, commit: RecordedCommit, index: int, decided: Any, refused: str = "") -> Divergence:
        recorded = commit.facts[index] if index < len(commit.facts) else None
        stream, version, event = recorded or (commit.facts[-1].stream, commit.facts[-1].version + 1, None)
        return Divergence(commit.shard, commit.height, index, stream, version, event, decided, refused)

    def _fold(self, commit: RecordedCommit) -> None:
        now = self._recorded
        own = table_stream(now.id)
        for stream, _, event in commit.facts:
            if stream == own:
                now.table = evolve_table(now.table, event)
            elif type(event) is HandOpened:
                now.hand, now.shoe = evolve_hand(None, event), OpenShoe(event.deck)
            else:
                now.hand = evolve_hand(now.hand, event)


def readjudicate(commits: Iterable[RecordedCommit], tables: dict[str, Again] | None = None) -> Iterator[Divergence]:
    """Decide all commits again, in the order of their log, and give every divergence.

    `tables` holds tables from which to start; others start at their opening.
    """
    again: dict[str, Again] = {} if tables is None else tables
    for commit in commits:
        table = table_of(commit.args)
        if table not in again:
            again[table] = Again(table)
        found = again[table].take(commit)
        if found is not None:
            yield found
