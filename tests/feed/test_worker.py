"""The worker: all of the log once at least, in order, wherever it was stopped, and nothing else."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

import pytest

from domain.room import KeyChanged
from services.eventlog.log import AppendUnknown, Log, LogError
from services.eventlog.mapper import UnreadableEvent
from services.feed import worker as module
from services.feed.cloudevents import FeedEvent, Place, events_of, key_of
from services.feed.worker import NotThisFeed, Topic, Worker
from tests.feed.rooms import commit, read, told
from tests.feed.topics import MemoryTopic, check_feed, keep_up, values_of


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a commit is cut in two now and then."""
    monkeypatch.setattr(module, "MOST_EVENTS", 7)


@pytest.fixture
def log(short: Log) -> Log:
    return short


@pytest.fixture
def topic(log) -> MemoryTopic:
    return MemoryTopic(log.shards)


def fed(log: Log, topic: Topic, **starts: int) -> Worker:
    worker = Worker(log, topic, {int(shard[1:]): height for shard, height in starts.items()})
    worker.catch_up()
    return worker


def ids(values: list[bytes]) -> list[str]:
    return [read(FeedEvent(Place(0, 0), "", value))["id"] for value in values]


def test_all_that_may_be_told_is_sent_once_each_shard_to_its_partition(log, topic) -> None:
    worker = fed(log, topic)
    assert check_feed(log, topic.partitions) == 0
    assert worker.sent == sum(map(len, topic.partitions)) > 300


def test_the_events_of_a_table_lie_in_one_partition_under_its_key(log, topic) -> None:
    fed(log, topic)
    for values, keys in zip(topic.partitions, topic.keys, strict=True):
        subjects = [read(FeedEvent(Place(0, 0), "", value))["subject"] for value in values]
        assert keys == [key_of(subject) for subject in subjects]
    tables = [{key for key in keys if key.startswith("t")} for keys in topic.keys]
    assert sum(map(len, tables)) == len(set.union(*tables)) == 16


def test_what_is_there_is_not_sent_again(log, topic) -> None:
    fed(log, topic)
    assert fed(log, topic).sent == 0


def test_a_new_worker_goes_on_after_the_last_event_of_the_feed_in_the_middle_of_a_commit_too(log, topic) -> None:
    fed(log, topic)
    whole = [list(values) for values in topic.partitions]
    cut = 5
    for values in topic.partitions:
        del values[cut:]
    fed(log, topic)
    assert topic.partitions == whole
    assert any(one.split("/")[2] == two.split("/")[2] for one, two in (ids(v[cut - 1 : cut + 1]) for v in whole))


def test_what_is_sent_at_once_is_limited_in_number_and_bytes(log, monkeypatch) -> None:
    topic = MemoryTopic(log.shards)
    monkeypatch.setattr(module, "MOST_BYTES", 2_000)
    fed(log, topic)
    largest = max(len(value) for shard in range(log.shards) for value in values_of(log, shard))
    assert max(map(len, topic.flushed)) == module.MOST_EVENTS
    assert max(sum(map(len, values)) for values in topic.flushed) <= 2_000 + largest


# --- whatever befalls it ---------------------------------------------------------------------------------------------

FATES = ["", "", "", "unknown", "unknown appended", "killed", "killed appended"]
SEEDS = range(10)


def fates(seed: int) -> Callable[[], str]:
    random = Random(seed)
    return lambda: random.choice(FATES)


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_and_left_without_answers_it_tells_all_of_it_all_the_same(log, seed: int) -> None:
    topic = MemoryTopic(log.shards, fates(seed))
    workers = keep_up(log, topic)
    repeats = check_feed(log, topic.partitions)
    assert workers > 10 and repeats > 5


@pytest.mark.parametrize("seed", range(5))
def test_two_workers_at_once_tell_all_of_it_and_some_twice(log, topic, seed: int) -> None:
    """A flush of the one, then some of the other, each with a place of its own."""
    random = Random(seed)
    steps = [stepwise(Worker(log, topic)), stepwise(Worker(log, topic))]
    while steps:
        one = random.choice(steps)
        if next(one, None) is None:
            steps.remove(one)
        assert_no_gap(log, topic)
    assert check_feed(log, topic.partitions) > 30


def stepwise(worker: Worker) -> Iterator[int]:
    """Its work, a batch at a time."""
    for shard in range(worker._log.shards):
        for batch in module.batches(worker._log.read(shard, worker._next[shard].height), worker._next[shard]):
            for event in batch.events:
                worker._topic.send(shard, event.key, event.value)
            worker._topic.flush()
            yield shard


def assert_no_gap(log: Log, topic: MemoryTopic) -> None:
    """Whoever reads the last record of a partition may go on from it: all before it is there."""
    for shard, values in enumerate(topic.partitions):
        wanted = values_of(log, shard)
        assert set(wanted[: wanted.index(values[-1]) + 1] if values else []) <= set(values)


# --- what would lose something is found ------------------------------------------------------------------------------


def moves_on_before_it_flushes(monkeypatch: pytest.MonkeyPatch) -> None:
    def send(worker: Worker, shard: int, _: object) -> None:
        for batch in module.batches(worker._log.read(shard, worker._next[shard].height), worker._next[shard]):
            worker._next[shard] = batch.upto
            for event in batch.events:
                worker._topic.send(shard, event.key, event.value)
            worker._topic.flush()

    monkeypatch.setattr(Worker, "_send", send)


