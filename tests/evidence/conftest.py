"""Histories that bots played, once for all tests: nothing changes them."""

import pytest

from tests.evidence import histories
from tests.evidence.histories import History


@pytest.fixture(scope="session")
def parted(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, History]:
    """Two histories of one room, signed by the same key, that part after two hands at each table."""
    return histories.twins(tmp_path_factory.mktemp("parted"), 1, 2)


@pytest.fixture(scope="session")
def history(parted: tuple[History, History]) -> History:
    return parted[0]
