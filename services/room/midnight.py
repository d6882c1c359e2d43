"""The end of a day in shards where nothing happens: something is recorded there, so that the day can be closed."""

from domain.room import KeepAlive
from services.room.days import still_in
from services.room.door import TIMER
from services.room.room import Room
from services.room.staff import command_of_room


def end_the_day(room: Room, ended: int) -> None:
    """Of a room that writes every shard: say in each that is still in the day which `ended` (UTC microseconds) that its
    owner is there. Raises LogError; Refused where a clock that was fast has written there more than a day ahead."""
    for shard in still_in(room.log, ended, range(room.log.shards)):
        room.record(command_of_room(room.ports, KeepAlive(shard), TIMER))
