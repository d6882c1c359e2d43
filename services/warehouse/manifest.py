"""The manifest: which files are the warehouse, and how far of the log they tell. Whatever it doesn't name is garbage.

It is replaced at once or not at all, after its files are there for good: so a process that is killed at any point
leaves the warehouse as it was before a batch, or as it is after it.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from projections.store import StoreError

NAME = "manifest.json"

TRIES, PAUSE = 100, 0.1
"""How often a lock is asked for, and the seconds between."""


class WarehouseError(StoreError):
    """Something is wrong with the warehouse; the sentence says what, and what would be right."""


class Position(NamedTuple):
    """How far a shard was read: up to the commit of that height and hash. `under_way`: its hands that were not over
    then, whose rows are still to come."""

    height: int
    hash: str
    under_way: list[str]


class File(NamedTuple):
    """A Parquet file, by its path from the warehouse's folder, and its rows."""

    table: str
    path: str
    rows: int


class Manifest(NamedTuple):
    """`room_id`: of the room whose log it was made from. `generation`: counts the times that all was built anew; the
    files of each lie in a folder of their own. `batch`: counts its batches. `positions` by shard."""

    revision: int
    room_id: str
    generation: int
    batch: int
    positions: dict[int, Position]
    files: list[File]


def load(folder: Path) -> Manifest | None:
    """The manifest; None where there is no warehouse yet. Raises WarehouseError for one that can't be read."""
    path = folder / NAME
    try:
        said = json.loads(path.read_bytes())
        return Manifest(
            revision=said["revision"],
            room_id=said["room_id"],
            generation=said["generation"],
            batch=said["batch"],
            positions={int(shard): Position(**one) for shard, one in said["positions"].items()},
            files=[File(**one) for one in said["files"]],
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise WarehouseError(
            f"{path} is no manifest of a warehouse ({error!r}): delete the folder {folder} and run "
            "`handlog warehouse`; all that it held is in the log"
        ) from error


def save(folder: Path, manifest: Manifest) -> None:
    """Let the manifest take the place of the one before, durably."""
    said: dict[str, Any] = manifest._asdict()
    said["positions"] = {str(shard): one._asdict() for shard, one in manifest.positions.items()}
    said["files"] = [one._asdict() for one in manifest.files]
    draft = folder / f"{NAME}.part"
    with draft.open("w") as file:
        json.dump(said, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / NAME)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Return once the names in the folder are on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """The right to write the warehouse. Raises WarehouseError where another process keeps it for longer than a batch
    takes."""
    with _locked(folder / "writer.lock", fcntl.LOCK_EX, tries=TRIES) as mine:
        if not mine:
            raise WarehouseError(
                f"another process is writing the warehouse in {folder}, perhaps all anew: ask again in some minutes"
            )
        yield


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """As long as the context lasts, no file is removed."""
    with _locked(folder / "files.lock", fcntl.LOCK_SH, tries=TRIES) as mine:
        if not mine:
            raise WarehouseError(f"files of the warehouse in {folder} are being removed: ask again in a moment")
        yield


@contextmanager
def removing(folder: Path) -> Iterator[bool]:
    """Whether files may be removed: nobody reads now, and who begins waits."""
    with _locked(folder / "files.lock", fcntl.LOCK_EX, tries=1) as mine:
        yield mine


@contextmanager
def _locked(path: Path, how: int, *, tries: int) -> Iterator[bool]:
    """Whether the lock was to be had; the kernel frees it when the process ends."""
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _to_be_had(number, how, tries)
    finally:
        os.close(number)


def _to_be_had(number: int, how: int, tries: int) -> bool:
    for left in reversed(range(tries)):
        with suppress(BlockingIOError):
            fcntl.flock(number, how | fcntl.LOCK_NB)
            return True
        if left:
            time.sleep(PAUSE)
    return False
