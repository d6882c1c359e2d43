"""Streams, in every home: each commit of a stream is found by its versions, in whichever shard the stream lives."""

from services.eventlog.log import Log, Part
from tests.contract.logs import append, entry, spans


def test_a_stream_s_commits_are_found_by_version(log: Log) -> None:
    append(log, 0, entry(("table:a", 1, 1)), *spans(4), entry(("table:a", 2, 2), ("hand:t1-1", 9, 9)))
    heights = lambda **bounds: [record.height for record in log.stream_commits("hand:t1-1", **bounds)]  # noqa: E731
    assert heights() == [1, 2, 3, 4, 5]
    assert heights(gt=4) == [3, 4, 5]
    assert heights(gt=3) == [2, 3, 4, 5], "version 4 stands in the middle of a commit"
    assert heights(lte=3) == [1, 2]
    assert heights(gt=2, lte=4) == [2]
    assert [record.height for record in log.stream_commits("table:a")] == [0, 5]
    assert list(log.stream_commits("table:b")) == []


def test_a_stream_s_commits_are_those_that_were_appended(log: Log) -> None:
    append(log, 1, entry(("table:b", 1, 1)))
    append(log, 2, *spans(2), entry(("table:a", 1, 1)))
    assert list(log.stream_commits("hand:t1-1")) == [log.record(2, 0), log.record(2, 1)]
    assert list(log.stream_commits("table:b")) == [log.record(1, 0)]


def test_a_stream_s_parts_are_those_of_its_commits(log: Log) -> None:
    append(log, 0, entry(("table:a", 1, 1)), *spans(4))
    commits = [Part(height, log.record(0, height).body, 2 * height - 1, 2 * height) for height in (1, 2, 3, 4)]
    assert log.stream_parts("hand:t1-1") == commits
    assert log.stream_parts("hand:t1-1", gt=2, lte=6) == commits[1:3]
    assert log.stream_parts("hand:t9-1") == []


def test_a_part_s_versions_are_cut_to_what_was_asked_for(log: Log) -> None:
    append(log, 0, *spans(2, each=4))
    bounds = [(part.first, part.last) for part in log.stream_parts("hand:t1-1", gt=2, lte=6)]
    assert bounds == [(3, 4), (5, 6)]


def test_the_last_parts_come_first_if_asked_so_and_no_more_than_asked_for(log: Log) -> None:
    append(log, 0, *spans(4))
    heights = lambda **asked: [part.height for part in log.stream_parts("hand:t1-1", **asked)]  # noqa: E731
    assert heights(desc=True) == [3, 2, 1, 0]
    assert heights(desc=True, limit=2) == [3, 2]
    assert heights(limit=2) == [0, 1]
    assert heights(desc=True, lte=4, limit=1) == [1]


def test_the_players_of_a_shard_are_found_by_their_files_and_accounts_and_by_when_they_last_did_anything(
    log: Log,
) -> None:
    append(log, 0, entry(("player:ann", 1, 1), ("account:ann:eur", 1, 1)), entry(("table:a", 1, 1)))
    append(log, 0, entry(("account:bob:eur", 1, 1)), entry(("account:ann:eur", 2, 2)), entry(("player:cleo", 1, 1)))
    append(log, 1, entry(("player:dora", 1, 1)))
    assert [log.patrons(0, after) for after in (-1, 0, 2, 3, 4)] == [
        {"ann", "bob", "cleo"}, {"ann", "bob", "cleo"}, {"ann", "cleo"}, {"cleo"}, set(),
    ]  # fmt: skip
    assert [log.patrons(shard) for shard in (1, 2)] == [{"dora"}, set()]


def test_the_version_of_a_stream_is_its_last_event_s(log: Log) -> None:
    append(log, 0, *spans(3))
    assert log.stream_version("hand:t1-1") == 6
    assert log.stream_version("hand:t1-2") is None


def test_the_index_of_streams_is_what_the_records_say(log: Log) -> None:
    append(log, 0, *spans(3), entry(("table:a", 1, 2), ("room", 1, 1)))
    append(log, 3, entry(("table:b", 1, 1)), entry(("table:b", 2, 3)))
    assert list(log.index_faults()) == []
