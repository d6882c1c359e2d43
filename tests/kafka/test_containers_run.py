"""What the compose file starts in containers runs as plain processes too, on a broker of this machine."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from services.kafka.topics import log_topic
from tests.kafka.records import read
from tests.setup.containers import Started, started

SECONDS = 40
ONCE = ("init", "topics", "token")


class Running:
    """A process that goes on, and what it prints."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        self.process, self._output = process, output

    @property
    def said(self) -> str:
        return self._output.read_text()

    def told(self, pattern: str) -> re.Match[str]:
        """What it says at last, or sooner."""
        last = time.monotonic() + SECONDS
        while not (found := re.search(pattern, self.said)):
            assert self.process.poll() is None, f"it has ended:\n{self.said}"
            assert time.monotonic() < last, f"it doesn't say {pattern!r}:\n{self.said}"
            time.sleep(0.05)
        return found


@contextmanager
def running(one: Started, folder: Path) -> Iterator[Running]:
    """Started as the container would, and ended as `docker stop` ends it."""
    output = folder / f"{one.service}.out"
    with (
        output.open("w") as out,
        subprocess.Popen(command(one), env=environment(one), stdout=out, stderr=out) as it,
    ):
        try:
            yield Running(it, output)
        finally:
            it.terminate()
            try:
                it.wait(SECONDS)
            except subprocess.TimeoutExpired:
                it.kill()


def command(one: Started) -> list[str]:
    return [sys.executable, "-c", "from services.cli import main; main()", *one.words[1:]]


def environment(one: Started) -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1", **one.environment}


def answers(url: str) -> int:
    """The status of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def soon_ready(door: str) -> bool:
    last = time.monotonic() + SECONDS
    while (status := answers(f"{door}/readyz")) != 200 and time.monotonic() < last:
        time.sleep(0.1)
    return status == 200


@pytest.fixture
def services(kafka, tmp_path: Path) -> dict[str, Started]:
    """Every service of ours, in a folder and a room of this test."""
    room = f"composed-{uuid4().hex[:12]}"
    return {one.service: in_room(one.plain(tmp_path, kafka.bootstrap), room) for one in started()}


def in_room(one: Started, room: str) -> Started:
    words = [room if word == "riverside" else word for word in one.words]
    return Started(one.service, words, {**one.environment, "HANDLOG_ROOM": room})


@pytest.mark.soak
def test_the_whole_room_runs(kafka, services: dict[str, Started], tmp_path: Path) -> None:
    for name in ONCE:
        one = services.pop(name)
        done = subprocess.run(command(one), env=environment(one), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{one.words}\n{done.stdout}\n{done.stderr}"
    with ExitStack() as all_of_them:
        runs = {name: all_of_them.enter_context(running(one, tmp_path)) for name, one in services.items()}
        for name in ("node-1", "node-2"):
            door = runs[name].told(r"listens at (http://127.0.0.1:\d+)")[1]
            assert answers(f"{door}/healthz") == 200
            assert soon_ready(door)
        assert runs["feed"].process.poll() is None
    assert {name: run.process.returncode for name, run in runs.items()} == dict.fromkeys(services, 0)
    assert b"shard.claimed" in b"".join(read(kafka.bootstrap, log_topic(services["feed"].environment["HANDLOG_ROOM"])))
