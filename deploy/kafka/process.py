"""A process that is known again: its number together with its beginning, for numbers are given out anew."""

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """`began` says when it began, in the words of the system: two processes of one number differ in it."""

    pid: int
    began: str

    @property
    def alive(self) -> bool:
        return beginning(self.pid) == self.began

    def send(self, what: signal.Signals) -> None:
        """Send a signal to this process, and to no other that has its number now."""
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, what)


def beginning(pid: int) -> str | None:
    """When the process of that number began; None where there is none, or one that has ended and waits for its parent.

    One of whose threads some still run hasn't ended, though its first has: its ports and files are held.
    From /proc where there is one (clock ticks since the machine's start), else from `ps`.
    """
    if not Path("/proc/self/stat").exists():
        return _beginning_by_ps(pid)
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    threads = int(fields[16])
    return None if state in "ZX" and threads <= 1 else fields[18]


def _beginning_by_ps(pid: int) -> str | None:
    asked = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, began = asked.stdout.strip().partition(" ")
    return None if not state or state.startswith("Z") else began.strip()
