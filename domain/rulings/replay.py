"""The replay of a hand: what a floor manager sees after each of its facts.

Frames are folded from the recorded facts alone, never decided: an old hand looks for ever as it was, whatever the rules
say today.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Any

from domain.hand import events as fact
from domain.hand.legal import legal
from domain.hand.state import Hand, Turn, evolve
from domain.rules.vocabulary import Game
from domain.rulings import words


class Standing(StrEnum):
    """How a player stands in the hand."""

    IN = "in"
    ALL_IN = "all-in"
    FOLDED = "folded"
    MUCKED = "mucked"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A seat as it looks: its cards (0 to 51) as far as they are known, and how many lie there unknown; those that lie
    face up, what it has discarded in this hand, as far as it is known, the chips behind, those set aside by all-in
    protection, those put before it in this betting round."""

    seat: int
    player: str
    cards: tuple[int, ...]
    unknown: int
    up: tuple[int, ...]
    discards: tuple[int, ...]
    stack: int
    aside: int
    live: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Frame:
    """The hand after one fact; amounts in minor units of `currency`.

    version: the fact's, counted from 1. says: the fact in words. street: its name, that of the draw while one goes on.
    button: its seat, 0 in ante games. pots: what is gathered in the middle and not yet won, main pot first; antes and
    dead money are in the main pot from the start. turn: the decision awaited, None where none is; legal: the same in
    words. wager: the live total to match. rake: what has been taken.
    """

    version: int
    says: str
    street: str
    button: int
    board: tuple[int, ...]
    seats: tuple[SeatSeen, ...]
    pots: tuple[int, ...]
    turn: Turn | None
    legal: str
    wager: int
    rake: int
    currency: str
    over: bool


def frames(facts: Iterable[Any]) -> Iterator[Frame]:
    """One frame for each fact of a hand, from its HandOpened on: what the facts show, sealed cards stay so."""
    hand: Hand | None = None
    seen = _Seen()
    for event in facts:
        hand = evolve(hand, event)
        seen.take(event, hand)
        yield seen.frame(event, hand)


class _Seen:
    """What a frame shows and the hand itself has no need to remember."""

    def __init__(self) -> None:
        self.street = ""
        self.pots: list[int] = []
        self.mucked: set[int] = set()
        self.face_of: dict[int, int] = {}
        self.discards: dict[int, tuple[int, ...]] = {}

    def take(self, event: Any, hand: Hand) -> None:
        match event:
            case fact.HandOpened():
                self.street = hand.game.streets[0].name
            case fact.CardsDealt():
                dealt = zip(event.indices, event.cards, strict=True)
                self.face_of.update((index, card) for index, card in dealt if isinstance(card, int))
                if event.seat not in hand.drawn:
                    self.street = _street_with(len(hand.dealt[event.seat]), hand.game)
            case fact.CardsDiscarded():
                thrown = tuple(self.face_of[index] for index in event.indices if index in self.face_of)
                self.discards[event.seat] = self.discards.get(event.seat, ()) + thrown
            case fact.DrawOpened() | fact.RoundOpened():
                self.street = hand.game.streets[event.street].name
            case fact.BoardDealt():
                self.street = event.street
            case fact.BetsCollected():
                self.pots = list(event.pots)
            case fact.RakeTaken():
                self.pots = [pot - rake for pot, rake in zip(self.pots, event.by_pot, strict=False)]
            case fact.PotAwarded() if event.pot < len(self.pots):
                self.pots[event.pot] -= event.amount
            case fact.HandCancelled():
                self.pots = []
            case fact.HandMucked():
                self.mucked.add(event.seat)
            case _:
                pass

    def frame(self, event: Any, hand: Hand) -> Frame:
        return Frame(
            version=hand.version,
            says=words.describe(event, hand),
            street=self.street,
            button=hand.opened.button,
            board=hand.board,
            seats=tuple(self._seat(one, hand) for one in hand.opened.seats),
            pots=self._pots(hand),
            turn=hand.turn,
            legal=legal(hand),
            wager=hand.wager,
            rake=hand.rake,
            currency=hand.opened.currency,
            over=hand.settled,
        )

    def _seat(self, one: fact.DealtIn, hand: Hand) -> SeatSeen:
        seat = one.seat
        return SeatSeen(
            seat=seat,
            player=one.player,
            cards=known(hand.hole[seat]),
            unknown=len(hand.hole[seat]) - len(known(hand.hole[seat])),
            up=hand.up[seat],
            discards=self.discards.get(seat, ()),
            stack=hand.stack[seat],
            aside=hand.aside[seat],
            live=hand.live[seat],
            standing=self._standing(seat, hand),
        )

    def _standing(self, seat: int, hand: Hand) -> Standing:
        if seat in self.mucked:
            return Standing.MUCKED
        if seat not in hand.contesting:
            return Standing.FOLDED
        if seat in hand.shown:
            return Standing.SHOWN
        return Standing.ALL_IN if hand.stack[seat] == 0 else Standing.IN

    def _pots(self, hand: Hand) -> tuple[int, ...]:
        gathered = self.pots or [hand.pot - sum(hand.live)]
        return tuple(gathered) if any(gathered) else ()


def known(cards: Iterable[int | str]) -> tuple[int, ...]:
    """Those that aren't sealed."""
    return tuple([card for card in cards if isinstance(card, int)])


def _street_with(cards: int, game: Game) -> str:
    """The street on which a player is dealt his card of that number: the facts of a deal don't name it."""
    dealt = accumulate(street.own for street in game.streets)
    return next(street.name for street, so_far in zip(game.streets, dealt, strict=True) if so_far >= cards)
