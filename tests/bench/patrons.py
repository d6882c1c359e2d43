"""How long it takes to find and read the snapshot of a shard that has many patrons, of whom none is decoded; and what
one costs when he is first needed.

Each has brought money a few times, and has come to some of 40 tables and gone.
"""

from contextlib import closing
from random import Random
from statistics import median

from domain.account.events import AccountAdded, AccountOpened, Deposited
from domain.account.play import evolve_patron
from domain.account.state import Patron
from domain.rules.vocabulary import Kind
from domain.transfers import Purpose, TransferClosed, TransferReceived, TransferSent
from services.kafka.partitions import Sender
from services.kafka.topics import snapshots_topic
from services.ports import real_ports
from services.snapshots.patrons import StoredPatrons, Written
from services.snapshots.reader import Snapshot, find
from services.snapshots.topic import opened, send_to
from services.snapshots.writer import SnapshotWriter
from tests.bench.folder import folder
from tests.bench.homes import on_kafka
from tests.bench.rows import Row, Side, timed
from tests.services.homes import keys_of, room_over

SHARD = 0
DECODED = 200
START = 1_700_000_000_000_000


def rows(patrons: int, runs: int) -> list[Row]:
    random, ports = Random(patrons), real_ports()
    with (
        folder() as home,
        on_kafka(home, ports, 1) as log,
        closing(Sender(log.broker, snapshots_topic(log.room))) as sender,
    ):
        room = room_over(log, ports)
        room.restore(SHARD, {}, ())
        writer = SnapshotWriter(room, keys_of(log), SHARD)
        assert writer.gather(1), "the log itself has none"
        taken = writer.take()
        assert taken
        taken.patrons.update({f"p{number}": Written(a_patron(f"p{number}", random), {}) for number in range(patrons)})
        writer.write(taken, send_to(sender, SHARD))
        with opened(log.broker, log.room) as topic:
            side = Side(lambda _: find(topic, keys_of(log), SHARD, lambda head: True), lambda: None)
            found = [timed(side) for _ in range(runs)]
    snapshot = found[0][1]
    assert isinstance(snapshot, Snapshot)
    stored = StoredPatrons(snapshot.patrons or ())
    decoded, _ = timed(Side(lambda _: [stored.patron(f"p{number}") for number in range(DECODED)], lambda: None))
    return [
        Row(f"a shard's snapshot of {patrons:,} patrons, found and read", "s", median(one for one, _ in found)),
        Row("one of them, when he is first needed", "ms", 1e3 * decoded / DECODED),
    ]


def a_patron(player: str, random: Random) -> Patron:
    patron, account, at = Patron(player), f"account:{player}:eur", START + random.randrange(10**12)

    def take(stream: str, event: object) -> None:
        evolve_patron(patron, stream, event)

    take(patron.stream, AccountAdded("EUR"))
    take(account, AccountOpened("EUR", 2, Kind.REAL, 0))
    for _ in range(random.randrange(1, 5)):
        amount, reference = random.randrange(20_00, 900_00), f"pay{random.randrange(10**9)}"
        take(account, Deposited(amount, reference, at + random.randrange(10**10)))
    for number in random.sample(range(40), random.randrange(1, 7)):
        amount, table = random.randrange(20_00, 90_00), f"table:t{number}"
        at += random.randrange(10**10)
        take(account, TransferSent(table, 1, amount, "EUR", Purpose.BUY_IN, player, 3, 0, posts=True, at=at))
        take(account, TransferClosed(table, 1, amount, "EUR", Purpose.BUY_IN, player, 3, 0, True, "", at + 9))
        take(account, TransferReceived(table, 1, amount, "EUR", Purpose.CASH_OUT, player, 3, 0, at + 10**9))
    return patron
