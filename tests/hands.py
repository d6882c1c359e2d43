"""Hands for tests: opened from the terms of a table, the deck rigged, then played by sentences: "3 raises to 16".

`open_hand_for` rigs the cards of the opening and the board; `stacked` also those that come later, as the play has it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from domain.cards import cards as cards_of
from domain.cards import deck as deck_from
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.events import PostKind
from domain.hand.invariants import check
from domain.hand.state import Hand, clockwise, evolve
from domain.messages import SECOND, Refused
from domain.money import SCALES, Money, decimal_text
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.stakes import resolve
from domain.rules.vocabulary import Forced
from domain.table.decider import hand_under
from domain.table.seating import ordinary_posts
from tests.stacked_deck import StackedDeck

T = TypeVar("T")


def open_hand_for(
    game: str = "holdem",
    limit: str = "no",
    stakes: tuple[int, int] = (1, 2),
    *,
    stacks: Sequence[int] | Mapping[int, int],
    button: int | None = None,
    cards: Mapping[int, str] | None = None,
    board: str = "",
    rulebook: str = "euro",
    kind: str = "play",
    currency: str = "",
    seats: int = 0,
    chip_unit: int = 1,
    maxima: tuple[int, ...] = (),
    ante: int = 0,
    bring_in: int = 0,
    posts: Sequence[fact.Post] | None = None,
) -> fact.HandOpened:
    """The opening of a hand as a table with these terms would give it.

    `stakes` as `resolve` reads them. `stacks` by seat, or of the seats from 1 on. `button`: the last seat by default,
    none in ante games. `cards` by seat, those of the first street, and `board` come off the deck in the order of the
    deal; cards that nobody names are arbitrary.
    `seats` of the table: those dealt in, but three at least, so that a hand of two isn't one of a heads-up table.
    `posts`: the ordinary ones by default.
    """
    by_seat = dict(stacks) if isinstance(stacks, Mapping) else dict(enumerate(stacks, start=1))
    currency = currency or {"play": "PLAY", "tournament": "CHIPS", "real": "EUR"}[kind]
    terms = resolve(
        game, limit, rulebook, *stakes, kind=kind, currency=currency, seats=seats or max(3, len(by_seat)),
        chip_unit=chip_unit, maxima=maxima, ante=ante, bring_in=bring_in,
    )  # fmt: skip
    declared = GAMES_BY_NAME[game]
    button = (button or max(by_seat)) if declared.forced is Forced.BLINDS else 0
    order = clockwise(by_seat, button)
    return hand_under(
        terms,
        table="t1",
        number=1,
        clocks=fact.Clocks(),
        button=button,
        seats=tuple(fact.DealtIn(seat, f"player{seat}", stack) for seat, stack in sorted(by_seat.items())),
        posts=ordinary_posts(terms.stakes, sorted(by_seat), button) if posts is None else posts,
        deck=rigged_deck(order, declared.streets[0].own, cards or {}, board, declared.lowest_rank),
    )


def ante_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.ANTE, amount, live=False)


def small_blind_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.SMALL_BLIND, amount, live=True)


def big_blind_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.BIG_BLIND, amount, live=True)


def late_blind_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.LATE_BLIND, amount, live=True)


def dead_blind_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.DEAD_BLIND, amount, live=False)


def table_ante_of(seat: int, amount: int) -> fact.Post:
    return fact.Post(seat, PostKind.TABLE_ANTE, amount, live=False)


def rigged_deck(
    order: Sequence[int], each: int, cards: Mapping[int, str], board: str, lowest_rank: int = 0
) -> tuple[int, ...]:
    """A deck that deals these cards one at a time clockwise from the left of the button, then the board."""
    named = {seat: list(cards_of(text)) for seat, text in cards.items()}
    the_board = list(cards_of(board))
    taken = [card for hole in named.values() for card in hole] + the_board
    assert len(set(taken)) == len(taken), f"a card stands twice in {cards} {board}"
    free = [card for card in deck_from(lowest_rank) if card not in taken]
    hands = [named.get(seat) or [free.pop(0) for _ in range(each)] for seat in order]
    assert all(len(hole) == each for hole in hands), f"{each} cards for each hand of this game, not {cards}"
    return (*(hole[round_of] for round_of in range(each) for hole in hands), *the_board, *free)


class Table:
    """A hand under play, with all its facts; every invariant is checked after each decision.

    A `stacked` deck is put right as the hand is played, which is then played again from its opening: `hand` and `facts`
    are others after that.
    """

    def __init__(self, opened: fact.HandOpened, stacked: StackedDeck | None = None) -> None:
        self.opened, self.stacked = opened, stacked
        self.said: list[str] = []
        self._play_from_the_opening()
        self._put_right()

    def do(self, *sentences: str) -> "Table":
        """Play sentences in turn; returns itself."""
        for sentence in sentences:
            self._play(sentence)
            self.said.append(sentence)
            self._put_right()
        return self

    def _play_from_the_opening(self) -> None:
        opened = replace(self.opened, deck=self.stacked.fresh()) if self.stacked else self.opened
        self.shoe = OpenShoe(open_deck(opened.deck), self.stacked.shuffle if self.stacked else as_it_lies)
        self.hand: Hand = open_hand(opened, self.shoe)
        self.facts: list[Any] = list(self.hand.facts)
        check(self.hand, self.shoe)
        for sentence in self.said:
            self._play(sentence)

    def _play(self, sentence: str) -> None:
        self.facts += decide(self.hand, command_of(self.hand, sentence), self.shoe)
        check(self.hand, self.shoe)

    def _put_right(self) -> None:
        while self.stacked and self.stacked.put_right(self.facts):
            self._play_from_the_opening()

    def refusal(self, sentence: str) -> str:
        """The words in which a sentence is refused; fails where it isn't, or where anything of the hand changed."""
        return self.refusal_of(command_of(self.hand, sentence))

    def refusal_of(self, command: Any) -> str:
        before = everything_in(self.hand)
        with pytest.raises(Refused) as refused:
            decide(self.hand, command, self.shoe)
        assert everything_in(self.hand) == before, f"refusing {command} changed the hand"
        return str(refused.value)

    def found(self, kind: type[T]) -> list[T]:
        """All facts of one kind, in order."""
        return [one for one in self.facts if type(one) is kind]

    @property
    def awaited(self) -> tuple[int, str]:
        """Who is to act and what is legal: (3, "call 2, raise 4..200"); (0, "") where nobody is."""
        turn = self.hand.turn
        return (turn.seat, legal_text(self.hand)) if turn else (0, "")

    @property
    def stacks(self) -> dict[int, int]:
        return {one.seat: self.hand.stack[one.seat] for one in self.hand.opened.seats}

    @property
    def won(self) -> dict[int, int]:
        """What each seat was awarded, of all pots."""
        total: dict[int, int] = {}
        for award in self.found(fact.PotAwarded):
            total[award.seat] = total.get(award.seat, 0) + award.amount
        return total

    @property
    def pots(self) -> tuple[int, ...]:
        return self.hand.pots


