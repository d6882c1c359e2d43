"""What every log does, whatever its home (design, The log)."""

import hashlib
import threading
from collections.abc import Callable

import pytest

from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, LIMIT, BadRecord, Head
from services.eventlog.log import Append, HeadMoved, Log, LogError, VersionConflict
from tests.contract.logs import append, entry, spans


def test_an_empty_log_stands_at_genesis_in_every_shard(log: Log) -> None:
    assert (log.room, log.shards) == ("riverside", 4)
    for shard in range(4):
        assert log.head(shard) == GENESIS
        assert list(log.read(shard)) == []
        assert log.counted(shard) == 0


def test_several_shards_are_appended_together(log: Log) -> None:
    first, second = Append(0, GENESIS, spans(2)), Append(2, GENESIS, [entry(("table:t3", 1, 1))])
    assert log.append_all([first, second]) == [[log.record(0, 0).head, log.head(0)], [log.head(2)]]
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


def test_what_was_appended_is_read_in_order_and_verbatim(log: Log) -> None:
    entries = spans(5)
    log.append(1, GENESIS, entries)
    records = list(log.read(1))
    assert [record.body for record in records] == [made.body for made in entries]
    assert [record.height for record in records] == [0, 1, 2, 3, 4]
    assert {(record.room, record.shard, record.epoch) for record in records} == {("riverside", 1, 0)}


def test_every_record_is_accepted_by_the_chain(log: Log) -> None:
    append(log, 2, *spans(3))
    append(log, 2, entry(("hand:t1-1", 7, 7)))
    head = GENESIS
    for raw in log.raws(2):
        record = accept("riverside", 2, head, raw)
        assert not isinstance(record, Void), record.reason
        head = record.head
    assert head == log.head(2)
    assert head.height == 3


def test_an_append_returns_the_head_after_each_entry(log: Log) -> None:
    heads = log.append(0, GENESIS, spans(3))
    assert heads == [record.head for record in log.read(0)]
    assert log.head(0) == heads[-1]


def test_shards_are_chains_of_their_own(log: Log) -> None:
    append(log, 0, entry(("table:a", 1, 1)))
    append(log, 3, entry(("table:b", 1, 1)), entry(("table:b", 2, 2)))
    assert [log.head(shard).height for shard in range(4)] == [0, -1, -1, 1]
    assert [record.shard for record in log.read(3)] == [3, 3]


def test_a_shard_that_the_log_has_not_is_named(log: Log) -> None:
    with pytest.raises(LogError, match="shards 0 to 3, not 4"):
        log.append(4, GENESIS, spans(1))


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


