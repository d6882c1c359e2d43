"""Deciding again: the recorded commands and cards, under the pinned values, must make the recorded facts.

A chain proves that nobody changed the bytes since; this proves that the bytes were right by the rules when they were
written. The first fact that comes out differently is named exactly. Where a decision hangs on a card that is sealed and
no key is at hand, that is said, and the next one is decided from what was recorded.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from domain.cards import deck
from domain.hand.dealing import CardSealed, SealBroken, Shoe
from domain.hand.decider import decide, open_hand
from domain.hand.events import BoardDealt, CardsDealt, DeckReshuffled, HandOpened, HandShown
from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import Facts, Refused, table_stream
from domain.rules.registry import game_at
from domain.rulings.recorded_shoe import Keyholder, RecordedShoes
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
    """A decision as the log has it: where it stands, when it was made (UTC microseconds), the command's arguments and
    the facts."""

    shard: int
    height: int
    at: int
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


@dataclass(frozen=True, slots=True)
class Undecided:
    """A commit whose decision hangs on a card that is sealed: its index in the deck."""

    shard: int
    height: int
    card: int

    def __str__(self) -> str:
        return f"shard {self.shard}, height {self.height}: needs card {self.card}, sealed"


Verdict = Divergence | Undecided | None
"""What deciding a commit again came to; None where it came out the same."""


def compare(commit: RecordedCommit, decide_again: Callable[[], list[Facts]]) -> Verdict:
    """The first fact of a commit that isn't what deciding again makes of its command."""
    try:
        decided = [(stream, event) for stream, events in decide_again() for event in events]
    except (Refused, SealBroken) as refused:
        return _divergence(commit, 0, None, str(refused))
    except CardSealed as sealed:
        return Undecided(commit.shard, commit.height, sealed.index)
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
    return Divergence(commit.shard, commit.height, index, stream, version, event, _covered(decided, event), refused)


def _covered(decided: Any, recorded: Any) -> Any:
    """A fact that was decided again, with no face but those that stand in the recorded one: whoever reads of a
    divergence isn't shown a card, and whoever forges a record can't ask for one (design, Secrets)."""
    match decided:
        case CardsDealt() | BoardDealt():
            told = dict(zip(getattr(recorded, "indices", ()), getattr(recorded, "cards", ()), strict=False))
            cards: Any = tuple(
                card if card == told.get(at) or isinstance(card, str) else f"card{at}"
                for at, card in zip(decided.indices, decided.cards, strict=True)
            )
            return replace(decided, cards=cards)
        case DeckReshuffled(cards=tuple()):
            return replace(decided, cards=())
        case HandShown() if decided.cards != getattr(recorded, "cards", ()):
            return replace(decided, cards=())
        case _:
            return decided


def readjudicate_hand(commits: Sequence[RecordedCommit], keyholder: Keyholder) -> Verdict:
    """One hand from its opening on, under the values that it pinned, up to the first decision that isn't the same.

    What its table had to do with that opening (who sat there, with how much, where the button was) is taken as pinned:
    to decide that again, decide the table again.
    """
    opened = next(fact.event for fact in commits[0].facts if type(fact.event) is HandOpened)
    shoes = RecordedShoes(keyholder)
    hand: Hand | None = None
    shoe: Shoe | None = None

    def again(commit: RecordedCommit) -> list[Facts]:
        nonlocal hand, shoe
        shoes.feed(fact.event for fact in commit.facts)
        if hand is not None and shoe is not None:
            return facts_of_hand(hand, decide(hand, commit.args, shoe))
        id_ = f"{opened.table}-{opened.number}"
        shoe = shoes.new(id_, deck(game_at(opened.game, opened.game_revision).lowest_rank))
        hand = open_hand(opened, shoe)
        started = HandStarted(id_, opened.number, opened.button)
        return [(table_stream(opened.table), [started]), *facts_of_hand(hand, hand.facts)]

    return next((found for commit in commits if (found := compare(commit, partial(again, commit)))), None)


class Again:
    """One table with its hands, decided again commit by commit from its opening on.

    Beside the table as decided, it keeps the table as recorded, and goes on from there after a divergence: one wrong
    fact is named once, not again in every hand that follows. Where the recorded facts can't even be folded, it goes on
    from what was decided.
    """

    def __init__(self, table: str, keyholder: Keyholder) -> None:
        self._recorded = Play(table)
        self._decided = Play(table)
        self._shoes = RecordedShoes(keyholder)

    def take(self, commit: RecordedCommit) -> Verdict:
        """Decide a commit's command again, and compare."""
        found = compare(commit, partial(self._decide, commit))
        try:
            self._fold(commit)
        except NONSENSE:
            if found is None:
                raise
            self._recorded = self._copy(self._decided)  # nothing can follow from such facts
            return found
        if found is not None:
            self._decided = self._copy(self._recorded)
        return found

    def _decide(self, commit: RecordedCommit) -> list[Facts]:
        self._shoes.feed(fact.event for fact in commit.facts)
        return play(self._decided, commit.args, self._shoes, commit.at)

    def _fold(self, commit: RecordedCommit) -> None:
        now = self._recorded
        own = table_stream(now.id)
        for stream, _, event in commit.facts:
            if stream == own:
                now.table = evolve_table(now.table, event)
            else:
                now.hand = evolve_hand(None if type(event) is HandOpened else now.hand, event)

    def _copy(self, of: Play) -> Play:
        """Shoes aren't copied: they hold keys, and the recorded one of a hand is made in no time."""
        shoe = of.shoe
        if of.hand is not None and self._shoes.knows(of.hand):
            shoe = self._shoes.of(of.hand)
        return Play(of.id, deepcopy(of.table), deepcopy(of.hand), shoe)


def readjudicate(commits: Iterable[RecordedCommit], keyholder: Keyholder) -> Iterator[tuple[RecordedCommit, Verdict]]:
    """Decide all commits again, in the order of their log: each with what that came to."""
    tables: dict[str, Again] = {}
    for commit in commits:
        table = table_of(commit.args)
        if table not in tables:
            tables[table] = Again(table, keyholder)
        yield commit, tables[table].take(commit)
