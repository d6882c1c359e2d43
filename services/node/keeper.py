"""What a node does with a shard: takes it over, keeps it alive, lets it go. All of it in the writer's thread."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from domain.hand.commands import CancelHand
from domain.hand.state import Hand
from domain.messages import SECOND, Command
from domain.room import KeepAlive
from domain.rules.vocabulary import Kind
from services.eventlog.log import LogError
from services.evidence.checkpointer import opening_of
from services.ids import uuid7
from services.node.crew import Crew
from services.room.days import began, still_in
from services.room.door import RECOVERY, ROOM, TIMER
from services.room.owners import Claims
from services.room.room import Room
from services.room.shards import ROOMS_SHARD
from services.snapshots.reader import Snapshot

ALIVE = 10 * SECOND
"""Microseconds without a commit after which an owner says that it is there, while a hand is open (design, Nodes)."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A shard that was taken over: how long it had no working owner (microseconds), its tables, the hands that go on,
    and those that were cancelled."""

    shard: int
    gap: int
    tables: int
    going_on: tuple[str, ...]
    cancelled: tuple[str, ...]


class Shortcuts(Protocol):
    """The snapshots that a keeper goes on from (`services.node.snapshots`)."""

    def newest(self, shard: int) -> Snapshot | None:
        """The newest one of a shard that can be gone on from."""
        ...

    def began(self, shard: int, snapshot: Snapshot | None) -> None:
        """The room owns the shard, and has gone on from that snapshot."""
        ...

    def ended(self, shard: int) -> None:
        """The room owns the shard no more."""
        ...


class Keeper:
    """Keeps a node's shards. `claims` is the owner that the room asks before it writes."""

    def __init__(
        self, room: Room, claims: Claims, snapshots: Shortcuts | None = None, crew: Crew | None = None
    ) -> None:
        self._room, self._claims, self._snapshots, self._crew = room, claims, snapshots, crew
        self._zone = ""
        self._day: dict[int, int] = {}
        """By shard, when the day began in which its last commit is known to be."""

    def take_over(self, shard: int) -> TakenOver:
        """Claim the shard, and settle what its failure has left before anything else happens there. What was done to
        the room's doors by then is known.

        A hand that nobody worked on for longer than its table forgives is cancelled (rules.md section 8).
        Raises LogError where it can't be claimed, or can't go on; then it isn't this node's.
        """
        claimed = self._claims.claim(shard)
        room = self._room
        with suppress(LogError):  # a room's shard that can't be read stops no other
            room.log.catch_up(ROOMS_SHARD)
        tables = self._restore(shard)
        hands = room.hands_under_way(shard)
        failed = [hand.id for hand in hands if _has_failed(hand, claimed.gap)]
        for outcome in room.execute([self._cancelling(shard, hand, claimed.gap) for hand in failed]):
            if isinstance(outcome, Exception):
                self._claims.lose(shard)
                raise LogError(f"shard {shard} could not be recovered: {outcome}") from outcome
        going_on = tuple(hand.id for hand in hands if hand.id not in failed)
        if self._crew:
            self._crew.took_over(room, shard)
        return TakenOver(shard, claimed.gap, tables, going_on, tuple(failed))

    def _restore(self, shard: int) -> int:
        """Have the room go on from the newest snapshot and what the log has after it; how many tables there are."""
        snapshot = self._snapshots.newest(shard) if self._snapshots else None
        log = self._room.log
        if snapshot is None:
            tables = log.tables(shard)
            self._room.restore(shard, {}, tables)
        else:
            after = snapshot.position.height
            tables = [*snapshot.tables, *snapshot.left_out, *log.tables(shard, after)]
            changed = log.patrons(shard, after)
            self._room.restore(shard, snapshot.tables, tables, snapshot.patrons or (), changed)
        if self._snapshots:
            self._snapshots.began(shard, snapshot)
        return len(tables)

    def check_owned(self, shard: int) -> None:
        """Let go of the shard if somebody else has written there, by all that its log has now. Raises LogError."""
        if not self._claims.confirm(shard):
            self.let_go(shard)

    def let_go(self, shard: int) -> None:
        """Write there no more: another may claim it at once."""
        self._claims.lose(shard)
        self._room.restore(shard, {}, ())
        if self._snapshots:
            self._snapshots.ended(shard)
        self.lost(shard)

    def lost(self, shard: int) -> None:
        """Somebody else writes there: nobody here looks after its tables any more."""
        if self._crew:
            self._crew.let_go(self._room, shard)

    def see_doors(self) -> None:
        """Another node may have closed the room, or opened it again."""
        if self._crew:
            self._crew.see_doors(self._room)

    def keep_alive(self) -> list[int]:
        """Say of each shard that it has its owner, where a hand is open and nothing was recorded for a while, or
        nothing since a day of the room's has ended, which can be closed then; which."""
        now = self._room.ports.now()
        quiet = [shard for shard in self._claims.shards if now - self._room.last_at(shard) >= ALIVE]
        kept = {shard for shard in quiet if self._room.hands_under_way(shard)} | self._of_yesterday(now)
        for shard in sorted(kept):
            self._room.record(self._command(KeepAlive(shard), self._claims.by, TIMER))
        return sorted(kept)

    def _of_yesterday(self, now: int) -> set[int]:
        """The shards whose last commit is of a day that is over, and whose next one isn't to come by a clock that was
        fast; none where the log can't tell just now."""
        log = self._room.log
        try:
            self._zone = self._zone or opening_of(log).time_zone
            today = began(now, self._zone)
            unknown = [shard for shard in self._claims.shards if self._day.get(shard, 0) < today]
            behind = set(still_in(log, today, unknown))
        except LogError:
            return set()
        self._day |= {shard: today for shard in unknown if shard not in behind}
        return {shard for shard in behind if self._room.last_at(shard) <= now}

    def _cancelling(self, shard: int, hand: str, gap: int) -> Command:
        return self._command(CancelHand(hand, gap), ROOM, RECOVERY)

    def _command(self, args: object, by: str, cause: str) -> Command:
        ports = self._room.ports
        return Command(uuid7(ports.now(), ports.bits(74)), args, by, cause)


def _has_failed(hand: Hand, gap: int) -> bool:
    """Whether nobody worked on it for longer than its table forgives; a tournament's goes on where it stopped."""
    return hand.opened.kind is not Kind.TOURNAMENT and gap > hand.opened.clocks.failure_grace * SECOND
