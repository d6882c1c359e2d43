"""Files that hold keys: read only where nobody else can read them, written whole or not at all (design, Secrets)."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services.eventlog import canonical
from services.eventlog.log import LogError


class BadKeys(LogError):
    """Keys, or a file of them, that can't be used; the sentence says what is wrong, and what would be right."""


def read(path: Path) -> bytes:
    """The whole file. Raises BadKeys unless it is a regular one that its owner, who must be asking, alone can read."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            _check(path, os.fstat(file.fileno()))
            return file.read()
    except FileNotFoundError:
        raise BadKeys(f"no key file stands at {path}: bring back the one that belongs there from its backup") from None
    except OSError as error:
        raise BadKeys(f"the key file {path} can't be read: {error.strerror}") from error


def read_json(path: Path) -> Any:
    """The JSON value in such a file. Raises BadKeys."""
    data = read(path)
    try:
        return canonical.decode(data)
    except canonical.NotCanonical:
        # The parser's own error holds the text, so it must not travel on.
        raise BadKeys(f"the key file {path} holds no JSON in its {len(data)} bytes: bring back its backup") from None


def _without_waiting(path: str, flags: int) -> int:
    # A pipe would wait for a writer before it could be told from a file.
    return os.open(path, flags | os.O_NONBLOCK)


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BadKeys(f"{path} is no regular file: keys are kept in one")
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        mode = stat.S_IMODE(found.st_mode)
        raise BadKeys(
            f"the key file {path} is open to others (mode {mode:04o}): make it 0600; if somebody may have read it, "
            "rotate the key"
        )
    if found.st_uid != os.geteuid():
        raise BadKeys(
            f"the key file {path} belongs to user {found.st_uid}, but user {os.geteuid()} is asking: "
            "its owner alone may use it"
        )


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """The right to change the key files of the folder that `path` is in, by the functions below.

    One has it at a time, the others wait: else of two rotations the one might drop the other's new key.
    Raises BadKeys if the folder or what is written in it can't be.
    """
    try:
        with _folder_of(path) as folder:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise BadKeys(f"the key file {path} can't be written: {error.strerror}") from error


def create(path: Path, data: bytes) -> None:
    """A new file, mode 0600, durable; call it while `changing`. Raises BadKeys if something stands at `path`."""
    draft = _draft(path, data)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise BadKeys(f"{path} exists already, and a key is never written over: choose another place") from None
    finally:
        draft.unlink()
    _sync_folder_of(path)


def replace(path: Path, data: bytes) -> None:
    """Another content for a file, at once and durable; call it while `changing`."""
    os.replace(_draft(path, data), path)
    _sync_folder_of(path)


def append(path: Path, size: int, data: bytes) -> None:
    """Data after the first `size` bytes of a file, durable; call it while `changing`. The file is made if need be."""
    with open(path, "ab", opener=_private) as file:
        file.truncate(size)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    _sync_folder_of(path)


def _draft(path: Path, data: bytes) -> Path:
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)  # left by one who was interrupted
    try:
        with open(draft, "xb", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


@contextmanager
def _folder_of(path: Path) -> Iterator[int]:
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


def _sync_folder_of(path: Path) -> None:
    with _folder_of(path) as folder:
        os.fsync(folder)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
