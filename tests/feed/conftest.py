"""The room that the feed's tests read, once for all of them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.bootstrap import open_log
from services.demo import floor as demo
from services.eventlog.log import Log
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import import_file
from tests.feed.rooms import KEPT


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    """30 hands at the demonstration's tables, in which every kind of fact occurs. Read only."""
    home = tmp_path_factory.mktemp("feed") / "home"
    demo.play(home, hands=30, seed=64)
    with open_log(home) as played:
        yield played


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    """Four hands at those tables. Read only."""
    home = tmp_path_factory.mktemp("short") / "home"
    demo.play(home, hands=4, seed=64)
    with open_log(home) as played:
        yield played


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Log]]:
    """The logs that are kept of each version: every event there ever was. Read only."""
    folder: Path = tmp_path_factory.mktemp("kept")
    with ExitStack() as opened:
        logs: list[Log] = []
        for file in KEPT:
            path = folder / f"{file.parent.name}.sqlite"
            import_file(file, path)
            logs.append(opened.enter_context(SqliteLog.open(path)))
        yield logs
