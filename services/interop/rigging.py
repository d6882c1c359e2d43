"""A shoe that deals every known card to where the history has it; blanks get cards that are left over.

Where up-cards are blanks they get such that the players whom the history has bring in and open do so by our rules.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from domain.cards import FACES, card, deck, rank_of
from domain.rules.phrases import listed
from domain.rules.showing import showing_value
from domain.rules.vocabulary import DoorCard, Game, Opener
from services.interop.history import UNKNOWN, History
from services.interop.holdings import Card, Contradiction, Holding, holdings, is_blank, last_street

TRIES = 2000
"""Of how to fill blank up-cards: where four players hide theirs, about one in two hundred will do."""

Shuffle = Callable[[Sequence[int]], Sequence[int]]
Named = Mapping[Card, str]
"""The face that each blank gets."""


@dataclass(frozen=True)
class Rigged:
    """`deck`: the whole permutation. `shuffle`: puts a pile in the order in which the history has its cards drawn.
    `thrown`: by player and street, the cards to throw away. `held`: what the players whose cards are known must hold
    at the end."""

    deck: tuple[int, ...]
    shuffle: Shuffle
    thrown: dict[tuple[str, str], tuple[int, ...]]
    held: dict[str, tuple[int, ...]]


def rigged(history: History, game: Game, order: Sequence[str]) -> Rigged:
    """`order`: the players clockwise from the left of the button. Raises Contradiction where a card was dealt twice."""
    dealing = _Dealing(history, game, order, holdings(history, game))
    whole = FACES[deck(game.lowest_rank)[0] :]
    cards = list(dealing.cards())
    in_deck, reshuffled = cards[: len(whole)], cards[len(whole) :]
    named = _named(dealing, whole, in_deck, reshuffled)
    faces = [named.get(one, one) for one in in_deck]
    twice = sorted({face for face in faces if faces.count(face) > 1})
    if twice:
        raise Contradiction(f"a deck has each card once, but {listed(twice)} was dealt twice")
    thrown = {
        (player, street): tuple([card(named.get(one, one)) for one in received.thrown if one not in reshuffled])
        for player, holding in dealing.known.items()
        for street, received in holding.streets.items()
    }
    return Rigged(
        deck=tuple(map(card, [*faces, *(one for one in whole if one not in faces)])),
        shuffle=_order_of_pile(reshuffled, thrown),
        thrown=thrown,
        held={player: tuple(map(card, holding.held)) for player, holding in dealing.known.items() if holding.known},
    )


@dataclass(frozen=True)
class _Dealing:
    """Who gets which cards, and in which order."""

    history: History
    game: Game
    order: Sequence[str]
    known: Mapping[str, Holding]

    def cards(self) -> Iterator[Card]:
        """All cards in the order in which they leave the shoe."""
        board = iter(self.history.boards[0] if self.history.boards else ())
        for number, street in enumerate(self.game.streets):
            received = [self.known[player].streets[street.name] for player in self.playing(number)]
            if street.draw is not None:
                yield from (one for mine in received for one in mine.down)
            else:
                yield from (mine.down[turn] for turn in range(street.down) for mine in received)
                yield from (mine.up[turn] for turn in range(street.up) for mine in received)
            for at in range(street.board):
                face = next(board, UNKNOWN)
                yield face if face != UNKNOWN else f"?{street.name}.{at}"

    def playing(self, number: int) -> list[str]:
        """Who is dealt a street."""
        return [player for player in self.order if last_street(self.history, self.game, player) >= number]

    def hides_up_cards(self) -> bool:
        received = [one for holding in self.known.values() for one in holding.streets.values()]
        return any(is_blank(one) for mine in received for one in mine.up)

    def acts_as_written(self, named: Named) -> bool:
        """Whether by the up-cards those bring in and open whom the history has do it."""
        up: dict[str, list[int]] = {player: [] for player in self.order}
        for number, street in enumerate(self.game.streets):
            playing = self.playing(number)
            for player in playing:
                up[player] += [card(named.get(one, one)) for one in self.known[player].streets[street.name].up]
            first = next((line.player for line in self.history.actions if line.street == street.name), None)
            if first is not None and first != self._first(street.opener, playing, up):
                return False
        return True

    def _first(self, opener: Opener, playing: Sequence[str], up: Mapping[str, Sequence[int]]) -> str:
        if opener is Opener.BRING_IN:
            pick = min if self.game.brings_in is DoorCard.LOWEST else max
            return pick(playing, key=lambda player: self._door_card(up[player][0]))
        return max(playing, key=lambda player: showing_value(self.game.high, up[player]))

    def _door_card(self, door: int) -> tuple[int, int]:
        return rank_of(door), self.game.suits.index(FACES[door][1])


def _named(dealing: _Dealing, whole: Sequence[str], in_deck: Sequence[Card], reshuffled: Sequence[Card]) -> Named:
    """A face for every blank of the deck. What is known to come from a reshuffled pile goes first, so that somebody
    throws it away."""
    blanks = [one for one in in_deck if is_blank(one)]
    later = [one for one in reshuffled if not is_blank(one)]
    free = [one for one in whole if one not in in_deck and one not in later]
    named = dict(zip(blanks, [*later, *free], strict=False))
    for attempt in range(TRIES if dealing.hides_up_cards() else 0):
        if dealing.acts_as_written(named):
            break
        Random(attempt).shuffle(free)  # noqa: S311 -- the same tries each time, and nothing secret
        named = dict(zip(blanks, free, strict=False))
    return named


def _order_of_pile(wanted: Sequence[Card], thrown: Mapping[tuple[str, str], tuple[int, ...]]) -> Shuffle:
    """Blanks get cards of folded hands first: nobody threw these away, so nobody is passed over for them."""
    own = {one for cards in thrown.values() for one in cards}
    known = {card(one) for one in wanted if not is_blank(one)}

    def shuffle(pile: Sequence[int]) -> Sequence[int]:
        free = iter(sorted([one for one in pile if one not in known], key=own.__contains__))
        first = [next(free) if is_blank(one) else card(one) for one in wanted]
        return [*first, *(one for one in pile if one not in first)]

    return shuffle
