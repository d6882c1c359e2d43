"""The suites of `make test`: the folders of tests that belong to each, and its share of the time.

A share is a promise about the whole run, not an assertion: a suite over its share is printed, and fails nothing. The
simulator, whose auditor keeps the books, counts to money; the command line and what each viewer sees to the doors. What
needs a real broker counts to Kafka wherever it lies: its file or its case is named after it.
"""

from pathlib import PurePosixPath
from typing import NamedTuple


class Suite(NamedTuple):
    """`share`: the seconds that its tests may take together. `folders`: their folders under tests/."""

    name: str
    share: int
    folders: tuple[str, ...]


REST = Suite("the rest", 45, ("bench", "setup"))
"""Also takes what lies in no suite's folder."""

KAFKA = Suite("Kafka", 120, ("kafka", "node"))

SUITES = (
    Suite("domain and rules", 120, ("domain", "transcripts", "oracle", "interop")),
    Suite("log and evidence", 90, ("log", "contract", "evidence", "sealing", "history", "snapshots")),
    KAFKA,
    Suite("money", 75, ("projections", "money", "simulation")),
    Suite("API and web", 150, ("api", "web", "feed", "services", "secrecy")),
    REST,
)


def suite_of(test: str) -> Suite:
    """The suite of a test, by its pytest name (`tests/domain/test_rake.py::test_...`)."""
    file, _, name = test.partition("::")
    if "kafka" in PurePosixPath(file).name or "kafka" in name.partition("[")[2]:
        return KAFKA
    folder = PurePosixPath(file).parts[1:2]
    return next((suite for suite in SUITES if folder and folder[0] in suite.folders), REST)
