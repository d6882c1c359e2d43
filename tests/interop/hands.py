"""Hands of other rooms for tests, as PHH has them, each with what it pays worked out by hand."""

from copy import deepcopy
from decimal import Decimal
from typing import Any

Hand = dict[str, Any]

HEADS_UP: Hand = {
    "variant": "NT",
    "antes": [0, 0],
    "blinds_or_straddles": [1, 2],
    "min_bet": 2,
    "starting_stacks": [200, 150],
    "actions": [
        "d dh p1 AcAd", "d dh p2 KcKd", "p2 cbr 6", "p1 cc",
        "d db 7dQh6h", "p1 cc", "p2 cbr 10", "p1 cc",
        "d db 2c", "p1 cc", "p2 cc",
        "d db 3h", "p1 cbr 20", "p2 cc # he sighs", "p1 sm AcAd", "p2 sm",
    ],
    "finishing_stacks": [236, 114],
}  # fmt: skip
"""Player 2 has the button and the small blind. Each puts in 6 + 10 + 20: the aces win 36."""

ALL_IN_ON_THE_FLOP = [*HEADS_UP["actions"][:5], "p1 cbr 144", "p2 cc", "p1 sm AcAd", "p2 sm KcKd"]
"""Player 2 has 150 - 6 = 144 left."""

THREE_HANDED: Hand = {
    "variant": "NT",
    "antes": [Decimal("0.10"), Decimal("0.10"), Decimal("0.10")],
    "blinds_or_straddles": [Decimal("0.50"), 1, 0],
    "min_bet": 1,
    "starting_stacks": [100, Decimal("20.10"), 100],
    "currency": "USD",
    "hand": 4711,
    "actions": [
        "d dh p1 ????", "d dh p2 9c9d", "d dh p3 JhJs", "p3 cbr 3", "p1 f", "p2 cbr 20", "p3 cc",
        "d db 2c5h8s", "d db Kd", "d db 4c", "p2 sm 9c9d", "p3 sm JhJs",
    ],
    "winnings": [0, 0, Decimal("38.80")],
}  # fmt: skip
"""In the pot: 0.30 of antes, 0.50 of the small blind, 20.00 of either player: 40.80. 2.00 were raked, 38.80 paid."""

STUD: Hand = {
    "variant": "F7S",
    "antes": [5, 5],
    "bring_in": 10,
    "small_bet": 20,
    "big_bet": 40,
    "starting_stacks": [500, 500],
    "actions": [
        "d dh p1 ????2c", "d dh p2 AhAsKd", "p1 pb", "p2 cbr 20", "p1 cc",
        "d dh p1 5d", "d dh p2 Ks", "p2 cbr 20", "p1 cc",
        "d dh p1 6d", "d dh p2 3c", "p2 cbr 40", "p1 f",
    ],
    "finishing_stacks": [455, 545],
}  # fmt: skip
"""The deuce brings in. Player 1 loses 5 + 20 + 20; the 40 that nobody called go back."""

TRIPLE_DRAW: Hand = {
    "variant": "F2L3D",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [10, 20, 0],
    "small_bet": 20,
    "big_bet": 40,
    "level": 12,
    "starting_stacks": [1000, 1000, 1000],
    "actions": [
        "d dh p1 7h6c4c3d2c", "d dh p2 ??????????", "d dh p3 ??????????", "p3 f", "p1 cbr 40", "p2 cc",
        "p1 sd", "p2 sd ????", "d dh p2 ????", "p1 cbr 20", "p2 cc",
        "p1 sd", "p2 sd ??", "d dh p2 ??", "p1 cbr 40", "p2 cc",
        "p1 sd", "p2 sd ??", "d dh p2 8d", "p1 cbr 40", "p2 cc",
        "p1 sm 7h6c4c3d2c", "p2 sm 8d5c4d3h2h",
    ],
    "finishing_stacks": [1140, 860, 1000],
}  # fmt: skip
"""40 + 20 + 40 + 40 from either: the number one wins 140."""


def changed(hand: Hand, /, **fields: Any) -> Hand:
    """The hand with other fields; one that is None is left out."""
    return {name: value for name, value in {**deepcopy(hand), **fields}.items() if value is not None}


def with_action(hand: Hand, number: int, *actions: str) -> Hand:
    """The hand with other actions in the place of one, counted from 1."""
    lines = list(hand["actions"])
    lines[number - 1 : number] = actions
    return changed(hand, actions=lines)
