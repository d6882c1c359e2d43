"""The composition root: where a home lies, and what is put together from it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain import catalog
from domain.messages import Command
from domain.room import OpenRoom, ShardOpened
from services.eventlog import body
from services.eventlog.commit import GENESIS, check_room
from services.eventlog.log import LogError
from services.eventlog.sqlite_file import check_place
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import draft_of
from services.ids import uuid7
from services.ports import Ports, real_ports
from services.room.recording import envelope
from services.room.room import Room
from services.room.writer import Writer

LOG_FILE = "log.sqlite"
VIEWS_FILE = "views.sqlite"


def make_home(home: Path, room: str, ports: Ports, *, shards: int = 4, time_zone: str = "UTC") -> None:
    """A new home with an empty log: commit 0 of every shard is its ShardOpened.

    Raises LogError where a log stands there already, BadRecord for a name that no record can carry.
    """
    check_room(room)
    path = home / LOG_FILE
    if path.exists():
        raise LogError(f"{home} has a log already: use it, or choose another home")
    check_place(path)
    home.mkdir(parents=True, exist_ok=True)
    with draft_of(path) as draft:
        _open_shards(draft, room, ports, shards, time_zone)


def _open_shards(path: Path, room: str, ports: Ports, shards: int, time_zone: str) -> None:
    room_id = f"{ports.bits(64):016x}"
    with SqliteLog.create(path, room, shards) as log:
        for shard in range(shards):
            at = ports.now()
            command = Command(uuid7(at, ports.bits(74)), OpenRoom(room, shards, time_zone), by="init", cause="init")
            opened = ShardOpened(room, room_id, shard, shards, time_zone)
            event = body.fact(f"shard:{shard}", 1, *catalog.event.dump(opened))
            log.append(shard, GENESIS, [body.entry(at, envelope(command), [event])])


def open_log(home: Path, *, write: bool = False) -> SqliteLog:
    """The home's log. Raises LogError with what is wrong with it."""
    return SqliteLog.open(home / LOG_FILE, write=write)


@contextmanager
def open_writer(home: Path, ports: Ports | None = None) -> Iterator[Writer]:
    """The home's room with its writer thread, for as long as the context lasts."""
    with open_log(home, write=True) as log:
        writer = Writer(Room(log, ports or real_ports()))
        try:
            yield writer
        finally:
            writer.close()
