"""Players made of a few numbers. They see what a player may see, and reckon their chances by dealing it out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.cards import deck
from domain.hand import commands as ask
from domain.hand.state import Hand
from domain.rules.evaluation import evaluator
from domain.rules.vocabulary import Game

_DEALS = 24
"""How often a bot deals the rest out to reckon its chances."""

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


@dataclass(frozen=True, slots=True)
class Look:
    """What the player whose turn it is may know; amounts in minor units, `to` a live total of the round."""

    seat: int
    game: Game
    hole: tuple[int, ...]
    board: tuple[int, ...]
    pot: int
    wager: int
    call: int
    least: int
    most: int
    unit: int


def look(hand: Hand) -> Look:
    """The hand as the player whose turn it is sees it; somebody's turn it must be."""
    turn = hand.turn
    assert turn is not None
    return Look(
        turn.seat, hand.game, hand.hole[turn.seat], hand.board, hand.pot, hand.wager, turn.call, turn.least, turn.most,
        hand.opened.chip_unit,
    )  # fmt: skip


def act(style: Style, hand: Hand, random: Random) -> Any:
    """The bot's command for the decision that the hand awaits."""
    seen = look(hand)
    answer = (hand.id, hand.decision, seen.seat)
    chances = chances_of(seen, random)
    wants_more = chances >= style.raises or random.randrange(100) < style.bluffs
    if wants_more and seen.most:
        return (ask.Raise if seen.wager else ask.Bet)(*answer, raise_to(style, seen))
    if not seen.call:
        return ask.Check(*answer)
    return ask.Call(*answer) if chances >= style.calls else ask.Fold(*answer)


def wish(style: Style, hand: Hand, random: Random) -> Any | None:
    """Now and then, what a bot asks for in advance of the showdown."""
    assert hand.turn is not None
    if random.randrange(50):
        return None
    give_up = style.calls > 50 and hand.opened.house.may_give_up
    return (ask.GiveUpAtShowdown if give_up else ask.AskToShow)(hand.id, hand.turn.seat)


def raise_to(style: Style, seen: Look) -> int:
    """The live total that the style likes, within what is legal and in whole chips."""
    liked = seen.wager + seen.pot * style.size // 100
    return min(max(-(-liked // seen.unit) * seen.unit, seen.least), seen.most)


def chances_of(seen: Look, random: Random) -> int:
    """The percentage of the pot to hope for against one unknown hand."""
    unseen = [card for card in deck(seen.game.lowest_rank) if card not in seen.hole and card not in seen.board]
    missing = sum(street.board for street in seen.game.streets) - len(seen.board)
    worth = _worth(seen.game)
    won = 0
    for _ in range(_DEALS):
        drawn = random.sample(unseen, missing + len(seen.hole))
        board = (*seen.board, *drawn[:missing])
        won += _share(worth(seen.hole, board), worth(drawn[missing:], board))
    return 100 * won // (4 * _DEALS)


Worth = tuple[int, int]
"""What a hand is worth for high and for low; higher is better, a low of 0 doesn't qualify."""


def _worth(game: Game) -> Callable[[Sequence[int], Sequence[int]], Worth]:
    high = evaluator(game.high, game.hole_cards_used)
    low = evaluator(game.low, game.hole_cards_used) if game.low else None
    return lambda hole, board: (high(hole, board), low(hole, board) if low else 0)


def _share(mine: Worth, other: Worth) -> int:
    """Quarters of the pot that the first hand wins."""
    high = _half(mine[0], other[0])
    return high + (_half(mine[1], other[1]) if mine[1] or other[1] else high)


def _half(mine: int, other: int) -> int:
    return 2 if mine > other else int(mine == other)
