"""Frames for machines."""

from dataclasses import asdict
from typing import Any

from domain import catalog
from domain.cards import FACES
from domain.rulings.replay import Frame


def as_json(frame: Frame) -> dict[str, Any]:
    """A frame: cards by their faces, amounts in minor units, the decision awaited by its event's type."""
    shown = asdict(frame)
    shown["board"] = [FACES[card] for card in frame.board]
    for seat in shown["seats"]:
        for cards in ("cards", "up", "discards"):
            seat[cards] = [FACES[card] for card in seat[cards]]
    if frame.turn is not None:
        shown["turn"]["type"] = catalog.event.by_class[type(frame.turn)].name
    return shown
