"""`verify --ledger` and money between two streams: what one says it sent, the other received or refused, and as it was.

The room that is forged is the one that `tests/history` keeps: all that can happen to money happens there.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain.account.events import Adjusted, Deposited, PromotionGranted, Withdrawn
from domain.room import DayClosed
from domain.transfers import NoticeReceived, TransferClosed, TransferReceived, TransferRefused, TransferSent
from projections.commit import Commit
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import import_file
from services.views import commits as commits_of
from tests.history.test_history import VERSIONS
from tests.money.test_ledger import findings, forged


@pytest.fixture(scope="module")
def commits(tmp_path_factory) -> list[Commit]:
    path = tmp_path_factory.mktemp("kept") / "log.sqlite"
    import_file(VERSIONS[-1] / "log.hl", path)
    with SqliteLog.open(path) as log:
        return list(commits_of(log))


def test_what_was_kept_adds_up(commits):
    assert findings(commits) == []


def without(commits: list[Commit], kind: type[Any]) -> list[Commit]:
    """The commits but for the first fact of a kind."""
    return forged(commits, kind, lambda event: None)


def twice(commits: list[Commit], kind: type[Any]) -> list[Commit]:
    """The commits, the first with a fact of a kind once more."""
    at = next(at for at, one in enumerate(commits) if any(type(fact.event) is kind for fact in one.facts))
    return [*commits[: at + 1], commits[at], *commits[at + 1 :]]


FORGERIES: dict[str, tuple[type[Any], Callable[[Any], Any], str]] = {
    "more is received than was sent": (TransferReceived, lambda e: replace(e, amount=e.amount + 1), "says amount"),
    "another receives it": (TransferReceived, lambda e: replace(e, player="dora"), ""),
    "what was received is closed as refused": (
        TransferClosed, lambda e: replace(e, received=not e.received), "closed as the other",
    ),
    "what was refused is closed as received": (
        TransferClosed, lambda e: e if e.received else replace(e, received=True), "closed as the other",
    ),
    "less comes back than was refused": (
        TransferClosed, lambda e: e if e.received else replace(e, amount=e.amount - 1), "says amount",
    ),
    "a refusal is of another number": (TransferRefused, lambda e: replace(e, seq=e.seq + 1), "without the one"),
    "a number is left out": (TransferSent, lambda e: replace(e, seq=e.seq + 1), "without the one before it"),
    "news is answered that wasn't sent": (NoticeReceived, lambda e: replace(e, seq=e.seq + 1), "without the one"),
    "cash arrives as promotion credit": (
        TransferReceived, lambda e: replace(e, promotion=e.promotion + 1), "says promotion",
    ),
    "a deposit was larger": (Deposited, lambda e: replace(e, amount=e.amount + 1), "was closed with"),
    "a withdrawal was larger than the account": (Withdrawn, lambda e: replace(e, amount=10**9), "at -"),
    "an adjustment was larger than the account": (Adjusted, lambda e: replace(e, amount=-(10**9)), "at -"),
    "promotion credit was larger": (PromotionGranted, lambda e: replace(e, amount=e.amount + 1), "was closed with"),
    "a day was closed with other commits": (
        DayClosed, lambda e: replace(e, commits=(e.commits[0] + 1, *e.commits[1:])), "was closed with",
    ),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_is_forged_is_found(commits, forgery):
    kind, change, words = FORGERIES[forgery]
    found = findings(forged(commits, kind, change))
    assert any(words in line for line in found), found


@pytest.mark.parametrize("kind", [TransferReceived, TransferRefused])
def test_what_was_never_answered_is_found(commits, kind):
    assert any(
        "was never answered" in line or "without the one before" in line for line in findings(without(commits, kind))
    )


@pytest.mark.parametrize("kind", [TransferReceived, TransferRefused, TransferClosed])
def test_what_happens_twice_is_found(commits, kind):
    assert any("stands in the log twice" in line for line in findings(twice(commits, kind)))


def test_what_was_never_sent_is_found(commits):
    assert any("was never sent" in line or "without" in line for line in findings(without(commits, TransferSent)))
