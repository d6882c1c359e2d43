"""Whether a log is sound: its bytes, its chains, its times and versions; in a home, or in a file that was exported.

What this can't see: that a shard's last commits, or all of it, were cut off or written anew. A chain alone is no
evidence of that; signed checkpoints are.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO

from services.eventlog import body, canonical
from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, LIMIT, BadRecord, Head, Record, parse
from services.eventlog.log import Log, LogError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the shard, the height at which it stands, and what it is."""

    shard: int
    height: int
    what: str

    def __str__(self) -> str:
        return f"shard {self.shard}, height {self.height}: {self.what}"


@dataclass(slots=True)
class Report:
    """What a verification saw: the room, each shard's head, the accepted commits and events, and the findings."""

    room: str | None = None
    shards: int | None = None
    """The number of shards that a first commit states (`ShardOpened`); None if none does."""
    heads: dict[int, Head] = field(default_factory=dict)
    commits: int = 0
    events: int = 0
    voids: int = 0
    """Records that don't count, where a home may hold such: a writer's that came too late, or anybody's."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


class Verifier:
    """Takes records shard by shard, in order, and writes down what is wrong with them."""

    def __init__(self, room: str | None = None, *, holds_voids: bool = False) -> None:
        """`room` is the log's; None takes the name that the first well-formed record has. `holds_voids`: whether a void
        record is nothing wrong, so that it is only counted."""
        self.report = Report(room)
        self._holds_voids = holds_voids
        self._versions: dict[tuple[int, str], int] = {}
        """By shard too: a stream that stands in two of them is no fault of the second one's versions."""
        self._last_at: dict[int, int] = {}
        self._void_since: dict[int, int] = {}

    def head(self, shard: int) -> Head:
        return self.report.heads.get(shard, GENESIS)

    def take(self, shard: int, raw: bytes) -> Record | None:
        """The record, if the chain accepts it as the shard's next; otherwise a finding is written down."""
        if self.report.room is None:
            self.report.room = _room_of(raw)
        head = self.head(shard)
        record = accept(self.report.room or "", shard, head, raw)
        if isinstance(record, Void):
            if self._holds_voids:
                self.report.voids += 1
            else:
                self._write_void(shard, head.height + 1, record.reason)
            return None
        self._void_since.pop(shard, None)
        self.report.heads[shard] = record.head
        self.report.commits += 1
        self._check_body(record)
        return record

    def missing(self) -> list[int]:
        """The shards of which no record came, though some should: lower ones, or as many as were stated."""
        seen = self.report.heads.keys() | self._void_since.keys()
        return [shard for shard in range(self.report.shards or max(seen, default=-1) + 1) if shard not in seen]

    def find(self, shard: int, height: int, what: str) -> None:
        """Write down a finding."""
        self.report.findings.append(Finding(shard, height, what))

    def _write_void(self, shard: int, height: int, reason: str) -> None:
        """One finding for a break, however many records after it can't be linked any more."""
        if shard not in self._void_since:
            self._void_since[shard] = height
            self.find(shard, height, reason)

    def _check_body(self, record: Record) -> None:
        shard, height = record.shard, record.height
        if not canonical.is_canonical(record.body):
            self.find(shard, height, "its body isn't canonical JSON")
        try:
            decoded = body.decode(record.body)
            body.check(decoded)
        except body.BadBody as error:
            self.find(shard, height, str(error))
            return
        if height == 0 and self.report.shards is None:
            self.report.shards = _stated_shards(decoded)
        last_at = self._last_at.get(shard, decoded.at)
        if decoded.at < last_at:
            self.find(shard, height, f"its time {decoded.at} is before the last commit's {last_at}")
        self._last_at[shard] = max(decoded.at, last_at)
        for event in decoded.events:
            self._check_version(record, event)

    def _check_version(self, record: Record, event: dict[str, Any]) -> None:
        stream, version = event["stream"], event["version"]
        last = self._versions.get((record.shard, stream))
        next_ = 1 if last is None else last + 1
        if version != next_ and not (last is None and version == 0 and stream.startswith("opaque:")):
            self.find(record.shard, record.height, f"{stream} has version {version} where {next_} is next")
        self._versions[record.shard, stream] = version
        self.report.events += 1


