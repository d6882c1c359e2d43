"""Compare and append, in every home: what a log takes, what it refuses, and what it answers (design, The log)."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.eventlog import commit
from services.eventlog.commit import GENESIS, LIMIT, BadRecord, Head
from services.eventlog.log import Append, HeadMoved, Log, LogError, VersionConflict
from tests.contract.logs import append, entry, spans


def test_an_empty_log_stands_at_genesis_in_every_shard(log: Log) -> None:
    assert log.room.startswith("riverside-")
    assert log.shards == 4
    for shard in range(4):
        assert log.head(shard) == GENESIS
        assert list(log.read(shard)) == []
        assert log.counted(shard) == 0


def test_an_append_returns_the_head_after_each_entry(log: Log) -> None:
    heads = log.append(0, GENESIS, spans(3))
    assert heads == [record.head for record in log.read(0)]
    assert log.head(0) == heads[-1]


def test_nothing_to_append_changes_nothing(log: Log) -> None:
    assert log.append(0, GENESIS, []) == []
    assert log.append_all([Append(1, GENESIS, []), Append(2, GENESIS, spans(1))]) == [[], [log.head(2)]]
    assert log.append_all([]) == []
    assert (log.head(0), log.head(1)) == (GENESIS, GENESIS)


def test_shards_are_chains_of_their_own(log: Log) -> None:
    append(log, 0, entry(("table:a", 1, 1)))
    append(log, 3, entry(("table:b", 1, 1)), entry(("table:b", 2, 2)))
    assert [log.head(shard).height for shard in range(4)] == [0, -1, -1, 1]
    assert [record.shard for record in log.read(3)] == [3, 3]


def test_a_shard_that_the_log_has_not_is_named(log: Log) -> None:
    asked: list[Callable[[int], object]] = [
        log.head,
        log.counted,
        lambda shard: log.record(shard, 0),
        lambda shard: list(log.read(shard)),
        lambda shard: log.append(shard, GENESIS, spans(1)),
    ]
    for ask in asked:
        with pytest.raises(LogError, match="shards 0 to 3, not 4"):
            ask(4)


# --- the head that a writer expects ----------------------------------------------------------------------------------


def test_a_writer_with_a_stale_head_is_refused_and_told_both_heads(log: Log) -> None:
    stale = log.head(0)
    append(log, 0, entry(("hand:t1-1", 1, 2)))
    with pytest.raises(HeadMoved) as refusal:
        log.append(0, stale, [entry(("hand:t1-2", 1, 2))])
    assert (refusal.value.expected, refusal.value.actual) == (stale, log.head(0))
    assert refusal.value.accepted == ()
    assert log.head(0).height == 0
    assert log.stream_version("hand:t1-2") is None


def test_a_head_of_the_right_height_but_another_hash_is_refused(log: Log) -> None:
    append(log, 0, *spans(2))
    with pytest.raises(HeadMoved):
        log.append(0, Head(1, 0, "f" * 64), [entry(("hand:t1-1", 5, 5))])


def test_an_append_that_is_tried_again_is_recorded_once(log: Log) -> None:
    heads = log.append(0, GENESIS, spans(2))
    for _ in range(2):
        with pytest.raises(HeadMoved):
            log.append(0, GENESIS, spans(2))
    assert [record.head for record in log.read(0)] == heads


def test_of_two_writers_with_the_same_head_one_wins(log: Log) -> None:
    assert sorted(len(told) for told in _race(log, entries=1)) == [0, 1]
    assert log.head(0).height == 0


def test_each_of_two_writers_is_told_exactly_what_was_recorded_of_it(log: Log) -> None:
    told = _race(log, entries=3)
    assert sorted(head for heads in told for head in heads) == [record.head for record in log.read(0)]


def _race(log: Log, entries: int) -> list[list[Head]]:
    """Two writers append to the empty shard 0 at once; the heads of what each is told was recorded."""
    gate = threading.Barrier(2)

    def write(stream: str) -> list[Head]:
        gate.wait()
        try:
            return log.append(0, GENESIS, spans(entries, stream))
        except HeadMoved as moved:
            return list(moved.accepted)

    with ThreadPoolExecutor(2) as writers:
        return list(writers.map(write, ("table:a", "table:b")))


# --- several shards --------------------------------------------------------------------------------------------------


def test_several_shards_are_appended_together(log: Log) -> None:
    first, second = Append(2, GENESIS, [entry(("table:t3", 1, 1))]), Append(0, GENESIS, spans(2))
    assert log.append_all([first, second]) == [[log.head(2)], [log.record(0, 0).head, log.head(0)]]
    assert (log.head(0).height, log.head(1).height, log.head(2).height) == (1, -1, 0)


def test_a_shard_that_moved_leaves_the_others_be(log: Log) -> None:
    log.append(1, GENESIS, [entry(("table:t2", 1, 1))])
    late, fine = Append(1, GENESIS, [entry(("table:t2", 2, 2))]), Append(0, GENESIS, spans(1))
    moved, heads = log.append_all([late, fine])
    assert isinstance(moved, HeadMoved)
    assert (moved.shard, moved.expected, moved.actual) == (1, GENESIS, log.head(1))
    assert heads == [log.head(0)]
    assert (log.head(0).height, log.head(1).height) == (0, 0)


def test_a_version_that_does_not_follow_refuses_its_shard_alone(log: Log) -> None:
    wrong, fine = Append(1, GENESIS, [entry(("table:t2", 5, 5))]), Append(0, GENESIS, spans(1))
    conflict, heads = log.append_all([wrong, fine])
    assert isinstance(conflict, VersionConflict)
    assert heads == [log.head(0)]
    assert log.head(1) == GENESIS


# --- epochs ----------------------------------------------------------------------------------------------------------


def test_a_claim_begins_the_next_epoch_and_others_keep_it(log: Log) -> None:
    append(log, 0, *spans(1))
    heads = log.append(0, log.head(0), [entry(("hand:t1-1", 3, 3)), entry(("hand:t1-1", 4, 4))], claim=True)
    append(log, 0, entry(("hand:t1-1", 5, 5)))
    assert [head.epoch for head in heads] == [1, 1]
    assert [record.epoch for record in log.read(0)] == [0, 1, 1, 1]


def test_the_first_commit_has_epoch_0_even_as_a_claim(log: Log) -> None:
    (head,) = log.append(0, GENESIS, spans(1), claim=True)
    assert head.epoch == 0


def test_a_shard_is_claimed_beside_others_that_are_not(log: Log) -> None:
    append(log, 0, *spans(1))
    append(log, 1, *spans(1, "table:b"))
    claim = Append(0, log.head(0), [entry(("hand:t1-1", 3, 3))], claim=True)
    log.append_all([claim, Append(1, log.head(1), [entry(("table:b", 3, 3))])])
    assert (log.head(0).epoch, log.head(1).epoch) == (1, 0)


# --- versions and sizes ----------------------------------------------------------------------------------------------


def test_an_event_that_is_not_the_next_of_its_stream_is_refused(log: Log) -> None:
    append(log, 0, entry(("hand:t1-1", 1, 2)))
    for first in (1, 2, 4, 5):
        with pytest.raises(VersionConflict, match=rf"hand:t1-1 stands at version 2: its next event is 3, not {first}"):
            append(log, 0, entry(("hand:t1-1", first, first)))


def test_a_stream_stays_in_its_shard(log: Log) -> None:
    append(log, 2, entry(("table:a", 1, 1)))
    with pytest.raises(VersionConflict, match="table:a stands in shard 2, not in shard 3"):
        append(log, 3, entry(("table:a", 2, 2)))
    assert log.head(3) == GENESIS


def test_a_stream_begins_at_version_1(log: Log) -> None:
    for stream, first in (("hand:t1-1", 0), ("hand:t1-1", 2), ("opaque:ab", 2)):
        with pytest.raises(VersionConflict, match="its first event has version 1"):
            append(log, 0, entry((stream, first, first)))


def test_only_opaque_streams_may_begin_at_0(log: Log) -> None:
    append(log, 0, entry(("opaque:ab", 0, 3)), entry(("opaque:ab", 4, 4)))
    assert log.stream_version("opaque:ab") == 4


def test_a_refused_append_leaves_nothing_behind(log: Log) -> None:
    append(log, 0, entry(("table:a", 1, 1)))
    before = log.head(0), log.counted(0)
    good, bad = entry(("table:a", 2, 2), ("hand:a-1", 1, 3)), entry(("table:a", 2, 2))
    with pytest.raises(VersionConflict):
        append(log, 0, good, bad)
    assert (log.head(0), log.counted(0)) == before
    assert log.stream_version("table:a") == 1
    assert log.stream_version("hand:a-1") is None
    append(log, 0, good)
    assert log.stream_version("hand:a-1") == 3


def test_a_commit_that_is_too_large_is_refused_before_it_is_appended(log: Log) -> None:
    with pytest.raises(BadRecord, match=f"at most {LIMIT:,}"):
        append(log, 0, entry(("table:a", 1, 1)), entry(("table:a", 2, 2), padding="x" * LIMIT))
    assert log.head(0) == GENESIS
    append(log, 0, entry(("table:a", 1, 1)))


def test_the_largest_commit_is_taken_and_one_byte_more_is_refused(log: Log) -> None:
    bare, _ = commit.seal(log.room, 0, GENESIS, entry(("table:a", 1, 1)).body)
    room_left = LIMIT - len(bare)
    with pytest.raises(BadRecord, match=f"at most {LIMIT:,}"):
        append(log, 0, entry(("table:a", 1, 1), padding="x" * (room_left + 1)))
    append(log, 0, entry(("table:a", 1, 1), padding="x" * room_left))
    assert len(log.record(0, 0).raw) == LIMIT
