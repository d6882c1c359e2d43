"""What a writer says under faults of the network is true of the partition, then and later."""

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import pytest

from deploy.kafka.settings import HOST
from services.eventlog import kafka_log
from services.eventlog.commit import Head
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import AppendRefused, AppendUnknown, Entry, HeadMoved
from services.kafka import clients
from services.kafka.clients import BrokerAway
from services.kafka.settings import Broker
from tests.contract.logs import AT
from tests.kafka.proxy import ALL, APPENDS, NUMBERS, Fault, Proxy, behind
from tests.kafka.rooms import KafkaRoom, table

SOON = 1.8
"""Seconds after which what was sent is given up; else it is clients.DELIVERY."""


class Proxied(NamedTuple):
    """A room whose log reaches its broker through a proxy, while `room.broker` is reached straight."""

    room: KafkaRoom
    log: KafkaLog
    proxy: Proxy


@pytest.fixture(scope="module")
def broker() -> Iterator[tuple[str, Proxy]]:
    with behind() as made:
        yield made


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    give_up_soon(monkeypatch)


def give_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer gives up sooner, so that the tests take less time."""
    monkeypatch.setattr(clients, "DELIVERY", int(SOON * 1000))
    monkeypatch.setattr(clients, "ANSWER", 600)
    monkeypatch.setattr(kafka_log, "PATIENCE", SOON + 1)


@pytest.fixture
def proxied(broker: tuple[str, Proxy], tmp_path: Path, soon: None) -> Iterator[Proxied]:
    with writing_through(*broker, tmp_path) as made:
        yield made


@contextmanager
def writing_through(straight: str, proxy: Proxy, folder: Path, kind: type[KafkaLog] = KafkaLog) -> Iterator[Proxied]:
    """A new room with one commit, and its log of that class behind the proxy."""
    with KafkaRoom(folder, broker=Broker(straight)) as room:
        log = kind.open(Broker(f"{HOST}:{proxy.port}"), room.name, folder / f"{room.name}-proxied.sqlite")
        log._reader._patience = 2.0
        record(log)
        proxy.faults.clear()
        try:
            yield Proxied(room, log, proxy)
        finally:
            log.close()


Said = list[Head] | HeadMoved | AppendUnknown | AppendRefused


def said(log: KafkaLog, head: Head, entries: list[Entry]) -> Said:
    """What an append ends in; anything else fails the test."""
    try:
        return log.append(0, head, entries)
    except (HeadMoved, AppendUnknown, AppendRefused) as error:
        return error


def record(log: KafkaLog, at: int = AT) -> None:
    """Have something recorded, which must come about: who gives up soon may need more than one attempt for it."""
    last = monotonic() + 60
    while not isinstance(answer := said(log, log.head(0), [table(next_of(log), at=at)]), list):
        assert monotonic() < last, answer
        recover(log)


def next_of(log: KafkaLog) -> int:
    """The version that the table's next event has."""
    return (log.stream_version("table:a") or 0) + 1


def recover(log: KafkaLog, within: float = 60.0) -> None:
    """Wait until the log can look again, which it must by itself."""
    last = monotonic() + within
    while True:
        try:
            log.catch_up(0)
            return
        except BrokerAway:
            assert monotonic() < last, "the log doesn't recover"
            sleep(0.2)


def settled(proxied: Proxied, answer: Said, entries: list[Entry]) -> str:
    """Assert that the answer is true of the partition, also when another commit stands where it would; what it was."""
    room, log, _ = proxied
    recorded = answer if isinstance(answer, list) else getattr(answer, "accepted", ())
    at_once = [record.body for record in room.records()]
    recover(log)
    record(log, AT + 999)
    sleep(0.7)
    records = room.records()
    bodies = [record.body for record in records]
    assert len(set(bodies)) == len(bodies), "twice"
    assert {record.head for record in records} >= set(recorded)
    lost = [made.body for made in entries[len(recorded) :]]
    if isinstance(answer, AppendRefused):
        assert not set(lost) & set(at_once)
    if isinstance(answer, AppendRefused | HeadMoved):
        assert not set(lost) & set(bodies), "what was said not to be recorded is there"
    assert log.head(0) == records[-1].head
    return "recorded" if isinstance(answer, list) else type(answer).__name__


def appended(proxied: Proxied, number: int = 3) -> tuple[Said, list[Entry]]:
    log = proxied.log
    entries = [table(next_of(log) + step, at=AT + 1 + step) for step in range(number)]
    return said(log, log.head(0), entries), entries


KINDS = {"appends": APPENDS, "everything": ALL, "numbers": NUMBERS}
LASTING = [
    (Fault.LOST_ANSWER, "appends"),
    pytest.param(Fault.LATE_ANSWER, "appends", marks=pytest.mark.soak),
    (Fault.CUT_REQUEST, "appends"),
    pytest.param(Fault.SILENCE, "everything", marks=pytest.mark.soak),
    pytest.param(Fault.CUT_ANSWER, "appends", marks=pytest.mark.soak),
    *(
        pytest.param(fault, kind, marks=pytest.mark.soak)
        for fault in (Fault.LOST_ANSWER, Fault.LATE_ANSWER, Fault.CUT_ANSWER, Fault.CUT_REQUEST, Fault.LATE_REQUEST)
        for kind in ("everything", "numbers")
    ),
]


