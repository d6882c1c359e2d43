"""`deploy/kafka/run`: starts a broker once, says when one ended by itself, ends its own and no other's."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest

from deploy.kafka.cluster import Cluster, existing, opened
from tests.kafka.brokers import RUN, parts_or_skip
from tests.kafka.records import make_topic, read, write


class Said(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: str | Path, **environment: str) -> Said:
    """As a person would who hasn't our environment: with the system's Python and nothing else."""
    there = {name: value for name, value in os.environ.items() if name in ("HOME", "PATH", "XDG_CACHE_HOME")}
    done = subprocess.run([RUN, *arguments], env=there | environment, capture_output=True, text=True, check=False)
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a cluster that `run start` has started."""
    parts_or_skip()
    folder = tmp_path_factory.mktemp("kafka")
    try:
        assert run("start", "--dir", folder).code == 0
        yield folder
    finally:
        found(folder).kill()


def found(folder: Path) -> Cluster:
    cluster = existing(folder)
    assert cluster is not None
    return cluster


def test_start_prints_the_address_alone_and_again_the_same(started: Path) -> None:
    said = run("start", "--dir", started)
    assert said == Said(0, f"{found(started).bootstrap}\n", "")


def test_status_says_who_runs(started: Path) -> None:
    run("start", "--dir", started)
    assert run("status", "--dir", started) == Said(0, f"broker 1 at {found(started).bootstrap}: runs\n", "")


@pytest.mark.soak
def test_one_that_died_is_reported_and_comes_back_with_its_data(started: Path) -> None:
    address = found(started).bootstrap
    make_topic(address, "kept")
    write(address, "kept", b"one")
    process = found(started).brokers[0].process
    assert process is not None
    process.send(signal.SIGKILL)

    status = run("status", "--dir", started)
    assert (status.code, status.out) == (1, f"broker 1 at {address}: has ended by itself\n")
    assert "Kafka Server started" in status.err

    again = run("start", "--dir", started)
    assert (again.code, again.out) == (0, f"{address}\n")
    assert "has ended by itself. The end of" in again.err
    assert read(address, "kept") == [b"one"]


def test_another_number_of_brokers_is_refused(started: Path) -> None:
    said = run("start", "--brokers", "3", "--dir", started)
    assert (said.code, said.out) == (1, "")
    assert "isn't the one asked for, it has one broker and is open to all" in said.err


def test_stop_ends_it_and_nothing_is_amiss_afterwards(started: Path) -> None:
    run("start", "--dir", started)
    assert run("stop", "--dir", started) == Said(0, "", "")
    assert run("status", "--dir", started).out == f"broker 1 at {found(started).bootstrap}: stopped\n"
    assert run("stop", "--dir", started) == Said(0, "", "")


def test_a_broker_that_cannot_start_says_why(started: Path) -> None:
    run("stop", "--dir", started)
    (settings,) = started.glob("1/server.properties")
    right = settings.read_text()
    settings.write_text(right + "listeners=nonsense\n")
    said = run("start", "--dir", started)
    settings.write_text(right)
    assert (said.code, said.out) == (1, "")
    assert "has ended. The end of" in said.err
    assert "nonsense" in said.err


@pytest.mark.parametrize("do", ["start", "status", "stop"])
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, do: str) -> None:
    parts_or_skip()
    (tmp_path / "cluster.json").write_text('{"ports": [[1]]}')
    said = run(do, "--dir", tmp_path)
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        f"{tmp_path}/cluster.json isn't what this version writes: end what runs there by hand and remove the folder\n"
    )


@pytest.fixture
def only_python(tmp_path: Path) -> Path:
    """A machine's programs, of which there are few."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for program in ("env", "python3"):
        (folder / program).symlink_to(f"/usr/bin/{program}")
    return folder


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/etc/debian_version").exists(), reason="only root of a Debian")
def test_where_there_is_no_java_root_of_a_debian_gets_it_installed(tmp_path: Path, only_python: Path) -> None:
    asked = tmp_path / "asked"
    (only_python / "apt-get").write_text(f'#!/bin/sh\necho "$*" >> {asked}\n')
    (only_python / "apt-get").chmod(0o755)
    said = run("start", "--dir", tmp_path / "kafka", PATH=str(only_python))
    assert asked.read_text().splitlines() == [
        "-y update -qq", "-y install -qq --no-install-recommends openjdk-17-jre-headless",
    ]  # fmt: skip
    assert said.err.startswith("There is no java: installing openjdk-17-jre-headless ...\n")
    assert said.code == 1


def test_where_there_is_no_java_it_says_what_to_install(tmp_path: Path, only_python: Path) -> None:
    said = run("start", "--dir", tmp_path / "kafka", PATH=str(only_python))
    assert said.code == 1
    assert said.err == (
        "a broker needs openjdk-17-jre-headless and maven, and there is no `java` here: "
        "install openjdk-17-jre-headless\n"
    )


def test_a_fetch_that_fails_leaves_nothing(tmp_path: Path) -> None:
    parts_or_skip()
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "mvn").write_text('#!/bin/sh\nfor last; do :; done\nmkdir "${last#*=}"\necho no network\nexit 1\n')
    (bin_ / "mvn").chmod(0o755)
    cache = tmp_path / "cache"
    said = run(
        "start", "--dir", tmp_path / "kafka", PATH=f"{bin_}:{os.environ['PATH']}", XDG_CACHE_HOME=str(cache)
    )  # fmt: skip
    assert said.code == 1
    assert "Maven can't fetch Kafka's jars: no network" in said.err
    assert not list(cache.glob("handlog/kafka-*"))


def test_without_a_cluster_there_is_nothing_to_stop(tmp_path: Path) -> None:
    assert run("stop", "--dir", tmp_path) == Said(0, "", f"there is no cluster in {tmp_path}\n")


def test_the_name_of_a_cluster_may_begin_with_a_hyphen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in 64 does, and must not be taken for an option."""
    parts_or_skip()
    monkeypatch.setattr("deploy.kafka.cluster.uuid.uuid4", lambda: UUID("f8000000000040008000000000000000"))
    (broker,) = opened(tmp_path / "cluster").brokers
    assert "cluster.id=-AAA" in next(broker.folder.rglob("meta.properties")).read_text()
