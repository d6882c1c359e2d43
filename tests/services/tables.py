"""A small home for tests of the office, hand 1 of table t1 settled and hand 2 under way, and what its staff types."""

import atexit
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from domain.messages import Refused
from domain.table.commands import DealHand
from services.bootstrap import KEY_FILE, make_home, open_log, opened_room
from services.ids import uuid7
from services.ports import Ports, real_ports
from services.room.recording import Answer
from services.room.room import Outcome, Room
from tests.services.cli import Run, handlog
from tests.services.homes import Desk, a_table_of_two, hand_of, room_over, stays_in

SETTLED, UNDER_WAY = "t1-1", "t1-2"
SHARD = 3
"""Where table t1 lies, its hands, and what is recorded of them afterwards."""

ANN = ("--by", "floor:ann")
BOTH = (*ANN, "--second", "floor:bob", "--reason", "seat 2 says that his cards were marked")


def a_home(home: Path) -> Ports:
    """A home where a hand was played at t1 and the next one dealt; the ports to go on with."""
    shutil.copytree(_played(), home)
    return Ports(real_ports().now, Random(2).getrandbits)  # the clock by which the commands go, too


@cache
def _played() -> Path:
    """The home that all tests get a copy of."""
    home = Path(mkdtemp()) / "home"
    atexit.register(shutil.rmtree, home.parent)
    ports = Ports(real_ports().now, Random(1).getrandbits)
    make_home(home, "riverside", ports)
    with open_log(home, write=True) as log:
        room, desk = room_over(log, ports), Desk(ports)
        for args in a_table_of_two():
            give(room, desk(args))
        play_on(room, desk)
        give(room, desk(DealHand("t1", 2)))
    return home


def give(room: Room, command: Any) -> Answer:
    """The answer to a command that must be taken."""
    outcome = outcome_of(room, command)
    assert isinstance(outcome, Answer), outcome
    return outcome


def outcome_of(room: Room, command: Any) -> Outcome:
    (outcome,) = room.execute([command])
    return outcome


def refusal_of(room: Room, command: Any) -> str:
    """Why a command is refused."""
    outcome = outcome_of(room, command)
    assert isinstance(outcome, Refused), outcome
    return str(outcome)


def play_on(room: Room, desk: Desk) -> None:
    """Everybody stays in until the hand at t1 is over."""
    while not hand_of(room).settled:
        give(room, desk(stays_in(hand_of(room))))


@contextmanager
def room_of(home: Path, ports: Ports, keys: Path | None = None) -> Iterator[Room]:
    """The home's room, as a service opens it."""
    with opened_room(home, ports, keys) as room:
        yield room


def finish_hand(home: Path, ports: Ports) -> None:
    """Play the hand that is under way to its end."""
    with room_of(home, ports) as room:
        play_on(room, Desk(ports))


def deal_and_finish(home: Path, ports: Ports, number: int) -> None:
    """Another hand, from its deal to its end."""
    with room_of(home, ports) as room:
        desk = Desk(ports)
        give(room, desk(DealHand("t1", number)))
        play_on(room, desk)


def commits(home: Path) -> list[int]:
    """How many each shard has."""
    with open_log(home) as log:
        return [log.head(shard).height + 1 for shard in range(log.shards)]


def bodies(home: Path, stream: str) -> list[bytes]:
    with open_log(home) as log:
        return [record.body for record in log.stream_commits(stream)]


def says_why(done: Run, *parts: str) -> None:
    """Exit 2, one sentence on stderr that has these parts, and nothing on stdout."""
    assert done.code == 2, done
    assert done.out == ""
    assert done.err.startswith("handlog: ")
    assert done.err.count("\n") == 1, done.err
    for part in parts:
        assert part in done.err, done.err


def nothing_shown(home: Path, *args: object, why: str) -> None:
    """The command is refused for that reason, and the log has not changed."""
    before = commits(home)
    says_why(handlog(*args, "--home", home), why)
    assert commits(home) == before


def key_file(home: Path) -> Path:
    return home / KEY_FILE


def id_of(ports: Ports) -> str:
    return uuid7(ports.now(), ports.bits(74))
