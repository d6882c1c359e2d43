"""Whole hands decided, ours and pokerkit's, from the same scripts.

The texts are read before the clock starts, on both sides. Ours goes the room's way: `play` on a table with its
players seated, from the command that deals the hand on, and `check` after each. Both sides begin with a new hand each
time and end when the chips are back in the stacks. pokerkit plays its own games, which burn cards.
"""

from collections.abc import Callable, Sequence
from functools import partial

from pokerkit import (
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitSevenCardStud,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    State,
)

from domain.hand.dealing import OpenShoes, Shoes
from domain.hand.invariants import check
from domain.table.commands import DealHand, OpenTable, SitDown
from domain.table.play import Play, play
from tests.bench.rows import Row, Side, compare, faster
from tests.bench.scripts import (
    FIXED_LIMIT_STUD,
    FIXED_LIMIT_TRIPLE_DRAW,
    NO_LIMIT_HOLDEM,
    PLAYERS,
    POT_LIMIT_OMAHA,
    VARIANTS,
    Variant,
    make,
    read,
)
from tests.domain.hand.pokerkit_peer import AUTOMATIONS, apply
from tests.domain.hand.scripts import Script, command_of, deck_of

Stacks = tuple[int, ...]
"""The stacks of the end, by player in the order of the script."""

GOAL = 60

_CREATE: dict[Variant, Callable[..., State]] = {
    NO_LIMIT_HOLDEM: partial(NoLimitTexasHoldem.create_state, AUTOMATIONS, True, 0, (50, 100), 100),
    POT_LIMIT_OMAHA: partial(PotLimitOmahaHoldem.create_state, AUTOMATIONS, True, 0, (50, 100), 100),
    FIXED_LIMIT_STUD: partial(FixedLimitSevenCardStud.create_state, AUTOMATIONS, True, 25, 50, 100, 200),
    FIXED_LIMIT_TRIPLE_DRAW: partial(
        FixedLimitDeuceToSevenLowballTripleDraw.create_state, AUTOMATIONS, True, 0, (50, 100), 100, 200
    ),
}
"""pokerkit's own games, at the stakes of the variants."""


def texts(count: int, seed: int) -> dict[Variant, list[str]]:
    """That many scripts of each game."""
    return {variant: make(variant, count, seed) for variant in VARIANTS}


def rows(texts: dict[Variant, list[str]], runs: int) -> list[Row]:
    found = []
    for variant in VARIANTS:
        scripts = [read(text) for text in texts[variant]]
        decisions = sum(len(script.decisions) for script in scripts) / len(scripts)
        name = f"decide + evolve, 6-max {variant.title} ({decisions:.1f} actions)"
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
    shoes = [open_shoes(deck_of(script)) for script in scripts]

    def prepare() -> list[tuple[Play, Script, Shoes]]:
        return [(seated(variant, script), script, dealt) for script, dealt in zip(scripts, shoes, strict=True)]

    return Side(lambda given: [play_script(*one, checked=checked) for one in given], prepare)


def open_shoes(deck: tuple[int, ...]) -> OpenShoes:
    """Shoes whose decks lie as the script says."""
    return OpenShoes(lambda _: deck)


def openings(variant: Variant, script: Script, table: str = "t1") -> list[object]:
    """The commands that open a table and seat the script's players."""
    return [
        OpenTable(
            table, "Bench", variant.game, variant.limit, variant.rulebook, *variant.stakes, PLAYERS, "play", "PLAY",
            ante=variant.ante, most_buy_in=max(script.stacks),
        ),
        *(SitDown(table, seat, f"p{seat}", stack) for seat, stack in zip(script.seats, script.stacks, strict=True)),
    ]  # fmt: skip


def seated(variant: Variant, script: Script, table: str = "t1") -> Play:
    now = Play(table)
    for args in openings(variant, script, table):
        play(now, args, _NO_SHOES, 0)
    return now


def _no_shuffle(cards: Sequence[int]) -> Sequence[int]:
    raise AssertionError("nothing is shuffled in a script but its deck")


_NO_SHOES = OpenShoes(_no_shuffle)


def play_script(now: Play, script: Script, shoes: Shoes, *, checked: bool = True) -> Stacks:
    """Deal and play it to its end; the stacks then."""
    play(now, DealHand(now.id, 1), shoes, 0)
    hand, shoe = now.hand, now.shoe
    assert hand and shoe
    if checked:
        check(hand, shoe)
    for step in script.decisions:
        play(now, command_of(hand, shoe, step, script.seats[step.player - 1]), _NO_SHOES, 0)
        if checked:
            check(hand, shoe)
    assert hand.settled, "the script ends before the hand does"
    return tuple(hand.stack[seat] for seat in script.seats)


def their_side(variant: Variant, scripts: Sequence[Script]) -> Side:
    create = _CREATE[variant]
    return Side(lambda _: [_play_theirs(create(script.stacks, PLAYERS), script) for script in scripts])


def _play_theirs(state: State, script: Script) -> Stacks:
    for step in script.steps:
        apply(state, step)
    assert not state.status, "the script ends before pokerkit's hand does"
    return tuple(state.stacks)