def takes_a_commit_for_told_when_one_event_is(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Worker._end_of_feed

    def end(worker: Worker, shard: int) -> Place:
        place = whole(worker, shard)
        return Place(place.height + 1, 0) if place.nth else place

    monkeypatch.setattr(Worker, "_end_of_feed", end)


def takes_an_unknown_answer_for_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    flush = MemoryTopic.flush

    def hopeful(topic: MemoryTopic) -> None:
        with suppress(AppendUnknown):
            flush(topic)

    monkeypatch.setattr(MemoryTopic, "flush", hopeful)


def sends_a_batch_back_to_front(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = module.batches
    monkeypatch.setattr(
        module, "batches", lambda *given: (one._replace(events=one.events[::-1]) for one in batches(*given))
    )


def leaves_the_last_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = module.batches
    monkeypatch.setattr(module, "batches", lambda *given: list(batches(*given))[:-1])


@pytest.mark.parametrize(
    "plant",
    [
        moves_on_before_it_flushes,
        takes_a_commit_for_told_when_one_event_is,
        takes_an_unknown_answer_for_a_yes,
        sends_a_batch_back_to_front,
        leaves_the_last_batch,
    ],
)
def test_a_worker_that_loses_something_is_found(log, monkeypatch, plant: Callable[..., None]) -> None:
    plant(monkeypatch)
    assert any(is_found_out(log, fates(seed)) for seed in SEEDS)


def is_found_out(log: Log, fate: Callable[[], str]) -> bool:
    topic = MemoryTopic(log.shards, fate)
    keep_up(log, topic)
    try:
        check_feed(log, topic.partitions)
    except AssertionError:
        return True
    return False


# --- where it begins -------------------------------------------------------------------------------------------------


def test_a_shard_is_sent_again_from_any_height_and_the_others_go_on(log, topic) -> None:
    fed(log, topic)
    before = [len(values) for values in topic.partitions]
    height = log.head(2).height // 2
    again = fed(log, topic, s2=height).sent
    assert again == len(told(log.read(2, height))) > 0
    assert [len(values) for values in topic.partitions] == [
        count + (again if shard == 2 else 0) for shard, count in enumerate(before)
    ]
    assert check_feed(log, topic.partitions) == again


def last_told(log: Log, shard: int) -> int:
    """The height of the shard's last commit of which anything is told: what concerns accounts isn't."""
    return max(record.height for record in log.read(shard) if told([record]))


def test_an_empty_feed_can_begin_at_any_height(log, topic) -> None:
    starts = [last_told(log, shard) - 3 for shard in range(log.shards)]
    fed(log, topic, **{f"s{shard}": height for shard, height in enumerate(starts)})
    assert check_feed(log, topic.partitions, starts) == 0
    assert fed(log, topic).sent == 0


def test_a_start_that_is_not_in_the_log_is_refused(log, topic) -> None:
    end = log.head(1).height
    assert fed(log, MemoryTopic(log.shards), s1=end + 1, s0=0, s2=0, s3=0).sent > 0
    with pytest.raises(LogError, match=f"shard 1 can't be sent from height {end + 2} on: the log ends at {end}"):
        Worker(log, topic, {1: end + 2})
    with pytest.raises(LogError, match="there is no shard 4: this room has shards 0 to 3"):
        Worker(log, topic, {4: 0})


# --- what it can't go on with ----------------------------------------------------------------------------------------


def test_another_room_s_feed_is_refused(log, topic) -> None:
    (foreign,) = told([commit(("shard:0", KeyChanged("ab" * 8)))])
    topic.partitions[0].append(foreign.value)
    with pytest.raises(
        NotThisFeed, match="the feed of shard 0 .* event riverside/0/0/0 is none of shard 0 of room demo"
    ):
        Worker(log, topic)


def test_a_feed_that_tells_of_more_than_the_log_has_is_refused(log, topic) -> None:
    fed(log, topic)
    end = log.head(0).height
    told_last = f"demo/0/{last_told(log, 0)}/".encode()
    topic.partitions[0].append(topic.partitions[0][-1].replace(told_last, f"demo/0/{end + 1}/".encode()))
    with pytest.raises(NotThisFeed, match=f"tells of height {end + 1}, and the log ends at {end}; .*--from 0:0"):
        Worker(log, topic)


def test_a_feed_of_another_history_is_refused(log, topic) -> None:
    """As after the log was brought back from a copy, and went on otherwise."""
    fed(log, topic)
    topic.partitions[0][-1] = topic.partitions[0][-1].replace(b'"time":"2023', b'"time":"2022')
    with pytest.raises(NotThisFeed, match="tells of height .* at 2022.*, the log has that at 2023"):
        Worker(log, topic)
    assert fed(log, topic, s0=0).sent == len(told(log.read(0)))


def test_a_commit_that_can_t_be_read_stops_its_shard_and_no_other(log, topic, monkeypatch) -> None:
    """What comes before it is told; nothing is told twice while it waits."""
    height = log.head(1).height // 2

    def unreadable(record):
        if (record.shard, record.height) == (1, height):
            raise UnreadableEvent(f"shard 1, height {height}: it is of the future")
        return events_of(record)

    monkeypatch.setattr(module, "events_of", unreadable)
    worker = Worker(log, topic)
    for _ in range(2):
        with pytest.raises(UnreadableEvent, match="of the future"):
            worker.catch_up()
    wanted = [told(log.read(shard)) for shard in range(log.shards)]
    wanted[1] = [event for event in wanted[1] if event.place.height < height]
    assert topic.partitions == [[event.value for event in events] for events in wanted]
    monkeypatch.undo()
    worker.catch_up()
    assert check_feed(log, topic.partitions) == 0
