"""The stores that every test of a store runs on: SQLite, and a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.store import Store
from tests.postgresql import empty_database

STORES = ("sqlite", "postgresql")

LONG = ("sqlite", pytest.param("postgresql", marks=pytest.mark.soak))
"""The stores of a test that takes seconds: on PostgreSQL it belongs to the soak, since shorter ones show the same."""


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty store."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'views.db'}"
    else:
        with empty_database() as address:
            yield address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened
