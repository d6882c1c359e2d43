"""A log whose earlier part is still being read gives the right answer or none, never a part of it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import Log, NotHereYet
from services.room.load import ShardFold
from services.rulings import facts_of_hand
from tests.kafka.begun import SHARDS, Played, begun

pytestmark = pytest.mark.soak


def streams_of(log: KafkaLog) -> list[str]:
    return [name for (name,) in log.connection.execute("SELECT name FROM streams ORDER BY id")]


NEVER_OPENED = (
    "table:never", "player:never", "account:never:eur", "hand:never-1", "hand:t1-9999", "audit:t1-1", "audit:never-1",
    "hand:x", "shard:7",
)  # fmt: skip


class Question(NamedTuple):
    """What is asked of a log. `of`: the stream or the shard; `more`: the rest of what is said."""

    name: str
    of: Any
    more: Any = None

    def __str__(self) -> str:
        return " ".join(map(str, self if self.more is not None or self.name in _OF_STREAMS else self[:2]))

    def asked(self, log: Log) -> Any:
        """The answer; None where the log has nothing there."""
        ask: dict[str, Callable[[], Any]] = {
            "version": lambda: log.stream_version(self.of),
            "last": lambda: log.stream_parts(self.of, desc=True, limit=1),
            "parts": lambda: log.stream_parts(self.of, self.more),
            "commits": lambda: list(log.stream_commits(self.of, self.more)),
            "record": lambda: log.record(self.of, self.more),
            "tables": lambda: set(log.tables(self.of, *([] if self.more is None else [self.more]))),
            "patrons": lambda: log.patrons(self.of, *([] if self.more is None else [self.more])),
            "counted": lambda: log.counted(self.of, self.more),
            "head": lambda: log.head(self.of),
            "own": lambda: ShardFold(log).now(self.of),
        }
        try:
            return ask[self.name]()
        except IndexError:
            return None


_OF_STREAMS = ("parts", "commits")


def questions(whole: KafkaLog, heights: list[int]) -> Iterator[Question]:
    """All sorts of them."""
    for stream in [*streams_of(whole), *NEVER_OPENED]:
        last = whole.stream_version(stream) or 0
        yield from (Question("version", stream), Question("last", stream))
        for gt in {None, 0, 1, last // 2, last - 1, last}:
            yield from (Question("parts", stream, gt), Question("commits", stream, gt))
    for shard in range(SHARDS):
        for at in [*heights, whole.head(shard).height, whole.head(shard).height + 1]:
            yield from (Question(name, shard, at) for name in ("record", "tables", "patrons", "counted"))
        yield from (Question(name, shard) for name in ("tables", "patrons", "counted", "head", "own"))


def answers(log: Log, whole: KafkaLog, heights: list[int]) -> dict[str, str]:
    """Ask all of it; what wasn't answered. Fails where an answer is another one than the whole log's."""
    refused = {}
    for question in questions(whole, heights):
        try:
            assert question.asked(log) == question.asked(whole), question
        except NotHereYet as not_yet:
            refused[str(question)] = str(not_yet)
    return refused


def test_every_answer_is_the_whole_log_s_or_none_yet(played: Played, whole: KafkaLog) -> None:
    refused = []
    with begun(played) as log, log.reader() as reader:
        while True:
            at = [filled.height if (filled := log.filled(shard)) else 0 for shard in range(SHARDS)]
            ends = [head.height for head in played.heads]
            heights = sorted({0, 1, *played.contested, *at, *(one - 1 for one in at), *ends})
            left, at_reader = answers(log, whole, heights), answers(reader, whole, heights)
            refused.append(len(left))
            records = {one for one in {*left, *at_reader} if one.startswith("record")}
            assert at_reader.keys() - records == left.keys() - records
            assert not left.keys() & records, "they lie in the partition"
            if all(log.read_earlier(shard, 70) for shard in range(SHARDS)):
                break
        assert answers(log, whole, heights) == answers(reader, whole, heights) == {}
    assert len(refused) > 3
    assert refused[0] > 100
    assert "up to height" in next(iter(left.values()), "up to height")


def test_what_must_be_known_at_once_is(played: Played, whole: KafkaLog) -> None:
    """Tables, patrons, hands under way from the snapshot on, keys, owners, new tables, players and hands."""
    with begun(played) as log:
        left = answers(log, whole, [0])
        for shard, head in enumerate(played.heads):
            began = log.began(shard)
            assert began
            for stream, version in began.streams.items():
                assert f"version {stream}" not in left
                assert log.stream_parts(stream, version) == whole.stream_parts(stream, version), head
        assert not left.keys() & {
            "version room", "parts room None", "commits room None", "own 0", "own 1", "tables 0", "tables 1",
            "patrons 0", "patrons 1", "version player:never", "parts account:never:eur None", "version player:newcomer",
            "parts player:newcomer None", "parts account:newcomer:eur None",
            "version table:never", "parts hand:t1-9999 None", "parts hand:never-1 None", "commits audit:never-1 None",
        }  # fmt: skip
        assert "parts audit:t1-1 None" in left
        for hand in played.under_way:
            with pytest.raises(NotHereYet, match=r"the commits of shard \d up to height \d+ are still being read"):
                facts_of_hand(log, hand)
        with pytest.raises(NotHereYet):
            list(log.index_faults())
        with pytest.raises(NotHereYet), log.reader() as reader:
            list(reader.read(0))


@pytest.mark.parametrize("start", [0, 1, 60, 500])
def test_the_log_can_be_read_from_any_height_meanwhile(played: Played, whole: KafkaLog, start: int) -> None:
    with begun(played) as log:
        for shard in range(SHARDS):
            start = min(start, whole.head(shard).height)
            assert list(log.read(shard, start)) == list(whole.read(shard, start))


def test_every_commit_is_found_by_its_height_though_void_ones_of_the_same_stand_beside_it(
    played: Played, whole: KafkaLog
) -> None:
    with begun(played) as log:
        for shard, contested in enumerate(played.contested):
            ends = range(played.heads[shard].height - 8, played.heads[shard].height + 2)
            for height in {*range(0, contested, 40), *range(contested - 8, contested + 4), *ends}:
                assert log.record(shard, height) == whole.record(shard, height)
            with pytest.raises(IndexError):
                log.record(shard, whole.head(shard).height + 1)
