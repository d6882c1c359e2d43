"""The end of a run of the tests: what was measured, the seconds of each suite and its share, the skips by reason."""

import time
from collections import defaultdict

import pytest

from tests.resources import is_excused
from tests.suites import REST, SUITES, suite_of

MEASURED = "measured"
"""The name under which a test records (pytest's `record_property`) what it did and measured, in a sentence."""


class Tally:
    """A plugin of pytest that keeps the account of one run. Finding the tests counts as the rest's time.

    Where tests run in two lanes beside each other, a second of a test is half a second of the run.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.skips: defaultdict[str, int] = defaultdict(int)
        self._measured: list[str] = []
        self._lanes = 1
        self._began = time.perf_counter()
        self._found = False

    @property
    def unexcused(self) -> list[str]:
        """The reasons for which nothing may be skipped here."""
        return [reason for reason in self.skips if not is_excused(reason)]

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._lanes = session.config.getoption("numprocesses", None) or 1
        self._began = time.perf_counter()

    def pytest_runtest_logstart(self) -> None:
        if not self._found:
            self.seconds[REST.name] += time.perf_counter() - self._began
        self._found = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._count_skip(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[suite_of(report.nodeid).name] += report.duration / self._lanes
        self._count_skip(report)
        if report.when == "teardown":
            told = [text for name, text in report.user_properties if name == MEASURED]
            self._measured += [f"{report.nodeid.partition('::')[2]}: {text}" for text in told]

    def _count_skip(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skips[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK and self.unexcused:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._measured:
            terminalreporter.section("what was done, and measured")
        for line in self._measured:
            terminalreporter.line(line)
        terminalreporter.section("seconds of each suite, and its share")
        for suite in SUITES:
            used = self.seconds[suite.name]
            over = used > suite.share
            warning = "   OVER ITS SHARE" if over else ""
            terminalreporter.line(f"{suite.name:<18}{used:>7.1f} of {suite.share:>3}{warning}", red=over, bold=over)
        terminalreporter.section("skipped, by reason")
        for reason, number in sorted(self.skips.items()):
            terminalreporter.line(f"{number:>5}  {reason}")
        terminalreporter.line(f"{sum(self.skips.values()):>5}  in all")
        for reason in self.unexcused:
            terminalreporter.line(f"CI is set, so nothing may be skipped for: {reason}", red=True, bold=True)
