"""What hands are worth and who may lay his down, a second time, from rules.md sections 3 and 4.

High hands are ranked by phevaluator or by the ranking model; low ones by trying fives; Telesina, whose shared card must
be known, by the evaluator, which the tests of its sentences prove.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from phevaluator import evaluate_cards, evaluate_omaha_cards

from domain.cards import cards as cards_of
from domain.rules.evaluation import evaluator
from tests.domain.hand.games_model import Plan
from tests.domain.ranking_model import KEYS

Cards = tuple[int, ...]

TOP_HEARTS, LAST_SPADES = frozenset(cards_of("Th Jh Qh Kh Ah")), frozenset(cards_of("As 7s 8s 9s Ts"))


def high_of(plan: Plan, own: Cards, board: Cards) -> Any:
    """Higher is better."""
    if plan.from_two_of_hand:
        return -evaluate_omaha_cards(*board, *own)
    if plan.high == "standard":
        return -evaluate_cards(*own, *board)
    if plan.high == "telesina":
        return evaluator("telesina", None)(own, board)
    return KEYS[plan.high][1](own)


def low_of(plan: Plan, own: Cards, board: Cards) -> list[int] | None:
    """The ranks of the best low, the highest first, the ace as one: lower is better; None where none qualifies."""
    if not plan.low:
        return None
    return min((five for five in _lows(plan, own, board) if len(five) == 5 and five[0] <= 8), default=None)


def _lows(plan: Plan, own: Cards, board: Cards) -> Iterator[list[int]]:
    if plan.from_two_of_hand:
        for two in combinations(own, 2):
            for three in combinations(board, 3):
                yield sorted({low_rank(card) for card in two + three}, reverse=True)
    else:
        yield sorted(sorted({low_rank(card) for card in own + board})[:5], reverse=True)


def low_rank(card: int) -> int:
    return (card // 4 + 1) % 13 + 1


class Showdown:
    """The hands of those who came to it; `told` gives the cards of a seat, `board` those of all."""

    def __init__(self, plan: Plan, told: Callable[[int], Cards], board: Cards, seats: Sequence[int]) -> None:
        self.plan = plan
        self.cards = {seat: (*told(seat), *board) for seat in seats}
        self.high = {seat: high_of(plan, told(seat), board) for seat in seats}
        self.low = {seat: low_of(plan, told(seat), board) for seat in seats}
        self.the_royal_was_beaten = False

    def beats(self, one: int, other: int, players: int) -> bool:
        """Whether a high hand beats another in a pot that so many contest; Telesina has an exception for two."""
        if self.plan.high == "telesina" and players == 2:
            if self._is_best_of(one, LAST_SPADES) and self._is_best_of(other, TOP_HEARTS):
                self.the_royal_was_beaten = True
                return True
            if self._is_best_of(other, LAST_SPADES) and self._is_best_of(one, TOP_HEARTS):
                return False
        return bool(self.high[one] > self.high[other])

    def _is_best_of(self, seat: int, five: frozenset[int]) -> bool:
        return five <= set(self.cards[seat]) and self.high[seat] == evaluator("telesina", None)(tuple(five), ())

    def lower(self, one: int, other: int) -> bool:
        """Whether a low hand beats another; one that doesn't qualify beats none."""
        mine, theirs = self.low[one], self.low[other]
        return mine is not None and (theirs is None or mine < theirs)

    def best_high(self, seats: Sequence[int], players: int) -> list[int]:
        return [seat for seat in seats if not any(self.beats(other, seat, players) for other in seats)]

    def best_low(self, seats: Sequence[int]) -> list[int]:
        """Nobody where no low qualifies."""
        lows = [seat for seat in seats if self.low[seat] is not None]
        return [seat for seat in lows if not any(self.lower(other, seat) for other in lows)]

    def can_share(self, seat: int, shown: Sequence[int], players: int) -> bool:
        """Whether the hand can win or share a part of a pot against those that were shown for it."""
        unbeaten = not any(self.beats(other, seat, players) for other in shown)
        return unbeaten or (self.low[seat] is not None and not any(self.lower(other, seat) for other in shown))


def showing_key(plan: Plan, up: Sequence[int]) -> tuple[Any, ...]:
    """What hands showing compare: how many of a rank, then the ranks; Soko's four cards of a flush or a straight stand
    between two pair and a pair."""
    ranks = sorted((card // 4 for card in up), key=lambda rank: (-[c // 4 for c in up].count(rank), -rank))
    often = tuple(sorted((ranks.count(rank) for rank in set(ranks)), reverse=True))
    if plan.high == "soko" and len(up) == 4 and often <= (2, 1, 1):
        if len({card % 4 for card in up}) == 1:
            return ((2, 1, 2), tuple(ranks))
        if len(set(ranks)) == 4 and (max(ranks) - min(ranks) == 3 or set(ranks) == {0, 1, 2, 12}):
            return ((2, 1, 1, 5), (2 if set(ranks) == {0, 1, 2, 12} else max(ranks),))
    return (often, tuple(ranks))
