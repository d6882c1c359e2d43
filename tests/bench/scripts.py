"""The hands of the bench as script text: what both sides start from.

A script is one hand in PHH, the notation that pokerkit reads: the stacks, the cards and every action. The hands come
from seeded random legal play of six players; those are kept that go to a showdown in 14 to 22 actions, so that 19 is
the mean.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.cards import FACES
from domain.hand import events as fact
from domain.hand.commands import Bet, Call, Check, Fold, Raise
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.state import Hand
from tests.hands import open_hand_for

PLAYERS = 6
BLINDS = (50, 100)
ACTIONS = range(14, 23)


@dataclass(frozen=True, slots=True)
class Variant:
    """A game and limit, as we and as PHH name them."""

    game: str
    limit: str
    phh: str


NO_LIMIT_HOLDEM = Variant("holdem", "no", "NT")
POT_LIMIT_OMAHA = Variant("omaha", "pot", "PO")


@dataclass(frozen=True, slots=True)
class Action:
    """What one player does: `word` is f (fold), cc (check or call) or cbr (bet or raise) to `amount`.

    Players count from 1, the small blind, as in PHH.
    """

    player: int
    word: str
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Script:
    """A hand read from its text. `cards` by player; `streets`: the actions of each betting round, with the cards that
    come on the board before it ("" before the first)."""

    text: str
    stacks: tuple[int, ...]
    cards: tuple[str, ...]
    streets: tuple[tuple[str, tuple[Action, ...]], ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(action for _, actions in self.streets for action in actions)

    @property
    def board(self) -> str:
        return "".join(cards for cards, _ in self.streets)


def make(variant: Variant, count: int, seed: int) -> list[str]:
    """The texts of that many different hands."""
    random = Random(seed)
    texts: dict[str, None] = {}
    while len(texts) < count:
        text = _played(variant, random)
        if text is not None:
            texts[text] = None
    return list(texts)


def read(text: str) -> Script:
    """The script that a text holds."""
    phh = tomllib.loads(text)
    cards: list[str] = []
    streets: list[tuple[str, list[Action]]] = [("", [])]
    for line in phh["actions"]:
        match line.split():
            case ["d", "dh", _, hole]:
                cards.append(hole)
            case ["d", "db", board]:
                streets.append((board, []))
            case [player, "cbr", amount]:
                streets[-1][1].append(Action(int(player[1:]), "cbr", int(amount)))
            case [player, "f" | "cc" as word]:
                streets[-1][1].append(Action(int(player[1:]), word))
            case [_, "sm", *_]:
                pass  # both sides turn up hands by their own rule when they decide
            case _:
                raise ValueError(f"{line!r} is no action of a script")
    return Script(
        text, tuple(phh["starting_stacks"]), tuple(cards), tuple((board, tuple(done)) for board, done in streets)
    )


def command_of(hand: Hand, action: Action, seat: int) -> Any:
    """The action as a command that answers the decision awaited."""
    answers = (hand.id, hand.decision, seat)
    if action.word == "f":
        return Fold(*answers)
    if action.word == "cc":
        return Call(*answers) if hand.turn and hand.turn.call else Check(*answers)
    return Raise(*answers, action.amount) if hand.wager else Bet(*answers, action.amount)


def seat_of(player: int) -> int:
    """The seat of a PHH player at a table whose button is in seat 1: the small blind, player 1, sits in seat 2."""
    return player % PLAYERS + 1


def _player_of(seat: int) -> int:
    return (seat - 2) % PLAYERS + 1


def _played(variant: Variant, random: Random) -> str | None:
    """A random hand, if it is of the kind that the bench measures."""
    stacks = [random.randrange(60, 240) * BLINDS[1] for _ in range(PLAYERS)]
    deck = random.sample(range(52), 52)
    opened = open_hand_for(variant.game, variant.limit, BLINDS, stacks=stacks, button=1)
    opened.deck = tuple(deck)
    shoe = OpenShoe(opened.deck)
    hand = open_hand(opened, shoe)
    facts = list(hand.facts)
    acted = 0
    while hand.turn is not None:
        acted += 1
        action = _random_action(hand, hand.turn, random)
        facts += decide(hand, command_of(hand, action, hand.turn.seat), shoe)
    if acted not in ACTIONS or not any(type(one) is fact.HandShown for one in facts):
        return None
    return _as_phh(variant, opened, facts)


def _random_action(hand: Hand, turn: fact.TurnGiven, random: Random) -> Action:
    player, dice = _player_of(turn.seat), random.random()
    if turn.most and dice < 0.15:
        most = min(turn.most, turn.least + hand.pot)
        return Action(player, "cbr", random.randint(turn.least, most))
    if turn.call and dice > 0.85:
        return Action(player, "f")
    return Action(player, "cc")


def _as_phh(variant: Variant, opened: fact.HandOpened, facts: list[Any]) -> str:
    stacks = {one.seat: one.stack for one in opened.seats}
    of_players = [stacks[seat_of(player)] for player in range(1, PLAYERS + 1)]
    lines = ",\n".join(f'  "{line}"' for line in _lines(facts))
    blinds = [*BLINDS, *[0] * (PLAYERS - 2)]
    return (
        f'variant = "{variant.phh}"\nantes = {[0] * PLAYERS}\nblinds_or_straddles = {blinds}\n'
        f"min_bet = {BLINDS[1]}\nstarting_stacks = {of_players}\nactions = [\n{lines}\n]\n"
    )


def _lines(facts: list[Any]) -> Iterator[str]:
    for one in facts:
        match one:
            case fact.CardsDealt(seat=seat, cards=cards):
                yield f"d dh p{_player_of(seat)} {_packed(cards)}"
            case fact.BoardDealt(cards=cards):
                yield f"d db {_packed(cards)}"
            case fact.Folded(seat=seat):
                yield f"p{_player_of(seat)} f"
            case fact.Checked(seat=seat) | fact.Called(seat=seat):
                yield f"p{_player_of(seat)} cc"
            case fact.BetMade(seat=seat, to=to) | fact.Raised(seat=seat, to=to):
                yield f"p{_player_of(seat)} cbr {to}"
            case fact.HandShown(seat=seat, cards=cards):
                yield f"p{_player_of(seat)} sm {_packed(cards)}"
            case fact.HandMucked(seat=seat):
                yield f"p{_player_of(seat)} sm"


def _packed(cards: tuple[int, ...]) -> str:
    return "".join(FACES[card] for card in cards)
