"""Which tests run beside each other."""

import pytest

from tests.lanes import LONGEST

FILES = ("tests/domain/test_a.py", "tests/domain/test_b.py", "tests/kafka/test_c.py", "tests/node/test_d.py", LONGEST)


def test_what_needs_a_broker_keeps_to_one_lane_and_begins_at_once(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
        from tests import lanes

        def pytest_configure(config):
            config.pluginmanager.register(lanes)
    """)
    for file in FILES:
        (pytester.path / file).parent.mkdir(parents=True, exist_ok=True)
        (pytester.path / file).write_text("from time import sleep\ndef test_one(): sleep(0.1)\ntest_two = test_one\n")
    run = pytester.inline_run("-n2", "--no-loadscope-reorder", "-p", "no:cacheprovider")

    reports = [one for one in run.getreports("pytest_runtest_logreport") if one.when == "call"]
    lane = {one.nodeid: one.node.gateway.id for one in reports}
    assert len(lane) == 2 * len(FILES)
    of_file = {file: {lane[test] for test in lane if test.startswith(file)} for file in FILES}
    assert all(len(used) == 1 for used in of_file.values()), "a file's tests share what they set up"
    brokers = of_file["tests/kafka/test_c.py"]
    assert brokers == of_file["tests/node/test_d.py"]
    first = next(one.nodeid for one in reports if {one.node.gateway.id} == brokers)
    assert first == "tests/kafka/test_c.py::test_one"
    beside = next(one.nodeid for one in reports if {one.node.gateway.id} != brokers)
    assert beside == f"{LONGEST}::test_one"
