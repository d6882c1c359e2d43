"""What each player was dealt, threw away and drew, as far as the history tells.

A card that nobody wrote down stands as a blank, a name of its own ("?P1.3"), until a line tells what it was: a hand
that is shown at the end gives names to the blanks that its player held.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from domain.rules.vocabulary import Game, Street
from services.interop.history import DRAW, UNKNOWN, History, Sight

Card = str
"""A face, or a blank."""


class Contradiction(Exception):
    """What the history says of the cards can't all be true."""


@dataclass(frozen=True)
class Received:
    """What a player threw away on a street, and the cards that he then got."""

    thrown: tuple[Card, ...] = ()
    down: tuple[Card, ...] = ()
    up: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Holding:
    """`streets`: by name, those that the player was dealt; `held`: what he held at the end."""

    streets: dict[str, Received]
    held: tuple[Card, ...]

    @property
    def known(self) -> bool:
        return not any(map(is_blank, self.held))


def is_blank(card: Card) -> bool:
    return card.startswith("?")


def holdings(history: History, game: Game) -> dict[str, Holding]:
    """By player. Where the history contradicts itself of a player's cards, all of them are blanks."""
    return {seat.player: _holding(history, game, seat.player) for seat in history.seats}


def _holding(history: History, game: Game, player: str) -> Holding:
    streets = game.streets[: last_street(history, game, player) + 1]
    sights = [sight for sight in history.sights if sight.player == player]
    try:
        return _Story(player, sights).told(streets)
    except Contradiction:
        draws = [sight._replace(cards=(), thrown=(), after=()) for sight in sights if sight.act == DRAW]
        return _Story(player, draws).told(streets)


def last_street(history: History, game: Game, player: str) -> int:
    """The number of the last street that was dealt to a player: that on which he folded, or on which the hand ended."""
    numbers = {street.name: number for number, street in enumerate(game.streets)}
    for line in history.lines:
        if line.act == "fold" and line.player == player:
            return numbers[line.street]
    if len(history.left) > 1:
        return len(game.streets) - 1
    return max(numbers.get(street, 0) for street in history.streets)


@dataclass
class _Story:
    """One player's cards, street by street."""

    player: str
    sights: Sequence[Sight]
    held: list[Card] = field(default_factory=list)
    names: dict[Card, Card] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.blanks: Iterator[Card] = (f"?{self.player}.{number}" for number in count())

    def told(self, streets: Sequence[Street]) -> Holding:
        received = {}
        for street in streets:
            received[street.name] = self._drawn(street) if street.draw else self._dealt(street)
        self._check_nothing_came_twice(received.values())
        for sight in self.sights:
            if sight.act in ("show", "muck") and len(sight.cards) == len(self.held) and UNKNOWN not in sight.cards:
                self._held_is(sight.cards)
        return Holding(
            {
                name: Received(self._named(one.thrown), self._named(one.down), self._named(one.up))
                for name, one in received.items()
            },
            self._named(self.held),
        )

    def _check_nothing_came_twice(self, received: Iterable[Received]) -> None:
        came = [card for one in received for card in (*one.down, *one.up)]
        if len(set(came)) < len(came):
            raise Contradiction(f"{self.player} gets a card twice: {came}")

    def _dealt(self, street: Street) -> Received:
        seen = [sight for sight in self.sights if sight.act == "deal" and sight.street == street.name]
        faces = [face for sight in seen for face in sight.cards]
        lie_up = [up for sight in seen for up in sight.up or (False,) * len(sight.cards)]
        down = self._faces([face for face, up in zip(faces, lie_up, strict=True) if not up], street.down)
        up = self._faces([face for face, up in zip(faces, lie_up, strict=True) if up], street.up)
        self.held += [*down, *up]
        return Received(down=down, up=up)

    def _drawn(self, street: Street) -> Received:
        for sight in self.sights:
            if sight.act == DRAW and sight.street == street.name:
                thrown = self._thrown(sight)
                drawn = self._faces(sight.cards if len(sight.cards) == sight.threw else (), sight.threw)
                self.held = [card for card in self.held if card not in thrown] + list(drawn)
                if _is_hand(sight.after, len(self.held)):
                    self._held_is(sight.after)
                return Received(thrown, drawn)
        return Received()

    def _thrown(self, sight: Sight) -> tuple[Card, ...]:
        """Those that the history names; if it names none, first cards that the player doesn't hold when his hand is
        next known, then blanks."""
        if len(sight.thrown) == sight.threw:
            return tuple(self._one_held(face) for face in sight.thrown)
        later = self._next_known(sight)
        by_use = sorted(self.held, key=lambda card: (card in later, is_blank(card)))
        return tuple(by_use[: sight.threw])

    def _one_held(self, face: str) -> Card:
        """The held card of that face: where none has it, a blank is named so."""
        if face in self.held:
            return face
        blank = next((card for card in self.held if is_blank(card) and card not in self.names), None)
        if blank is None:
            raise Contradiction(f"{self.player} throws {face}, but holds {self.held}")
        self.names[blank] = blank if face == UNKNOWN else face
        return blank

    def _next_known(self, now: Sight) -> Sequence[str]:
        for sight in self.sights[self.sights.index(now) :]:
            hand = sight.after if sight.act == DRAW else sight.cards
            if _is_hand(hand, len(self.held)):
                return hand
        return ()

    def _faces(self, faces: Sequence[str], wanted: int) -> tuple[Card, ...]:
        """As many cards as wanted, blanks for those that aren't known."""
        padded = (*faces, *[UNKNOWN] * wanted)[:wanted]
        return tuple(next(self.blanks) if face == UNKNOWN else face for face in padded)

    def _held_is(self, hand: Sequence[str]) -> None:
        """The player is seen to hold this: his blanks get the names of the cards that no other card of his is."""
        left = [face for face in hand if face not in self.held]
        blanks = [card for card in self.held if is_blank(card)]
        if len(blanks) != len(left):
            raise Contradiction(f"{self.player} is seen to hold {hand}, but was dealt {self.held}")
        self.names.update(zip(blanks, left, strict=True))
        self.held = list(self._named(self.held))

    def _named(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(self.names.get(card, card) for card in cards)


def _is_hand(faces: Sequence[str], size: int) -> bool:
    return len(faces) == len(set(faces)) == size and UNKNOWN not in faces
