"""An index that began at a snapshot is, in the end, as if it had been read from the first commit on."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from services.eventlog import kafka_log
from services.eventlog.begun_index import BEGUN, WHOLE
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Beginning
from tests.kafka.begun import SHARDS, Played, begun, finish, rows


def test_in_the_end_it_is_row_by_row_the_index_that_was_read_from_the_first_commit_on(
    played: Played, whole: KafkaLog
) -> None:
    with begun(played) as log:
        assert rows(log.path)["layout"] == [(BEGUN,)]
        voids = []
        log.on_void = lambda *void: voids.append(void)
        finish(log)
        assert not any(log.began(shard) for shard in range(SHARDS))
        assert log.stopped == {}
        assert log.voids == whole.voids == {0: 9, 1: 9}
        assert len(voids) == 18
        assert rows(log.path) == rows(whole.path)
        assert rows(log.path)["layout"] == [(WHOLE,)]
        assert list(log.index_faults()) == []
        assert [log.tables(shard) for shard in range(SHARDS)] == [whole.tables(shard) for shard in range(SHARDS)]


def test_whoever_opens_it_without_a_snapshot_reads_all_of_it_first(played: Played, whole: KafkaLog) -> None:
    with begun(played) as log:
        log.read_earlier(0, 60)
    with played.open(log.path) as log:
        assert rows(log.path) == rows(whole.path)


def test_it_goes_on_where_it_was_when_its_process_ended(played: Played, whole: KafkaLog) -> None:
    index, times, voids = played.index(), 0, Counter[int]()
    whole_again = False
    while not whole_again:
        with played.begun(index) as log:
            times += 1
            whole_again = all(log.read_earlier(shard, 90) for shard in range(SHARDS))
            voids += log.voids
    assert times > 2
    assert voids == whole.voids, "what it had taken over was read again"
    assert rows(index) == rows(whole.path)


def test_a_step_that_fails_is_made_again(played: Played, whole: KafkaLog, monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(played) as log:
        put, left = log._put, Random(1)

        def fails(*args: Any) -> None:
            if left.random() < 0.01:
                raise KeyboardInterrupt
            put(*args)

        monkeypatch.setattr(log, "_put", fails)
        failed = 0
        for _ in range(2_000):
            try:
                if all(log.read_earlier(shard, 40) for shard in range(SHARDS)):
                    break
            except KeyboardInterrupt:
                failed += 1
        assert failed > 3
        assert rows(log.path) == rows(whole.path)


def other_version(at: Beginning) -> Beginning:
    name = next(name for name in at.streams if name.startswith("table:"))
    return at._replace(streams={**at.streams, name: at.streams[name] + 1})


def without_a_table(at: Beginning) -> Beginning:
    name = next(name for name in at.streams if name.startswith("table:"))
    return at._replace(streams={one: version for one, version in at.streams.items() if one != name})


def without_a_patron(at: Beginning) -> Beginning:
    name = next(name for name in at.streams if name.startswith("account:"))
    return at._replace(streams={one: version for one, version in at.streams.items() if one != name})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda at: at._replace(counted=at.counted + 1), r"shard 0 has [\d,]+ events up to height \d+, not"),
        (other_version, r"table:\w+ stands at version \d+ at height \d+, not at|table:\w+ stands at version"),
        (without_a_table, "began at height|isn't open|is stopped"),
        (without_a_patron, r"the index of shard 0 began at height \d+ without account:guest"),
    ],
)
def test_a_shard_whose_log_comes_to_something_else_than_its_snapshot_is_stopped(
    played: Played, change: Callable[[Beginning], Beginning], why: str
) -> None:
    right = played.begin_at()

    def begin_at(log: KafkaLog, shard: int) -> Beginning | None:
        at = right(log, shard)
        return change(at) if at is not None and shard == 0 else at

    with played.open(begin_at=begin_at) as log:
        finish(log)
        assert 0 in log.stopped
        assert re.search(why, log.stopped[0]), log.stopped
        assert 1 not in log.stopped
        assert log.began(1) is None


def test_a_short_log_is_read_from_its_first_commit_on(played: Played) -> None:
    with played.begun(worth=2_000) as log:
        assert log.began(0) is None
        assert log.began(1) is None


def test_where_the_room_s_own_commits_cannot_be_told_from_void_ones_all_is_read_first(
    played: Played, whole: KafkaLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_log, "_VOIDS", 2)
    with played.begun() as log:
        assert log.began(0) is None
        assert log.began(1), "the stream of the room doesn't lie there"
        finish(log)
        assert rows(log.path) == rows(whole.path)


def test_an_index_that_knows_its_shard_goes_on_from_there(played: Played, whole: KafkaLog) -> None:
    index = played.index()
    with played.open(index):
        pass
    with played.begun(index) as log:
        assert log.began(0) is None
        assert rows(index) == rows(whole.path)
