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
from domain.desk import Desk, evolve_desk, nobody_yet, owner_of, play_desk
from domain.hand.dealing import CardSealed, SealBroken, Shoe
from domain.hand.decider import decide, open_hand
from domain.hand.events import BoardDealt, CardsDealt, DeckReshuffled, HandOpened, HandShown
from domain.hand.state import Hand
from domain.messages import Facts, Refused, table_stream
from domain.rules.registry import game_at
from domain.rulings.recorded_shoe import Keyholder, RecordedShoes
from domain.table.events import BlindsMissed, HandStarted, Leaving, PlayerLeaving
from domain.table.play import Play, facts_of_hand
from domain.transfers import NoticeSent

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

    What its table had to do with that opening (who sat there, with how much, where the button was, whom the blinds
    passed by) is taken as pinned: to decide that again, decide the table again.
    """
    opened = next(fact.event for fact in commits[0].facts if type(fact.event) is HandOpened)
    shoes = RecordedShoes(keyholder)
    hand: Hand | None = None
    shoe: Shoe | None = None

    def again(commit: RecordedCommit) -> list[Facts]:
        nonlocal hand, shoe
        shoes.feed(fact.event for fact in commit.facts)
        if hand is not None and shoe is not None:
            return _beside_the_table(commit, facts_of_hand(hand, decide(hand, commit.args, shoe)))
        id_ = f"{opened.table}-{opened.number}"
        shoe = shoes.new(id_, deck(game_at(opened.game, opened.game_revision).lowest_rank))
        hand = open_hand(opened, shoe)
        started = (table_stream(opened.table), [HandStarted(id_, opened.number, opened.button, _entered(commit))])
        return _beside_the_table(commit, [started, *facts_of_hand(hand, hand.facts)])

    return next((found for commit in commits if (found := compare(commit, partial(again, commit)))), None)


def _beside_the_table(commit: RecordedCommit, decided: list[Facts]) -> list[Facts]:
    """What was decided, with the facts that only the table could decide again where they were recorded."""
    facts: list[Facts] = [(stream, [event]) for stream, events in decided for event in events]
    for index, fact in enumerate(commit.facts):
        if _is_the_table_s(fact.event):
            facts.insert(index, (fact.stream, [fact.event]))
    return facts


def _is_the_table_s(event: Any) -> bool:
    if type(event) is PlayerLeaving:
        return event.why is Leaving.MISSED_BLINDS
    return type(event) in (BlindsMissed, NoticeSent)


def _entered(commit: RecordedCommit) -> tuple[int, ...]:
    return next((fact.event.entered for fact in commit.facts if type(fact.event) is HandStarted), ())


class Again:
    """One owner, a table with its hands or a patron, decided again commit by commit from its first one on.

    Beside the owner as decided, it keeps the owner as recorded, and goes on from there after a divergence: one wrong
    fact is named once, not again in every hand that follows. Where the recorded facts can't even be folded, it goes on
    from what was decided.
    """

    def __init__(self, owner: str, keyholder: Keyholder) -> None:
        self._recorded = nobody_yet(owner)
        self._decided = nobody_yet(owner)
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
        return play_desk(self._decided, commit.args, self._shoes, commit.at)

    def _fold(self, commit: RecordedCommit) -> None:
        for stream, _, event in commit.facts:
            evolve_desk(self._recorded, stream, event)

    def _copy(self, of: Desk) -> Desk:
        """Shoes aren't copied: they hold keys, and the recorded one of a hand is made in no time."""
        if not isinstance(of, Play):
            return deepcopy(of)
        shoe = of.shoe
        if of.hand is not None and self._shoes.knows(of.hand):
            shoe = self._shoes.of(of.hand)
        return Play(of.id, deepcopy(of.table), deepcopy(of.hand), shoe)


def readjudicate(commits: Iterable[RecordedCommit], keyholder: Keyholder) -> Iterator[tuple[RecordedCommit, Verdict]]:
    """Decide all commits again, in the order of their log: each with what that came to."""
    owners: dict[str, Again] = {}
    for commit in commits:
        owner = owner_of(commit.args)
        if owner not in owners:
            owners[owner] = Again(owner, keyholder)
        yield commit, owners[owner].take(commit)
