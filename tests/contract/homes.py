"""The homes that the contract is run on: how each makes a log, opens it again, and finds it after a crash."""

import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import TracebackType
from typing import Any, NamedTuple, Self
from uuid import uuid4

from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Log
from services.eventlog.sqlite_log import SqliteLog
from tests.kafka.brokers import shared_broker
from tests.simulation.apsw_sqlite import DiskFiles
from tests.simulation.faulty_disk import Disk


class Home(NamedTuple):
    """One kind of log. The folder is a place of its own for one log; a home elsewhere may just be named after it."""

    make: Callable[[Path, str], Log]
    """An empty log of that room with four shards."""

    reopen: Callable[[Path, str], Log]
    """The log of that place once more, after it was closed."""

    after_crash: Callable[[Path, str], Log]
    """The log as it is found if its writer dies at this moment, without another step. The open log isn't told."""


def in_a_file() -> Home:
    """The embedded home on this machine's disk. A crash is that of the process: the files are found as they stand."""

    def make(folder: Path, room: str) -> Log:
        (folder / "home").mkdir()
        return SqliteLog.create(folder / "home" / "log.db", room, 4)

    def reopen(folder: Path, room: str) -> Log:
        return SqliteLog.open(folder / "home" / "log.db")

    def after_crash(folder: Path, room: str) -> Log:
        copy = Path(mkdtemp(prefix="crashed-", dir=folder))
        shutil.copytree(folder / "home", copy, dirs_exist_ok=True)
        return SqliteLog.open(copy / "log.db")

    return Home(make, reopen, after_crash)


def on_a_modelled_disk(kind: type[SqliteLog] = SqliteLog) -> Home:
    """The embedded home, kept by a log of that class, in memory. A crash is a power cut: what wasn't synced is lost."""
    disks: dict[Path, Disk] = {}
    path = Path("/home/log.db")

    def make(folder: Path, room: str) -> Log:
        disks[folder] = Disk(Random(1))
        return kind.create(path, room, 4, files=DiskFiles(disks[folder]))

    def reopen(folder: Path, room: str) -> Log:
        return kind.open(path, files=DiskFiles(disks[folder]))

    def after_crash(folder: Path, room: str) -> Log:
        left = deepcopy(disks[folder])
        left.power_cut()
        return kind.open(path, files=DiskFiles(left))

    return Home(make, reopen, after_crash)


def on_kafka(kind: type[KafkaLog] = KafkaLog) -> Home:
    """The log on a real broker. A crash is that of the process; on another machine it finds no index."""

    def make(folder: Path, room: str) -> Log:
        return kind.create(shared_broker(), room, folder / "index.sqlite", 4)

    def reopen(folder: Path, room: str) -> Log:
        return kind.open(shared_broker(), room, folder / "index.sqlite")

    def after_crash(folder: Path, room: str) -> Log:
        return kind.open(shared_broker(), room, Path(mkdtemp(prefix="crashed-", dir=folder)) / "index.sqlite")

    return Home(make, reopen, after_crash)


HOMES = {"sqlite": in_a_file(), "modelled": on_a_modelled_disk(), "kafka": on_kafka()}
"""Every home by its name: a new one joins here."""


class Place:
    """One log while a test works with it; all that was opened there is closed at the end."""

    def __init__(self, home: Home, folder: Path) -> None:
        self._home, self._folder = home, folder
        self._room = f"riverside-{uuid4().hex[:12]}"
        self.log = home.make(folder, self._room)
        self._open = [self.log]

    def reopen(self) -> Log:
        """Close the log and open it again."""
        self._open.remove(self.log)
        self.log.close()
        self.log = self._opened(self._home.reopen)
        return self.log

    def crash(self) -> Log:
        """The log as a crash at this moment would leave it."""
        return self._opened(self._home.after_crash)

    @property
    def given(self) -> dict[str, Any]:
        """What a clause of the contract may ask for, by the name of its argument."""
        return {"log": self.log, "reopen": self.reopen, "crash": self.crash}

    def _opened(self, opening: Callable[[Path, str], Log]) -> Log:
        log = opening(self._folder, self._room)
        self._open.append(log)
        return log

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        for log in self._open:
            log.close()
