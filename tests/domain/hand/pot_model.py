"""A second, slow opinion on who wins what, written from rules.md section 3 alone: chip by chip, from the facts.

It shares no code with pots.py and showdown.py: pots are found layer by layer of one chip, a pot is dealt out one unit
at a time around its winners, high hands are ranked by phevaluator, low hands by trying every five cards.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import Any

from phevaluator import evaluate_cards, evaluate_omaha_cards

from domain.cards import FACES
from domain.hand import events as fact
from domain.hand.events import MuckedBecause, PostKind


class Reckoning:
    """What the facts of a settled hand ought to pay: `pots` before rake, and `won` by seat."""

    def __init__(self, facts: Sequence[Any]) -> None:
        self.opened: fact.HandOpened = facts[0]
        self.put_in: Counter[int] = Counter({one.seat: 0 for one in self.opened.seats})
        self.dead = 0
        self.folded: set[int] = set()
        self.given_up: set[int] = set()
        self.cards: dict[int, tuple[int, ...]] = {}
        self.board: tuple[int, ...] = ()
        self.rake: tuple[int, ...] = ()
        for one in facts[1:]:
            self._take(one)
        self.in_hand = [seat for seat in self._from_the_left_of_the_button() if seat not in self.folded]
        pots = [(chips, seats) for seats, chips in self._pots()]
        self.pots = [chips for chips, _ in pots]
        self.won = self._pay(pots)

    def _take(self, one: Any) -> None:
        match one:
            case fact.BlindPosted(kind=kind, live=live) if live or kind is PostKind.ANTE:
                self.put_in[one.seat] += one.amount
            case fact.BlindPosted():
                self.dead += one.amount
            case fact.Called() | fact.BetMade() | fact.Raised():
                self.put_in[one.seat] += one.amount
            case fact.UncalledBetReturned():
                others = [chips for seat, chips in self.put_in.items() if seat != one.seat]
                assert one.amount == self.put_in[one.seat] - max(others), f"nobody called {one}, or somebody did"
                self.put_in[one.seat] -= one.amount
            case fact.BetsCollected():
                (_, most), (_, next_most) = self.put_in.most_common(2)
                assert most == next_most, "a bet that nobody called lies in the pots"
            case fact.Folded():
                self.folded.add(one.seat)
            case fact.HandMucked(because=MuckedBecause.GIVEN_UP):
                self.given_up.add(one.seat)
            case fact.CardsDealt():
                self.cards[one.seat] = self.cards.get(one.seat, ()) + one.cards
            case fact.BoardDealt():
                self.board += one.cards
            case fact.RakeTaken():
                self.rake = one.by_pot

    def _from_the_left_of_the_button(self) -> list[int]:
        seats = sorted(self.put_in)
        return [seat for seat in seats if seat > self.opened.button] + [
            seat for seat in seats if seat <= self.opened.button
        ]

    def _pots(self) -> list[tuple[tuple[int, ...], int]]:
        """(those who may win it, chips): layer by layer of one chip from each, equal neighbours together. A layer that
        only folded players reach falls to those of the layer below. The ground, below the first chip, is the dead
        money, which all contest: a player whose last chips were dead contests nothing else."""
        layers: list[tuple[tuple[int, ...], int]] = [(tuple(self.in_hand), self.dead)]
        for height in range(1, max(self.put_in.values()) + 1):
            who = tuple(seat for seat in self.in_hand if self.put_in[seat] >= height) or layers[-1][0]
            layers.append((who, sum(1 for chips in self.put_in.values() if chips >= height)))
        return [(who, sum(chips for _, chips in same)) for who, same in groupby(layers, key=lambda layer: layer[0])]

    def _pay(self, pots: list[tuple[int, tuple[int, ...]]]) -> dict[int, int]:
        won: Counter[int] = Counter()
        for number, (chips, seats) in enumerate(pots):
            left = [seat for seat in seats if seat not in self.given_up]
            for part, winners in self._parts(chips - (self.rake[number] if self.rake else 0), left):
                won += deal_out(part, winners, self.opened.chip_unit)
        return dict(won)

    def _parts(self, chips: int, seats: list[int]) -> list[tuple[int, list[int]]]:
        if len(seats) == 1:
            return [(chips, seats)]
        highs = best(seats, {seat: self._high(seat) for seat in seats})
        lows = {seat: low for seat in seats if (low := self._low(seat))}
        if not lows:
            return [(chips, highs)]
        halves = deal_out(chips, [0, 1], self.opened.chip_unit)
        return [(halves[0], highs), (halves[1], best(list(lows), lows))]

    def _high(self, seat: int) -> Any:
        named = [FACES[card] for card in (*self.board, *self.cards[seat])]
        return evaluate_omaha_cards(*named) if self.opened.game.startswith("omaha") else evaluate_cards(*named)

    def _low(self, seat: int) -> Any:
        """The ranks of the best low, the highest first, the ace as one; None where none qualifies."""
        if self.opened.game != "omaha-hilo":
            return None
        fives = (own + table for own in combinations(self.cards[seat], 2) for table in combinations(self.board, 3))
        ranks = [sorted(((card // 4 + 1) % 13 + 1 for card in five), reverse=True) for five in fives]
        return min((five for five in ranks if five[0] <= 8 and len(set(five)) == 5), default=None)


def best(seats: list[int], worth: dict[int, Any]) -> list[int]:
    """Those of the smallest worth, in their order."""
    return [seat for seat in seats if worth[seat] == min(worth[other] for other in seats)]


def deal_out(chips: int, winners: Sequence[int], unit: int) -> Counter[int]:
    """Unit by unit around the winners, the last piece as it comes."""
    shares: Counter[int] = Counter()
    turn = 0
    while chips:
        piece = min(unit, chips)
        shares[winners[turn % len(winners)]] += piece
        chips -= piece
        turn += 1
    return shares
