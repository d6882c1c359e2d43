"""Stored commits to domain events: validated, upcast, or refused with a sentence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import StoredEvent

from domain import upcasts
from domain.catalog import Catalog
from services.eventlog import body
from services.eventlog.log import LogError
from services.eventlog.mapper import CommitMapper, Recorded, UnreadableEvent, repository
from services.eventlog.recorder import ShardAggregateRecorder, ShardRecorder
from services.eventlog.sqlite_log import SqliteLog
from tests.contract.logs import AT, append, command

EVENTS = Catalog("event")


@EVENTS("lamp.switched", rev=2)
@dataclass(slots=True)
class Switched:
    on: bool
    watts: int


@pytest.fixture(autouse=True)
def upcast() -> Iterator[None]:
    upcasts.UPCASTS["lamp.switched", 1] = lambda data: {**data, "watts": 60}
    yield
    del upcasts.UPCASTS["lamp.switched", 1]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    """Three versions of one lamp in two commits: the first of revision 1, the others of 2."""
    with SqliteLog.create(tmp_path / "log.db", "riverside") as made:
        record(made, switched(1, 1, on=True), by="ann")
        record(made, switched(2, 2, on=False, watts=9), switched(3, 2, on=True, watts=8), by="bob")
        yield made


def switched(version: int, rev: int, **data: object) -> body.Fact:
    return body.fact("lamp:a", version, "lamp.switched", rev, data)


def record(log: SqliteLog, *facts: body.Fact, by: str = "ann") -> None:
    append(log, 1, body.entry(AT, command() | {"by": by}, facts))


def listed(initial: list[Recorded] | None, events: Iterable[Recorded]) -> list[Recorded] | None:
    """The smallest fold: the events themselves."""
    return [*(initial or []), *events] or None


def load(log: SqliteLog, version: int | None = None) -> list[Recorded]:
    return repository(log, events=EVENTS).get("lamp:a", version=version, projector_func=listed) or []  # type: ignore[type-var]


def test_a_stream_is_loaded_through_the_library_s_repository(log: SqliteLog) -> None:
    assert [(one.originator_id, one.originator_version, one.events) for one in load(log)] == [
        ("lamp:a", 1, [Switched(True, 60)]),
        ("lamp:a", 3, [Switched(False, 9), Switched(True, 8)]),
    ]


def test_a_stream_is_loaded_up_to_a_version_within_a_commit(log: SqliteLog) -> None:
    assert [(one.originator_version, len(one.events)) for one in load(log, version=2)] == [(1, 1), (2, 1)]


def test_a_stream_that_was_never_opened_is_not_found(log: SqliteLog) -> None:
    with pytest.raises(AggregateNotFoundError, match="lamp:b"):
        repository(log, events=EVENTS).get("lamp:b", projector_func=listed)  # type: ignore[type-var]


def test_an_event_knows_the_decision_that_it_stands_in(log: SqliteLog) -> None:
    first, second = load(log)
    assert (first.commit.command["by"], second.commit.command["by"]) == ("ann", "bob")
    assert second.commit.at == AT
    assert [fact["version"] for fact in second.commit.events] == [2, 3]


def test_an_event_read_by_its_number_is_the_same(log: SqliteLog) -> None:
    mapper = CommitMapper(EVENTS)
    by_number = [mapper.to_domain_event(event) for event in ShardRecorder(log, 1).select_notifications(1, 10)]
    assert [one.originator_version for one in by_number] == [1, 2, 3]
    assert [event for one in by_number for event in one.events] == [event for one in load(log) for event in one.events]  # type: ignore[attr-defined]
    assert by_number[1].commit is by_number[2].commit, "parsed once"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (switched(4, 3, on=True, watts=1), "lamp:a, version 4, lamp.switched#3: revision 3 .* reads revisions 1 to 2"),
        (switched(4, 0, on=True, watts=1), "version 4, lamp.switched#0: revision 0"),
        (switched(4, 2, on="yes", watts=[]), "lamp:a, version 4, lamp.switched#2: .*watts: .*not \\[\\]"),
        (switched(4, 2, on=True), "version 4.*watts: field required"),
        (switched(4, 2, on=True, watts=1, hue=2), "version 4.*hue: "),
        (body.fact("lamp:a", 4, "lamp.dimmed", 1, {}), "lamp:a, version 4, lamp.dimmed#1: unknown event 'lamp.dimmed'"),
    ],
)
def test_an_event_that_this_build_can_t_read_is_named_with_its_stream_and_why(
    log: SqliteLog, fact: body.Fact, sentence: str
) -> None:
    record(log, fact)
    with pytest.raises(UnreadableEvent, match=sentence):
        load(log)
    assert sum(len(one.events) for one in load(log, version=3)) == 3


def test_a_commit_without_the_event_is_named(log: SqliteLog) -> None:
    (event, *_) = ShardAggregateRecorder(log, 1).select_events("lamp:a")
    stray = StoredEvent("lamp:z", 9, event.topic, event.state)
    with pytest.raises(UnreadableEvent, match=r"lamp:z, version 9, .*the commit holds no such event"):
        CommitMapper(EVENTS).to_domain_event(stray)
    with pytest.raises(UnreadableEvent, match="the body is no JSON"):
        CommitMapper(EVENTS).to_domain_event(StoredEvent("lamp:a", 1, "t", b"{"))


def test_one_event_alone_is_never_stored(log: SqliteLog) -> None:
    with pytest.raises(LogError, match="append the whole commit"):
        repository(log, events=EVENTS).event_store.put([load(log)[0]])
