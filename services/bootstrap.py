"""The composition root: where a home lies, and what is put together from it."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain import catalog
from domain.hand.dealing import Shoe
from domain.hand.state import Hand
from domain.messages import Command
from domain.room import KeyChanged, OpenRoom, ShardOpened
from domain.rules.phrases import listed
from services.eventlog import body
from services.eventlog.commit import GENESIS, check_room
from services.eventlog.lock import WriterLock
from services.eventlog.log import Log, LogError
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.sqlite_file import check_place
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import copy_into, draft_of, import_file, import_into
from services.eventlog.verify import Report
from services.evidence import keyfile as checkpoint_key
from services.evidence import note
from services.evidence.checkpointer import check_against, opening_of, signed_of
from services.evidence.note import PublicKey, Signed
from services.evidence.tree import TreeStore
from services.ids import uuid7
from services.kafka.settings import KAFKA, ROOM, Broker, broker_of
from services.ports import Ports, real_ports
from services.room.recording import envelope
from services.room.room import Room
from services.room.writer import Writer
from services.rulings import check_known
from services.sealing import keyfile
from services.sealing.keyfile import BadKeys, NoKey, RoomKeys
from services.sealing.shoe import SealedShoes
from services.soundness import verify_export

if TYPE_CHECKING:
    from services.eventlog.kafka_log import BeginAt

LOG_FILE = "log.sqlite"
INDEX_FILE = "index.sqlite"
"""What was read of a log on Kafka; it may be deleted at any time."""
VIEWS_FILE = "views.sqlite"
WAREHOUSE_FOLDER = "warehouse"
"""Every decision and hand as Parquet; it may be deleted, and is made again from the log."""
KEY_FILE = "room.keys"
"""Where the room's keys lie, unless they are kept outside the home."""
TEXTS_FILE = "texts.keys"
"""The keys of free texts, such as reasons: one is erased with its key."""
CHECKPOINT_KEY_FILE = "checkpoint.key"
"""What signs checkpoints, unless it is kept outside the home."""
PUBLIC_KEY_FILE = "checkpoint.pub"
"""What an auditor checks them with; he keeps a copy of his own."""
CHECKPOINTS_FILE = "checkpoints"
TREE_FILE = "tree.sqlite"
"""Hashes of the trees, which may be deleted at any time."""


def make_home(
    home: Path, room: str, ports: Ports, *, shards: int = 4, time_zone: str = "UTC", keys: Path | None = None
) -> None:
    """A new home with an empty log, and the room's key: commit 0 of every shard is its ShardOpened.

    Raises LogError where a log or a key stands there already, BadRecord for a name that no record can carry.
    """
    check_room(room)
    check_time_zone(time_zone)
    own = keys or home / KEY_FILE
    if (home / LOG_FILE).exists():
        raise LogError(f"{home} has a log already: use it, or choose another home")
    _check_free(own, home / CHECKPOINT_KEY_FILE, home / CHECKPOINTS_FILE)
    with _new_log(home, room, shards) as log:
        at, secret, signing = ports.now(), ports.bits(256).to_bytes(32), ports.bits(256).to_bytes(32)
        name = note.key_name(room)
        public = note.CheckpointKey(name, signing).public.to_text()
        key_id = keyfile.key_id(secret).hex()
        opened = ShardOpened(room, f"{ports.bits(64):016x}", 0, shards, time_zone, key_id, tuple(public.split()))
        _open_shards(log, opened, ports)
        # The keys come after what may fail, and before the log, which is nothing without them.
        keyfile.make(own, room, secret, at)
        checkpoint_key.make(home / CHECKPOINT_KEY_FILE, name, signing)
        (home / PUBLIC_KEY_FILE).write_text(public)


@contextmanager
def _new_log(home: Path, room: str, shards: int) -> Iterator[SqliteCommits]:
    """An empty log for a home to be filled; it comes to its place only when all went well. On Kafka nothing can be
    taken back: there too a draft is filled, whose commits are sent at the end."""
    broker = broker_of(os.environ)
    if broker is None:
        path = home / LOG_FILE
        check_place(path)
        home.mkdir(parents=True, exist_ok=True)
        with draft_of(path) as draft, SqliteLog.create(draft, room, shards) as log:
            yield log
    else:
        from services.eventlog.kafka_log import KafkaLog  # noqa: PLC0415 -- no other home needs a client of Kafka

        home.mkdir(parents=True, exist_ok=True)
        with (
            KafkaLog.create(broker, room, home / INDEX_FILE, shards) as log,
            TemporaryDirectory() as folder,
            SqliteLog.create(Path(folder) / LOG_FILE, room, shards) as filled,
        ):
            yield filled
            copy_into(log, filled)


