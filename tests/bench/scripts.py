"""The hands of the bench as script text: what both sides start from.

A script is one hand in PHH, the notation that pokerkit reads: the stacks, the cards and every action. The hands come
from seeded random legal play of six players; those are kept that go to a showdown in about as many decisions as their
variant says, that need no second shuffle, and that the two programs play by the same rules.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.cards import faces
from domain.hand import events as fact
from tests.domain.hand import pokerkit_play
from tests.domain.hand.habits import Habits, play_at_random
from tests.domain.hand.pokerkit_play import Difference, Incomparable
from tests.domain.hand.scripts import Script, Step, script_of
from tests.hands import open_hand_for

PLAYERS = 6


@dataclass(frozen=True, slots=True)
class Variant:
    """A game and limit, as we and as PHH name them. `stakes`, `ante` and `bring_in` as a table states them;
    `decisions`: how many a hand of the bench has."""

    title: str
    game: str
    limit: str
    phh: str
    stakes: tuple[int, int]
    decisions: range
    rulebook: str = "euro"
    ante: int = 0


NO_LIMIT_HOLDEM = Variant("no-limit hold'em", "holdem", "no", "NT", (50, 100), range(14, 22))
POT_LIMIT_OMAHA = Variant("pot-limit Omaha", "omaha", "pot", "PO", (50, 100), range(14, 22))
FIXED_LIMIT_STUD = Variant("fixed-limit stud", "stud", "fixed", "F7S", (100, 200), range(14, 27), "ace", ante=25)
FIXED_LIMIT_TRIPLE_DRAW = Variant("fixed-limit triple draw", "triple-draw", "fixed", "F2L3D", (100, 200), range(20, 35))
VARIANTS = (NO_LIMIT_HOLDEM, POT_LIMIT_OMAHA, FIXED_LIMIT_STUD, FIXED_LIMIT_TRIPLE_DRAW)
"""Stud under `ace`: its bring-in is pokerkit's."""


def make(variant: Variant, count: int, seed: int) -> list[str]:
    """The texts of that many different hands."""
    random = Random(seed)
    texts: dict[str, None] = {}
    while len(texts) < count:
        facts = _played(variant, random)
        if _fit(variant, facts):
            texts[_text(variant, facts)] = None
    return list(texts)


def _played(variant: Variant, random: Random) -> list[Any]:
    opened = open_hand_for(
        variant.game,
        variant.limit,
        variant.stakes,
        stacks=[random.randrange(60, 240) * 100 for _ in range(PLAYERS)],
        button=1,
        rulebook=variant.rulebook,
        ante=variant.ante,
    )
    opened.deck = tuple(random.sample(range(52), 52))
    return play_at_random(opened, random, Habits())


def _fit(variant: Variant, facts: list[Any]) -> bool:
    """Whether a hand is of the kind that the bench measures."""
    kinds = {type(one) for one in facts}
    if fact.HandShown not in kinds or fact.DeckReshuffled in kinds:
        return False
    if len(script_of(facts).decisions) not in variant.decisions:
        return False
    try:
        return pokerkit_play.play(facts).met <= {Difference.OPEN_PAIR}  # where nobody bets the big bet
    except Incomparable:
        return False


# --- PHH -------------------------------------------------------------------------------------------------------------


def _text(variant: Variant, facts: list[Any]) -> str:
    stakes, script = facts[0].stakes, script_of(facts)
    lines = ",\n".join(f'  "{line}"' for line in (*map(_line, script.steps), *_shown(facts, script)))
    forced = (
        f"bring_in = {stakes.bring_in}"
        if stakes.bring_in
        else f"blinds_or_straddles = {[stakes.small_blind, stakes.big_blind, *[0] * (PLAYERS - 2)]}"
    )
    bets = (
        f"small_bet = {stakes.small_bet}\nbig_bet = {stakes.big_bet}"
        if variant.limit == "fixed"
        else f"min_bet = {stakes.min_bet}"
    )
    return (
        f'variant = "{variant.phh}"\nantes = {[stakes.ante] * PLAYERS}\n{forced}\n{bets}\n'
        f"starting_stacks = {list(script.stacks)}\nseats = {list(script.seats)}\nactions = [\n{lines}\n]\n"
    )


def _line(step: Step) -> str:
    match step.word:
        case "dh":
            return f"d dh p{step.player} {step.cards}"
        case "db":
            return f"d db {step.cards}"
        case "cbr":
            return f"p{step.player} cbr {step.amount}"
        case "sd":
            return f"p{step.player} sd {step.cards}".rstrip()
        case _:
            return f"p{step.player} {step.word}"


def _shown(facts: list[Any], script: Script) -> Iterator[str]:
    """PHH has the hands that were turned up or mucked too; neither side needs to be told."""
    for one in facts:
        if type(one) is fact.HandShown:
            yield f"p{script.seats.index(one.seat) + 1} sm {faces(one.cards).replace(' ', '')}"
        elif type(one) is fact.HandMucked:
            yield f"p{script.seats.index(one.seat) + 1} sm"


def read(text: str) -> Script:
    """The script that a text holds."""
    phh = tomllib.loads(text)
    steps = tuple(_step(line) for line in phh["actions"] if line.split()[1] != "sm")
    return Script(tuple(phh["seats"]), tuple(phh["starting_stacks"]), steps)


def _step(line: str) -> Step:
    match line.split():
        case ["d", "dh", player, cards]:
            return Step("dh", int(player[1:]), cards)
        case ["d", "db", cards]:
            return Step("db", cards=cards)
        case [player, "cbr", amount]:
            return Step("cbr", int(player[1:]), amount=int(amount))
        case [player, "sd", cards]:
            return Step("sd", int(player[1:]), cards)
        case [player, "f" | "cc" | "pb" | "sd" as word]:
            return Step(word, int(player[1:]))
        case _:
            raise ValueError(f"{line!r} is no line of a script")