def as_it_lies(pile: Sequence[int]) -> Sequence[int]:
    """A shuffle for hands whose reshuffled cards don't matter."""
    return pile


def played(opened: fact.HandOpened, *sentences: str) -> Table:
    return Table(opened).do(*sentences)


def stacked(*opening: Any, cards: Mapping[int, str], board: str = "", **terms: Any) -> Table:
    """A hand opened as by `open_hand_for`, in which each seat gets its `cards` in the order named, dealt or drawn,
    whoever folds or draws; so does the `board`, a community card of stud included. Other cards are arbitrary."""
    opened = open_hand_for(*opening, **terms)
    return Table(opened, StackedDeck(open_deck(opened.deck), cards, board))


def on_the_flop(behind: Sequence[int], limit: str = "no", stakes: tuple[int, int] = (5, 10), **terms: Any) -> Table:
    """Three or more players who called the big blind and now have these chips left, by seat from 1; the last is the
    button. With n players the pot is n big blinds, and seat 1 is to act."""
    big_blind = stakes[0] if limit == "fixed" else stakes[1]
    players = len(behind)
    table = Table(open_hand_for(limit=limit, stakes=stakes, stacks=[chips + big_blind for chips in behind], **terms))
    return table.do(*(f"{seat} calls" for seat in [*range(3, players + 1), 1]), "2 checks")


ANSWERS: dict[str, tuple[Any, ...]] = {
    "folds": (ask.Fold,),
    "checks": (ask.Check,),
    "calls": (ask.Call,),
    "stands pat": (ask.Draw, ()),
    "is late to draw": (ask.DrawTooLate,),
    "is late to act": (ask.ActTooLate,),
    "is protected": (ask.Protect,),
    "votes to split": (ask.VoteToSplit, True),
    "refuses to split": (ask.VoteToSplit, False),
}
WAGERS = {"bets": ask.Bet, "raises to": ask.Raise, "brings in for": ask.BringIn}
WISHES = {"gives up at the showdown": ask.GiveUpAtShowdown, "asks to show": ask.AskToShow, "leaves": ask.Leave}
"""What may be said out of turn."""

