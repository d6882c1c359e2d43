"""The file of a room's checkpoints: notes one after the other, in the order in which they were signed."""

import fcntl
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from services.eventlog.log import LogError
from services.evidence.note import BadCheckpoint, PublicKey, Signed, read_notes
from services.sealing.private_file import BadKeys

_SIGNED = re.compile("\n\n(?:— .+\n){2,}".encode()).finditer
"""The end of a note: both lines by which a checkpointer signs it, and those of others."""

_TAIL = 1 << 16
"""Bytes at the end of a file that are read at first: some two hundred notes, verified in a tenth of a second."""

_SIGNER = rb"handlog/[a-z0-9-]{1,40}"
_NAME_BEGUN = rb"(?:h|ha|han|hand|handl|handlo|handlog|handlog/[a-z0-9-]{0,40})"
_DASH = "—".encode()
_DAY = (rb"day \d{4}-\d\d-\d\d", rb"d|da|day|day [0-9-]{0,10}")


def _signature(size: int) -> tuple[bytes, bytes]:
    begun = rb"\xe2(\x80(\x94( (%b( [A-Za-z0-9+/]{0,%d}={0,2})?)?)?)?)?" % (_NAME_BEGUN, size)
    return rb"%b %b [A-Za-z0-9+/]{%d}={0,2}" % (_DASH, _SIGNER, size), begun


_LINES = (
    (
        _SIGNER + rb"/[0-9a-f]{16}/[0-9]{1,4}",
        _NAME_BEGUN + rb"(/[0-9a-f]*(/[0-9]*)?)?",
    ),
    (rb"[0-9]{1,16}", rb"[0-9]*"),
    (rb"[A-Za-z0-9+/]{43}=", rb"[A-Za-z0-9+/]{0,43}=?"),
    _DAY,
    (rb"", rb""),
    _signature(91),
    _signature(102),
)
"""The lines of a room's note, each whole, and as far as one may have been written."""


def read(path: Path, key: PublicKey, *, torn: bool = False) -> list[Signed]:
    """All checkpoints of a file. `torn`: pass over a last one whose writing was cut short, as in the home's own file.

    Raises BadCheckpoint, naming which one isn't signed by the key, LogError.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path} can't be read: {error.strerror}") from error
    notes = _notes(path, data, torn=torn)
    return [_opened(path, f"checkpoint {number}", note, key) for number, note in enumerate(notes, start=1)]


def _notes(path: Path, data: bytes, *, torn: bool) -> list[str]:
    try:
        return read_notes((_uncut(data) if torn else data).decode())
    except UnicodeDecodeError as error:
        raise BadCheckpoint(f"{path} is no file of checkpoints: it isn't UTF-8 at byte {error.start}") from error
    except BadCheckpoint as error:
        raise BadCheckpoint(f"{path}: {error}") from error


def newest(
    path: Path, key: PublicKey, shard_of: Mapping[str, int], is_lost: Callable[[int, Signed], bool] = lambda *_: False
) -> dict[int, list[Signed]]:
    """The last checkpoints of each shard in a home's own file, the largest first, without the lost; none of no file.

    It is read from its end, since it grows for ever, as far as all shards have some. `shard_of`: the shards by the
    origins of their checkpoints. `is_lost`: whether one is of commits of its shard whose loss was accepted. Raises as
    `read` does with a torn end, and for a note of another origin: nobody else signs into it.
    """
    size = _TAIL
    while path.exists():
        data, is_all = _end_of(path, size)
        found: dict[int, list[Signed]] = {}
        for note in _notes(path, data, torn=True):
            name = note.partition("\n")[0]
            if name not in shard_of:
                raise BadCheckpoint(f"{path} has a checkpoint of {name[:100]!r}, which is no shard of this room")
            one = _opened(path, "a checkpoint", note, key)
            if not is_lost(shard_of[name], one):
                found.setdefault(shard_of[name], []).append(one)
        for some in found.values():
            some.sort(key=lambda one: (one.checkpoint.size, one.time), reverse=True)
        if is_all or len(found) == len(shard_of):
            return found
        size *= 16
    return {}


def _end_of(path: Path, size: int) -> tuple[bytes, bool]:
    """The last bytes of a file, from the beginning of a note on, and whether those are all that it has."""
    with open(path, "rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - size))
        data = file.read()
    if len(data) == length:
        return data, True
    begin = next((match.end() for match in _SIGNED(data)), len(data))
    return data[begin:], False


def _opened(path: Path, which: str, note: str, key: PublicKey) -> Signed:
    try:
        return key.open(note)
    except BadCheckpoint as error:
        of, size, *_ = note.split("\n")
        raise BadCheckpoint(f"{path}, {which} ({of[:100]}, size {size[:20]}): {error}") from error


def _uncut(data: bytes) -> bytes:
    """The notes without a last one that was cut short, zeros behind it such as a power cut leaves included.

    Raises BadCheckpoint where what stands there was never the beginning of one: it is kept, since it may be evidence.
    """
    end = whole(data)
    begun = data[end:].rstrip(b"\0")
    lost_its_newline = len(begun) < len(data) - end and re.fullmatch(_LINES[-1][0], begun.rpartition(b"\n")[2])
    if lost_its_newline or not _is_beginning(begun):
        raise BadCheckpoint(
            f"what stands from byte {end} on is no checkpoint, nor the beginning of one: bring back a copy of the "
            "file; if there is none, move it away, and the log is compared with nothing that was signed before"
        )
    return data[:end]


def _is_beginning(rest: bytes) -> bool:
    """Whether a note may begin so that was cut short; a whole one in which a byte was changed doesn't."""
    *lines, last = rest.split(b"\n")
    left = list(_LINES)
    for line in lines:
        if left and left[0] is _DAY and not re.fullmatch(_DAY[0], line):
            left.pop(0)
        if not left or not re.fullmatch(left.pop(0)[0], line):
            return False
    may_come = left[:2] if left and left[0] is _DAY else left[:1]
    return not last or any(re.fullmatch(begun, last) for _, begun in may_come)


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
        begin = max(0, file.seek(0, os.SEEK_END) - _TAIL)
        file.seek(begin)
        end = file.read()
        if begin and not whole(end):
            begin, end = 0, path.read_bytes()
        at = whole(end)
        file.truncate(begin + at + len(_uncut(end[at:])))
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # for the file's own name, where it is new
    finally:
        os.close(folder)