def check_time_zone(name: str) -> None:
    """Raise LogError for a time zone that nobody knows: by it the room's days end."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise LogError(f"{name!r} is no time zone: name one such as UTC or Europe/Berlin") from None


def _check_free(*places: Path) -> None:
    for place in places:
        if place.exists():
            raise LogError(f"{place} is left of another log: move it away, or choose another home; it may be needed")


def _open_shards(log: SqliteCommits, opened: ShardOpened, ports: Ports) -> None:
    asked = OpenRoom(opened.room, opened.shards, opened.time_zone)
    for shard in range(opened.shards):
        at = ports.now()
        command = Command(uuid7(at, ports.bits(74)), asked, by="init", cause="init")
        event = body.fact(f"shard:{shard}", 1, *catalog.event.dump(replace(opened, shard=shard)))
        log.append(shard, GENESIS, [body.entry(at, envelope(command), [event])])


def open_log(
    home: Path,
    *,
    write: bool = False,
    alone: bool = False,
    readable: Callable[[body.Body], object] = check_known,
    begin_at: "BeginAt | None" = None,
) -> SqliteCommits:
    """The home's log: on the Kafka that the environment names, else in the home. Raises LogError with what is wrong.

    `alone`: as the one process that works in this home for a while; a log in a file has no other writers. `readable`
    raises ValueError for a commit that can't be read when it comes in, which stops its shard. `begin_at`: where to
    begin to read a log on Kafka of which nothing was read yet.
    """
    broker = broker_of(os.environ)
    if broker is None:
        return _open_file(home, write=write)
    return _open_kafka(home, broker, write=write, alone=alone, readable=readable, begin_at=begin_at)


def import_log(home: Path, file: Path, step: Callable[[], object] = lambda: None) -> Report:
    """Make the home's log of an exported file, which is verified first. On Kafka an import that broke off goes on.

    Raises LogError where the file isn't sound, or another log is there.
    """
    broker = broker_of(os.environ)
    if broker is None:
        return import_file(file, home / LOG_FILE, step, verify_export)
    from services.eventlog.kafka_log import KafkaLog  # noqa: PLC0415 -- see above

    def made(room: str, shards: int) -> SqliteCommits:
        return KafkaLog.create(broker, room, home / INDEX_FILE, shards, empty=False)

    return import_into(made, file, step, verify_export)


def _open_file(home: Path, *, write: bool) -> SqliteLog:
    """A writer that was killed leaves a WAL, which SQLite takes into the database when it is next opened for writing:
    also one of another moment, such as a backup's. So then all of it is looked at first.
    """
    path = home / LOG_FILE
    wal = path.with_name(path.name + "-wal")
    if write and wal.exists() and wal.stat().st_size > 0:
        WriterLock(path).release()  # no long look where another writes
        with SqliteLog.open(path, write=False) as left:
            left.check_pages()
            left.check_heights()
    return SqliteLog.open(path, write=write)


def _open_kafka(home: Path, broker: Broker, **how: Any) -> SqliteCommits:
    from services.eventlog.kafka_log import KafkaLog, room_of_index  # noqa: PLC0415 -- see above
    from services.kafka.topics import only_room  # noqa: PLC0415

    if (home / LOG_FILE).exists():
        raise LogError(
            f"{home} has a log of its own, but {KAFKA} says that the log is on Kafka: unset it, or choose another home"
        )
    index = home / INDEX_FILE
    room = only_room(broker, os.environ.get(ROOM) or room_of_index(index))
    home.mkdir(parents=True, exist_ok=True)
    return KafkaLog.open(broker, room, index, **how)


def room_keys(home: Path, room: str, keys: Path | None = None) -> RoomKeys:
    """The keys of the home's room, from its own place or another. Raises BadKeys."""
    place = keys or home / KEY_FILE
    if not place.exists():
        raise BadKeys(
            f"no key file stands at {place}: bring back that of room {room} from its backup, or name its place "
            "with --keys; if it is lost for good, `handlog keys init` makes another, which opens nothing of before"
        )
    return keyfile.load(place, room)


