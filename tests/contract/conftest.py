"""Every log of the house runs the same contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.eventlog.log import Log
from tests.contract.homes import HOMES, Place


@pytest.fixture(params=sorted(HOMES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with Place(HOMES[request.param], tmp_path) as made:
        yield made


@pytest.fixture
def log(place: Place) -> Log:
    """An empty log of a room with four shards."""
    return place.log


@pytest.fixture
def reopen(place: Place) -> Callable[[], Log]:
    """Close the log and open it again."""
    return place.reopen


@pytest.fixture
def crash(place: Place) -> Callable[[], Log]:
    """The log as a crash at this moment would leave it."""
    return place.crash
