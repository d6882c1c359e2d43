"""For a process of the tests: it never outlives the one that started it, which holds the other end of its input."""

import os
import sys
import threading


def end_with_its_parent() -> None:
    """From now on this process ends when its standard input does."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
