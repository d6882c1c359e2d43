"""The brokers of the tests are real: they keep what they acknowledged, and another leads when the leader dies."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from kafka import KafkaAdminClient, TopicPartition

from deploy.kafka.cluster import Cluster
from deploy.kafka.process import Process, _beginning_by_ps, beginning
from services.kafka.partitions import Reader
from services.kafka.settings import Broker
from tests.kafka.brokers import answering
from tests.kafka.records import leader, make_topic, read, write

ROOT = Path(__file__).resolve().parents[2]


def soon(holds: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether something holds within that time."""
    last = time.monotonic() + seconds
    while not holds() and time.monotonic() < last:
        time.sleep(0.05)
    return holds()


def test_the_shared_broker_keeps_what_it_acknowledges(kafka) -> None:
    topic = f"kept-{uuid4()}"
    make_topic(kafka.bootstrap, topic)
    write(kafka.bootstrap, topic, b"one", b"two")
    assert read(kafka.bootstrap, topic) == [b"one", b"two"]


@pytest.mark.soak
def test_of_three_another_leads_when_the_leader_is_killed(three: Cluster) -> None:
    make_topic(three.bootstrap, "led", replicas=3)
    write(three.bootstrap, "led", b"before")
    killed = leader(three.bootstrap, "led")
    three.brokers[killed - 1].kill()
    write(three.bootstrap, "led", b"after")
    assert leader(three.bootstrap, "led") != killed
    assert read(three.bootstrap, "led") == [b"before", b"after"]


@pytest.mark.soak
def test_of_three_another_leads_while_the_leader_is_paused(three: Cluster) -> None:
    three.start()
    make_topic(three.bootstrap, "paused", replicas=3)
    write(three.bootstrap, "paused", b"before")
    paused = leader(three.bootstrap, "paused")
    three.brokers[paused - 1].pause()
    write(three.bootstrap, "paused", b"during")
    three.brokers[paused - 1].resume()
    assert read(three.bootstrap, "paused") == [b"before", b"during"]


@pytest.mark.soak
def test_a_reader_learns_soon_that_another_leads_though_no_connection_was_lost(three: Cluster) -> None:
    three.start()
    make_topic(three.bootstrap, "moved", replicas=3)
    write(three.bootstrap, "moved", b"before")
    led = leader(three.bootstrap, "moved")
    with closing(Reader(Broker(three.bootstrap), "moved", patience=10)) as reader:
        assert reader.end(0) == 1
        lead(three.bootstrap, "moved", led % 3 + 1)
        before = time.monotonic()
        assert reader.end(0) == 1
        assert time.monotonic() - before < 5


def lead(bootstrap: str, topic: str, number: int) -> None:
    """Have that broker of three lead the topic's partition, while all of them go on."""
    with KafkaAdminClient(bootstrap_servers=bootstrap) as admin:
        replicas = [number, *({1, 2, 3} - {number})]
        admin.alter_partition_reassignments({TopicPartition(topic, 0): replicas})
        admin.elect_leaders(0, {topic: [0]})
    assert soon(lambda: leader(bootstrap, topic) == number)


@pytest.mark.soak
def test_each_of_three_comes_back_after_a_kill_and_after_a_stop(three: Cluster) -> None:
    three.start()
    make_topic(three.bootstrap, "back", replicas=3)
    for number, broker in enumerate(three.brokers):
        write(three.bootstrap, "back", b"%d" % number)
        broker.kill() if number % 2 else broker.stop()
        assert not broker.running
        broker.start()
    assert read(three.bootstrap, "back") == [b"0", b"1", b"2"]


def test_a_run_that_is_killed_leaves_no_broker() -> None:
    run = [sys.executable, "-m", "tests.kafka.dies_with_a_broker"]
    with subprocess.Popen(run, cwd=ROOT, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        pid, began, folder = killed.stdout.readline().split()
        broker = Process(int(pid), began)
        assert broker.alive
        killed.kill()
    assert soon(lambda: not broker.alive and not Path(folder).exists())


def test_an_address_that_is_given_is_taken_as_it_is(kafka) -> None:
    given = answering(Broker(kafka.bootstrap))
    assert given.bootstrap == kafka.bootstrap
    assert not given.brokers


def test_a_given_address_where_nobody_answers_fails() -> None:
    with pytest.raises(ConnectionError, match="HANDLOG_KAFKA names 127.0.0.1:1, and nobody answers there"):
        answering(Broker("127.0.0.1:1"))


def test_a_process_with_a_number_that_is_given_out_anew_is_left_alone() -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        Process(other.pid, "another beginning").send(signal.SIGKILL)
        time.sleep(0.1)
        assert other.poll() is None
        other.kill()
    assert other.returncode == -signal.SIGKILL


def test_a_process_is_known_by_its_beginning_where_there_is_no_proc_too() -> None:
    if shutil.which("ps") is None:
        pytest.skip("no ps here")
    with subprocess.Popen(["sleep", "60"]) as other:
        began = _beginning_by_ps(other.pid)
        assert began
        assert _beginning_by_ps(other.pid) == began
        other.kill()
    assert _beginning_by_ps(other.pid) is None


def test_a_process_that_ended_and_waits_for_its_parent_is_not_alive() -> None:
    ended = subprocess.Popen(["sleep", "60"])
    began = beginning(ended.pid)
    assert began is not None
    process = Process(ended.pid, began)
    os.kill(ended.pid, signal.SIGKILL)
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert not process.alive
    ended.wait()
