"""Makes what `tests/history` keeps of a version: `python -m tests.history.make tests/history/v2`.

Run once, when a version is published, and never again into the same folder: what stands there is what was written then.
The folder's digests are then added to digests.json.
"""

import json
import shutil
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain import catalog
from domain.hand.commands import CancelHand
from domain.messages import SECOND
from domain.room import (
    AcceptLoss,
    ChangeKey,
    ClaimShard,
    CloseDay,
    CloseRoom,
    KeepAlive,
    RaiseRevision,
    ReopenRoom,
    RevisionRaised,
)
from domain.rulings.opening import Form, OpenCards
from domain.rulings.reasons import EraseReason
from domain.table.commands import DealHand, SitDown, StandUp
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    KEY_FILE,
    PUBLIC_KEY_FILE,
    TEXTS_FILE,
    TREE_FILE,
    make_home,
    open_log,
)
from services.eventlog import body
from services.eventlog.log import Entry, Log
from services.eventlog.mapper import repository
from services.eventlog.transfer import export_file
from services.evidence import keyfile as checkpoint_key
from services.evidence.checkpointer import Checkpointer
from services.evidence.note import key_name
from services.evidence.tree import TreeStore
from services.ledger import Ledger
from services.ports import Ports, seeded_ports
from services.room.days import end_of
from services.room.office import Office
from services.room.recording import envelope
from services.room.room import Room
from services.room.shards import shard_of
from services.room.transit import Found
from services.sealing import keyfile
from services.sealing.texts import TextKeys
from services.views import commits
from tests.domain.hand.random_hands import Mood, answer
from tests.history.shapes import shapes
from tests.services.homes import Desk, in_its_name, open_table, recovery, room_over
from tests.services.money_life import life
from tests.services.patrons import attended
from tests.services.table_life import live

TABLES: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("t1", 3, 4, {"game": "holdem", "limit": "no", "small": 50, "big": 100, "kind": "real", "currency": "EUR"}),
    ("t2", 3, 4, {"game": "stud-hilo", "limit": "fixed", "small": 2, "big": 4, "ante": 1}),
    ("t3", 5, 6, {"game": "draw32", "limit": "no"}),
    ("t4", 6, 2, {"game": "triple-draw", "limit": "fixed", "small": 2, "big": 4}),
    ("t5", 2, 2, {"game": "holdem", "limit": "pot", "rulebook": "ace"}),
)
"""Table, players, hands, terms: games with all kinds of facts."""

FIRST_DAY = "2023-11-14"
FIRST_MIDNIGHT = end_of(FIRST_DAY, "UTC")
"""On which seeded clocks begin, and when it ends."""

MOOD = Mood(fold=0.12, bet=0.2, most=0.15, late=0.15, agree=0.75, wish=0.1)


def make(folder: Path, seed: int = 11) -> None:
    folder.mkdir(parents=True)
    with TemporaryDirectory() as place:
        home = Path(place) / "home"
        ports = seeded_ports(seed)
        make_home(home, "riverside", ports, shards=2)
        with open_log(home, write=True) as log:
            desk, random = Desk(ports), Random(seed)
            room = room_over(log, ports)
            for number, (table, players, hands, terms) in enumerate(TABLES):
                _play(room, desk, random, table, players, hands, terms)
                if number == 1:
                    rotated = keyfile.rotate(home / KEY_FILE, "riverside", ports.bits(256).to_bytes(32), ports.now())
                    give(room, desk, ChangeKey(rotated.current.hex()))
                    room = room_over(log, ports)
            live(lambda args: give(room, desk, args), lambda: room.table("t6"), "t6")
            _money(room, desk)
            _office(home, room, desk, ports)
            _owners(log, ports)
            with TreeStore(home / TREE_FILE) as tree:
                signer = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, key_name("riverside"))
                checkpointer = Checkpointer(log, tree, signer, home / CHECKPOINTS_FILE)
                checkpointer.sign(ports.now())
                _buy_in(room, desk, "t1")
                give(room, desk, DealHand("t1", 5))
                room.execute([recovery(ports, CancelHand("t1-5", 74 * SECOND))])
                give(room, desk, DealHand("t1", 6))
                _close_day(log, Ports(lambda: FIRST_MIDNIGHT + 300 * SECOND, ports.bits))
                checkpointer.sign(ports.now() + 86_400_000_000)
            export_file(log, folder / "log.hl")
        for name in (CHECKPOINTS_FILE, PUBLIC_KEY_FILE):
            shutil.copy(home / name, folder / name)
        keys = {name: (home / name).read_text() for name in (KEY_FILE, TEXTS_FILE)}
        (folder / "keys.json").write_text(json.dumps(keys, indent=1) + "\n")
    (folder / "shapes.json").write_text(json.dumps(shapes(), indent=1, sort_keys=True) + "\n")


