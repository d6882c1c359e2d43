"""Players come, sit out, come back and go (rules.md section 7)."""

from typing import Any, Protocol

from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.buy_in import check_buy_in
from domain.table.cash_out import cash_out
from domain.table.state import Seat, Table


class OfSeat(Protocol):
    """A command about a player in his seat."""

    seat: int
    player: str


def seat_of(table: Table, command: OfSeat) -> Seat:
    """The seat that a command names. Refused unless that player sits there."""
    seat = table.seats.get(command.seat)
    if seat is None or seat.player != command.player:
        raise Refused(f"{command.player} doesn't sit in seat {command.seat}")
    return seat


def check_seat(table: Table, number: int, player: str) -> None:
    """Refused unless a player may take that seat."""
    if table.room_closed:
        raise Refused("the room is closed: nobody sits down until the floor reopens it")
    if table.closing:
        raise Refused("the table is closing: nobody sits down there any more")
    if number > table.opened.terms.seats:
        raise Refused(f"there is no seat {number}: the table has seats 1 to {table.opened.terms.seats}")
    if number in table.seats:
        raise Refused(f"seat {number} is taken by {table.seats[number].player}: {_free_seats(table)}")
    elsewhere = next((taken for taken, seat in table.seats.items() if seat.player == player), None)
    if elsewhere is not None:
        raise Refused(f"{player} sits in seat {elsewhere} already: stand up first")


def _free_seats(table: Table) -> str:
    free = [str(seat) for seat in range(1, table.opened.terms.seats + 1) if seat not in table.seats]
    return f"free are {', '.join(free)}" if free else "no seat is free"


def sit_down(table: Table, command: ask.SitDown, at: int) -> list[Any]:
    """A player takes a seat with chips from the cashier."""
    if table.opened.funds is not fact.Funds.CASHIER:
        raise Refused("this table is played with chips from accounts: sit down with account.buy-in")
    check_seat(table, command.seat, command.player)
    check_buy_in(table, command.player, command.amount, at)
    return [
        fact.PlayerSeated(command.seat, command.player, command.posts),
        fact.ChipsBrought(command.seat, command.player, command.amount),
    ]


def stand_up(table: Table, command: ask.StandUp, dealt_in: bool, at: int) -> list[Any]:
    """A player leaves with all his chips. `dealt_in`: whether he plays in the hand that is open."""
    seat = seat_of(table, command)
    if dealt_in:
        raise Refused(
            f"hand {table.open_hand} is under way: hand.leave folds you when your turn comes, and takes you from the "
            "table after it"
        )
    if seat.frozen and seat.chips and seat.leaving is not fact.Leaving.REMOVED:
        raise Refused(
            f"{seat.player} is frozen: his chips stay on the table until the floor unfreezes him, or removes him"
        )
    left = (0, 0) if table.rules is None else (at, seat.chips)
    return [*_chips_away(table, command.seat, at), fact.PlayerLeft(command.seat, seat.player, *left)]


def _chips_away(table: Table, number: int, at: int) -> list[Any]:
    """All chips of the seat go back to where chips come from here."""
    seat = table.seats[number]
    if table.opened.funds is fact.Funds.ACCOUNTS:
        return cash_out(table, number, at)
    return [fact.ChipsTaken(number, seat.player, seat.chips)] if seat.chips else []


def sit_out(table: Table, command: ask.SitOut, at: int) -> list[Any]:
    """From the next hand on; the one that is open he plays to its end."""
    seat = _staying(table, command)
    if seat.sits_out:
        raise Refused(f"{seat.player} sits out already")
    return [fact.PlayerSatOut(command.seat, seat.player)]


def come_back(table: Table, command: ask.ComeBack, at: int) -> list[Any]:
    """From the next hand on: who wasn't dealt in can't come into the one that is open."""
    seat = _staying(table, command)
    if not seat.sits_out and (seat.posts == command.posts or not seat.has_to_enter):
        raise Refused(f"{seat.player} doesn't sit out: there is nothing to come back from")
    return [fact.PlayerCameBack(command.seat, seat.player, command.posts)]


def _staying(table: Table, command: OfSeat) -> Seat:
    seat = seat_of(table, command)
    if seat.leaving:
        raise Refused(f"{seat.player} leaves the table, since {seat.leaving}: sit down again to play on")
    return seat


def lose_connection(table: Table, command: ask.LoseConnection, at: int) -> list[Any]:
    seat = seat_of(table, command)
    if not seat.connected:
        raise Refused(f"the connection of {seat.player} is lost already")
    return [fact.ConnectionLost(command.seat, seat.player, at)]


def restore_connection(table: Table, command: ask.RestoreConnection, at: int) -> list[Any]:
    seat = seat_of(table, command)
    if seat.connected:
        raise Refused(f"the connection of {seat.player} isn't lost")
    return [fact.ConnectionRestored(command.seat, seat.player, at)]
