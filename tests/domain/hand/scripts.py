"""A hand as a script: its cards and all that its players do, in the words and the numbering of PHH, so that another
program can play it.

PHH counts players from 1, the first to be dealt a card; its words are those of `Step`. Where a draw is under way it has
all players discard first and deals afterwards: the same cards, since nobody acts in between.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.cards import FACES, deck
from domain.cards import cards as cards_of
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import Shoe
from domain.hand.state import Hand, clockwise
from tests.hands import open_cards

DECISIONS = ("pb", "sd", "f", "cc", "cbr")


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a script. `word`: dh (deal to a player), db (to the board), sd (stand pat or discard), pb (post the
    bring-in), f (fold), cc (check or call), cbr (complete, bet or raise) to `amount`.

    `legal`: what we said was legal there; it is no part of the script and None where that was read from a text.
    """

    word: str
    player: int = 0
    cards: str = ""
    amount: int = 0
    legal: fact.TurnGiven | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Script:
    """`seats` and `stacks` by player."""

    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    steps: tuple[Step, ...]

    @property
    def decisions(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.word in DECISIONS)


def script_of(facts: Sequence[Any]) -> Script:
    """The script of a hand that is over."""
    opened: fact.HandOpened = facts[0]
    stacks = {one.seat: one.stack for one in opened.seats}
    seats = clockwise(stacks, opened.button)
    steps = _discards_first(_steps(facts, {seat: number for number, seat in enumerate(seats, start=1)}))
    return Script(tuple(seats), tuple(stacks[seat] for seat in seats), tuple(steps))


def _steps(facts: Sequence[Any], player: Mapping[int, int]) -> Iterator[Step]:
    face: dict[int, str] = {}
    legal: fact.TurnGiven | None = None
    for one in facts:
        match one:
            case fact.TurnGiven():
                legal = one
            case fact.CardsDealt(seat, indices, cards):
                face |= zip(indices, map(FACES.__getitem__, open_cards(cards)), strict=True)
                yield Step("dh", player[seat], "".join(face[index] for index in indices))
            case fact.BoardDealt(cards=cards):
                yield Step("db", cards="".join(FACES[card] for card in cards))
            case fact.CardsDiscarded(seat, indices):
                yield Step("sd", player[seat], "".join(face[index] for index in indices))
            case fact.BroughtIn(seat, amount):
                full = amount > facts[0].stakes.bring_in
                yield Step("cbr", player[seat], amount=amount) if full else Step("pb", player[seat])
            case fact.StoodPat(seat):
                yield Step("sd", player[seat])
            case fact.Folded(seat):
                yield Step("f", player[seat], legal=legal)
            case fact.Checked(seat) | fact.Called(seat):
                yield Step("cc", player[seat], legal=legal)
            case fact.BetMade(seat=seat, to=to) | fact.Raised(seat=seat, to=to):
                yield Step("cbr", player[seat], amount=to, legal=legal)


def _discards_first(steps: Iterable[Step]) -> Iterator[Step]:
    """The deals of a draw behind the last of its discards."""
    drawn, dealt = set[int](), list[Step]()
    for step in steps:
        if drawn and step.word == "dh":
            dealt.append(step)
            continue
        if step.word != "sd" or step.player in drawn:
            yield from dealt
            drawn.clear()
            dealt.clear()
        if step.word == "sd":
            drawn.add(step.player)
        yield step
    yield from dealt


def command_of(hand: Hand, shoe: Shoe, step: Step, seat: int) -> Any:
    """The decision of a step as a command that answers what the hand awaits."""
    answers = (hand.id, hand.decision, seat)
    turn = hand.turn
    if isinstance(turn, fact.BringInOwed):
        return ask.BringIn(*answers, step.amount or turn.least)
    if isinstance(turn, fact.DrawOffered):
        thrown = cards_of(step.cards)
        return ask.Draw(*answers, tuple([index for index in hand.dealt[seat] if shoe.card(index) in thrown]))
    assert turn
    if step.word == "f":
        return ask.Fold(*answers)
    if step.word == "cc":
        return ask.Call(*answers) if turn.call else ask.Check(*answers)
    return (ask.Raise if hand.wager else ask.Bet)(*answers, step.amount)


def deck_of(script: Script, lowest_rank: int = 0) -> tuple[int, ...]:
    """A deck that deals the script's cards one at a time, those of a draw all at once, then the others. Of no use where
    the script's deck was reshuffled."""
    order: list[int] = []
    for before, dealt in _deals(script.steps):
        together = [cards_of(step.cards) for step in dealt]
        for hands in [together] if before != "sd" else [[cards] for cards in together]:
            order += [card for one_each in zip(*hands, strict=True) for card in one_each]
    return (*order, *(card for card in deck(lowest_rank) if card not in order))


def _deals(steps: Iterable[Step]) -> Iterator[tuple[str, list[Step]]]:
    """The deals of one card or more to some players or the board, with the word that stands before."""
    before, dealt = "", list[Step]()
    for step in (*steps, Step("")):
        deals = step.word in ("dh", "db")
        if dealt and (not deals or step.player in [one.player for one in dealt] or step.word != dealt[0].word):
            yield before, dealt
            dealt = []
        if deals:
            dealt.append(step)
        else:
            before = step.word
