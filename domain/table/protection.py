"""Whether a player whose connection is lost may be all-in protected at his table (rules.md section 8)."""

from domain.messages import Refused
from domain.table.state import Table

REFUSED = "refused"
"""What stands in a seat whose player has no use left (`Seat.protection`)."""


def is_protected_when_late(table: Table, seat: int) -> bool:
    """Whether the player of the seat is protected when his time runs out now. Where nobody has answered whether he has
    a use left, he is: he can't help that."""
    sits = table.seats.get(seat)
    if sits is None or table.rules is None:
        return False
    return table.rules.protections > 0 and not sits.connected and sits.protection != REFUSED


def check_may_be_protected(table: Table, seat: int) -> None:
    """Raise Refused, with what would be right, where the clock's rule applies to the seat instead."""
    if is_protected_when_late(table, seat):
        return
    if table.rules is None or not table.rules.protections:
        raise Refused(f"nobody is all-in protected at this table: seat {seat} is too late")
    if seat in table.seats and not table.seats[seat].connected:
        raise Refused(f"{table.seats[seat].player} has no use of all-in protection left: seat {seat} is too late")
    raise Refused(f"seat {seat} is connected: all-in protection is for who has lost his connection")
