"""What a log answered lasts, in every home: it is there after the log was closed, and after a crash."""

from collections.abc import Callable
from typing import Any

import pytest

from services.eventlog.commit import GENESIS
from services.eventlog.log import Append, HeadMoved, Log, VersionConflict
from tests.contract.logs import append, entry, spans


def test_everything_is_there_after_the_log_was_closed(log: Log, reopen: Callable[[], Log]) -> None:
    append(log, 0, *spans(3))
    append(log, 1, entry(("table:a", 1, 4)))
    before = contents(log)
    again = reopen()
    assert contents(again) == before
    assert list(again.index_faults()) == []


def test_a_log_goes_on_where_it_was_closed(log: Log, reopen: Callable[[], Log]) -> None:
    append(log, 1, entry(("table:a", 1, 4)))
    again = reopen()
    with pytest.raises(HeadMoved):
        again.append(1, GENESIS, [entry(("table:a", 5, 5))])
    with pytest.raises(VersionConflict):
        append(again, 1, entry(("table:a", 4, 4)))
    append(again, 1, entry(("table:a", 5, 5)))
    assert (again.head(1).height, again.counted(1)) == (1, 5)


def test_what_was_answered_is_there_after_a_crash(log: Log, crash: Callable[[], Log]) -> None:
    for number in range(1, 4):
        append(log, 0, entry(("table:a", number, number)))
        assert contents(crash()) == contents(log)


def test_what_was_answered_of_several_shards_is_there_after_a_crash(log: Log, crash: Callable[[], Log]) -> None:
    log.append_all([Append(1, GENESIS, spans(2)), Append(3, GENESIS, [entry(("table:a", 1, 1))])])
    assert contents(crash()) == contents(log)


def test_what_was_refused_is_not_there_after_a_crash(log: Log, crash: Callable[[], Log]) -> None:
    append(log, 0, *spans(1))
    before = contents(log)
    with pytest.raises(VersionConflict):
        append(log, 0, entry(("hand:t1-1", 3, 3)), entry(("hand:t1-1", 9, 9)))
    assert contents(crash()) == before


def test_a_log_goes_on_after_a_crash(log: Log, crash: Callable[[], Log]) -> None:
    append(log, 0, *spans(2))
    found = crash()
    append(found, 0, entry(("hand:t1-1", 5, 6)))
    assert [record.height for record in found.stream_commits("hand:t1-1")] == [0, 1, 2]


def test_a_log_may_be_closed_twice(log: Log, reopen: Callable[[], Log]) -> None:
    append(log, 0, *spans(1))
    log.close()
    log.close()
    assert reopen().head(0).height == 0


def contents(log: Log) -> list[Any]:
    """All that can be read of a log: the shards, and the streams that these tests write."""
    streams = ("table:a", "hand:t1-1")
    return [
        [(log.head(shard), log.counted(shard), list(log.read(shard))) for shard in range(log.shards)],
        [(log.stream_version(stream), log.stream_parts(stream)) for stream in streams],
    ]
