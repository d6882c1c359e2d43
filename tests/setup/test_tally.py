"""The end of a run: the time of each suite, what was skipped and why, and what may not be skipped with CI set."""

import pytest

from tests.resources import Resource, require_or_skip
from tests.suites import REST, SUITES, suite_of
from tests.tally import Tally

SKIPPING = """
    import pytest
    from tests.resources import Resource, require_or_skip

    def test_passes():
        pass

    @pytest.mark.parametrize("case", range(2))
    def test_needs_a_broker(case):
        require_or_skip(Resource.KAFKA, None, "nothing answers at localhost:9092")

    def test_is_for_others():
        pytest.skip("not for root")
"""


def run(pytester: pytest.Pytester, source: str) -> pytest.RunResult:
    pytester.makepyfile(source)
    return pytester.runpytest_inprocess(plugins=[Tally()])


def test_skips_are_listed_by_reason(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    result = run(pytester, SKIPPING)
    result.stdout.fnmatch_lines([
        "*skipped, by reason*",
        "    2  no Kafka: nothing answers at localhost:9092",
        "    1  not for root",
        "    3  in all",
    ])  # fmt: skip
    assert result.ret == pytest.ExitCode.OK


def test_with_ci_set_a_missing_resource_fails_the_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = run(pytester, SKIPPING)
    result.stdout.fnmatch_lines(["CI is set, so nothing may be skipped for: no Kafka: nothing answers at *"])
    result.stdout.no_fnmatch_line("CI is set*not for root")
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_with_ci_set_a_file_skipped_for_want_of_a_resource_fails_the_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = run(pytester, "import pytest\npytest.importorskip('kafka_that_is_not_installed')\n")
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["CI is set*kafka_that_is_not_installed*"])


def test_a_file_skipped_in_lanes_fails_the_run_too(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lane looks for all tests: what one of them skips then is counted once."""
    monkeypatch.setenv("CI", "true")
    pytester.makeconftest("""
        from tests.tally import Tally

        def pytest_configure(config):
            config.pluginmanager.register(Tally())
    """)
    pytester.makepyfile(
        test_a="import pytest\npytest.importorskip('kafka_that_is_not_installed')\n",
        test_b="def test_passes(): pass\n",
    )
    result = pytester.runpytest_inprocess("-n2")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*1  could not import 'kafka_that_is_not_installed'*", "CI is set*kafka_that_is_not*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_with_ci_set_other_reasons_are_good(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    result = run(pytester, "import pytest\ndef test_passes(): pass\ndef test_skips(): pytest.skip('not for root')")
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize("resource", Resource)
def test_what_is_there_is_not_skipped(resource: Resource) -> None:
    require_or_skip(resource, True, "it is here")


def test_pytest_s_own_line_comes_last(pytester: pytest.Pytester) -> None:
    last = [line for line in run(pytester, "def test_passes(): pass").outlines if line][-1]
    assert "1 passed" in last


def test_a_suite_over_its_share_is_printed_and_fails_nothing(pytester: pytest.Pytester) -> None:
    tally = Tally()
    tally.seconds[REST.name] = REST.share + 1
    pytester.makepyfile("def test_passes(): pass")
    result = pytester.runpytest_inprocess(plugins=[tally])
    result.stdout.fnmatch_lines([f"{REST.name} * of *{REST.share}   OVER ITS SHARE"])
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("test", "suite"),
    [
        ("tests/domain/hand/test_pots.py::test_side_pot", "domain and rules"),
        ("tests/contract/test_log.py::test_append[sqlite]", "log and evidence"),
        ("tests/contract/test_log.py::test_append[kafka]", "Kafka"),
        ("tests/feed/test_kafka_feed.py::test_backfill", "Kafka"),
        ("tests/node/test_takeover.py::test_kill", "Kafka"),
        ("tests/test_anything.py::test_anything", "the rest"),
    ],
)
def test_a_test_belongs_to_the_suite_of_its_folder(test: str, suite: str) -> None:
    assert suite_of(test).name == suite


def test_no_folder_belongs_to_two_suites() -> None:
    folders = [folder for suite in SUITES for folder in suite.folders]
    assert sorted(folders) == sorted(set(folders))
