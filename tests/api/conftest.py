"""A door at which tests may do anything, each at tables of its own."""

from collections.abc import Iterator
from itertools import count

import pytest

from domain.table.commands import DealHand, SitDown
from tests.api.doors import Door, door_of, must
from tests.services.homes import open_table


@pytest.fixture(scope="package")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with door_of(tmp_path_factory.mktemp("api") / "home") as door:
        yield door


@pytest.fixture(scope="package")
def _numbers() -> Iterator[int]:
    return count(1)


@pytest.fixture
def table(door: Door, _numbers: Iterator[int]) -> str:
    """A new table, open and empty."""
    table = f"t{next(_numbers)}"
    must(door.client("floor:fay").give(open_table(table)))
    return table


@pytest.fixture
def dealt(door: Door, table: str) -> str:
    """A hand of ann in seat 1, who has the button and is to act, and bob in seat 2."""
    for seat, player in enumerate(("ann", "bob"), start=1):
        must(door.client(f"player:{player}").give(SitDown(table, seat, player, 200)))
    must(door.client("floor:fay").give(DealHand(table, 1)))
    return f"{table}-1"
