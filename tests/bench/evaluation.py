"""The best five of seven cards: ours beside pokerkit's and phevaluator's.

All start from the same card texts. Ours gets them as the numbers that a hand holds, pokerkit as its own `Card`s, both
read before the clock starts; phevaluator reads its strings itself, each time, as the design has it. Two more rows say
what is left when ours reads the text too, and when phevaluator gets numbers.

The values aren't on one scale, so what must be equal is the order: which of two neighbours wins.
"""

from collections.abc import Callable, Sequence
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
    ours = Side(_ranking(numbers, value))
    from_text = Side(_ranking(texts, lambda hole, board: value(cards(hole), cards(board))))
    of_strings = Side(_ranking(strings, _phevaluator))
    of_numbers = Side(_ranking(numbers, _phevaluator))
    few = [(tuple(Card.parse(hole)), tuple(Card.parse(board))) for hole, board in texts[: count // _SLOWER]]
    of_few, theirs = compare(
        Side(_ranking(numbers[: len(few)], value)), Side(_ranking(few, StandardHighHand.from_game)), runs=runs
    )
    mine, mine_from_text, strings_took, numbers_took = compare(ours, from_text, of_strings, of_numbers, runs=runs)
    name, unit, each = "5 of 7 evaluation", "us", 1e6 / count
    return [
        faster(name, unit, 1e6 / len(few), of_few, theirs, "pokerkit", GOAL_POKERKIT),
        faster(name, unit, each, mine, strings_took, "phevaluator with strings", GOAL_PHEVALUATOR),
        faster(f"{name}, ours from text too", unit, each, mine_from_text, strings_took, "phevaluator with strings", None),
        faster(f"{name}, both from numbers", unit, each, mine, numbers_took, "phevaluator with numbers", None),
    ]


def deals(count: int, seed: int) -> list[tuple[str, str]]:
    """Random hands and boards as text."""
    random = Random(seed)
    dealt = [random.sample(FACES, 7) for _ in range(count)]
    return [("".join(seven[:2]), "".join(seven[2:])) for seven in dealt]


def _ranking(hands: Hands, value: Callable[[Any, Any], Any]) -> Callable[[Any], list[Any]]:
    """A run that values every hand. Its results are compared as an order, by `Ranking`."""
    return lambda _: Ranking([value(hole, board) for hole, board in hands])


def _phevaluator(hole: Sequence[Any], board: Sequence[Any]) -> int:
    return -int(evaluate_cards(*hole, *board))  # its lowest number is the best hand


def _split(faces: str) -> list[str]:
    return [faces[at : at + 2] for at in range(0, len(faces), 2)]


class Ranking(list[Any]):
    """The values of hands on one evaluator's scale; looked at one by one it says how each compares with the one before:
    1 better, 0 equal, -1 worse."""

    def __iter__(self) -> Any:
        values = [self[place] for place in range(len(self))]
        return iter([(one > before) - (one < before) for before, one in zip(values, values[1:], strict=False)])
