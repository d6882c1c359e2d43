"""The published test cases of the `eventsourcing` library, run on every log's recorders, and what they leave out."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import IntegrityError, ProgrammingError, StoredEvent

from domain import catalog
from services.eventlog import body
from services.eventlog.log import Log
from services.eventlog.recorder import OPAQUE, ShardRecorder, StoredDecision
from services.eventlog.verify import verify_log
from tests.contract import recorders
from tests.contract.homes import HOMES
from tests.contract.logs import append, entry

CASES = (
    recorders.AggregateCase,
    recorders.ApplicationCase,
    recorders.NonInterleavingCase,
    recorders.BesideRoomStreamsCase,
)


def _on_every_home() -> Iterator[tuple[str, type]]:
    for home in HOMES:
        for case in CASES:
            name = f"Test{home.capitalize()}{case.__name__}"
            yield name, type(name, (case,), {"home": home, "__module__": __name__})


globals().update(_on_every_home())


def opaque(version: int, originator: UUID, topic: str = "t", state: bytes = b"\x00\xff") -> StoredEvent:
    return StoredEvent(originator, version, topic, state)


def test_an_insert_is_one_commit_of_the_reserved_event(log: Log) -> None:
    originator = uuid4()
    ShardRecorder(log, 1, clock=lambda: 7).insert_events([opaque(0, originator), opaque(1, originator)])
    (record,) = log.read(1)
    commit = body.decode(record.body)
    assert commit.at == 7
    assert [(fact["stream"], fact["version"], fact["type"]) for fact in commit.events] == [
        (f"opaque:{originator.hex}", 0, OPAQUE),
        (f"opaque:{originator.hex}", 1, OPAQUE),
    ]
    assert commit.events[0]["data"] == {"state": "AP8=", "topic": "t"}


def test_the_room_s_catalog_refuses_the_reserved_event() -> None:
    with pytest.raises(catalog.UnknownMessage, match=OPAQUE):
        catalog.event.load(OPAQUE, 1, {"state": "", "topic": ""})


def test_a_log_with_opaque_streams_is_sound_though_the_clock_runs_back(log: Log) -> None:
    times = iter([50, 40, 60])
    recorder = ShardRecorder(log, 1, clock=lambda: next(times))
    for _ in range(3):
        recorder.insert_events([opaque(0, uuid4())])
    assert verify_log(log).findings == []
    assert [body.decode(record.body).at for record in log.read(1)] == [50, 50, 60]


def test_a_gap_in_an_insert_is_refused_whole(log: Log) -> None:
    originator = uuid4()
    with pytest.raises(IntegrityError, match="version 3 can't follow 1: the next is 2"):
        ShardRecorder(log, 0).insert_events([opaque(1, originator), opaque(3, originator)])
    assert log.head(0).height == -1


def test_a_recorder_writes_no_stream_of_the_room(log: Log) -> None:
    with pytest.raises(ProgrammingError, match="hand:t1-1"):
        ShardRecorder(log, 0).insert_events([StoredEvent("hand:t1-1", 1, "t", b"")])


def test_what_a_commit_added_to_a_room_stream_is_read_as_one(log: Log) -> None:
    append(log, 0, entry(("hand:t1-1", 1, 2), ("table:t1", 1, 1)))
    (decision,) = ShardRecorder(log, 0).select_events("hand:t1-1")
    assert isinstance(decision, StoredDecision)
    assert (decision.originator_id, decision.first, decision.originator_version) == ("hand:t1-1", 1, 2)
    assert decision.state == log.record(0, 0).body


def test_bounds_may_cut_through_a_commit(log: Log) -> None:
    append(log, 0, entry(("hand:t1-1", 1, 3)), entry(("hand:t1-1", 4, 6)))

    def versions(**bounds: Any) -> list[tuple[int, int]]:
        found = ShardRecorder(log, 0).select_events("hand:t1-1", **bounds)
        return [(one.first, one.originator_version) for one in found if isinstance(one, StoredDecision)]

    assert versions(gt=1, lte=5) == [(2, 3), (4, 5)]
    assert versions(desc=True) == [(4, 6), (1, 3)]
    assert versions(desc=True, lte=4, limit=1) == [(4, 4)]
    assert versions(gt=2, limit=2) == [(3, 3), (4, 6)]
    assert versions(gt=3, lte=3) == []


def test_numbers_run_through_room_events_and_opaque_ones(log: Log) -> None:
    originator = uuid4()
    append(log, 0, entry(("shard:0", 1, 1)), entry(("hand:t1-1", 1, 2), ("room", 1, 1), ("table:t1", 1, 1)))
    recorder = ShardRecorder(log, 0)
    assert recorder.insert_events([opaque(1, originator)]) == [4]
    seen = [(event.id, event.originator_id) for event in recorder.select_notifications(None, 10)]
    assert seen == [(1, "hand:t1-1"), (2, "hand:t1-1"), (3, "table:t1"), (4, originator)]
    assert [event.id for event in recorder.select_notifications(2, 2)] == [2, 3]
    assert recorder.max_notification_id() == 4


def test_a_subscription_sees_what_another_writer_appends(log: Log) -> None:
    with ShardRecorder(log, 0).subscribe() as subscription:
        append(log, 0, entry(("hand:t1-1", 1, 1)))
        assert next(subscription).originator_id == "hand:t1-1"
        append(log, 0, entry(("hand:t1-1", 2, 2)))
        assert next(subscription).id == 2
