"""The end of a day in shards where nothing happens: something is recorded there, so that the day can be closed."""

from domain.messages import Command
from domain.room import KeepAlive
from services.ids import uuid7
from services.room.days import still_in
from services.room.door import ROOM
from services.room.room import Room


def end_the_day(room: Room, ended: int) -> None:
    """Of a room that writes every shard: say in each that is still in the day which `ended` (UTC microseconds) that its
    owner is there. Raises LogError."""
    for shard in still_in(room.log, ended, range(room.log.shards)):
        ports = room.ports
        room.record(Command(uuid7(ports.now(), ports.bits(74)), KeepAlive(shard), ROOM, "timer"))
