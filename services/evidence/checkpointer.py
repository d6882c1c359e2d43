"""Signs what a room's log is: each shard's size and root, at an interval and at the day's end (design, Evidence).

The checkpointer keeps the history that it has signed: it never signs a log that is shorter than that, or another one.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from domain import catalog
from domain.room import LossAccepted, ShardOpened
from domain.rules.phrases import counted
from services.eventlog import body
from services.eventlog.log import CorruptLog, Log, LogError
from services.evidence import checkpoints
from services.evidence.note import Checkpoint, CheckpointKey, Signed, origin
from services.evidence.tree import TreeStore
from services.sealing.private_file import BadKeys

_SECOND = 1_000_000


class LogShrank(LogError):
    """A shard's log is shorter than a checkpoint of it, or isn't the one that was signed."""

    def __init__(self, shard: int, commits: int, signed: Signed) -> None:
        self.shard, self.commits, self.signed = shard, commits, signed
        size, when = signed.checkpoint.size, moment(signed.time)
        what = (
            f"has {counted(commits, 'commit')}, but its checkpoint of {when} covers {size}: {size - commits} "
            f"{'is' if size - commits == 1 else 'are'} missing"
            if commits < size
            else f"isn't the one that its checkpoint of {when} covers up to height {size - 1}: it was changed"
        )
        super().__init__(
            f"the log of shard {shard} {what}. Bring back the log that was signed, or take the loss upon you: "
            f"two people can, with `handlog accept-loss --shard {shard}`"
        )


def moment(seconds: int) -> str:
    """A time as the auditor reads it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def opening_of(log: Log) -> ShardOpened:
    """What the room was opened with. Raises CorruptLog where its log doesn't begin with that."""
    try:
        first = body.decode(log.record(0, 0).body).events[0]
        opened = catalog.event.load(first["type"], first["rev"], first["data"])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise CorruptLog(f"the log doesn't begin with the opening of its shard 0: {error}") from error
    if not isinstance(opened, ShardOpened):
        raise CorruptLog("the log doesn't begin with the opening of its shard 0")
    return opened


def check_against(log: Log, tree: TreeStore, signed: Mapping[int, Signed]) -> None:
    """Raise LogShrank where a shard isn't what its newest checkpoint says, and nobody has accepted that."""
    for shard, newest in signed.items():
        commits = tree.catch_up(log, shard)
        checkpoint = newest.checkpoint
        if not agrees(tree, shard, commits, checkpoint) and not _is_accepted(log, shard, checkpoint):
            raise LogShrank(shard, commits, newest)


def agrees(tree: TreeStore, shard: int, commits: int, checkpoint: Checkpoint) -> bool:
    """Whether the shard's log, of so many commits, begins with what was signed."""
    return checkpoint.size <= commits and tree.root(shard, checkpoint.size) == checkpoint.root


def _is_accepted(log: Log, shard: int, checkpoint: Checkpoint) -> bool:
    """Whether the log differs from a checkpoint with somebody's consent."""
    for record in log.stream_commits(f"shard:{shard}"):
        for one in body.decode(record.body).events:
            event = catalog.event.load(one["type"], one["rev"], one["data"])
            if isinstance(event, LossAccepted) and (event.size, event.root) == (checkpoint.size, checkpoint.root.hex()):
                return True
    return False


class Checkpointer:
    """Signs the shards of one log into one file. Raises LogShrank, BadCheckpoint, BadKeys, LogError."""

    def __init__(self, log: Log, tree: TreeStore, key: CheckpointKey, path: Path) -> None:
        self._log, self._tree, self._key, self._path = log, tree, key, path
        self._opened = opening_of(log)
        if tuple(key.public.to_text().split()) != self._opened.checkpoint_keys:
            raise BadKeys(
                f"this isn't the checkpoint key that room {log.room} was opened with: nobody would take what it signs"
            )
        self._zone = ZoneInfo(self._opened.time_zone)

    def signed(self) -> Mapping[int, Signed]:
        """What was signed last, by shard."""
        opened = self._opened
        return checkpoints.newest_by_shard(self._path, self._key.public, opened.room, opened.room_id, opened.shards)

    def sign(self, now: int, *, every: bool = True) -> list[Signed]:
        """Sign the shards, and the ends of the days that are over; what was signed. `now`: UTC microseconds.

        Without `every` a shard that hasn't grown is signed only at the end of a day.
        """
        before = self.signed()
        check_against(self._log, self._tree, before)
        made = [one for shard in range(self._log.shards) for one in self._sign(shard, before.get(shard), now, every)]
        if made:
            checkpoints.append(self._path, made)
        return made

    def _sign(self, shard: int, before: Signed | None, now: int, every: bool) -> Iterator[Signed]:
        commits = self._tree.catch_up(self._log, shard)
        for day in self._days_over(before, now):
            end = int(datetime.combine(day + timedelta(days=1), datetime.min.time(), self._zone).timestamp())
            yield self._one(shard, self._commits_before(shard, end * _SECOND), now, (f"day {day.isoformat()}",))
        if every or before is None or before.checkpoint.size != commits:
            yield self._one(shard, commits, now, ())

    def _one(self, shard: int, size: int, now: int, extensions: tuple[str, ...]) -> Signed:
        name = origin(self._opened.room, self._opened.room_id, shard)
        return self._key.sign(Checkpoint(name, size, self._tree.root(shard, size), extensions), now // _SECOND)

    def _days_over(self, before: Signed | None, now: int) -> Iterator[date]:
        """The room's days that ended since the last checkpoint; none before the first."""
        if before is None:
            return
        day = datetime.fromtimestamp(before.time, self._zone).date()
        today = datetime.fromtimestamp(now // _SECOND, self._zone).date()
        while day < today:
            yield day
            day += timedelta(days=1)

    def _commits_before(self, shard: int, moment: int) -> int:
        """How many commits were made before a moment (UTC microseconds)."""
        heights = range(self._tree.size(shard))
        return bisect_left(heights, moment, key=lambda height: body.decode(self._log.record(shard, height).body).at)
