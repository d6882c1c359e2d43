"""A room that bots played, once for all tests: it is copied before anything changes it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.hand.commands import CancelHand
from domain.messages import SECOND
from domain.table.commands import DealHand, StandUp
from services.bootstrap import VIEWS_FILE, open_log, open_writer
from services.demo import floor as demo
from services.eventlog.sqlite_commits import SqliteCommits
from services.ports import Ports, seeded_ports
from tests.services.homes import Desk, new_home, recovery


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of 30 hands at the demonstration's tables, after which one more at t1 was cancelled, the players of
    t2 took their money and those of the tournament at t4 their chips. Read only.

    The seed is one by which every kind of fact occurs.
    """
    home = tmp_path_factory.mktemp("played") / "home"
    demo.play(home, hands=30, seed=64)
    ports = seeded_ports(8)
    desk = Desk(ports)
    with open_writer(home, ports) as writer:
        failed = writer.room.table("t1").table
        assert failed
        writer.submit(desk(DealHand("t1", failed.hands + 1))).result()
        writer.submit(recovery(ports, CancelHand(f"t1-{failed.hands}", 74 * SECOND))).result()
        for name in ("t2", "t4"):
            table = writer.room.table(name).table
            assert table
            for seat, one in list(table.seats.items()):
                writer.submit(desk(StandUp(name, seat, one.player))).result()
    return home


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    """An empty home in `home`, and its ports."""
    return new_home(tmp_path / "home")


@pytest.fixture
def log(tmp_path: Path, ports: Ports) -> Iterator[SqliteCommits]:
    """The log of that home, open for writing."""
    with open_log(tmp_path / "home", write=True) as log:
        yield log


@pytest.fixture
def desk(ports: Ports) -> Desk:
    """Gives commands as somebody on the floor."""
    return Desk(ports)


@pytest.fixture
def home(played: Path, tmp_path: Path) -> Path:
    """A copy of that home, to do anything with; without the views that somebody may have looked at there."""
    views = shutil.ignore_patterns(f"{VIEWS_FILE}*")
    return Path(shutil.copytree(played, tmp_path / "home", ignore=views))
