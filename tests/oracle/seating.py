"""Who sits where: the seats as logged, or as the order of the first round tells."""

from domain.hand.state import clockwise
from domain.rules.vocabulary import Forced
from tests.oracle.games import declared
from tests.oracle.records import Record, Seat

Seating = tuple[int, tuple[Seat, ...]]
"""The button, 0 in games that have none, and the seats dealt in, both counted from 1."""


def button_and_seats(record: Record) -> Seating | None:
    """None where the log doesn't tell who sits left of whom."""
    if "seat_order_unreliable" in record.flags:
        return _from_first_round(record)
    from_one = min(seat.seat for seat in record.seats) > 0
    seats = record.seats if from_one else tuple(seat._replace(seat=seat.seat + 1) for seat in record.seats)
    if declared(record.game).forced is Forced.ANTE_AND_BRING_IN:
        return 0, seats
    if record.button is None:
        return _from_small_blind(record) if from_one else None
    return (record.button if from_one else record.button + 1), seats


def _poster(record: Record, post: str) -> str | None:
    return next((line.player for line in record.posts if line.post == post), None)


def _from_small_blind(record: Record) -> Seating | None:
    """The button is right of the small blind; heads-up the small blind has it."""
    small = next((seat.seat for seat in record.seats if seat.player == _poster(record, "sb")), None)
    if small is None:
        return None
    around = clockwise([seat.seat for seat in record.seats], small)
    return (small if len(around) == 2 else around[-2]), record.seats


def _from_first_round(record: Record) -> Seating | None:
    """Small blind, big blind, then the others as they first act: a full circle, or the log doesn't tell."""
    order: list[str | None] = [_poster(record, "sb"), _poster(record, "bb")]
    for line in record.actions:
        if line.street == "preflop" and line.player not in order:
            order.append(line.player)
    stacks = {seat.player: seat.stack for seat in record.seats}
    if set(order) != set(stacks):
        return None
    seats = tuple(Seat(player, number, stacks[player]) for number, player in enumerate(order, start=1) if player)
    return (1 if len(order) == 2 else len(order)), seats
