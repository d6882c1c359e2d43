"""What every run of the tests begins with: hypothesis' settings, the tally that is printed at the end, the broker."""

import os

import pytest
from hypothesis import settings

from deploy.kafka.cluster import Cluster
from tests.kafka.brokers import GivenCluster, shared_cluster
from tests.tally import Tally

# No deadline: how fast a machine is says nothing about a rule. CI tries the same examples each time, others new ones.
settings.register_profile("handlog", deadline=None, print_blob=True, derandomize=False)
settings.register_profile("handlog-ci", settings.get_profile("handlog"), derandomize=True, database=None)
settings.load_profile("handlog-ci" if "CI" in os.environ else "handlog")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Tally(), "handlog-tally")


@pytest.fixture(scope="session")
def kafka() -> Cluster | GivenCluster:
    """A real broker that all tests share: each takes a room, a topic, a group with a name of its own."""
    return shared_cluster()
