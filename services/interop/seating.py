"""Who sits where: the seats as written, or as the order of the first round tells."""

from domain.hand.state import clockwise
from domain.rules.registry import game as declared
from domain.rules.vocabulary import Forced
from services.interop.history import History, Seat

Seating = tuple[int, tuple[Seat, ...]]
"""The button, 0 in games that have none, and the seats dealt in, both counted from 1."""


def button_and_seats(history: History) -> Seating | None:
    """None where the history doesn't tell who sits left of whom."""
    if history.seats_in_doubt:
        return _from_first_round(history)
    from_one = min(seat.seat for seat in history.seats) > 0
    seats = history.seats if from_one else tuple(seat._replace(seat=seat.seat + 1) for seat in history.seats)
    if declared(history.game).forced is Forced.ANTE_AND_BRING_IN:
        return 0, seats
    if history.button is None:
        return _from_small_blind(history) if from_one else None
    return (history.button if from_one else history.button + 1), seats


def _poster(history: History, post: str) -> str | None:
    return next((line.player for line in history.posts if line.post == post), None)


def _from_small_blind(history: History) -> Seating | None:
    """The button is right of the small blind; heads-up the small blind has it."""
    small = next((seat.seat for seat in history.seats if seat.player == _poster(history, "sb")), None)
    if small is None:
        return None
    around = clockwise([seat.seat for seat in history.seats], small)
    return (small if len(around) == 2 else around[-2]), history.seats


def _from_first_round(history: History) -> Seating | None:
    """Small blind, big blind, then the others as they first act: a full circle, or the history doesn't tell."""
    order: list[str | None] = [_poster(history, "sb"), _poster(history, "bb")]
    for line in history.actions:
        if line.street == "preflop" and line.player not in order:
            order.append(line.player)
    stacks = {seat.player: seat.stack for seat in history.seats}
    if set(order) != set(stacks):
        return None
    seats = tuple(Seat(player, number, stacks[player]) for number, player in enumerate(order, start=1) if player)
    return (1 if len(order) == 2 else len(order)), seats
