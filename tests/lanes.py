"""The two lanes of `make test`: what needs a broker begins at once and stays in one of them, where it mostly waits for
the broker; beside it the other computes. A file's tests stay together, for they share what they set up. The longest of
the others begins first: begun last, it would leave a lane with nothing to do.
"""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.suites import KAFKA, suite_of

LONGEST = "tests/simulation/test_simulation.py"


class Lanes(LoadScopeScheduling):  # type: ignore[misc]
    """How pytest-xdist hands out the tests. Its own groups (`loadgroup`) don't hold with pytest 9.2."""

    def _split_scope(self, nodeid: str) -> str:
        return KAFKA.name if suite_of(nodeid) is KAFKA else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Lanes:
    return Lanes(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (suite_of(item.nodeid) is not KAFKA, not item.nodeid.startswith(LONGEST)))
