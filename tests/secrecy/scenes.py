"""Hands that were played in advance, so that a room can play each again: with the same cards, or with others where a
viewer can't see them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from domain.cards import deck
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoes
from domain.hand.state import Hand
from domain.messages import Refused, hand_stream
from domain.rules.registry import GAMES_BY_NAME, RULEBOOKS_BY_NAME
from domain.rules.vocabulary import Game, Limit
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from domain.table.play import Play, play
from domain.visibility import Viewer
from tests.domain.hand import random_hands
from tests.domain.hand.random_hands import Mood, answer, illegal
from tests.hands import open_cards

GAMES = tuple(GAMES_BY_NAME)

Renaming = dict[int, int]
"""Which card lies where another one lay; those that aren't named stay."""

MATTERED = (fact.MuckedBecause.BEATEN, fact.MuckedBecause.GIVEN_UP)
"""Hands that were compared at the showdown, though nobody saw them."""


@dataclass(frozen=True)
class Step:
    """Commands that are refused, then one that isn't, and the facts of the hand that it makes."""

    refused: Sequence[Any]
    command: Any
    facts: Sequence[Any]


@dataclass(frozen=True)
class Scene:
    """A table, from its opening to the end of its first hand. `orders`: of the deck, and of what was reshuffled, by the
    index of their first card."""

    game: Game
    table: str
    seats: Sequence[int]
    steps: Sequence[Step]
    orders: dict[int, tuple[int, ...]]

    @property
    def hand(self) -> str:
        return f"{self.table}-1"

    @property
    def facts(self) -> list[Any]:
        return [one for step in self.steps for one in step.facts]

    def until(self, over: Callable[[Any], bool]) -> "Scene":
        """The same without the step whose facts are the first of which that is true, and all after it."""
        at = next((at for at, step in enumerate(self.steps) if any(map(over, step.facts))), len(self.steps))
        return replace(self, steps=self.steps[:at])

    def kept_for(self, viewer: Viewer) -> set[int]:
        """The cards whose faces the viewer sees in these steps, as a player or spectator, or that decided who won."""
        kept: set[int] = set()
        held: dict[int, dict[int, int]] = {seat: {} for seat in self.seats}
        for one in self.facts:
            match one:
                case fact.CardsDealt():
                    dealt = open_cards(one.cards)
                    held[one.seat].update(zip(one.indices, dealt, strict=True))
                    kept.update(dealt if one.up or one.seat == viewer.seat else ())
                case fact.CardsDiscarded():
                    for index in one.indices:
                        del held[one.seat][index]
                case fact.BoardDealt() | fact.HandShown():
                    kept.update(one.cards)
                case fact.HandMucked() if one.because in MATTERED:
                    kept.update(held[one.seat].values())
        return kept

    def other_cards(self, viewer: Viewer, random: Random) -> Renaming:
        """A renaming of the cards that the viewer doesn't see.

        Who is passed over for a card that he discarded himself stays the same under it: that is seen by rule (section
        5), since the card stays in the shoe for the next player.
        """
        hidden = sorted(set(deck(self.game.lowest_rank)) - self.kept_for(viewer))
        return dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))

    def passes_over(self) -> bool:
        """Whether a card stayed in the shoe while a later one was dealt: who drew then had discarded it himself."""
        drawn: list[int] = []
        for one in self.facts:
            if isinstance(one, fact.DeckReshuffled):
                drawn = []
            elif isinstance(one, fact.CardsDealt):
                drawn += one.indices
        return len(self.orders) > 1 and drawn != sorted(drawn)


def reveals(one: Any) -> bool:
    """Whether a fact depends by rule on cards that were hidden: a hand is shown, or lost to one that was."""
    return isinstance(one, fact.HandShown | fact.HandMucked)


def settles(one: Any) -> bool:
    return isinstance(one, fact.HandSettled)


