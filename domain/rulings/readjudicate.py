"""Deciding again: the recorded commands and cards, under the pinned values, must make the recorded facts.

A chain proves that nobody changed the bytes since; this proves that the bytes were right by the rules when they were
written. The first fact that comes out differently is named exactly.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from domain.hand.dealing import OpenShoe, Shuffle, shoe_of
from domain.hand.decider import decide, open_hand
from domain.hand.events import DeckReshuffled, HandOpened
from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import Facts, Refused, table_stream
from domain.table.events import HandStarted
from domain.table.play import Play, facts_of_hand, play, table_of
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


def compare(commit: RecordedCommit, decide_again: Callable[[], list[Facts]]) -> Divergence | None:
    """The first fact of a commit that isn't what deciding again makes of its command."""
    try:
        decided = [(stream, event) for stream, events in decide_again() for event in events]
    except Refused as refused:
        return _divergence(commit, 0, None, str(refused))
    except NONSENSE as error:
        why = f"the facts before it make no hand or table to decide on ({type(error).__name__}: {error})"
        return _divergence(commit, 0, None, why)
    for index, (stream, event) in enumerate(decided):
        fact = commit.facts[index] if index < len(commit.facts) else None
        if fact is None or fact.stream != stream or fact.event != event:
            return _divergence(commit, index, event)
    return _divergence(commit, len(decided), None) if len(commit.facts) > len(decided) else None


def _divergence(commit: RecordedCommit, index: int, decided: Any, refused: str = "") -> Divergence:
    recorded = commit.facts[index] if index < len(commit.facts) else None
    stream, version, event = recorded or (commit.facts[-1].stream, commit.facts[-1].version + 1, None)
    return Divergence(commit.shard, commit.height, index, stream, version, event, decided, refused)


def readjudicate_hand(commits: Sequence[RecordedCommit]) -> Divergence | None:
    """One hand from its opening on, under the values that it pinned; the first divergence.

    What its table had to do with that opening (who sat there, with how much, where the button was) is taken as pinned:
    to decide that again, decide the table again.
    """
    opened = next(fact.event for fact in commits[0].facts if type(fact.event) is HandOpened)
    shoe = OpenShoe(opened.deck, _as_recorded([order for commit in commits for order in _reshuffles(commit)]))
    hand: Hand | None = None

    def again(args: Any) -> list[Facts]:
        nonlocal hand
        if hand is not None:
            return facts_of_hand(hand, decide(hand, args, shoe))
        hand = open_hand(opened, shoe)
        started = HandStarted(hand.id, opened.number, opened.button)
        return [(table_stream(opened.table), [started]), *facts_of_hand(hand, hand.facts)]

    return next((found for commit in commits if (found := compare(commit, partial(again, commit.args)))), None)


def _as_recorded(orders: list[Sequence[int]]) -> Shuffle:
    """A shuffle that gives the recorded orders in turn. What is no order of the cards to be shuffled is not given, so
    that the fact which records it comes out differently."""

    def shuffle(cards: Sequence[int]) -> Sequence[int]:
        order = orders.pop(0) if orders else ()
        return order if sorted(order) == sorted(cards) else cards

    return shuffle


def _reshuffles(commit: RecordedCommit) -> list[tuple[int, ...]]:
    return [fact.event.cards for fact in commit.facts if type(fact.event) is DeckReshuffled]


class Again:
    """One table with its hands, decided again commit by commit from its opening on.

    Beside the table as decided, it keeps the table as recorded, and goes on from there after a divergence: one wrong
    fact is named once, not again in every hand that follows. Where the recorded facts can't even be folded, it goes on
    from what was decided.
    """

    def __init__(self, table: str) -> None:
        self._recorded = Play(table)
        self._decided = Play(table)
        self._orders: list[Sequence[int]] = []
        self._recorded_order = _as_recorded(self._orders)

    def take(self, commit: RecordedCommit) -> Divergence | None:
        """Decide a commit's command again, and compare."""
        decks = [fact.event.deck for fact in commit.facts if type(fact.event) is HandOpened]
        self._orders[:] = [*decks, *_reshuffles(commit)]
        found = compare(commit, lambda: play(self._decided, commit.args, self._recorded_order))
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

    def _fold(self, commit: RecordedCommit) -> None:
        now = self._recorded
        own = table_stream(now.id)
        for stream, _, event in commit.facts:
            if stream == own:
                now.table = evolve_table(now.table, event)
            elif type(event) is HandOpened:
                now.hand = evolve_hand(None, event)
                now.shoe = shoe_of(now.hand, self._recorded_order)
            else:
                now.hand = evolve_hand(now.hand, event)
                if type(event) is DeckReshuffled:
                    now.shoe = shoe_of(now.hand, self._recorded_order)


def readjudicate(commits: Iterable[RecordedCommit]) -> Iterator[tuple[RecordedCommit, Divergence | None]]:
    """Decide all commits again, in the order of their log: each with its divergence, None where it is the same."""
    tables: dict[str, Again] = {}
    for commit in commits:
        table = table_of(commit.args)
        if table not in tables:
            tables[table] = Again(table)
        yield commit, tables[table].take(commit)
