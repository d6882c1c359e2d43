"""A node put together: its log, keys, room and door, for as long as it is wanted."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from prometheus_client import CollectorRegistry

from domain import catalog
from domain.room import Outdated
from services.api.app import create_app
from services.api.passes import Passes
from services.api.reasons import Seal
from services.api.serve import serving
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import KEY_FILE, TEXTS_FILE, check_current, check_signed, open_log, room_keys
from services.eventlog.body import Body
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import LogError
from services.eventlog.mapper import repository
from services.eventlog.sqlite_commits import SqliteCommits
from services.node.beside import beside
from services.node.bots import Bots
from services.node.crew import Crew
from services.node.doors import Doors
from services.node.earlier import beginning, read_earlier
from services.node.metrics import NodeMetrics
from services.node.node import Node, Say
from services.node.sharing import Member
from services.node.snapshots import Snapshots
from services.node.suggestions import Given, Group, Suggestions
from services.ports import Ports
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.room import Room
from services.room.writer import Writer
from services.rulings import check_known
from services.sealing.shoe import Opener, SealedShoes
from services.sealing.texts import TextKeys


class Wanted(NamedTuple):
    """What a node is to be. `shards`: None for those that the group suggests; without a Kafka all of them.

    `address`: of its door as others reach it, None for the one where it listens. `bots`: tables at which bots play,
    one action every `pace` seconds.
    """

    home: Path
    name: str
    host: str
    port: int
    keys: Path | None = None
    shards: tuple[int, ...] | None = None
    address: str | None = None
    tokens: Path | None = None
    bots: int = 0
    pace: float = 0.5


def run(wanted: Wanted, ports: Ports, say: Say, until: threading.Event | None = None) -> None:
    """Be that node until the event is set, or the process is told to end. Raises LogError, BadKeys, CantServe."""
    ends, outdated = until or _until_told(), threading.Event()
    with (
        opened_node(wanted, ports, say, outdated) as (node, suggestions),
        _bots_playing(node, wanted, ports) if wanted.bots else nullcontext(),
    ):
        node.keep(suggestions, ends, outdated)


@contextmanager
def opened_node(
    wanted: Wanted, ports: Ports, say: Say, outdated: threading.Event
) -> Iterator[tuple[Node, Suggestions]]:
    """The node with its door open, before it keeps anything. `outdated` is set when its log can't be read any more."""

    def readable(said: Body) -> None:
        try:
            check_known(said)
        except Outdated:
            outdated.set()
            raise

    begin_at = beginning(wanted.home, wanted.keys, say)
    with (
        open_log(wanted.home, write=True, alone=True, readable=readable, begin_at=begin_at) as log,
        log.reader() as reading,
        _reading_earlier(log, say) if isinstance(log, KafkaLog) else nullcontext(),
    ):
        own = room_keys(wanted.home, log.room, wanted.keys)
        check_current(log, own, wanted.keys or wanted.home / KEY_FILE)
        check_signed(wanted.home, log)
        _check_shards(wanted.shards, log.shards)
        software = version("handlog")
        claims = Claims(log, Claimant(wanted.name, "", software), ports, Office(log, repository(log)).entry_of)
        room = Room(log, ports, SealedShoes(own, ports.bits), claims)
        registry = CollectorRegistry()
        metrics = NodeMetrics(registry)
        writer = Writer(room, metrics.batch)
        snapshots = Snapshots(log, room, own, say, metrics.left_out) if isinstance(log, KafkaLog) else None
        if isinstance(log, KafkaLog):
            log.on_void = lambda shard, offset, reason: _void(metrics, say, shard, reason)
        crew = Crew(writer, ports, say)
        node = Node(log, reading, writer, claims, say, metrics, snapshots, crew)
        tokens = Tokens(wanted.tokens or wanted.home / TOKENS_FILE)
        passes = Passes(own, ports)
        doors = Doors(node.shard_of, node.owner, node.submit, lambda: node.owned, passes)
        door = create_app(
            node,
            tokens,
            keyholder=Opener(own),
            registry=registry,
            advances=crew.advances,
            passes=passes,
            seal=_sealing(wanted.home, ports),
        )
        try:
            with (
                doors,
                crew.at_work(doors.send, wanted.home, reading),
                serving(door, wanted.host, wanted.port) as listens,
            ):
                claims.claimant = Claimant(wanted.name, wanted.address or listens, software)
                say(f"node {wanted.name} of room {log.room} listens at {listens}")
                yield node, _suggestions(wanted.shards, log, claims.claimant)
        finally:
            writer.close()


def _sealing(home: Path, ports: Ports) -> Seal:
    """Reasons are sealed under keys that lie in the node's home."""
    texts = TextKeys(home / TEXTS_FILE)
    return lambda text, stream: texts.seal(text, stream, ports.bits(256).to_bytes(32), ports.bits(96).to_bytes(12))


def _reading_earlier(log: KafkaLog, say: Say) -> AbstractContextManager[None]:
    """What the log lacks before its shards' beginnings is read meanwhile."""
    return beside("earlier", lambda until: read_earlier(log, say, until))


def _bots_playing(node: Node, wanted: Wanted, ports: Ports) -> AbstractContextManager[None]:
    bots = Bots(node, wanted.bots, ports, f"node:{wanted.name}")
    return beside("bots", lambda until: bots.play(wanted.pace, until))


def _void(metrics: NodeMetrics, say: Say, shard: int, reason: str) -> None:
    """Somebody's record doesn't count: no harm, but nobody should have written it."""
    metrics.void(shard)
    say(f"a record in shard {shard} is void: {reason}")


def _check_shards(shards: Iterable[int] | None, most: int) -> None:
    for shard in shards or ():
        if not 0 <= shard < most:
            raise LogError(f"there is no shard {shard}: this room has shards 0 to {most - 1}")


def _suggestions(shards: tuple[int, ...] | None, log: SqliteCommits, me: Claimant) -> Suggestions:
    """What the node was told; else what its group suggests, or all of a log that has no group."""
    if shards is not None or not isinstance(log, KafkaLog):
        return Given(range(log.shards) if shards is None else shards)
    return Group(log.broker, log.room, Member(*me, catalog.READS))


def _until_told() -> threading.Event:
    """Set when the process is told to end."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told