def until(scenes: Iterable[Scene], over: Callable[[Any], bool]) -> list[Scene]:
    """Each up to there, without those whose hand comes to it as it is dealt: all who are left are all-in."""
    return [part for part in (one.until(over) for one in scenes) if part.facts]


def scene(seed: int, name: str) -> Scene:
    """A hand of a game, played at random; the same for the same seed."""
    random, game = Random(f"{name} {seed}"), GAMES_BY_NAME[name]
    table = f"t{GAMES.index(name) + 1}"
    count = game.max_seats if random.random() < 0.5 else random.randint(2, game.max_seats)
    seats = sorted(random.sample(range(1, game.max_seats + 1), count))
    orders: dict[int, tuple[int, ...]] = {}

    def shuffle(cards: Sequence[int]) -> tuple[int, ...]:
        first = sum(map(len, orders.values()))
        order = tuple(random.sample(cards, len(cards))) if first else tuple(random_hands.shuffled(random, game, count))
        orders[first] = order
        return order

    return Scene(game, table, seats, list(_steps(random, game, table, seats, OpenShoes(shuffle))), orders)


def _steps(random: Random, game: Game, table: str, seats: Sequence[int], shoes: OpenShoes) -> Iterable[Step]:
    now, bet = Play(table), random.choice([10, 20, 200])
    stacks = random_hands.stacks(random, seats, bet)
    mood = replace(Mood.of(random), most=random.choice([0, 0, 0.1]), wish=random.choice([0, 0.1, 0.3]))

    def take(command: Any, refused: Sequence[Any] = ()) -> Step:
        made = dict(play(now, command, shoes, 0))
        return Step(refused, command, made.get(hand_stream(f"{table}-1"), []))

    yield _opening(random, game, table, bet, take)
    for seat, stack in stacks:
        yield take(SitDown(table, seat, f"{table}p{seat}", stack))
    yield take(DealHand(table, 1))
    while now.hand is not None and now.hand.turn:
        if random.random() < mood.wish:
            wish = _wish(random, now.hand)
            if wish is not None:
                yield take(wish)
        refused = [one for one in _refused(random, now.hand, table) if random.random() < 0.2]
        yield take(answer(random, mood, now.hand), refused)


def _opening(random: Random, game: Game, table: str, bet: int, take: Callable[[Any], Step]) -> Step:
    """A table for euros, or for play money where none can be opened for euros."""
    limit, rulebook = random.choice(list(Limit)), random.choice(sorted(RULEBOOKS_BY_NAME))
    (small, big), more = random_hands.amounts(random, game, limit, rulebook, bet)
    opening = OpenTable(
        table, game.title, game.name, limit, rulebook, small, big, game.max_seats, "real", "EUR", least_buy_in=1, **more
    )
    try:
        return take(opening)
    except Refused:
        return take(replace(opening, kind="play", currency="PLAY"))


def _wish(random: Random, hand: Hand) -> Any:
    kind = ask.GiveUpAtShowdown if hand.opened.house.may_give_up and random.random() < 0.7 else ask.AskToShow
    return kind(hand.id, random.choice(hand.contesting))


def _refused(random: Random, hand: Hand, table: str) -> list[Any]:
    """Answers that aren't allowed: what the decision itself rules out, another's card, a decision long past, what may
    not be done while a hand is under way."""
    turn = hand.turn
    assert turn is not None
    other = random.choice([seat for seat in hand.order if seat != turn.seat])
    return [
        *illegal(hand),
        ask.Draw(hand.id, hand.decision, turn.seat, hand.dealt[other][:1] or (hand.indices,)),
        ask.Draw(hand.id, hand.decision, turn.seat, hand.dealt[turn.seat][:1] * 2),
        ask.Fold(hand.id, hand.decision // 2, turn.seat),
        ask.Fold(hand.id, hand.decision + 1, turn.seat),
        StandUp(table, turn.seat, f"{table}p{turn.seat}"),
        DealHand(table, 2),
    ]
