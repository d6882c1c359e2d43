"""Work that goes on in a thread of its own for as long as something else does."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beside(name: str, work: Callable[[threading.Event], object]) -> Iterator[None]:
    """Have it done meanwhile. At the end it is told by its event to end, and waited for."""
    until = threading.Event()
    thread = threading.Thread(target=work, args=(until,), name=name)
    thread.start()
    try:
        yield
    finally:
        until.set()
        thread.join()
