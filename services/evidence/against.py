"""A log against the checkpoints that were signed of it: what a chain alone can't show (design, Evidence).

The verifier gives each accepted record in turn; the tree grows with it, and wherever a checkpoint was signed its root
is compared. So a change is laid between two checkpoints at worst, and what is missing is counted.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from domain import catalog
from domain.room import LossAccepted, ShardOpened
from services.eventlog import body
from services.eventlog.commit import Record
from services.evidence import merkle
from services.evidence.checkpointer import moment
from services.evidence.losses import Loss
from services.evidence.note import PublicKey, Signed, origin

Find = Callable[[int, int, str], None]
"""Takes down a finding: shard, height, what is wrong."""


AHEAD = 300
"""Seconds by which the clock of who signs may be ahead of the auditor's."""


@dataclass(slots=True)
class Freshness:
    """How new the evidence must be. `not_before`: Unix seconds of the oldest time that is new enough. `seen`: what the
    auditor kept of earlier. `now`: Unix seconds by the auditor's clock."""

    not_before: int | None = None
    seen: list[Signed] = field(default_factory=list)
    now: int | None = None


class Against:
    """One shard against its checkpoints; give it the accepted records in order, then ask it to `finish`."""

    def __init__(self, shard: int, signed: Iterable[Signed], freshness: Freshness, find: Find) -> None:
        self.shard, self._find, self._freshness = shard, find, freshness
        self.offered = list(signed)
        self._by_size: dict[int, list[Signed]] = {}
        for one in {one.note: one for one in [*self.offered, *freshness.seen]}.values():
            self._by_size.setdefault(one.checkpoint.size, []).append(one)
        self._frontier = merkle.Frontier()
        self._agreed: list[Signed] = []
        self._foreign: list[Signed] = []
        """Those with another root than the log has at their size."""
        self._losses: list[Loss] = []
        self._compare()

    @property
    def signed_commits(self) -> int:
        """The commits up to the newest checkpoint that this log agrees with."""
        return self._agreed[-1].checkpoint.size if self._agreed else 0

    @property
    def commits(self) -> int:
        """The commits that the log has."""
        return self._frontier.size

    @property
    def newest(self) -> Signed | None:
        """The checkpoint that was signed last of those offered."""
        return max(self.offered, key=lambda one: one.time, default=None)

    def accept(self, loss: Loss) -> None:
        """Take note of a loss that was accepted: it stays a finding, but says so."""
        self._losses.append(loss)

    def take(self, record: Record) -> None:
        self._frontier.append(merkle.leaf_hash(bytes.fromhex(record.hash)))
        self._compare()

    def _compare(self) -> None:
        """Whatever was signed at this size must have this root."""
        signed = self._by_size.get(self._frontier.size, ())
        if not signed:
            return
        root = self._frontier.root()
        self._foreign += [one for one in signed if one.checkpoint.root != root]
        self._agreed += [one for one in signed if one.checkpoint.root == root]

    def finish(self) -> None:
        """At the log's end: whether the key signed another history too, what was changed, what is missing, and whether
        all is new enough."""
        self._name_fork()
        self._name_change()
        self._name_missing()
        self._check_freshness()

    def _name_fork(self) -> None:
        """One key must not sign two histories: a root beside another, or one from which a later one doesn't follow."""
        aside = [one for one in self._foreign if one.checkpoint.size <= self.signed_commits]
        twice = [some for some in self._by_size.values() if len({one.checkpoint.root for one in some}) > 1]
        forks = [*aside, *(one for some in twice for one in some if one not in self._agreed)]
        if not forks:
            return
        one = min(forks, key=_size)
        size = one.checkpoint.size
        since = max((_size(ours) for ours in self._agreed if _size(ours) < size), default=0)
        self._find(
            self.shard, since,
            f"two histories were signed: the checkpoint of {moment(one.time)} at size {size} has another root than "
            f"follows from what else was signed; they part at height {since} to {max(since, size - 1)}"
            f"{self._consent(one)}",
        )  # fmt: skip

    def _name_change(self) -> None:
        """Where the log differs from the first checkpoint of another history, as near as that can be said: one change
        makes every later root another one."""
        agreed = self.signed_commits
        one = next((one for one in self._foreign if one.checkpoint.size > agreed), None)
        if one is None:
            return
        since = f"the checkpoint of {moment(self._agreed[-1].time)} at size {agreed}" if agreed else "the beginning"
        self._find(
            self.shard, agreed,
            f"this isn't the history that was signed: a commit of height {agreed} to {one.checkpoint.size - 1} was "
            f"changed, removed or added, between {since} and the checkpoint of {moment(one.time)} at size "
            f"{one.checkpoint.size}{self._consent(one)}",
        )  # fmt: skip

    def _name_missing(self) -> None:
        size = self._frontier.size
        beyond = [one for at, some in self._by_size.items() if at > size for one in some]
        if not beyond:
            return
        last = max(beyond, key=lambda one: (not self._consent(one), one.checkpoint.size))
        self._find(
            self.shard, size,
            f"{last.checkpoint.size - size} commits are missing: the checkpoint of {moment(last.time)} covers "
            f"{last.checkpoint.size}, the log ends at height {size - 1}{self._consent(last)}",
        )  # fmt: skip

    def _consent(self, one: Signed) -> str:
        loss = next((loss for loss in self._losses if loss.covers(one)), None)
        if loss is None:
            return ""
        return f"; accepted by {loss.event.by} and {loss.event.second}, as the log says at height {loss.height}"

    def _check_freshness(self) -> None:
        newest, height = self.newest, max(self._frontier.size - 1, 0)
        kept = max(self._freshness.seen, key=lambda one: one.time, default=None)
        if kept is not None and (newest is None or newest.time < kept.time):
            offered = f"that of {moment(newest.time)}" if newest else "none"
            self._find(
                self.shard, height,
                f"an old checkpoint is offered as the newest: {offered}, but you keep one of {moment(kept.time)}",
            )  # fmt: skip
        now = self._freshness.now
        ahead = [one for one in self.offered if now is not None and one.time > now + AHEAD]
        if ahead:
            self._find(
                self.shard, height,
                f"a checkpoint is signed as of {moment(max(one.time for one in ahead))}, which is still to come: so "
                "whether an older one is offered as the newest can't be told",
            )  # fmt: skip
        bound = self._freshness.not_before
        if bound is not None and (newest is None or newest.time < bound):
            is_ = f"is of {moment(newest.time)}" if newest else "isn't there"
            self._find(
                self.shard, height, f"the newest checkpoint {is_}: one not older than {moment(bound)} was asked for"
            )


