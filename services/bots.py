"""Players made of a few numbers. They see what a player may see (`reckoning.Look`), whatever the game."""

from dataclasses import dataclass
from random import Random
from typing import Any

from domain.hand import commands as ask
from domain.hand.dealing import Shoe
from domain.hand.events import BringInOwed, DrawOffered, SplitOffered, TurnGiven
from domain.hand.state import Hand
from services.reckoning import Look, chances_of, discards, look

ALL_IN = 10_000
"""A size that no stack has left after."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a bot plays, in percent.

    `calls`, `raises`: the chances against one opponent that it wants for a call, for a bet or raise. `bluffs`: how
    often it bets or raises whatever it holds. `size`: of the pot, how much it adds.
    """

    name: str
    calls: int
    raises: int
    bluffs: int
    size: int


STYLES = (
    Style("tight", calls=56, raises=70, bluffs=1, size=60),
    Style("loose", calls=38, raises=62, bluffs=6, size=40),
    Style("aggressive", calls=46, raises=52, bluffs=14, size=100),
    Style("station", calls=20, raises=93, bluffs=0, size=0),
    Style("jammer", calls=52, raises=66, bluffs=3, size=ALL_IN),
    Style("timid", calls=48, raises=82, bluffs=0, size=0),
)


def act(style: Style, hand: Hand, shoe: Shoe, random: Random) -> Any:
    """The bot's command for the decision that the hand awaits.

    It votes to split where it wouldn't bet.
    """
    seen = look(hand, shoe)
    turn, answer = seen.turn, (hand.id, hand.decision, seen.seat)
    if isinstance(turn, DrawOffered):
        return ask.Draw(*answer, discards(seen, turn.most))
    chances = chances_of(seen, random)
    wants_more = chances >= style.raises or random.randrange(100) < style.bluffs
    if isinstance(turn, BringInOwed):
        return ask.BringIn(*answer, raise_to(style, seen, turn) if wants_more else turn.least)
    if isinstance(turn, SplitOffered) and not (wants_more and seen.stack):
        return ask.VoteToSplit(*answer, not wants_more)
    if wants_more and turn.most:
        return (ask.Raise if seen.wager else ask.Bet)(*answer, raise_to(style, seen, turn))
    if not turn.call:
        return ask.Check(*answer)
    return ask.Call(*answer) if chances >= style.calls else ask.Fold(*answer)


def wish(style: Style, hand: Hand, random: Random) -> Any | None:
    """Now and then, what a bot asks for in advance of the showdown."""
    assert hand.turn is not None
    if random.randrange(50):
        return None
    give_up = style.calls > 50 and hand.opened.house.may_give_up
    return (ask.GiveUpAtShowdown if give_up else ask.AskToShow)(hand.id, hand.turn.seat)


def raise_to(style: Style, seen: Look, turn: TurnGiven | SplitOffered | BringInOwed) -> int:
    """The live total that the style likes, within what is legal and in whole chips."""
    liked = seen.wager + seen.pot * style.size // 100
    if seen.fixed:
        return turn.most if liked >= turn.most else turn.least
    return min(max(-(-liked // seen.unit) * seen.unit, turn.least), turn.most)
