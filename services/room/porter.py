"""The porter: closes every table with the room, and reopens it with the room (rules.md section 7, the floor).

The room's doors stand in its own stream, in shard 0; tables lie in all shards. So each table gets a fact of its own
that it closes with the room, from whoever writes its shard, as soon as he knows.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.messages import ROOM_STREAM, Refused
from domain.room import Doors, RoomClosed
from domain.table.commands import CloseWithRoom, ReopenWithRoom
from domain.table.play import Play
from services.eventlog.log import LogError
from services.ports import Ports
from services.room.door import FLOOR
from services.room.recording import Told
from services.room.room import Room
from services.room.ushers import Say, Usher, Wish


class Porter(Usher):
    """One of a room's staff."""

    def __init__(self, ports: Ports, say: Say = lambda sentence: None) -> None:
        super().__init__(ports, say)
        self._doors: Doors = None
        """As he saw them last."""
        self._unread = ""

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        if any(one.owner == ROOM_STREAM for one in told):
            self.see(room)
        if self._doors is not None:
            super().hear(room, told)

    def see(self, room: Room) -> None:
        """Look at the room's doors, as far as its log was read, and at every table if they have moved.

        To be called where `hear` is: when the room opens, and where another may have recorded what is new. What can't
        be read is said once, and looked at again the next time.
        """
        try:
            doors = room.doors()
        except LogError as error:
            if self._unread != str(error):
                self._say(f"whether the room is closed can't be read: {error}")
            self._unread = str(error)
            return
        if doors is not self._doors:
            self._doors = doors
            self.look_over(room.tables())

    def wishes(self, now: Play) -> Iterator[Wish]:
        """None of a room that was never closed, or isn't known to have been."""
        if now.table is None or self._doors is None or now.table.room_closed == self._closed:
            return
        yield Wish(CloseWithRoom(now.id) if self._closed else ReopenWithRoom(now.id), FLOOR)

    def refused(self, args: Any, why: Refused) -> str:
        return f"table {args.table} can't go with the room yet: {why}"

    @property
    def _closed(self) -> bool:
        return isinstance(self._doors, RoomClosed)
