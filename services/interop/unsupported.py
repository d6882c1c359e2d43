"""Why a hand of another room can't be dealt again: what its history lacks, or what isn't spread here."""

from enum import StrEnum

from domain.cards import FACES, card, deck
from domain.messages import MOST_SEATS
from domain.rules.evaluation import evaluator
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.registry import game as declared
from domain.rules.vocabulary import Forced
from services.interop.history import History
from services.interop.holdings import holdings, is_blank
from services.interop.seating import button_and_seats


class Reason(StrEnum):
    GAME_NOT_DECLARED = "the game isn't spread here"
    TOO_MANY_PLAYERS = "more players were dealt in than sit at a table here, or than the deck has cards for"
    RUN_TWICE = "the board was run more than once, which isn't spread here"
    STRADDLE = "a player straddled, which isn't spread here"
    COMMUNITY_CARD = "a card was dealt to the table in a game that has no board"
    STACK_UNKNOWN = "nobody wrote down what a player had before him"
    BIG_BLIND_MISSING = "nobody posted the big blind, and no rule of ours knows such a hand"
    SEAT_ORDER_UNRELIABLE = "neither the seats nor the first round's actions tell who sits left of whom"
    BREAKS_OFF = "its history ends before the hand does"
    DECIDING_CARDS_UNKNOWN = "nobody wrote down cards that decide a pot"


class Unsupported(Exception):
    """A hand that can't be dealt again, with the Reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def why_unsupported(history: History) -> Reason | None:
    """The first reason that applies, found before any card is dealt; None for a hand that can be dealt again."""
    if history.game not in GAMES_BY_NAME:
        return Reason.GAME_NOT_DECLARED
    if _too_many_players(history):
        return Reason.TOO_MANY_PLAYERS
    if len(history.boards) > 1:
        return Reason.RUN_TWICE
    if any(line.post == "straddle" for line in history.posts):
        return Reason.STRADDLE
    if _big_blind_missing(history):
        return Reason.BIG_BLIND_MISSING
    if button_and_seats(history) is None:
        return Reason.SEAT_ORDER_UNRELIABLE
    if _deciding_cards_unknown(history):
        return Reason.DECIDING_CARDS_UNKNOWN
    return None


def _too_many_players(history: History) -> bool:
    """A game with fewer seats here (rules.md section 1) is dealt all the same, while each can have all his cards."""
    game, players = declared(history.game), len(history.seats)
    each = sum(street.down + street.up for street in game.streets)
    enough = players * each + sum(street.board for street in game.streets) <= len(deck(game.lowest_rank))
    return players > MOST_SEATS or (players > game.max_seats and not enough)


def _big_blind_missing(history: History) -> bool:
    has_blinds = declared(history.game).forced is Forced.BLINDS
    return has_blinds and not any(line.post == "bb" for line in history.posts)


def _deciding_cards_unknown(history: History) -> bool:
    """Whether a showdown lacks cards of a player who didn't lay his hand down himself.

    A muck is an action, not an award: it is fed in as giving up.
    """
    found = holdings(history, declared(history.game))
    unknown = [seat.player for seat in history.left if not found[seat.player].known]
    if len(history.left) == 1 or not unknown or history.mucked.issuperset(unknown):
        return False
    return not _same_winners_whatever_it_is(history, {seat.player: found[seat.player].held for seat in history.left})


def _same_winners_whatever_it_is(history: History, held: dict[str, tuple[str, ...]]) -> bool:
    """Whether one card alone is unknown, and no card in its place would change which hands beat which."""
    seen = [one for hand in held.values() for one in hand]
    seen += history.boards[0] if history.boards else ()
    if sum(map(is_blank, seen)) > 1:
        return False
    orders = {
        _order_of_hands(history, [[face if is_blank(one) else one for one in hand] for hand in held.values()])
        for face in FACES
        if face not in seen
    }
    return len(orders) == 1


def _order_of_hands(history: History, hands: list[list[str]]) -> tuple[tuple[tuple[int, bool], ...], ...]:
    """For high and for low: how many of the hands beat each, and whether it qualifies."""
    game = declared(history.game)
    board = [card(face) for face in (history.boards[0] if history.boards else ())]
    order = []
    for ranking in filter(None, (game.high, game.low)):
        worth = evaluator(ranking, game.hole_cards_used)
        values = [worth([card(face) for face in hand], board) for hand in hands]
        order.append(tuple((sum(other > mine for other in values), mine > 0) for mine in values))
    return tuple(order)
