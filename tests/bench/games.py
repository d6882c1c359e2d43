"""What a hand of each game costs us: seeded random play of six players, or as many as there may be, from the deal to
the last chip.

The hands are played once before the clock starts, through `play`, and what was asked and shuffled is kept. Timed is the
same again: deal, decide, evolve and check. Fixed limit, since every game is played in it by the same habits.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from domain.hand.dealing import OpenShoes
from domain.hand.invariants import check
from domain.rules.games import GAMES
from domain.rules.vocabulary import Forced, Game
from domain.table.commands import DealHand, OpenTable, SitDown
from domain.table.play import Play, play
from tests.bench.rows import Row, Side, compare, info
from tests.domain.hand.habits import Habits, random_command

STACK = 10_000
MOST_PLAYERS = 6


class Recorded(NamedTuple):
    """A hand as it was asked for. `orders`: of the deck, and of each reshuffle; `stacks` at its end."""

    commands: tuple[Any, ...]
    orders: tuple[Sequence[int], ...]
    stacks: tuple[int, ...]


def rows(hands: int, runs: int, seed: int) -> list[Row]:
    found = []
    for game in GAMES:
        random = Random(f"{game.name}/{seed}")
        recorded = [record(game, random) for _ in range(hands)]
        (seconds,) = compare(our_side(game, recorded), runs=runs)
        decisions = sum(len(hand.commands) for hand in recorded) / hands
        name = f"a fixed-limit hand of {game.name}, {players_of(game)} players ({decisions:.1f} decisions)"
        found.append(info(name, "us/hand", 1e6 * seconds / hands))
    return found


def players_of(game: Game) -> int:
    return min(game.max_seats, MOST_PLAYERS)


def seated(game: Game) -> Play:
    now = Play("t1")
    ante = 25 if game.forced is Forced.ANTE_AND_BRING_IN else 0
    seats = range(1, players_of(game) + 1)
    opening = OpenTable("t1", "Bench", game.name, "fixed", "euro", 100, 200, len(seats), "play", "PLAY", ante=ante)
    for args in (opening, *(SitDown("t1", seat, f"p{seat}", STACK) for seat in seats)):
        play(now, args, OpenShoes(tuple), 0)
    return now


def record(game: Game, random: Random) -> Recorded:
    """A random hand."""
    orders: list[Sequence[int]] = []

    def shuffled(cards: Sequence[int]) -> Sequence[int]:
        orders.append(random.sample(list(cards), len(cards)))
        return orders[-1]

    now, commands, shoes = seated(game), list[Any](), OpenShoes(shuffled)
    play(now, DealHand("t1", 1), shoes, 0)
    assert now.hand
    while now.hand.turn:
        commands.append(random_command(now.hand, random, Habits()))
        play(now, commands[-1], shoes, 0)
    return Recorded(tuple(commands), tuple(orders), tuple(now.hand.stack))


def our_side(game: Game, recorded: Sequence[Recorded]) -> Side:
    return Side(
        lambda given: [_play(now, hand) for now, hand in given],
        lambda: [(seated(game), hand) for hand in recorded],
    )


def _play(now: Play, recorded: Recorded) -> tuple[int, ...]:
    orders = iter(recorded.orders)
    shoes = OpenShoes(lambda _: next(orders))
    play(now, DealHand("t1", 1), shoes, 0)
    hand, shoe = now.hand, now.shoe
    assert hand and shoe
    check(hand, shoe)
    for command in recorded.commands:
        play(now, command, shoes, 0)
        check(hand, shoe)
    assert tuple(hand.stack) == recorded.stacks, f"{hand.opened.game}: a hand played again ends otherwise"
    return recorded.stacks