def key_ids_named(log: Log) -> list[str]:
    """The keys under which the room has sealed, by what its log says: the last one is its key now."""
    changes = [body.decode(record.body).events for record in log.stream_commits("room")]
    events = [catalog.event.load(one["type"], one["rev"], one["data"]) for some in changes for one in some]
    return [opening_of(log).key_id, *(event.key_id for event in events if isinstance(event, KeyChanged))]


def check_newest(log: Log, own: RoomKeys, place: Path) -> str:
    """The id of the key that the room seals with now. Raises BadKeys where the keys lack it: they are an older copy."""
    now = key_ids_named(log)[-1]
    held = [one.hex() for one in own.ids()]
    if now not in held:
        raise BadKeys(
            f"the key file {place} has {listed(held)}, but room {log.room} seals with {now} by now: bring back "
            "the file that has it; if that is lost for good, move this one away: `handlog keys init` makes another key"
        )
    return now


def check_current(log: Log, own: RoomKeys, place: Path) -> None:
    """Raise BadKeys unless the keys seal with the one that the log names as the room's now."""
    now = check_newest(log, own, place)
    if own.current.hex() != now:
        raise BadKeys(
            f"the key file {place} would seal with {own.current.hex()}, but room {log.room} seals with "
            f"{now}: `handlog keys rotate` finishes a rotation that was cut short; else bring back the file as it was"
        )


@contextmanager
def opened_room(home: Path, ports: Ports, keys: Path | None = None) -> Iterator[Room]:
    """The home's room, for as long as the context lasts. Raises LogError, BadKeys; LogShrank where the log isn't all
    that was signed."""
    with open_log(home, write=True) as log:
        own = room_keys(home, log.room, keys)
        check_current(log, own, keys or home / KEY_FILE)
        check_signed(home, log)
        yield Room(log, ports, SealedShoes(own, ports.bits))


@contextmanager
def opened_office(home: Path, ports: Ports, *, must_be_whole: bool = True) -> Iterator[Room]:
    """The home's room without its keys: it deals no card, but it records. Raises LogError; LogShrank as `opened_room`,
    unless the log needn't be whole."""
    with open_log(home, write=True) as log:
        if must_be_whole:
            check_signed(home, log)
        yield Room(log, ports, NoShoes())


class NoShoes:
    """What a room deals from that was opened without its keys: nothing."""

    def new(self, hand: str, cards: Sequence[int]) -> Shoe:
        raise NoKey(f"hand {hand} can't be dealt: the room was opened without its keys")

    def of(self, hand: Hand) -> Shoe:
        raise NoKey(f"hand {hand.id} can't go on: the room was opened without its keys")


def check_signed(home: Path, log: Log) -> None:
    """Raise LogShrank where a shard isn't what its newest checkpoint in this home says, and nobody accepted that."""
    if (home / CHECKPOINTS_FILE).exists():
        with TreeStore(home / TREE_FILE) as tree:
            check_against(log, tree, signed_in(home, log))


def signed_in(home: Path, log: Log) -> Mapping[int, Sequence[Signed]]:
    """The last checkpoints of each shard that lie in a home and bind it. Raises BadCheckpoint, BadKeys."""
    key = PublicKey.from_text("\n".join(opening_of(log).checkpoint_keys))
    return signed_of(log, home / CHECKPOINTS_FILE, key)


@contextmanager
def open_writer(home: Path, ports: Ports | None = None, keys: Path | None = None) -> Iterator[Writer]:
    """The home's room with its writer thread and its staff, for as long as the context lasts. Raises as `opened_room`.

    It is for a program that plays there by itself: it has no door, and no clock runs, so nobody is ever too late. A
    home with live players is given a node, with or without a Kafka (`services.node.run`, `handlog node`): the same
    room, with a door and clocks.
    """
    from services.staffing import staffed  # noqa: PLC0415 -- it needs the views, which need this module

    ports = ports or real_ports()
    with opened_room(home, ports, keys) as room:
        writer = Writer(room)
        try:
            assert isinstance(room.log, SqliteCommits)
            with room.log.reader() as reading, staffed(home, writer, reading, ports):
                yield writer
        finally:
            writer.close()
