"""Invented records, line by line as the files have them."""

from copy import deepcopy
from typing import Any

Line = dict[str, Any]


def altered(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A copy of a whole record with other entries."""
    return {**deepcopy(record), **changes}


def line_altered(record: dict[str, Any], at: int, **changes: Any) -> dict[str, Any]:
    """A copy with other entries in one of its lines."""
    copy = deepcopy(record)
    copy["events"][at].update(changes)
    return copy


def post(player: str, kind: str, by: int, live: bool = True, street: str = "preflop") -> Line:
    return {"s": street, "t": "post", "p": player, "k": kind, "by": by, "to": by, "live": live}


def act(street: str, player: str, action: str, by: int = 0, to: int = 0) -> Line:
    return {"s": street, "t": action, "p": player, "by": by, "to": to}


def board(*cards: str, run: int = 0) -> Line:
    return {"s": "flop", "t": "board", "cards": list(cards), "board": run}


def deal(street: str, player: str, cards: str, up: int = 0) -> Line:
    """`up`: how many of the cards, the last ones, lie face up."""
    faces = cards.split()
    return {
        "s": street, "t": "deal", "p": player, "cards": faces,
        "up": [number >= len(faces) - up for number in range(len(faces))],
    }  # fmt: skip


def draw(street: str, player: str, count: int, **cards: str) -> Line:
    """`cards`: what the log tells of them, as `discard`, `drawn`, `hand_after`."""
    return {"s": street, "t": "draw", "p": player, "n": count, **{key: text.split() for key, text in cards.items()}}


def shown(player: str, cards: str, how: str = "show") -> Line:
    return {"s": "showdown", "t": how, "p": player, "cards": cards.split()}


def players(count: int, stack: int = 10_000) -> list[Line]:
    return [{"p": f"P{seat}", "seat": seat, "stack": stack, "dealt": True} for seat in range(1, count + 1)]
