"""What a declared game must be, so that every hand of it can be played to its end.

A mistake in a page of data would else come out in the middle of a hand, with money in.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from domain.cards import RANKS, SUITS, deck
from domain.messages import MOST_SEATS
from domain.rules.ranking_check import wrong_in_ranking
from domain.rules.rankings import RANKINGS
from domain.rules.showing import MOST_SHOWING
from domain.rules.vocabulary import DoorCard, Forced, Game, Opener

_NAME = re.compile(r"[a-z0-9-]{1,40}")


class BadDeclaration(ValueError):
    """A game that can't be played as it is declared; the text names what is wrong and what would be right."""


def check_declaration(game: Game) -> None:
    """Raises BadDeclaration with everything that is wrong."""
    wrong = list(_wrong(game))
    if wrong:
        raise BadDeclaration(f"game {game.name!r}: {'; '.join(wrong)}")


def _wrong(game: Game) -> Iterator[str]:
    yield from _wrong_in_names(game)
    yield from _wrong_in_words(game)
    yield from _wrong_in_rankings(game)
    if not game.streets:
        yield "a game has one street at least"
        return
    if not 2 <= game.max_seats <= MOST_SEATS:
        yield f"max_seats is {game.max_seats}: it must be 2 to {MOST_SEATS}"
    if sorted(game.suits) != sorted(SUITS):
        yield f"suits are {game.suits!r}: all of {SUITS!r}, from low to high"
    names = [street.name for street in game.streets]
    if len(set(names)) < len(names):
        yield f"two streets have one name: {', '.join(names)}"
    if game.raked_from not in names:
        yield f"raked_from is {game.raked_from!r}: it must be one of its streets, {', '.join(names)}"
    yield from _wrong_in_hands(game)
    yield from _wrong_in_openers(game)
    yield from _wrong_in_draws(game)
    yield from _wrong_in_the_deck(game)


def _wrong_in_names(game: Game) -> Iterator[str]:
    if not _NAME.fullmatch(game.name):
        yield f"{game.name!r} can't name a game: use 1 to 40 of the letters a-z, digits and -"
    if not game.title.strip() or not game.title.isprintable():
        yield f"its title is {game.title!r}: say what people call it, in printable characters"
    if type(game.revision) is not int or game.revision < 1:
        yield f"its revision is {game.revision!r}: 1, and one more with each change"


def _wrong_in_words(game: Game) -> Iterator[str]:
    """A word of the vocabulary is an enum's member: its text alone is equal to it, but not the same."""
    words: list[tuple[str, Any, type[StrEnum]]] = [
        ("forced", game.forced, Forced),
        ("brings_in", game.brings_in, DoorCard),
        *((f"the opener of {street.name}", street.opener, Opener) for street in game.streets),
    ]
    for what, word, kind in words:
        if not isinstance(word, kind):
            yield f"{what} is {word!r}: one of {', '.join(f'{kind.__name__}.{one.name}' for one in kind)}"


def _wrong_in_rankings(game: Game) -> Iterator[str]:
    high, low = RANKINGS.get(game.high), RANKINGS.get(game.low)
    for name in (game.high, *([game.low] if game.low else ())):
        if name not in RANKINGS:
            yield f"{name!r} is no ranking: one of {', '.join(RANKINGS)}"
    if high:
        yield from (f"ranking {game.high!r}: {what}" for what in wrong_in_ranking(high, ranks_all=True))
        if not set(RANKS[game.lowest_rank :]) <= set(high.ranks):
            yield f"its deck has cards that don't count in the ranking {game.high!r}, which knows {high.ranks}"
    if low:
        yield from (f"ranking {game.low!r}: {what}" for what in wrong_in_ranking(low, ranks_all=False))
        if not low.lowest_wins:
            yield f"its low is {game.low!r}, by which the highest hand wins: a low is of a ranking with lowest_wins"


def _wrong_in_hands(game: Game) -> Iterator[str]:
    own, board = sum(street.own for street in game.streets), sum(street.board for street in game.streets)
    if game.hole_cards_used is None:
        if not 5 <= own + board <= 7:
            yield f"{own} own cards and {board} on the board: five to seven together make a hand"
    elif game.hole_cards_used != 2:
        yield f"hole_cards_used is {game.hole_cards_used}: 2, or None for any mix"
    elif own < 2 or not 3 <= board <= 5:
        yield f"{own} own cards and {board} on the board: a hand of exactly two and three needs two and three to five"


def _wrong_in_openers(game: Game) -> Iterator[str]:
    up = 0
    for at, street in enumerate(game.streets):
        up += street.up
        brings_in = at == 0 and game.forced is Forced.ANTE_AND_BRING_IN
        if (street.opener is Opener.BRING_IN) != brings_in:
            yield f"{street.name} opens with {street.opener}: the first street of ante games does, and no other"
        if street.opener is Opener.BRING_IN and not street.up:
            yield f"{street.name} opens with the bring-in, but deals no card face up"
        if street.opener is Opener.BEST_SHOWING and not 1 <= up <= MOST_SHOWING:
            yield f"{street.name} opens with the best hand showing, but {up} cards lie up: 1 to {MOST_SHOWING} can rank"
        if street.opener is Opener.AFTER_BIG_BLIND and game.forced is not Forced.BLINDS:
            yield f"{street.name} opens after the big blind, but the game has none"


def _wrong_in_draws(game: Game) -> Iterator[str]:
    """A draw is of cards that lie down, and nobody is dealt one after it, which could be one that he discarded."""
    drawing = [at for at, street in enumerate(game.streets) if street.draw is not None]
    if not drawing:
        return
    if any(street.up for street in game.streets):
        yield "cards that lie up can't be exchanged: a game with draws deals none"
    if any(street.own for street in game.streets[drawing[0] :]):
        yield "cards are dealt to players on or after a draw: deal them before it"
    for at in drawing:
        held, most = sum(street.own for street in game.streets[:at]), game.streets[at].draw or 0
        if not 1 <= most <= held:
            yield f"{game.streets[at].name} exchanges up to {most} cards of {held}"


def _wrong_in_the_deck(game: Game) -> Iterator[str]:
    """With everybody in to the end. Only a street of one own card and no board may run short: one card lies for all.

    Who draws finds enough cards, whoever discarded what: those in nobody's hand, less all that he has thrown away.
    """
    left = cards = len(deck(game.lowest_rank))
    for street in game.streets:
        needed = game.max_seats * street.own + street.board
        if needed > left and (street.own, street.board) == (1, 0):
            needed = 1
        left -= needed
        if left < 0:
            yield f"{game.max_seats} players need {needed} cards on {street.name}: {left + needed} of {cards} are left"
            return
    drawn = sum(street.draw or 0 for street in game.streets)
    if drawn > left:
        yield f"a player may draw {drawn} cards in all, but {left} are in nobody's hand: allow fewer seats or cards"
