"""The shoe of a hand that was played: it gives again what the log recorded, and opens what somebody has the keys to.

Deciding again must come to the recorded facts, whose boxes nobody can make twice. So the shoe hands out the recorded
boxes, and where it can open them compares what they hold with the deck. A face that isn't sealed in the log, that of a
card dealt up, on the board or shown, is known without keys; no other is ever guessed.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from domain.hand import events as fact
from domain.hand.dealing import CardSealed, OpenShoe, SealBroken, Shoe
from domain.hand.state import Hand


class Keyholder(Protocol):
    """Opens what the log seals, None where it has no key. Raises SealBroken for a box that isn't what it should be."""

    def order(self, hand: str, first: int, deck: fact.SealedDeck) -> tuple[int, ...] | None:
        """The cards of a deck whose first one has that index."""

    def card(self, hand: str, seat: int, index: int, box: str) -> int | None:
        """A card that was dealt face down."""


class NoKeys:
    """Opens nothing."""

    def order(self, hand: str, first: int, deck: fact.SealedDeck) -> None:
        return None

    def card(self, hand: str, seat: int, index: int, box: str) -> None:
        return None


NO_KEYS = NoKeys()


class RecordedShoes:
    """Shoes for the hands of one table, in the order in which they were played: each commit's facts come first."""

    def __init__(self, keyholder: Keyholder) -> None:
        self._keyholder = keyholder
        self._played: _Played | None = None

    def feed(self, facts: Iterable[Any]) -> None:
        """Take note of what a commit recorded, before its command is decided again.

        Raises SealBroken for a deck that isn't what it should be, once: its cards are sealed from then on.
        """
        for event in facts:
            if type(event) is fact.HandOpened:
                self._played = _Played(event, self._keyholder)
            if self._played is not None:
                self._played.note(event)
        if self._played is not None:
            self._played.raise_if_broken()

    def new(self, hand: str, cards: Sequence[int]) -> Shoe:
        played = self._played
        if played is None or played.hand != hand or not played.is_a_deck_of(cards):
            return OpenShoe(cards, tuple)  # so that the opening comes out differently
        return RecordedShoe(played, 1)

    def knows(self, hand: Hand) -> bool:
        """Whether the log has an opening of this hand."""
        return self._played is not None and self._played.hand == hand.id

    def of(self, hand: Hand) -> Shoe:
        assert self._played is not None and self.knows(hand)
        return RecordedShoe(self._played, len(hand.decks))


class _Played:
    """What the log has of a hand's cards."""

    def __init__(self, opened: fact.HandOpened, keyholder: Keyholder) -> None:
        self.hand = f"{opened.table}-{opened.number}"
        self.keyholder = keyholder
        self.decks: list[fact.Deck] = []
        self.cards: dict[int, int] = {}
        self.dealt: dict[tuple[int, int], fact.DownCard] = {}
        self._indices = 0
        self._held: dict[int, tuple[int, ...]] = {}
        self._broken: SealBroken | None = None

    def note(self, event: Any) -> None:
        match event:
            case fact.HandOpened():
                self._add(event.deck)
            case fact.DeckReshuffled():
                self._add(event.cards)
            case fact.CardsDealt():
                self._held[event.seat] = self._held.get(event.seat, ()) + event.indices
                self._see(event.indices, event.cards)
                self.dealt.update(zip(((event.seat, index) for index in event.indices), event.cards, strict=False))
            case fact.CardsDiscarded():
                held = self._held.get(event.seat, ())
                self._held[event.seat] = tuple([index for index in held if index not in event.indices])
            case fact.BoardDealt():
                self._see(event.indices, event.cards)
            case fact.HandShown():
                self._see(self._held.get(event.seat, ()), event.cards)
            case _:
                pass

    def raise_if_broken(self) -> None:
        broken, self._broken = self._broken, None
        if broken is not None:
            raise broken

    def _add(self, deck: fact.Deck) -> None:
        try:
            order = self.keyholder.order(self.hand, self._indices, deck) if isinstance(deck, fact.SealedDeck) else deck
        except SealBroken as broken:
            order, self._broken = None, broken
        self.cards.update(enumerate(order or (), start=self._indices))
        self.decks.append(deck)
        self._indices += fact.size_of(deck)

    def _see(self, indices: Sequence[int], cards: Sequence[fact.DownCard]) -> None:
        """Faces that the log shows: where the deck is known they are compared with it, not believed."""
        for index, card in zip(indices, cards, strict=False):
            if isinstance(card, int):
                self.cards.setdefault(index, card)

    def is_a_deck_of(self, cards: Sequence[int]) -> bool:
        """Whether the hand was opened with these cards, as far as that is known."""
        if fact.size_of(self.decks[0]) != len(cards):
            return False
        order = [self.cards.get(index) for index in range(len(cards))]
        return None in order or set(order) == set(cards)


class RecordedShoe:
    """One hand's shoe, in which so many decks have been shuffled up to now."""

    def __init__(self, played: _Played, shuffled: int) -> None:
        self._played = played
        self._shuffled = shuffled
        self._unrecorded: dict[int, int] = {}

    @property
    def deck(self) -> fact.Deck:
        return self._played.decks[0]

    def card(self, index: int) -> int:
        card = self._unrecorded.get(index, self._played.cards.get(index))
        if card is None:
            raise CardSealed(index)
        return card

    def down(self, seat: int, index: int) -> int | str:
        played = self._played
        recorded = played.dealt.get((seat, index))
        if not isinstance(recorded, str) or index in self._unrecorded:
            return self.card(index)
        held = played.keyholder.card(played.hand, seat, index, recorded)
        if held is not None and played.cards.setdefault(index, held) != held:
            raise SealBroken(f"the box of card {index} for seat {seat} holds another card than the deck has there")
        return recorded

    def reshuffle(self, pile: Sequence[int]) -> fact.Deck:
        """The recorded order. What is no order of the pile is not given, so that the fact which records it comes out
        differently."""
        played, cards = self._played, sorted(map(self.card, pile))
        first = sum(map(fact.size_of, played.decks[: self._shuffled]))
        recorded = played.decks[self._shuffled] if self._shuffled < len(played.decks) else ()
        again = range(first, first + fact.size_of(recorded))
        if sorted(map(self.card, again)) != cards:
            self._unrecorded.update(enumerate(cards, start=first))
            recorded = tuple(cards)
        self._shuffled += 1
        return recorded