class Evidence:
    """Checkpoints of a whole log; each shard is compared with its own from its first commit on."""

    def __init__(
        self, offered: Iterable[Signed], freshness: Freshness | None = None, key: PublicKey | None = None
    ) -> None:
        """`key`: by which they were signed; the log must name it."""
        self._offered = list(offered)
        self.key = key
        self._freshness = freshness or Freshness()
        self.shards: dict[int, Against] = {}
        self._origins: dict[int, str] = {}

    def take(self, record: Record, find: Find) -> None:
        """An accepted record of any shard, in the order of that shard."""
        at, events = _events(record)
        if record.height == 0:
            self._begin(record, events, find)
        against = self.shards.get(record.shard)
        if against is None:
            return
        for event in events:
            if isinstance(event, LossAccepted):
                against.accept(Loss(event, record.height, at // 1_000_000))
        against.take(record)

    def _begin(self, record: Record, events: list[object], find: Find) -> None:
        opened = next((event for event in events if isinstance(event, ShardOpened)), None)
        if opened is None:
            return
        if self.key is not None and tuple(self.key.to_text().split()) != opened.checkpoint_keys:
            find(record.shard, 0, "the shard was opened with another checkpoint key than the one that you check with")
        name = self._origins[record.shard] = origin(record.room, opened.room_id, record.shard)
        kept = [one for one in self._freshness.seen if one.checkpoint.origin == name]
        mine = [one for one in self._offered if one.checkpoint.origin == name]
        self.shards[record.shard] = Against(record.shard, mine, replace(self._freshness, seen=kept), find)

    def finish(self, find: Find) -> None:
        """At the end of the log: what each shard comes to, and the checkpoints that are of none of its shards."""
        for against in self.shards.values():
            against.finish()
        ours = set(self._origins.values())
        strange = [one for one in [*self._offered, *self._freshness.seen] if one.checkpoint.origin not in ours]
        for one in {one.checkpoint.origin: one for one in sorted(strange, key=_size)}.values():
            self._name_strange(one, find)

    def _name_strange(self, one: Signed, find: Find) -> None:
        """The largest checkpoint of an origin that no shard of the log has."""
        log, _, number = one.checkpoint.origin.rpartition("/")
        shard = int(number) if number.isascii() and number.isdecimal() and len(number) <= len("1023") else 0
        here = self._origins.get(shard) or next(iter(self._origins.values()), "")
        if here.rpartition("/")[0] == log:
            find(shard, 0,
                 f"{_size(one)} commits are missing: the checkpoint of {moment(one.time)} covers them, the log has "
                 "none of this shard")  # fmt: skip
        else:
            is_ = f"which is {here}" if here else "whose opening can't be read"
            find(
                shard, 0, f"the checkpoint of {moment(one.time)} is of {one.checkpoint.origin}, not of this log, {is_}"
            )


def _size(one: Signed) -> int:
    return one.checkpoint.size


def _events(record: Record) -> tuple[int, list[object]]:
    """A record's time, and the facts of the log itself in it; none where it can't be read, which is found elsewhere."""
    if b'"shard:' not in record.body:  # nearly all: not to decode each twice
        return 0, []
    try:
        said = body.decode(record.body)
        facts = [one for one in said.events if str(one["stream"]).startswith("shard:")]
        return said.at, [catalog.event.load(one["type"], one["rev"], one["data"]) for one in facts]
    except (ValueError, KeyError, TypeError):
        return 0, []