def test_of_two_writers_with_the_same_head_one_wins(log: Log) -> None:
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def write(stream: str) -> None:
        gate.wait()
        try:
            log.append(0, GENESIS, [entry((stream, 1, 1))])
            outcomes.append("won")
        except HeadMoved:
            outcomes.append("refused")

    threads = [threading.Thread(target=write, args=(f"table:{name}",)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused", "won"]
    assert log.head(0).height == 0


def test_a_claim_begins_the_next_epoch_and_others_keep_it(log: Log) -> None:
    append(log, 0, *spans(1))
    heads = log.append(0, log.head(0), [entry(("hand:t1-1", 3, 3)), entry(("hand:t1-1", 4, 4))], claim=True)
    append(log, 0, entry(("hand:t1-1", 5, 5)))
    assert [head.epoch for head in heads] == [1, 1]
    assert [record.epoch for record in log.read(0)] == [0, 1, 1, 1]


def test_the_first_commit_has_epoch_0_even_as_a_claim(log: Log) -> None:
    (head,) = log.append(0, GENESIS, spans(1), claim=True)
    assert head.epoch == 0


def test_nothing_to_append_changes_nothing(log: Log) -> None:
    assert log.append(0, GENESIS, []) == []
    assert log.head(0) == GENESIS


@pytest.mark.parametrize("first", [1, 2, 4, 5])
def test_an_event_that_is_not_the_next_of_its_stream_is_refused(log: Log, first: int) -> None:
    append(log, 0, entry(("hand:t1-1", 1, 2)))
    with pytest.raises(VersionConflict, match=rf"hand:t1-1 stands at version 2: its next event is 3, not {first}"):
        append(log, 0, entry(("hand:t1-1", first, first)))


@pytest.mark.parametrize(("stream", "first"), [("hand:t1-1", 0), ("hand:t1-1", 2), ("opaque:ab", 2)])
def test_a_stream_begins_at_version_1(log: Log, stream: str, first: int) -> None:
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


def test_reading_from_a_height(log: Log) -> None:
    append(log, 0, *spans(600))
    assert [record.height for record in log.read(0, 597)] == [597, 598, 599]
    assert list(log.read(0, 600)) == []
    assert len(list(log.read(0))) == 600


def test_one_record_by_its_height(log: Log) -> None:
    heads = log.append(0, GENESIS, spans(3))
    assert log.record(0, 1).head == heads[1]
    with pytest.raises(IndexError, match="no commit of height 3"):
        log.record(0, 3)


def test_commits_may_be_appended_while_a_reader_is_under_way(log: Log) -> None:
    append(log, 0, *spans(2))
    reader = log.read(0)
    assert next(reader).height == 0
    append(log, 0, entry(("hand:t1-1", 5, 5)))
    assert next(reader).height == 1


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


def test_a_stream_s_bodies_are_those_of_its_commits(log: Log) -> None:
    append(log, 0, *spans(4))
    bodies = [record.body for record in log.stream_commits("hand:t1-1")]
    assert [part.body for part in log.stream_parts("hand:t1-1")] == bodies
    assert [part.body for part in log.stream_parts("hand:t1-1", gt=2, lte=6)] == bodies[1:3]
    assert [part.body for part in log.stream_parts("hand:t1-1", desc=True, limit=2)] == [bodies[3], bodies[2]]
    assert log.stream_parts("hand:t9-1") == []


def test_the_version_of_a_stream_is_its_last_event_s(log: Log) -> None:
    append(log, 0, *spans(3))
    assert log.stream_version("hand:t1-1") == 6
    assert log.stream_version("hand:t1-2") is None


def test_event_numbers_leave_out_the_room_s_and_the_shard_s_own_streams(log: Log) -> None:
    append(log, 0, entry(("shard:0", 1, 1), ("room", 1, 2)))
    append(log, 0, entry(("table:a", 1, 2)), entry(("room", 3, 3)), entry(("table:a", 3, 3), ("room", 4, 4)))
    assert [log.counted(0, height) for height in range(4)] == [0, 2, 2, 3]
    assert log.counted(0) == 3
    found = {start: [(before, record.height) for before, record in log.numbered(0, start)] for start in range(1, 5)}
    assert found == {1: [(0, 1), (2, 2), (2, 3)], 2: [(0, 1), (2, 2), (2, 3)], 3: [(2, 3)], 4: []}


def test_everything_is_there_after_the_log_was_closed(log: Log, reopen: Callable[[Log], Log]) -> None:
    append(log, 0, *spans(3))
    append(log, 1, entry(("table:a", 1, 4)))
    before = [(log.head(shard), log.counted(shard), list(log.read(shard))) for shard in range(4)]
    again = reopen(log)
    try:
        assert [(again.head(shard), again.counted(shard), list(again.read(shard))) for shard in range(4)] == before
        assert again.stream_version("table:a") == 4
        with pytest.raises(VersionConflict):
            append(again, 1, entry(("table:a", 4, 4)))
        append(again, 1, entry(("table:a", 5, 5)))
        assert again.head(1).height == 1
    finally:
        again.close()


def test_the_bytes_are_those_of_the_format_in_every_home(log: Log) -> None:
    """A room moves between homes byte for byte: written out here by hand, the format has no other part."""
    entries = spans(2)
    append(log, 3, *entries)
    digests = [hashlib.sha256(made.body).hexdigest() for made in entries]
    header0 = f"HL1 riverside 3 0 0 {'0' * 64} {digests[0]}\n".encode()
    header1 = f"HL1 riverside 3 1 0 {hashlib.sha256(header0[:-1]).hexdigest()} {digests[1]}\n".encode()
    assert list(log.raws(3)) == [header0 + entries[0].body, header1 + entries[1].body]
    assert log.head(3).hash == hashlib.sha256(header1[:-1]).hexdigest()
