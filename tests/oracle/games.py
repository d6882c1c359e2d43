"""The games of the records by the names that the domain gives them and their streets."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from domain.rules import registry
from tests.oracle.stud5 import FIVE_CARD_STUD

OUR_NAMES = {
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha_hilo": "omaha-hilo",
    "stud7": "stud",
    "stud7_hilo": "stud-hilo",
    "stud5": "five-card-stud",
    "draw5": "draw",
    "td27": "triple-draw",
}

OUR_STREETS = {
    "draw5": {"draw1": "draw"},
    "td27": {"draw1": "first draw", "draw2": "second draw", "draw3": "third draw"},
}
"""By game, where our names differ from those of the records."""


def our_street(game: str, street: str) -> str:
    """The domain's name for a street of the record's game."""
    return OUR_STREETS.get(game, {}).get(street, street)


@contextmanager
def all_declared() -> Iterator[None]:
    """While it lasts the room declares 5-card stud too, which it doesn't offer."""
    with patch.dict(registry.GAMES_BY_NAME), patch.dict(registry.GAMES_BY_REVISION):
        registry.register_game(FIVE_CARD_STUD)
        yield
