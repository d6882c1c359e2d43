"""The file of a room's checkpoints: notes one after the other, in the order in which they were signed."""

import fcntl
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from services.eventlog.log import LogError
from services.evidence.note import BadCheckpoint, PublicKey, Signed, origin, read_notes
from services.sealing.private_file import BadKeys

_SIGNED = re.compile("\n\n(?:— .+\n){2,}".encode()).finditer
"""The end of a note: both lines by which a checkpointer signs it, and those of others."""

_BEGINNING = b"handlog/"
"""What every note of a room begins with: its origin."""


def read(path: Path, key: PublicKey, *, torn: bool = False) -> list[Signed]:
    """All checkpoints of a file. `torn`: pass over a last one whose writing was cut short, as in the home's own file.

    Raises BadCheckpoint, naming which one isn't signed by the key, LogError.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path} can't be read: {error.strerror}") from error
    try:
        notes = read_notes((_uncut(data) if torn else data).decode())
    except UnicodeDecodeError as error:
        raise BadCheckpoint(f"{path} is no file of checkpoints: it isn't UTF-8 at byte {error.start}") from error
    except BadCheckpoint as error:
        raise BadCheckpoint(f"{path}: {error}") from error
    return [_opened(path, number, note, key) for number, note in enumerate(notes, start=1)]


def _opened(path: Path, number: int, note: str, key: PublicKey) -> Signed:
    try:
        return key.open(note)
    except BadCheckpoint as error:
        of, size, *_ = note.split("\n")
        raise BadCheckpoint(f"{path}, checkpoint {number} ({of[:100]}, size {size[:20]}): {error}") from error


def _uncut(data: bytes) -> bytes:
    """The notes without a last one that was cut short, zeros behind it such as a power cut leaves included.

    Raises BadCheckpoint where what stands there was never the beginning of one: it is kept, since it may be evidence.
    """
    end = whole(data)
    rest = data[end:].rstrip(b"\0")
    if not rest.startswith(_BEGINNING[: len(rest)]):
        raise BadCheckpoint(
            f"what stands from byte {end} on is no checkpoint, nor the beginning of one: bring back a copy of the "
            "file; if there is none, move it away, and the log is compared with nothing that was signed before"
        )
    return data[:end]


def whole(data: bytes) -> int:
    """Where the last note ends that isn't cut short: what a crash left behind it was given to nobody."""
    end = 0
    for match in _SIGNED(data):
        end = match.end()
    return end


def public_key(path: Path) -> PublicKey:
    """The key in a file. Raises BadKeys, LogError."""
    try:
        return PublicKey.from_text(path.read_text())
    except BadKeys as error:
        raise BadKeys(f"{path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"the public key {path} can't be read: {getattr(error, 'strerror', None) or error}") from error


def append(path: Path, signed: Iterable[Signed]) -> None:
    """Write checkpoints behind those of the file, which is made if need be; they are durable then."""
    data = "".join(one.note for one in signed).encode()
    with open(path, "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # what another checkpointer writes isn't cut short
        file.seek(0)
        file.truncate(len(_uncut(file.read())))
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # for the file's own name, where it is new
    finally:
        os.close(folder)


def by_shard(signed: Iterable[Signed], room: str, room_id: str, shards: int) -> Mapping[int, list[Signed]]:
    """The checkpoints of each shard of a room, in their order. Those of another log are left out."""
    numbers = {origin(room, room_id, shard): shard for shard in range(shards)}
    found: dict[int, list[Signed]] = {shard: [] for shard in range(shards)}
    for one in signed:
        shard = numbers.get(one.checkpoint.origin)
        if shard is not None:
            found[shard].append(one)
    return found
