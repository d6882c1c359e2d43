"""Hands for tests: opened from the terms of a table, the deck rigged, then played by sentences: "3 raises to 16"."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeVar

import pytest

from domain.cards import cards as cards_of
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.events import PostKind
from domain.hand.invariants import check
from domain.hand.state import Hand, clockwise, evolve
from domain.messages import Refused
from domain.money import SCALES, Money, decimal_text
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.stakes import resolve
from domain.table.decider import hand_under, ordinary_posts

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
    posts: Sequence[fact.Post] | None = None,
) -> fact.HandOpened:
    """The opening of a hand as a table with these terms would give it.

    `stakes` as `resolve` reads them. `stacks` by seat, or of the seats from 1 on. `button`: the last seat by default.
    `cards` by seat and `board` come off the deck in the order of the deal; cards that nobody names are arbitrary.
    `seats` of the table: those dealt in, but three at least, so that a hand of two isn't one of a heads-up table.
    `posts`: the ordinary ones by default.
    """
    by_seat = dict(stacks) if isinstance(stacks, Mapping) else dict(enumerate(stacks, start=1))
    currency = currency or {"play": "PLAY", "tournament": "CHIPS", "real": "EUR"}[kind]
    terms = resolve(
        game, limit, rulebook, *stakes, kind=kind, currency=currency, seats=seats or max(3, len(by_seat)),
        chip_unit=chip_unit, maxima=maxima, ante=ante,
    )  # fmt: skip
    button = button or max(by_seat)
    order = clockwise(by_seat, button)
    return hand_under(
        terms,
        table="t1",
        number=1,
        clocks=fact.Clocks(),
        button=button,
        seats=tuple(fact.DealtIn(seat, f"player{seat}", stack) for seat, stack in sorted(by_seat.items())),
        posts=ordinary_posts(terms.stakes, sorted(by_seat), button) if posts is None else posts,
        deck=rigged_deck(order, len_of_hand(game), cards or {}, board),
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


def len_of_hand(game: str) -> int:
    return sum(street.down + street.up for street in GAMES_BY_NAME[game].streets)


def rigged_deck(order: Sequence[int], each: int, cards: Mapping[int, str], board: str) -> tuple[int, ...]:
    """A deck that deals these cards one at a time clockwise from the left of the button, then the board."""
    named = {seat: list(cards_of(text)) for seat, text in cards.items()}
    the_board = list(cards_of(board))
    taken = [card for hole in named.values() for card in hole] + the_board
    assert len(set(taken)) == len(taken), f"a card stands twice in {cards} {board}"
    free = [card for card in range(52) if card not in taken]
    hands = [named.get(seat) or [free.pop(0) for _ in range(each)] for seat in order]
    assert all(len(hole) == each for hole in hands), f"{each} cards for each hand of this game, not {cards}"
    return (*(hole[round_of] for round_of in range(each) for hole in hands), *the_board, *free)


class Table:
    """A hand under play, with all its facts; every invariant is checked after each decision."""

    def __init__(self, opened: fact.HandOpened) -> None:
        self.shoe = OpenShoe(opened.deck)
        self.hand: Hand = open_hand(opened, self.shoe)
        self.facts: list[Any] = list(self.hand.facts)
        check(self.hand)

    def do(self, *sentences: str) -> "Table":
        """Play sentences in turn; returns itself."""
        for sentence in sentences:
            self.facts += decide(self.hand, command_of(self.hand, sentence), self.shoe)
            check(self.hand)
        return self

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


def played(opened: fact.HandOpened, *sentences: str) -> Table:
    return Table(opened).do(*sentences)


def on_the_flop(behind: Sequence[int], limit: str = "no", stakes: tuple[int, int] = (5, 10), **terms: Any) -> Table:
    """Three or more players who called the big blind and now have these chips left, by seat from 1; the last is the
    button. With n players the pot is n big blinds, and seat 1 is to act."""
    big_blind = stakes[0] if limit == "fixed" else stakes[1]
    players = len(behind)
    table = Table(open_hand_for(limit=limit, stakes=stakes, stacks=[chips + big_blind for chips in behind], **terms))
    return table.do(*(f"{seat} calls" for seat in [*range(3, players + 1), 1]), "2 checks")


SENTENCE = re.compile(
    r"(\d+) (folds|checks|calls|bets ([\d.]+)|raises to ([\d.]+)|gives up at the showdown|asks to show)"
)


def command_of(hand: Hand, sentence: str, decision: int | None = None) -> Any:
    """The command that a sentence means, as an answer to the decision awaited."""
    read = SENTENCE.fullmatch(sentence)
    assert read, f"not a sentence of play: {sentence!r}"
    seat, does = int(read[1]), read[2].split()[0]
    answers = (hand.id, hand.decision if decision is None else decision, seat)
    match does:
        case "folds":
            return ask.Fold(*answers)
        case "checks":
            return ask.Check(*answers)
        case "calls":
            return ask.Call(*answers)
        case "bets":
            return ask.Bet(*answers, chips(hand, read[3]))
        case "raises":
            return ask.Raise(*answers, chips(hand, read[4]))
        case "gives":
            return ask.GiveUpAtShowdown(hand.id, seat)
        case _:
            return ask.AskToShow(hand.id, seat)


def chips(hand: Hand, text: str) -> int:
    return Money.parse(text, hand.opened.currency).amount


def legal_text(hand: Hand) -> str:
    """What the awaited decision allows besides a fold."""
    turn = hand.turn
    assert turn
    scale = SCALES[hand.opened.currency]
    least, most = decimal_text(turn.least, scale), decimal_text(turn.most, scale)
    first = f"call {decimal_text(turn.call, scale)}" if turn.call else "check"
    span = least if least == most else f"{least}..{most}"
    return f"{first}, {'raise' if hand.wager else 'bet'} {span}" if turn.most else first


NOT_STATE = "facts"
"""The slot that holds no state: the facts of the decision under way."""


def everything_in(hand: Hand) -> dict[str, Any]:
    """A copy of every slot of the state."""
    return {slot: deepcopy(getattr(hand, slot)) for slot in Hand.__slots__ if slot != NOT_STATE}


def replayed(facts: Sequence[Any]) -> Hand:
    """The hand that facts alone make."""
    hand: Hand | None = None
    for one in facts:
        hand = evolve(hand, one)
    assert hand
    return hand