def verify_chain(records: Iterable[bytes], shard: int = 0, room: str | None = None) -> list[Finding]:
    """What is wrong with the records of one shard, from height 0 on."""
    verifier = Verifier(room)
    for raw in records:
        verifier.take(shard, raw)
    return verifier.report.findings


def verify_log(log: Log, step: Callable[[], object] = lambda: None) -> Report:
    """What is wrong with a log in its home; `step` is called after each record."""
    verifier = Verifier(log.room, holds_voids=log.holds_voids)
    for shard in range(log.shards):
        for raw in log.raws(shard):
            verifier.take(shard, raw)
            step()
    return verifier.report


def verify_file(path: Path | str, step: Callable[[], object] = lambda: None) -> Report:
    """What is wrong with an exported file. Raises LogError where there is no file to read."""
    verifier = Verifier()
    for shard, raw in file_records(path, verifier):
        verifier.take(shard, raw)
        step()
    return verifier.report


def file_records(path: Path | str, verifier: Verifier) -> Iterator[tuple[int, bytes]]:
    """The records of an exported file with the shard that each belongs to; what is wrong with the file is written down.

    The caller gives each record to the verifier before it takes the next.
    """
    try:
        file = open(path, "rb")  # noqa: SIM115 -- closed below; only its opening is guarded
    except OSError as error:
        raise LogError(f"{path} can't be read: {error.strerror}") from error
    shard, height, whole = 0, 0, True
    with file:
        for (raw, ended), (after, _) in pairwise(chain(_split(file), [(b"", True)])):
            whole = ended
            shard = _shard_of(raw, after, shard, verifier)
            height = verifier.head(shard).height + 1
            yield shard, raw
    if not whole:
        verifier.find(shard, height, "the file ends here, within a record")
    if verifier.report.room is None:
        verifier.find(0, 0, "the file holds no record")
    for missing in verifier.missing():
        verifier.find(missing, 0, "the file has no commit of this shard")


def _split(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The pieces that should be records, and whether each ended in its LF.

    A record is two lines. A body never begins as a header does, so after a damaged line the next header sets it right.
    """
    header = _line(file)
    while header:
        rest = _line(file)
        if rest.startswith(b"HL1 "):
            yield header.removesuffix(b"\n"), header.endswith(b"\n")
            header = rest
        else:
            yield (header + rest).removesuffix(b"\n"), (rest or header).endswith(b"\n") and bool(rest)
            header = _line(file)


def _line(file: BinaryIO) -> bytes:
    return file.readline(LIMIT + 2)


def _shard_of(raw: bytes, after: bytes, current: int, verifier: Verifier) -> int:
    """The shard whose turn it is with this record: a later one begins where a record of it doesn't link to this one,
    unless the record after it is of an earlier one again: then it only stands in the wrong place. An opening does so
    only where that record goes on with this shard: else it opens, and what comes after it is out of place."""
    own, head = _header(raw), verifier.head(current)
    if own is None or own.shard <= current or (own.prev == head.hash and head != GENESIS):
        return current
    following = _header(after)
    earlier = following is not None and following.shard < own.shard and (own.height > 0 or following.prev == head.hash)
    return current if earlier else own.shard


def _stated_shards(opening: body.Body) -> int | None:
    """The number of shards that a shard's first commit states."""
    stated = (event["data"].get("shards") for event in opening.events)
    return next((number for number in stated if type(number) is int and 1 <= number <= 1024), None)


def _room_of(raw: bytes) -> str | None:
    record = _header(raw)
    return None if record is None else record.room


def _header(raw: bytes) -> Record | None:
    """The record, whatever the chain says of it; None where there is no header."""
    try:
        return parse(raw)
    except BadRecord:
        return None
