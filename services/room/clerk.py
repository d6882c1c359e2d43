"""The clerk: stands up who is to leave as soon as no hand needs his seat (rules.md section 7).

That is who asked for it, who missed too many blinds, whom the floor removed, and everybody at a table that closes.
"""

from collections.abc import Iterator
from typing import Any

from domain.messages import Refused
from domain.table.commands import StandUp
from domain.table.events import Leaving
from domain.table.play import Play
from services.room.door import FLOOR
from services.room.ushers import Usher, Wish

LEAVE = "leave"
"""Why he is stood up where it isn't the floor that wants it: by the rules or his own wish."""


class Clerk(Usher):
    """One of a room's staff."""

    def wishes(self, now: Play) -> Iterator[Wish]:
        """Who is to be stood up and can be: no hand that is open has dealt him in."""
        table, hand = now.table, now.hand
        if table is None:
            return
        in_hand = {one.seat for one in hand.opened.seats} if hand is not None and not hand.settled else set()
        for number, seat in sorted(table.seats.items()):
            if (seat.leaving is None and not table.closes) or number in in_hand:
                continue
            sent_away = seat.leaving in (None, Leaving.REMOVED)
            yield Wish(StandUp(now.id, number, seat.player), FLOOR if sent_away else LEAVE)

    def refused(self, args: Any, why: Refused) -> str:
        return f"{args.player} can't be stood up at table {args.table} yet: {why}"