SENTENCE = re.compile(
    rf"no owner for (?P<gap>\d+) s|(?P<seat>\d+) (?:(?P<answer>{'|'.join(ANSWERS)})|(?P<wish>{'|'.join(WISHES)})"
    rf"|(?P<wager>{'|'.join(WAGERS)}) (?P<chips>[\d.]+)"
    r"|draws (?P<count>\d): (?P<discards>(?:[2-9TJQKA][cdhs] ?)+))"
)
"""What a dealer would say. The completion of a bring-in is a raise: "3 raises to 2". That the room had no working owner
for so long cancels the hand."""


def command_of(hand: Hand, sentence: str, decision: int | None = None) -> Any:
    """The command that a sentence means, as an answer to the decision awaited."""
    read = SENTENCE.fullmatch(sentence)
    assert read, f"not a sentence of play: {sentence!r}"
    if read["gap"]:
        return ask.CancelHand(hand.id, int(read["gap"]) * SECOND)
    seat = int(read["seat"])
    if read["wish"]:
        return WISHES[read["wish"]](hand.id, seat)
    answers = (hand.id, hand.decision if decision is None else decision, seat)
    if read["answer"]:
        command, *rest = ANSWERS[read["answer"]]
        return command(*answers, *rest)
    if read["wager"]:
        return WAGERS[read["wager"]](*answers, chips(hand, read["chips"]))
    discards = cards_of(read["discards"])
    assert len(discards) == int(read["count"]), f"{len(discards)} cards are named: {sentence!r}"
    return ask.Draw(*answers, tuple(index_of(hand, seat, card) for card in discards))


def chips(hand: Hand, text: str) -> int:
    return Money.parse(text, hand.opened.currency).amount


def index_of(hand: Hand, seat: int, card: int) -> int:
    """The index of a card that the seat holds; of another card, that which it has in the deck."""
    held = dict(zip(hole_of(hand, seat), hand.dealt[seat], strict=True))
    return held[card] if card in held else open_deck(hand.opened.deck).index(card)


def legal_text(hand: Hand) -> str:
    """What the awaited decision allows besides a fold."""
    turn = hand.turn
    match turn:
        case fact.BringInOwed():
            return f"bring in {span(hand, turn.least, turn.most)}"
        case fact.DrawOffered():
            return f"draw 0..{turn.most}"
        case fact.SplitOffered() if not hand.stack[turn.seat]:
            return "vote or refuse"
        case fact.SplitOffered():
            *ways, last = [*actions(hand, turn), "vote"]
            return f"{', '.join(ways)}{',' * (len(ways) > 1)} or {last}"
        case fact.TurnGiven():
            return ", ".join(actions(hand, turn))
    raise AssertionError(f"hand {hand.id} awaits nothing")


def actions(hand: Hand, turn: fact.TurnGiven | fact.SplitOffered) -> list[str]:
    first = f"call {amount_text(hand, turn.call)}" if turn.call else "check"
    word = "raise" if hand.wager else "bet"
    return [first, f"{word} {span(hand, turn.least, turn.most)}"] if turn.most else [first]


def span(hand: Hand, least: int, most: int) -> str:
    """All amounts between two; in fixed limit those two alone."""
    if least == most:
        return amount_text(hand, least)
    return f"{amount_text(hand, least)}{' or ' if hand.fixed else '..'}{amount_text(hand, most)}"


def amount_text(hand: Hand, amount: int) -> str:
    return decimal_text(amount, SCALES[hand.opened.currency])


def open_deck(deck: fact.Deck) -> tuple[int, ...]:
    """The order of a deck, or of a pile that was reshuffled, which isn't sealed."""
    assert not isinstance(deck, fact.SealedDeck), "the deck is sealed"
    return deck


def hole_of(hand: Hand, seat: int) -> tuple[int, ...]:
    """What a seat holds, where none of it is sealed."""
    return open_cards(hand.hole[seat])


def open_cards(cards: Iterable[int | str]) -> tuple[int, ...]:
    """Cards of which none is sealed."""
    return tuple([as_open(card) for card in cards])


def as_open(card: int | str) -> int:
    assert isinstance(card, int), f"a card is sealed: {card}"
    return card


STATE = [slot for slot in Hand.__slots__ if slot != "facts"]
"""All slots but the one that holds the facts of the decision under way."""


def everything_in(hand: Hand) -> dict[str, Any]:
    """A copy of every slot of the state."""
    return {slot: deepcopy(getattr(hand, slot)) for slot in STATE}


def replayed(facts: Sequence[Any]) -> Hand:
    """The hand that facts alone make."""
    hand: Hand | None = None
    for one in facts:
        hand = evolve(hand, one)
    assert hand
    return hand