@pytest.mark.parametrize("new", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["at work", "new"])
@pytest.mark.parametrize(("fault", "kind"), LASTING, ids=str)
def test_under_a_fault_that_lasts_a_writer_says_what_is_true(
    proxied: Proxied, fault: Fault, kind: str, new: bool
) -> None:
    """Of a writer at work, and of one that must make a new producer first."""
    if new:
        proxied.log._sender.close()
    began = monotonic()
    with proxied.proxy.failing(fault, kinds=KINDS[kind]):
        answer, entries = appended(proxied)
    took = monotonic() - began
    outcome = settled(proxied, answer, entries)
    struck = proxied.proxy.faults[fault]
    print(f"{fault.name} of {kind}: {outcome} after {took:.1f} s, struck {struck} times: {answer!s:.150}")
    assert took < 12
    assert struck or kind == "numbers"


@pytest.mark.parametrize("fault", [Fault.REFUSED, pytest.param(Fault.SILENCE, marks=pytest.mark.soak)])
def test_where_nothing_could_be_sent_nothing_is_recorded_then_or_later(proxied: Proxied, fault: Fault) -> None:
    proxied.log._sender.close()
    with proxied.proxy.failing(fault):
        answer, entries = appended(proxied)
    assert isinstance(answer, AppendRefused)
    assert str(answer).endswith("; nothing was recorded")
    assert settled(proxied, answer, entries) == "AppendRefused"


def test_an_answer_that_was_lost_once_is_asked_for_again(proxied: Proxied, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker knows the batch by its number, and answers with where it stands: nothing is doubled. The writer is one
    who gives up late."""
    monkeypatch.setattr(clients, "DELIVERY", 60_000)
    monkeypatch.setattr(kafka_log, "PATIENCE", 61.0)
    proxied.log._sender.close()
    end, voids = proxied.room.end(), proxied.log.voids[0]
    with proxied.proxy.failing(Fault.LOST_ANSWER, times=1):
        answer, entries = appended(proxied)
    assert proxied.proxy.faults[Fault.LOST_ANSWER] == 1
    assert settled(proxied, answer, entries) == "recorded"
    assert proxied.room.end() == end + len(entries) + 1
    assert proxied.log.voids[0] == voids


@pytest.mark.soak
def test_a_batch_that_comes_after_it_was_given_up_counts_if_nothing_stands_there_yet(proxied: Proxied) -> None:
    with proxied.proxy.failing(Fault.LATE_REQUEST, delay=3.5):
        answer, entries = appended(proxied)
    assert isinstance(answer, AppendUnknown), "neither recorded nor not"
    assert len(proxied.room.records()) == 1
    sleep(2)
    assert [record.body for record in proxied.room.records()][1:] == [made.body for made in entries]
    assert settled(proxied, answer, entries) == "AppendUnknown"


@pytest.mark.soak
def test_a_batch_that_comes_after_another_commit_took_its_place_is_void(proxied: Proxied) -> None:
    with proxied.proxy.failing(Fault.LATE_REQUEST, delay=3.5):
        answer, entries = appended(proxied)
    assert isinstance(answer, AppendUnknown)
    instead = proxied.log.append(0, proxied.log.head(0), [table(2, at=AT + 77)])
    sleep(2)
    assert [record.head for record in proxied.room.records()][1:] == instead
    proxied.log.catch_up(0)
    assert proxied.log.voids[0] == len(entries)


@pytest.mark.soak
@pytest.mark.parametrize("drops", [1, 50])
def test_producers_that_are_dropped_leave_nothing(proxied: Proxied, drops: int) -> None:
    before = _held()
    for _ in range(drops):
        with proxied.proxy.failing(Fault.CUT_REQUEST):
            answer, entries = appended(proxied, 1)
        assert isinstance(answer, AppendUnknown)
    proxied.proxy.drop_all()
    sleep(1.5)
    gc.collect()
    after = _held()
    print(f"{drops} drops: threads {before[0]} -> {after[0]}, files {before[1]} -> {after[1]}")
    assert after[0] <= before[0]
    assert after[1] <= before[1]
    settled(proxied, answer, entries)


def test_a_producer_that_is_dropped_sends_no_more_of_what_it_holds(proxied: Proxied) -> None:
    """The second record is refused by the client itself, while the first waits for company."""
    sender, end = proxied.log._sender, proxied.room.end()
    assert sender._producer is not None
    thread = sender._producer._sender
    assert sender.send([(0, b"", b"small"), (0, b"", b"x" * 5_000_000)], 5.0) == [None, None]
    sleep(2)
    assert proxied.room.end() == end
    thread.join(30)
    assert not thread.is_alive(), "its thread goes on"


def _held() -> tuple[int, int]:
    """Threads and open files of this process, without threads of the proxy."""
    own = [one for one in threading.enumerate() if "_serve" not in one.name and "_answers" not in one.name]
    return len(own), len(os.listdir("/proc/self/fd"))
