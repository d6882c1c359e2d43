"""What the proofs with nodes have in common: rooms on the broker that all tests share, and the counts at the end."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.bootstrap import make_home
from services.kafka.settings import KAFKA, ROOM
from services.node.node import Node
from services.ports import Ports, real_ports
from tests.node.alone import a_node, give
from tests.node.by_hand import Clock, Place
from tests.node.rooms import Room, a_room
from tests.services.homes import a_table_of_two
from tests.tally import MEASURED


@pytest.fixture
def room(kafka, tmp_path: Path) -> Iterator[Room]:
    """A new room on the real broker."""
    with a_room(tmp_path, kafka.bootstrap) as room:
        yield room


@pytest.fixture
def place(kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A new room on the real broker, for nodes without processes."""
    room, clock = f"h{secrets.token_hex(6)}", Clock()
    monkeypatch.setenv(KAFKA, kafka.bootstrap)
    monkeypatch.setenv(ROOM, room)
    make_home(tmp_path / "made", room, Ports(lambda: clock.now, secrets.randbits))
    with ExitStack() as open_:
        yield Place(tmp_path, clock, open_)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a new room without a broker."""
    make_home(tmp_path / "home", "riverside", real_ports())
    return tmp_path / "home"


@pytest.fixture
def node(home: Path) -> Iterator[Node]:
    """It writes that room, in which two sit at table t1."""
    with a_node(home) as node:
        give(node, *a_table_of_two())
        yield node


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Say what a test did and measured: it is printed at the end of the run."""
    return lambda text: record_property(MEASURED, text)
