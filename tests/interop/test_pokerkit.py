"""PHH that pokerkit reads and plays too: both pay the same, to the chip; and whatever is done to such a file, each hand
gets a verdict."""

import tomllib
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pokerkit import HandHistory

from domain.rules import registry
from services.interop.phh import hands_of
from services.interop.verdicts import Outcome, verdict
from tests.bench.scripts import VARIANTS, Variant, make

HANDS = 12


def paid_by_pokerkit(text: str) -> list[int]:
    *_, state = HandHistory.loads(text)
    assert not state.status
    return list(state.stacks)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
def test_hands_that_pokerkit_plays_are_paid_alike(variant: Variant) -> None:
    rulebook = registry.rulebook(variant.rulebook)
    for text in make(variant, HANDS, seed=7):
        hand = tomllib.loads(text, parse_float=Decimal) | {"finishing_stacks": paid_by_pokerkit(text)}
        assert verdict(hand, rulebook).outcome is Outcome.AS_PAID, text
        first, second, *others = hand["finishing_stacks"]
        moved = verdict(hand | {"finishing_stacks": [first + 1, second - 1, *others]}, rulebook)
        assert moved.outcome is (Outcome.DIFFERS if second else Outcome.UNREADABLE), text


def test_a_damaged_hand_gets_a_verdict_and_no_traceback() -> None:
    """Lines lost, doubled, moved, cut and misspelt, and fields left out."""
    random, euro = Random(11), registry.rulebook("euro")
    seen = set()
    for variant in VARIANTS:
        for text in make(variant, 3, seed=3):
            (hand,) = hands_of(text).values()
            hand["finishing_stacks"] = paid_by_pokerkit(text)
            for _ in range(60):
                seen.add(verdict(damaged(hand, random), euro).outcome)
    assert seen >= {Outcome.DIFFERS, Outcome.UNSUPPORTED, Outcome.UNREADABLE}


def damaged(hand: dict[str, Any], random: Random) -> dict[str, Any]:
    lines = list(hand["actions"])
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at][:-1]
        case 4:
            letters = list(lines[at])
            letters[random.randrange(len(letters))] = random.choice("pdcf19?hAK")
            lines[at] = "".join(letters)
        case 5:
            lines = lines[:at]
    fields = {**hand, "actions": lines}
    if random.randrange(4) == 0:
        del fields[random.choice(list(fields))]
    return fields
