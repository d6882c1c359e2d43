"""How the processes of a room begin: forked from one that has done all imports, for a node needs a second for these.

Apart from that they are what a shell starts: with arguments, an environment and an exit code. They end when who
started them does.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import connection, get_context, parent_process
from pathlib import Path

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["services.cli.app", "services.cli.node", "tests.node.clients", "tests.node.forks"])


class Fork:
    """A fork that runs `main`. Used as a `Popen` is."""

    def __init__(
        self, main: Callable[[], object], arguments: Sequence[str], messages: Path, env: Mapping[str, str]
    ) -> None:
        """`messages`: the file to whose end it writes what it says."""
        self._process = _FORKS.Process(target=_run, args=(main, list(arguments), messages, dict(env)), daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        """Its exit code, once it has ended. Raises TimeoutExpired, as any other process does."""
        self._process.join(seconds)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(f"the fork {self.pid}", seconds)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(main: Callable[[], object], arguments: list[str], messages: Path, env: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(env)
    with messages.open("ab") as said:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(said.fileno(), stream.fileno())
    threading.Thread(target=_end_with_its_parent, daemon=True).start()
    sys.argv[1:] = arguments
    main()


def _end_with_its_parent() -> None:
    parent = parent_process()
    assert parent
    connection.wait([parent.sentinel])
    os._exit(1)
