"""Every log of the house runs the same contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.eventlog.log import Log
from tests.contract.logs import HOMES


@pytest.fixture(params=sorted(HOMES))
def home(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def log(home: str, tmp_path: Path) -> Iterator[Log]:
    """An empty log."""
    made = HOMES[home][0](tmp_path)
    yield made
    made.close()


@pytest.fixture
def reopen(home: str, tmp_path: Path) -> Callable[[Log], Log]:
    """Close a log and open it again."""

    def again(log: Log) -> Log:
        log.close()
        return HOMES[home][1](tmp_path)

    return again
