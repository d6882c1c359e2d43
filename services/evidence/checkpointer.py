"""Signs what a room's log is: each shard's size and root, at an interval and at the day's end (design, Evidence).

The checkpointer keeps the history that it has signed: it never signs a log that is shorter than that, or another one.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

from domain import catalog
from domain.room import ShardOpened
from domain.rules.phrases import counted
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import CorruptLog, Log, LogError
from services.evidence import checkpoints, merkle
from services.evidence.losses import losses_in
from services.evidence.merkle import Frontier
from services.evidence.note import Checkpoint, CheckpointKey, PublicKey, Signed, origin
from services.evidence.tree import TreeStore
from services.sealing.private_file import BadKeys

_SECOND = 1_000_000

_LONGEST_PAUSE = 400 * 86_400
"""Seconds between two checkpoints of a shard at most: each day between them is signed."""


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


def signed_of(log: Log, path: Path, key: PublicKey) -> Mapping[int, Sequence[Signed]]:
    """The last checkpoints of each shard in a home's file, the largest first, without those whose loss was accepted:
    they bind the room no more."""
    opened = opening_of(log)
    shard_of = {origin(opened.room, opened.room_id, shard): shard for shard in range(opened.shards)}
    losses = {shard: list(losses_in(log.stream_commits(f"shard:{shard}"))) for shard in range(opened.shards)}
    return checkpoints.newest(path, key, shard_of, lambda shard, one: any(loss.covers(one) for loss in losses[shard]))


def check_against(log: Log, tree: TreeStore, signed: Mapping[int, Sequence[Signed]]) -> dict[int, Signed]:
    """Each shard's largest checkpoint, with which all others of that size must agree: it says all that smaller ones do.

    `signed`: those of each shard, the largest first. Raises LogShrank where a shard isn't what they say.
    """
    largest = {shard: some[0] for shard, some in signed.items()}
    for shard, some in signed.items():
        for one in some:
            is_largest = one.checkpoint.size == largest[shard].checkpoint.size
            if is_largest and not agrees(log, tree, shard, one.checkpoint):
                raise LogShrank(shard, log.head(shard).height + 1, one)
    return largest


def agrees(log: Log, tree: TreeStore, shard: int, checkpoint: Checkpoint) -> bool:
    """Whether the shard's log begins with what was signed; the record at its end speaks for all before, chained."""
    if checkpoint.size == 0:
        return checkpoint.root == merkle.EMPTY
    return proof_of(log, tree, shard, checkpoint.size - 1, checkpoint) is not None


def proof_of(log: Log, tree: TreeStore, shard: int, height: int, checkpoint: Checkpoint) -> list[bytes] | None:
    """The path from the log's own record of a height to the signed root; None where none leads there.

    A tree that gives no such path is built again first: somebody may have changed it.
    """
    if not 0 <= height < checkpoint.size <= log.head(shard).height + 1:
        return None
    leaf = merkle.leaf_hash(bytes.fromhex(log.record(shard, height).hash))
    for catch_up in (tree.catch_up, tree.renew):
        catch_up(log, shard)
        proof = tree.inclusion(shard, height, checkpoint.size)
        if merkle.check_inclusion(leaf, height, checkpoint.size, proof, checkpoint.root):
            return proof
    return None


def commits_before(log: Log, shard: int, moment: int) -> int:
    """How many commits a shard has from before a moment (UTC microseconds); their times never go back."""
    heights = range(log.head(shard).height + 1)
    return bisect_left(heights, moment, key=lambda height: body.decode(log.record(shard, height).body).at)


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

    def signed(self) -> Mapping[int, Sequence[Signed]]:
        """What was signed last, by shard, the largest first."""
        return signed_of(self._log, self._path, self._key.public)

    def sign(self, now: int, *, every: bool = True) -> list[Signed]:
        """Sign the shards, and the ends of the days that are over; what was signed. `now`: UTC microseconds.

        Without `every` a shard that hasn't grown is signed only at the end of a day.
        """
        signed = self.signed()
        before = check_against(self._log, self._tree, signed)
        self._check_clock((one for some in signed.values() for one in some), now // _SECOND)
        made = [one for shard in range(self._log.shards) for one in self._sign(shard, before.get(shard), now, every)]
        if made:
            checkpoints.append(self._path, made)
        return made

    def _check_clock(self, signed: Iterable[Signed], now: int) -> None:
        last = max(signed, key=lambda one: one.time, default=None)
        if last is None:
            return
        if last.time > now:
            raise LogError(
                f"it is {moment(now)} by this machine's clock, but {last.checkpoint.origin} was signed at "
                f"{moment(last.time)}: set the clock right; nothing is signed as of a time before"
            )
        if now - last.time > _LONGEST_PAUSE:
            raise LogError(
                f"{last.checkpoint.origin} was signed last at {moment(last.time)}, more than 400 days before "
                f"{moment(now)}: if the clock is right, move the file of checkpoints away and keep it; another is "
                "begun then"
            )

    def _sign(self, shard: int, before: Signed | None, now: int, every: bool) -> Iterator[Signed]:
        commits = self._log.head(shard).height + 1
        signed = 0 if before is None else before.checkpoint.size
        frontier, records = self._signed_frontier(shard, before), self._log.read(shard, signed)
        for day in self._days_over(before, now):
            end = int(datetime.combine(day + timedelta(days=1), datetime.min.time(), self._zone).timestamp())
            size = max(signed, commits_before(self._log, shard, end * _SECOND))
            _grow(frontier, records, size)
            yield self._one(shard, frontier, now, (f"day {day.isoformat()}",))
        if every or signed != commits:
            _grow(frontier, records, commits)
            yield self._one(shard, frontier, now, ())

    def _signed_frontier(self, shard: int, before: Signed | None) -> Frontier:
        """The tree that was signed last, to grow by the log's own records: what is signed is never taken from a file
        that somebody may have changed."""
        if before is None:
            return Frontier()
        size = before.checkpoint.size
        for catch_up in (self._tree.catch_up, self._tree.renew):
            catch_up(self._log, shard)
            frontier = self._tree.frontier(shard, size)
            if frontier.root() == before.checkpoint.root:
                return frontier
        raise LogShrank(shard, self._log.head(shard).height + 1, before)

    def _one(self, shard: int, frontier: Frontier, now: int, extensions: tuple[str, ...]) -> Signed:
        name = origin(self._opened.room, self._opened.room_id, shard)
        return self._key.sign(Checkpoint(name, frontier.size, frontier.root(), extensions), now // _SECOND)

    def _days_over(self, before: Signed | None, now: int) -> Iterator[date]:
        """The room's days that ended since the last checkpoint; none before the first."""
        if before is None:
            return
        day = datetime.fromtimestamp(before.time, self._zone).date()
        today = datetime.fromtimestamp(now // _SECOND, self._zone).date()
        while day < today:
            yield day
            day += timedelta(days=1)


def _grow(frontier: Frontier, records: Iterator[Record], size: int) -> None:
    for record in islice(records, size - frontier.size):
        frontier.append(merkle.leaf_hash(bytes.fromhex(record.hash)))
