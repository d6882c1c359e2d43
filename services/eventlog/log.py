"""The interface of a log, whatever its home, and what can go wrong with one (design, Two homes, one interface)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from services.eventlog.commit import Head, Record


class LogError(Exception):
    """Something is wrong with a log; the sentence says what, and what would be right."""


class NoLog(LogError):
    """There is no log at that place, or what stands there is none."""


class LogInUse(LogError):
    """Another process writes this log."""


class CorruptLog(LogError):
    """The home is damaged: bytes changed, or commits are missing."""


class ReadOnly(LogError):
    """An append to a log that was opened for reading."""


class AppendRefused(LogError):
    """The home couldn't take the append (a full disk): nothing of it was recorded, and a later one may succeed."""


class AppendUnknown(LogError):
    """Whether the append was recorded is unknown, until another commit is recorded at that height.

    `accepted` are the heads of those entries that surely were, in order.
    """

    def __init__(self, sentence: str, accepted: Sequence[Head] = ()) -> None:
        self.accepted = tuple(accepted)
        super().__init__(sentence)


class NotOwner(LogError):
    """Another writer owns the shard: nothing was recorded here."""

    def __init__(self, shard: int) -> None:
        self.shard = shard
        super().__init__(f"shard {shard} has another owner")


class NotHereYet(LogError):
    """What is asked for stands in a part of the log that isn't read yet; a later question may be answered."""

    def __init__(self, shard: int, height: int) -> None:
        super().__init__(f"the commits of shard {shard} up to height {height:,} are still being read: ask again later")


class VersionConflict(LogError):
    """An event's version isn't the next one of its stream; nothing of the append was recorded."""


class HeadMoved(LogError):
    """Another writer extended the shard: reload and decide again.

    `accepted` are the heads of those entries that were recorded before it, in order: any prefix of the append. (SQLite
    accepts all or nothing.)
    """

    def __init__(self, shard: int, expected: Head, actual: Head, accepted: Sequence[Head] = ()) -> None:
        self.shard, self.expected, self.actual, self.accepted = shard, expected, actual, tuple(accepted)
        super().__init__(
            f"shard {shard} moved: the writer expected height {expected.height} ({expected.hash[:12]}), the log stands "
            f"at height {actual.height} ({actual.hash[:12]}); {len(self.accepted)} of its entries were recorded"
        )


class Touch(NamedTuple):
    """A stream that a commit extends, with the versions of its first and last event there."""

    stream: str
    first: int
    last: int


class Entry(NamedTuple):
    """A commit to be: its body in canonical JSON, and the streams that it touches."""

    body: bytes
    touches: Sequence[Touch]


class Append(NamedTuple):
    """Entries for one shard, to be chained to the head that the writer expects; see `Log.append`."""

    shard: int
    expected: Head
    entries: Sequence[Entry]
    claim: bool = False


class Beginning(NamedTuple):
    """Where what is read of a shard begins, by what a snapshot says of it.

    counted: the number of the last counted event up to `head`. streams: the versions of all tables there, of the newest
    hand of each, of `shard:<n>`, and where `patrons` says so, of all players' files and accounts. own: what the shard's
    own came to, as `services.room.load` writes it. room: the commits of the stream `room`, in the shard that has it:
    first version, last version, height.
    """

    head: Head
    counted: int
    streams: Mapping[str, int]
    own: Any
    room: Sequence[tuple[int, int, int]] = ()
    patrons: bool = False


class Part(NamedTuple):
    """What one commit added to a stream: its height, its body, and the versions of the first and last event there."""

    height: int
    body: bytes
    first: int
    last: int


def is_counted(stream: str) -> bool:
    """Whether the stream's events count for event numbers: all but `room` and `shard:<n>` (design, The decider)."""
    return stream != "room" and not stream.startswith("shard:")


class Log(Protocol):
    """The commits of a room, shard by shard.

    Heights count the commits of a shard from 0. Event numbers count the events of a shard from 1, without those of the
    streams `room` and `shard:<n>`. Reading goes on while others append; an iterator ends where the log ended then.
    """

    @property
    def room(self) -> str:
        """The room's name."""
        ...

    @property
    def shards(self) -> int:
        """The number of shards, fixed at creation; they are numbered from 0."""
        ...

    @property
    def holds_voids(self) -> bool:
        """Whether void records may stand among the commits without anything being wrong: on Kafka they may."""
        ...

    def head(self, shard: int) -> Head:
        """The end of the shard's chain; GENESIS before its first commit."""
        ...

    @property
    def stopped(self) -> Mapping[int, str]:
        """The shards that can't go on, each with why: an accepted commit that can't be read, or breaks a rule."""
        ...

    def catch_up(self, shard: int) -> int:
        """Take in what others have recorded since the last look; the number of commits. Raises LogError."""
        ...

    def unread(self, shard: int) -> int:
        """The records that the look which is under way, or broke off, has still to read; answered at once."""
        ...

    def tables(self, shard: int, after: int = -1) -> list[str]:
        """The tables of the shard that were opened after that height."""
        ...

    def patrons(self, shard: int, after: int = -1) -> set[str]:
        """The players of the shard of whom, or of whose accounts, something was recorded after that height."""
        ...

    def began(self, shard: int) -> Beginning | None:
        """Where the shard's streams begin here as long as what was recorded before is still being read: what would need
        that raises NotHereYet. None where nothing is missing, as in most homes ever."""
        ...

    def append(self, shard: int, expected: Head, entries: Sequence[Entry], *, claim: bool = False) -> list[Head]:
        """Compare and append: chain the entries to `expected`, durably, and return the head after each.

        With `claim` the first entry begins the next epoch. Raises HeadMoved if the log isn't at `expected` (a prefix
        may be recorded: see there), VersionConflict, AppendRefused, BadRecord for an entry that is too large (nothing
        recorded), AppendUnknown.
        """
        ...

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        """Several shards' appends with one wait for the disk or the broker; what `append` returns or raises, for each.

        The shards are independent: one that is refused leaves the others be.
        """
        ...

    def read(self, shard: int, start: int = 0) -> Iterator[Record]:
        """The shard's commits from height `start`, each accepted by the chain's rule. Raises CorruptLog at a break."""
        ...

    def raws(self, shard: int) -> Iterator[bytes]:
        """The shard's records as they stand in this home, void ones among them: what an auditor looks at."""
        ...

    def record(self, shard: int, height: int) -> Record:
        """One commit. Raises IndexError where the shard has none of that height."""
        ...

    def stream_commits(self, stream: str, gt: int | None = None, lte: int | None = None) -> Iterator[Record]:
        """The commits with events of the stream whose versions are over `gt` and at most `lte`, in order."""
        ...

    def stream_parts(
        self,
        stream: str,
        gt: int | None = None,
        lte: int | None = None,
        *,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[Part]:
        """The same commits as a fold needs them, their versions cut to those bounds; the last ones first with `desc`.

        At most `limit` of them.
        """
        ...

    def stream_version(self, stream: str) -> int | None:
        """The version of the stream's last event; None for a stream that was never opened."""
        ...

    def counted(self, shard: int, height: int | None = None) -> int:
        """The number of the last counted event up to that height (default: the head); 0 before the first."""
        ...

    def numbered(self, shard: int, start: int) -> Iterator[tuple[int, Record]]:
        """The commits from the one with event number `start`, each with the number before its first counted event."""
        ...

    def index_faults(self) -> Iterator[tuple[int, int, str]]:
        """(shard, height, what is wrong) where the index by which streams are read isn't what the records say."""
        ...

    def close(self) -> None:
        """Let go of the home; safe to call twice."""
        ...
