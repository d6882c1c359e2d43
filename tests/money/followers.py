"""What follows a log as a process of its own, and a room that is played in meanwhile."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from services.eventlog.log import Log
from tests.bench.bots import EUROS
from tests.bench.homes import Lockstep


def heads(log: Log) -> dict[int, int]:
    """The last commit of each shard."""
    return {shard: log.head(shard).height for shard in range(log.shards)}


@contextmanager
def following(home: Path, command: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`handlog COMMAND --follow` as a process, until it is killed; the environment says where the views are."""
    called = [sys.executable, "-c", "from services.cli import main; main()", command, "--follow", *options]
    with subprocess.Popen(
        called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"HANDLOG_HOME": str(home)}
    ) as worker:
        try:
            yield worker
        finally:
            worker.kill()


def stopped(worker: subprocess.Popen[str], told_by: signal.Signals = signal.SIGTERM) -> str:
    """What it says at its end, which must be a good one."""
    worker.send_signal(told_by)
    out, err = worker.communicate(timeout=60)
    assert (worker.returncode, err) == (0, ""), err
    return out.strip()


def wait_until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited {seconds} s"
        time.sleep(0.01)


@contextmanager
def playing(home: Path) -> Iterator[Callable[[], None]]:
    """A new room in which bots play, until what it yields is called."""
    enough, room = threading.Event(), Lockstep(home, tables=4, players=4, money=EUROS)

    def go_on() -> None:
        while not enough.wait(0.005):
            room.play_once()

    def end() -> None:
        enough.set()
        thread.join()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield end
    finally:
        end()
        room.close()


def shown(port: int) -> dict[str, float]:
    """What Prometheus finds at the port, but for the process itself; nothing where nobody answers yet."""
    with suppress(httpx.HTTPError):
        text = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
        return {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if line.startswith("handlog_")}
    return {}
