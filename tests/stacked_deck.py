"""A deck that is stacked while its hand is played: each seat gets the cards named for it, whoever folds or draws."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.cards import FACES
from domain.cards import cards as cards_of
from domain.hand.events import BoardDealt, CardsDealt

BOARD = 0
"""Stands among the seats for the community cards."""

SWAPS_AT_MOST = 1000


class StackedDeck:
    """`cards` by seat and `board`: cards in the order in which each gets them, dealt or drawn. Cards that nobody names
    are arbitrary, but none that is still to come.

    Who gets which index of a shoe depends on the play. So the hand is played; the first card that went wrong is swapped
    with the right one, in the deck or in the reshuffled pile where it lay; and the hand is played again from its
    opening. All that came before that card stays as it was.
    """

    def __init__(self, deck: Sequence[int], cards: Mapping[int, str], board: str = "") -> None:
        self.named = {BOARD: cards_of(board)} | {seat: cards_of(text) for seat, text in cards.items()}
        self.orders = [list(deck)]
        self.reshuffles = self.swaps = 0

    def fresh(self) -> tuple[int, ...]:
        """The deck as it now lies, for playing the hand from its opening."""
        self.reshuffles = 0
        return tuple(self.orders[0])

    def shuffle(self, pile: Sequence[int]) -> tuple[int, ...]:
        """The order found so far for this reshuffle of the hand."""
        self.reshuffles += 1
        known = self.orders[self.reshuffles :]
        if not known or sorted(known[0]) != sorted(pile):
            self.orders[self.reshuffles :] = [list(pile)]
        return tuple(self.orders[self.reshuffles])

    def put_right(self, facts: Iterable[Any]) -> bool:
        """Swap the first card that went wrong with the right one; False where none did."""
        coming = {seat: list(cards) for seat, cards in self.named.items()}
        dealt: set[int] = set()
        for one in facts:
            if not isinstance(one, CardsDealt | BoardDealt):
                continue
            mine = coming.setdefault(one.seat if isinstance(one, CardsDealt) else BOARD, [])
            for index, card in zip(one.indices, one.cards, strict=True):
                right = {mine.pop(0)} if mine else set(range(len(FACES))).difference(*coming.values())
                if card not in right:
                    self._swap(index, right, dealt)
                    return True
                dealt.add(index)
        return False

    def _swap(self, index: int, right: set[int], dealt: set[int]) -> None:
        """Indices go on from the deck to the first reshuffled pile, and to the next.

        A reshuffled card that is passed over for one player may, swapped, not be for him: he is put right next.
        """
        self.swaps += 1
        assert self.swaps < SWAPS_AT_MOST, "the deck can't be stacked so: somebody would get a card that he discarded"
        start = 0
        for order in self.orders:
            if index < start + len(order):
                break
            start += len(order)
        for place, card in enumerate(order, start=start):
            if card in right and place not in dealt:
                order[index - start], order[place - start] = card, order[index - start]
                return
        wanted = FACES[right.pop()] if len(right) == 1 else "a card that nobody names"
        raise AssertionError(f"{wanted} can't come at index {index}: it has left the shoe, or is named twice")
