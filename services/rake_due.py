"""Whether a hand owes rake, told by what was dealt in it: for those who compute anew what the rules' code has taken."""

from collections import Counter
from typing import Any

from domain.hand.events import BoardDealt, CardsDealt, DrawOpened, HandCancelled, HandOpened
from domain.rules.registry import game_at


class RakeDue:
    """A hand owes rake by the schedule that it pinned once the street was dealt, or drawn, that its game names: also
    where no round was played on it. A cancelled hand owes none (rules.md section 9).

    `due`: whether it does, by the facts taken so far.
    """

    def __init__(self, opened: HandOpened) -> None:
        game = game_at(opened.game, opened.game_revision)
        self.schedule = opened.rake
        self._street = game.raked_from
        self._number = [one.name for one in game.streets].index(game.raked_from)
        self._cards = sum(one.own for one in game.streets[: self._number + 1]) if game.streets[self._number].own else 0
        """How many a player has once that street was dealt; 0 where it deals none to players."""
        self._own: Counter[int] = Counter()
        self._reached = False
        self._cancelled = False

    @property
    def due(self) -> bool:
        return self.schedule is not None and self._reached and not self._cancelled

    def take(self, event: Any) -> None:
        """The hand's next fact."""
        match event:
            case BoardDealt():
                self._reached |= event.street == self._street
            case DrawOpened():
                self._reached |= event.street == self._number
            case CardsDealt() if self._cards:
                self._own[event.seat] += len(event.indices)
                self._reached |= self._own[event.seat] >= self._cards
            case HandCancelled():
                self._cancelled = True