def give(room: Room, desk: Desk, args: Any) -> None:
    (outcome,) = room.execute([in_its_name(desk, args)])
    if isinstance(outcome, Exception):
        raise outcome


def _play(room: Room, desk: Desk, random: Random, table: str, players: int, hands: int, terms: dict[str, Any]) -> None:
    give(room, desk, open_table(table, seats=players, **terms))
    for seat in range(1, players + 1):
        give(room, desk, SitDown(table, seat, f"p{seat}", (100 if seat > 1 else 30) * terms.get("big", 2)))
    for number in range(1, hands + 1):
        _buy_in(room, desk, table)
        give(room, desk, DealHand(table, number))
        while (hand := room.table(table).hand) is not None and not hand.settled:
            for wish in _wishes(random, hand):
                give(room, desk, wish)
            give(room, desk, answer(random, MOOD, hand))


def _wishes(random: Random, hand: Any) -> list[Any]:
    from domain.hand.commands import AskToShow, GiveUpAtShowdown  # noqa: PLC0415

    if random.random() > MOOD.wish:
        return []
    give_up = random.random() < 0.5 and hand.opened.house.may_give_up
    return [(GiveUpAtShowdown if give_up else AskToShow)(hand.id, random.choice(hand.contesting))]


def _money(room: Room, desk: Desk) -> None:
    """All that happens to accounts, with the room's staff to carry it."""
    one = attended(room)
    shard = shard_of("table:t6", room.log.shards)
    one.runner.find(Found(shard, stream, sent) for stream, sent in room.under_way("table:t6"))
    one.settle()
    for args in life("t7"):
        give(room, desk, args)
        one.settle()


def _close_day(log: Log, later: Ports) -> None:
    ledger = Ledger()
    for commit in commits(log):
        ledger.take(commit.shard, commit.height, commit.at, commit.facts, lambda *_: None)
    ends, totals = ledger.at_end_of(FIRST_DAY)
    give(room_over(log, later), Desk(later), CloseDay(FIRST_DAY, FIRST_MIDNIGHT, ends, totals))


def _buy_in(room: Room, desk: Desk, table: str) -> None:
    now = room.table(table).table
    assert now is not None
    for seat, one in list(now.seats.items()):
        if not one.stack:
            give(room, desk, StandUp(table, seat, one.player))
            give(room, desk, SitDown(table, seat, one.player, 10 * now.opened.least_buy_in))


def _office(home: Path, room: Room, desk: Desk, ports: Ports) -> None:
    reason = TextKeys(home / TEXTS_FILE).seal(
        "the floor was asked to rule", "audit:t3-1", ports.bits(256).to_bytes(32), ports.bits(96).to_bytes(12)
    )
    give(room, desk, OpenCards("t3-1", Form.FACES, (), False, "floor:bob", reason))
    commits = room.log.head(1).height + 1
    give(room, desk, AcceptLoss(1, commits, commits + 2, "ab" * 32, "floor:bob", reason))
    give(room, desk, CloseRoom(reason))
    give(room, desk, EraseReason(0, room.log.head(0).height))
    give(room, desk, ReopenRoom(reason))
    seat = next(seat for seat in (1, 2) if room.table("t5").table.seats[seat].stack)  # type: ignore[union-attr]
    give(room, desk, StandUp("t5", seat, f"p{seat}"))


def _owners(log: Log, ports: Ports) -> None:
    """Each shard is claimed, and shown to be alive; one is raised, to the only revision that there is: no office would,
    but so the event is kept."""
    office = Office(log, repository(log))
    for shard in range(log.shards):
        claim = recovery(ports, ClaimShard(shard, "north", "http://127.0.0.1:8100", "0.6.0", catalog.READS))
        log.append(shard, log.head(shard), [office.entry_of(claim, ports.now())], claim=True)
        log.append(shard, log.head(shard), [office.entry_of(recovery(ports, KeepAlive(shard)), ports.now())])
    log.append(1, log.head(1), [_raised(log, ports)])


def _raised(log: Log, ports: Ports) -> Entry:
    command, version = recovery(ports, RaiseRevision(1, 1)), (log.stream_version("shard:1") or 0) + 1
    event = body.fact("shard:1", version, *catalog.event.dump(RevisionRaised(1)))
    return body.entry(ports.now(), envelope(command), [event])


if __name__ == "__main__":
    make(Path(sys.argv[1]))
