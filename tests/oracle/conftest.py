from collections.abc import Iterator

import pytest

from tests.oracle.games import all_declared


@pytest.fixture(autouse=True, scope="module")
def games() -> Iterator[None]:
    """Every game of the records is declared, but for these tests alone."""
    with all_declared():
        yield
