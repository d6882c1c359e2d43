"""Hands that are played twice, card for card: open, and sealed as a room seals them."""

from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoes, undealt
from domain.hand.invariants import check
from domain.rules.games import GAMES
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced
from domain.rulings.readjudicate import RecordedCommit, RecordedFact
from domain.table.commands import DealHand, OpenTable, SitDown
from domain.table.play import Play, play
from services.sealing.keyfile import RoomKeys
from services.sealing.shoe import Opener, SealedShoes
from tests.domain.hand.random_hands import Mood, answer
from tests.hands import everything_in

NAMES = [game.name for game in GAMES]
KEYS = RoomKeys("riverside", [bytes(range(32))])
OPENER = Opener(KEYS, None)
MOOD = Mood(fold=0.03, bet=0.1, most=0, late=0.05, agree=0.5, wish=0.05)

HANDS, PLAYERS = 8, 6
"""Enough of them that each game comes to what it can come to."""


class Step(NamedTuple):
    """One command and its facts, open and sealed; the states of the two hands after it, by slot, and what is left in
    their shoes."""

    open: list[Any]
    sealed: list[Any]
    open_hand: dict[str, Any]
    sealed_hand: dict[str, Any]
    left: tuple[list[int], list[int]]


class Twins:
    """Two tables at which the same happens. `commits`: those of the sealed one; `steps`: those of hands."""

    def __init__(self, game: str) -> None:
        self.random = Random(game)
        self.open, self.sealed = Play("t1"), Play("t1")
        self.commits: list[RecordedCommit] = []
        self.steps: list[Step] = []
        self._orders: list[tuple[int, ...]] = []
        self._open_shoes = OpenShoes(self._shuffle)
        self._sealed_shoes = SealedShoes(KEYS, self.random.getrandbits, lambda *_: self._orders.pop(0))

    def _shuffle(self, cards: Any) -> tuple[int, ...]:
        self._orders.append(tuple(self.random.sample(list(cards), len(cards))))
        return self._orders[-1]

    def do(self, args: Any) -> None:
        open_facts = play(self.open, args, self._open_shoes, 0)
        sealed_facts = play(self.sealed, args, self._sealed_shoes, 0)
        facts = [RecordedFact(stream, 0, event) for stream, events in sealed_facts for event in events]
        self.commits.append(RecordedCommit(0, len(self.commits), 0, args, facts))
        one, other = self.open.hand, self.sealed.hand
        if one is None or other is None:
            return
        check(one, self.open.shoe)
        check(other, self.sealed.shoe)
        self.steps.append(
            Step(
                [event for stream, events in open_facts for event in events if stream == one.stream],
                [event for stream, events in sealed_facts for event in events if stream == one.stream],
                everything_in(one),
                everything_in(other),
                (list(undealt(one)), list(undealt(other))),
            )
        )


@lru_cache
def played(game: str) -> Twins:
    """Some hands of a game: nobody changes them."""
    twins, seats = Twins(game), min(PLAYERS, GAMES_BY_NAME[game].max_seats)
    ante = int(GAMES_BY_NAME[game].forced is Forced.ANTE_AND_BRING_IN)
    twins.do(OpenTable("t1", "Elm", game, "fixed", "euro", 2, 4, seats, "play", "PLAY", ante=ante))
    for seat in range(1, seats + 1):
        twins.do(SitDown("t1", seat, f"p{seat}", 400))
    for number in range(1, HANDS + 1):
        twins.do(DealHand("t1", number))
        _play_to_its_end(twins)
    return twins


def _play_to_its_end(twins: Twins) -> None:
    random, hand = twins.random, twins.open.hand
    assert hand
    while hand.turn:
        if random.random() < MOOD.wish:
            twins.do(ask.AskToShow(hand.id, random.choice(hand.contesting)))
        twins.do(answer(random, MOOD, hand))


def with_boxes_opened(hand: str, event: Any) -> Any:
    """The fact as an open shoe would have made it."""
    match event:
        case fact.HandOpened(deck=fact.SealedDeck() as deck):
            return replace(event, deck=OPENER.deck(hand, 0, deck).order)
        case fact.DeckReshuffled(cards=fact.SealedDeck() as deck):
            return replace(event, cards=OPENER.deck(hand, event.indices[0], deck).order)
        case _:
            return event if not isinstance(event, fact.CardsDealt) else replace(event, cards=_faces(hand, event))


def _faces(hand: str, event: fact.CardsDealt) -> tuple[int | str, ...]:
    dealt = zip(event.indices, event.cards, strict=True)
    cards = [OPENER.card(hand, event.seat, at, card) if isinstance(card, str) else card for at, card in dealt]
    assert None not in cards
    return tuple(card for card in cards if card is not None)


def hands_of(twins: Twins) -> list[list[Any]]:
    """The sealed facts of each hand, from its opening on."""
    found: list[list[Any]] = []
    for step in twins.steps:
        if isinstance(step.sealed[0], fact.HandOpened):
            found.append([])
        found[-1] += step.sealed
    return found
