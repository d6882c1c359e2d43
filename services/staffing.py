"""The staff of a room put to work over its home, from where the one before it stopped (`services/room/staff.py`)."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

from services.eventlog.log import Log
from services.node.beside import beside
from services.ports import Ports
from services.room.clerk import Clerk
from services.room.porter import Porter
from services.room.room import Room
from services.room.staff import Staff, at_work
from services.room.transit import ChipRunner, Found
from services.room.writer import Writer

Say = Callable[[str], object]


def silent(sentence: str) -> None:
    """Where nobody is told."""


@contextmanager
def staffed(home: Path, writer: Writer, log: Log, ports: Ports, say: Say = silent) -> Iterator[Staff]:
    """The staff of a room that writes all shards of its home's log, at work for as long as the context lasts.

    `log`: to read from, by another handle than the writer's. Nobody keeps time: that is for a node (`node/crew.py`).
    """
    runner = ChipRunner(ports, say)
    porter = Porter(ports, say)
    staff = Staff(writer.submit, ports, [runner, Clerk(ports, say), porter])

    def look(until: Event) -> None:
        shards = frozenset(range(log.shards))
        if all(log.head(shard).height <= 0 for shard in shards):  # a new room: what comes now is heard
            return
        from services.under_way import find_under_way  # noqa: PLC0415 -- the room opens before the views are loaded

        find_under_way(home, log, shards, until, say, partial(tell_of, writer, staff, runner))

    with at_work(staff, writer), beside("under-way", look):
        writer.look(lambda room: staff.tell(partial(porter.see, room))).result()
        yield staff


def tell_of(writer: Writer, staff: Staff, runner: ChipRunner, senders: Iterable[tuple[int, str]]) -> None:
    """Have the runner carry what these streams have under way: shard and stream. Raises LogError for one that can't be
    read."""
    for shard, sender in senders:
        writer.look(partial(_tell, staff, runner, shard, sender)).result()


def _tell(staff: Staff, runner: ChipRunner, shard: int, sender: str, room: Room) -> None:
    found = found_in(room, shard, sender)
    staff.tell(partial(runner.find, found))


def found_in(room: Room, shard: int, sender: str) -> list[Found]:
    """What the stream has under way by the room's own state, which is what counts."""
    kind, _, id_ = sender.partition(":")
    owner = sender if kind != "account" else f"player:{id_.partition(':')[0]}"
    return [Found(shard, stream, sent) for stream, sent in room.under_way(owner)]
