"""Whole hands decided, ours and pokerkit's, from the same scripts.

The texts are read before the clock starts, on both sides. Ours goes the room's way: `play` on a table with its
players seated, from the command that deals the hand on, and `check` after each. Both sides begin with a new hand each
time and end when the chips are back in the stacks.
"""

from collections.abc import Callable, Sequence
from functools import partial

from pokerkit import Automation, NoLimitTexasHoldem, PotLimitOmahaHoldem, State

from domain.hand.invariants import check
from domain.table.commands import DealHand, OpenTable, SitDown
from domain.table.play import Play, play
from tests.bench.rows import Row, Side, compare, faster
from tests.bench.scripts import (
    BLINDS,
    NO_LIMIT_HOLDEM,
    PLAYERS,
    POT_LIMIT_OMAHA,
    Script,
    Variant,
    command_of,
    make,
    read,
    seat_of,
)
from tests.hands import rigged_deck

Stacks = tuple[int, ...]
"""The stacks of the end, by player from the small blind on."""

GOAL = 60

_BY_US = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
AUTOMATIONS = tuple(each for each in Automation if each not in _BY_US)
"""All that a user who deals the cards of a script would leave to pokerkit."""

_GAMES: dict[Variant, Callable[..., State]] = {
    NO_LIMIT_HOLDEM: NoLimitTexasHoldem.create_state,
    POT_LIMIT_OMAHA: PotLimitOmahaHoldem.create_state,
}


def rows(texts: dict[Variant, list[str]], runs: int) -> list[Row]:
    found = []
    for variant, title in ((NO_LIMIT_HOLDEM, "6-max no-limit hold'em"), (POT_LIMIT_OMAHA, "6-max pot-limit Omaha")):
        scripts = [read(text) for text in texts[variant]]
        actions = sum(len(script.actions) for script in scripts) / len(scripts)
        name = f"decide + evolve, {title} ({actions:.1f} actions)"
        ours, unchecked, peer = compare(
            our_side(variant, scripts),
            our_side(variant, scripts, checked=False),
            their_side(variant, scripts),
            runs=runs,
        )
        each = 1e6 / len(scripts)
        found.append(faster(name, "us/hand", each, ours, peer, "pokerkit", GOAL))
        found.append(faster(f"{name}, invariants unchecked", "us/hand", each, unchecked, peer, "pokerkit", None))
    return found


def our_side(variant: Variant, scripts: Sequence[Script], *, checked: bool = True) -> Side:
    decks = [deck_of(script) for script in scripts]

    def prepare() -> list[tuple[Play, Script, tuple[int, ...]]]:
        return [(seated(variant, script), script, deck) for script, deck in zip(scripts, decks, strict=True)]

    return Side(lambda given: [_play_ours(now, script, deck, checked) for now, script, deck in given], prepare)


def deck_of(script: Script) -> tuple[int, ...]:
    """A deck that deals the script's cards."""
    order = [seat_of(player) for player in range(1, PLAYERS + 1)]
    return rigged_deck(order, len(script.cards[0]) // 2, dict(zip(order, script.cards, strict=True)), script.board)


def openings(variant: Variant, script: Script, table: str = "t1") -> list[object]:
    """The commands that open a table and seat the script's players."""
    return [
        OpenTable(table, "Bench", variant.game, variant.limit, "euro", *BLINDS, PLAYERS, "play", "PLAY"),
        *(SitDown(table, seat_of(player), f"p{player}", stack) for player, stack in enumerate(script.stacks, start=1)),
    ]


def seated(variant: Variant, script: Script) -> Play:
    now = Play("t1")
    for args in openings(variant, script):
        play(now, args, _no_deck)
    return now


def _no_deck(lowest_rank: int) -> tuple[int, ...]:
    raise AssertionError("no hand is dealt yet")


def _play_ours(now: Play, script: Script, deck: tuple[int, ...], checked: bool) -> Stacks:
    play(now, DealHand(now.id, 1), lambda _: deck)
    hand = now.hand
    assert hand
    if checked:
        check(hand)
    for action in script.actions:
        play(now, command_of(hand, action, seat_of(action.player)), _no_deck)
        if checked:
            check(hand)
    assert hand.settled, "the script ends before the hand does"
    return tuple(hand.stack[seat_of(player)] for player in range(1, PLAYERS + 1))


def their_side(variant: Variant, scripts: Sequence[Script]) -> Side:
    create = partial(_GAMES[variant], AUTOMATIONS, True, 0, BLINDS, BLINDS[1])
    return Side(lambda _: [_play_theirs(create, script) for script in scripts])


def _play_theirs(create: Callable[..., State], script: Script) -> Stacks:
    state = create(script.stacks, PLAYERS)
    for cards in script.cards:
        state.deal_hole(cards)
    for board, actions in script.streets:
        if board:
            state.burn_card("??")
            state.deal_board(board)
        for action in actions:
            if action.word == "f":
                state.fold()
            elif action.word == "cc":
                state.check_or_call()
            else:
                state.complete_bet_or_raise_to(action.amount)
    assert not state.status, "the script ends before pokerkit's hand does"
    return tuple(state.stacks)


def texts(count: int, seed: int) -> dict[Variant, list[str]]:
    """That many scripts of each game."""
    return {variant: make(variant, count, seed) for variant in _GAMES}
