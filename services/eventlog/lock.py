"""One writer a log: a lock file beside it, held by the process that writes and freed by the kernel when that ends."""

import fcntl
import os
from pathlib import Path

from services.eventlog.log import LogError, LogInUse


class WriterLock:
    """The right to write the log at a path. Raises LogInUse, naming the holder's process, if another has it."""

    def __init__(self, path: Path) -> None:
        name = path.with_name(path.name + ".lock")
        try:
            self._file: int | None = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LogError(f"the lock file {name} can't be opened: {error.strerror}") from error
        try:
            # flock, not a POSIX lock: it also holds against a second opening by the same process.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 20).decode(errors="replace").strip() or "unknown"
            self.release()
            raise LogInUse(
                f"{path} is in use by process {holder}: stop it first, or choose another home; one process writes a log"
            ) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the right back; safe to call twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
