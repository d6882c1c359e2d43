"""The best five of seven cards: ours beside pokerkit's and phevaluator's.

All start from the same card texts. Ours gets them as the numbers that a hand holds, pokerkit as its own `Card`s, both
read before the clock starts; phevaluator reads its strings itself, each time, as the design has it. Two more rows say
what is left when ours reads the text too, and when phevaluator gets numbers.

The values aren't on one scale, so what must be equal is the order of all hands.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from phevaluator import evaluate_cards
from pokerkit import Card, StandardHighHand

from domain.cards import FACES, cards
from domain.rules.evaluation import evaluator
from tests.bench.rows import Row, Side, compare, faster

GOAL_POKERKIT, GOAL_PHEVALUATOR = 150, 1
_SLOWER = 20
"""One in so many hands is given to pokerkit's evaluator, which needs that much longer."""

Hands = Sequence[tuple[Any, Any]]
"""For each hand the two hole cards and the board, in whatever form a side takes."""


def rows(count: int, runs: int, seed: int) -> list[Row]:
    texts = deals(count, seed)
    value = evaluator("standard", None)
    numbers = [(cards(hole), cards(board)) for hole, board in texts]
    strings = [(_split(hole), _split(board)) for hole, board in texts]
    ours = ranking(numbers, value)
    from_text = ranking(texts, lambda hole, board: value(cards(hole), cards(board)))
    of_strings = ranking(strings, _phevaluator)
    of_numbers = ranking(numbers, _phevaluator)
    few = [(tuple(Card.parse(hole)), tuple(Card.parse(board))) for hole, board in texts[: count // _SLOWER]]
    of_few, theirs = compare(ranking(numbers[: len(few)], value), ranking(few, StandardHighHand.from_game), runs=runs)
    mine, mine_from_text, strings_took, numbers_took = compare(ours, from_text, of_strings, of_numbers, runs=runs)
    name, unit, each = "5 of 7 evaluation", "us", 1e6 / count
    by_strings = "phevaluator with strings"
    return [
        faster(name, unit, 1e6 / len(few), of_few, theirs, "pokerkit", GOAL_POKERKIT),
        faster(name, unit, each, mine, strings_took, by_strings, GOAL_PHEVALUATOR),
        faster(f"{name}, ours from text too", unit, each, mine_from_text, strings_took, by_strings, None),
        faster(f"{name}, both from numbers", unit, each, mine, numbers_took, "phevaluator with numbers", None),
    ]


def deals(count: int, seed: int) -> list[tuple[str, str]]:
    """Random hands and boards as text."""
    random = Random(seed)
    dealt = [random.sample(FACES, 7) for _ in range(count)]
    return [("".join(seven[:2]), "".join(seven[2:])) for seven in dealt]


def ranking(hands: Hands, value: Callable[[Any, Any], Any]) -> Side:
    """A side that values every hand."""
    return Side(lambda _: [value(hole, board) for hole, board in hands], results=order)


def order(values: Sequence[Any]) -> list[int]:
    """For each value how many different ones are lower."""
    ranks, rank = [0] * len(values), 0
    for before, place in pairwise(sorted(range(len(values)), key=values.__getitem__)):
        rank += values[before] < values[place]
        ranks[place] = rank
    return ranks


def _phevaluator(hole: Sequence[Any], board: Sequence[Any]) -> int:
    return -int(evaluate_cards(*hole, *board))  # its lowest number is the best hand


def _split(faces: str) -> list[str]:
    return [faces[at : at + 2] for at in range(0, len(faces), 2)]
