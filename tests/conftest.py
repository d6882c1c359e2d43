"""What every run of the tests begins with: hypothesis' settings, the tally that is printed at the end, the broker."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from deploy.kafka.cluster import Cluster
from tests import lanes
from tests.kafka.brokers import GivenCluster, cluster, shared_cluster
from tests.tally import Tally

# No deadline, for making examples neither: how fast a machine is says nothing about a rule. CI tries the same examples
# each time, others new ones.
settings.register_profile(
    "handlog", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=False
)
settings.register_profile("handlog-ci", settings.get_profile("handlog"), derandomize=True, database=None)
settings.load_profile("handlog-ci" if "CI" in os.environ else "handlog")

# How wide a table is printed would otherwise depend on the window that the run was started in.
os.environ.pop("COLUMNS", None)

# A run in the background of a shell ignores ctrl-c, and what tests start, to press it then, would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What finding the tests leaves stays to the end: no collection of garbage looks through it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Tally(), "handlog-tally")
    config.pluginmanager.register(lanes, "handlog-lanes")


@pytest.fixture(scope="module")
def one() -> Iterator[Cluster]:
    """A broker of the module's own, to do anything with."""
    with cluster() as made:
        yield made


@pytest.fixture(scope="module")
def three() -> Iterator[Cluster]:
    """Three brokers of the module's own."""
    with cluster(3) as made:
        yield made


@pytest.fixture(scope="session")
def kafka() -> Cluster | GivenCluster:
    """A real broker that all tests share: each takes a room, a topic, a group with a name of its own."""
    return shared_cluster()
