"""How far a game's deck goes, counted from its declaration."""

from domain.cards import deck
from domain.rules.vocabulary import Game, Street


def cards_in_deck(game: Game) -> int:
    return len(deck(game.lowest_rank))


def short_street(game: Game) -> tuple[Street, int] | None:
    """The first street for which the cards may be too few, and from how many players on; None if they never are."""
    each, left = 0, cards_in_deck(game)
    for street in game.streets:
        each, left = each + street.own, left - street.board
        if game.max_seats * each > left:
            return street, left // each + 1
    return None


def fewest_for_reshuffle(game: Game) -> int | None:
    """With how many players the deck runs out if all exchange as many cards as they may; None if it never does."""
    each = sum(street.own + (street.draw or 0) for street in game.streets)
    for_players = cards_in_deck(game) - sum(street.board for street in game.streets)
    fewest = for_players // each + 1
    draws = any(street.draw for street in game.streets)
    return fewest if draws and fewest <= game.max_seats else None
