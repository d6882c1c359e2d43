"""What follows a log ends when it is told to, whatever it does just then."""

import signal
from collections.abc import Iterator, Mapping

import pytest

from services.cli.following import follow
from services.eventlog.sqlite_commits import SqliteCommits
from services.following import VIEWS, Noted, unnoted


class Cleared:
    """The process is told to end while this is cleared away: Python drops an interrupt that comes then."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


class Looking:
    """Looks once; a second look would be one too many."""

    looks = 0

    def catch_up(self, noted: Noted = unnoted) -> None:
        self.looks += 1
        assert self.looks == 1, "it went on though it was told to end"
        Cleared()

    def heights(self) -> Mapping[int, int]:
        return {}


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """As they were."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_is_lost_ends_it_after_its_look(log: SqliteCommits) -> None:
    looking = Looking()
    follow(log, looking, VIEWS, None, every=0.01)
    assert looking.looks == 1
