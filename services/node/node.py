"""A node at work: it keeps the shards that are suggested to it, follows the others, and is what its door asks."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from domain.account.state import Patron
from domain.messages import Command, player_stream, table_stream
from domain.room import RoomClosed, ShardClaimed
from domain.rules.phrases import counted, listed, seconds
from domain.table.play import Play
from services.api.host import Readiness, Standing, patron_in, table_in
from services.eventlog.log import AppendRefused, Log, LogError
from services.kafka.clients import BrokerAway
from services.node.beside import beside
from services.node.crew import Crew
from services.node.keeper import Keeper, TakenOver
from services.node.metrics import NodeMetrics
from services.node.snapshots import Snapshots
from services.node.suggestions import Suggested, Suggestions
from services.room.load import ShardFold
from services.room.owners import Claims
from services.room.recording import Answer
from services.room.room import Room
from services.room.shards import ROOMS_SHARD, shard_of
from services.room.writer import Writer
from services.rulings import facts_of_hand

T = TypeVar("T")

ROUND = 0.05
"""Seconds between two looks at what is suggested."""

FOLLOW = 0.5
"""Seconds between two looks at what the owners of other shards have recorded."""

WAIT = 0.5
"""Seconds before a shard is tried again that couldn't be taken over."""

SILENCE = 3.0
"""Seconds without an answer of the log after which the node says so, and takes nothing more until it answers."""

CONTESTED = 10.0
"""Seconds for which a shard is left to the node that has claimed it from this one, whatever was suggested before."""

Say = Callable[[str], object]
"""Told in a sentence what happens at the node."""


class Node:
    """A room's node. What its door asks may be asked from any thread."""

    def __init__(
        self,
        log: Log,
        reading: Log,
        writer: Writer,
        claims: Claims,
        say: Say,
        metrics: NodeMetrics,
        snapshots: Snapshots | None = None,
        crew: Crew | None = None,
    ) -> None:
        """`reading`: the log to read hands from: by another handle than the writer's, so that neither waits. `crew`:
        who looks after the tables; without one no clock runs."""
        self._log, self._reading, self._writer, self._claims, self._say = log, reading, writer, claims, say
        self._metrics, self._snapshots = metrics, snapshots
        self._keeper = Keeper(writer.room, claims, snapshots, crew)
        self._suggested = Suggested(frozenset(), 0)
        self._had: dict[int, int] = {}
        """The shards that the node had at its last look, with the turn of the suggestions then."""
        self._not_before: dict[int, float] = {}
        self._failed: dict[int, str] = {}
        self._shards = ShardFold(log)
        self._owners: dict[int, ShardClaimed | None] = {}
        """The last claims of others' shards, as far as they were read: a door that asks doesn't wait for the log."""
        self._followed = self._told_alive = 0.0
        self._answered = 0.0
        """When the log was last known to answer: in every round it is asked, and the writer is passed by."""
        self._away = ""
        self._leaving = False

    # What the door asks

    @property
    def room(self) -> str:
        return self._log.room

    def shard_of(self, owner: str) -> int:
        return shard_of(owner, self._log.shards)

    @property
    def owned(self) -> list[int]:
        """The shards that the node writes now."""
        return self._claims.shards

    def owner(self, shard: int) -> str | None:
        if shard in self._claims.shards:
            return self._claims.claimant.address
        newest = self._owners.get(shard)
        return None if newest is None or newest.node == self._claims.claimant.node else newest.address or None

    def submit(self, command: Command) -> "Future[Answer]":
        silence = self._silence()
        return _failed(AppendRefused(f"{silence}; nothing was recorded")) if silence else self._writer.submit(command)

    def look(self, table: str, see: Callable[[Play], T]) -> "Future[T]":
        return self._look(table_stream(table), lambda room: see(table_in(room, table)))

    def look_up(self, player: str, see: Callable[[Patron, int], T]) -> "Future[T]":
        return self._look(player_stream(player), lambda room: see(*patron_in(room, player)))

    def _look(self, owner: str, see: Callable[[Room], T]) -> "Future[T]":
        def seen(room: Room) -> T:
            self._claims.expected(self.shard_of(owner))
            return see(room)

        silence = self._silence()
        return _failed(LogError(silence)) if silence else self._writer.look(seen)

    def is_closed(self) -> "Future[bool]":
        def seen(room: Room) -> bool:
            if ROOMS_SHARD not in self._claims.shards:
                self._log.catch_up(ROOMS_SHARD)
            return isinstance(room.doors(), RoomClosed)

        silence = self._silence()
        return _failed(LogError(silence)) if silence else self._writer.look(seen)

    def facts(self, hand: str) -> list[Any]:
        return facts_of_hand(self._reading, hand)[0]

    def readiness(self) -> Readiness:
        owned, stopped = set(self._claims.shards), self._log.stopped
        shards = [
            Standing(
                shard,
                owned=shard in owned or shard in self._suggested.shards,
                lag=self._log.unread(shard),
                stopped=shard in stopped,
            )
            for shard in range(self._log.shards)
        ]
        return Readiness(tuple(shards), self._missing(owned))

    def _missing(self, owned: set[int]) -> str:
        if self._leaving:
            return "the node is going"
        if not self._suggested.turn:
            return "the group of nodes hasn't said yet which shards are this one's"
        silence = self._silence() or self._away
        if silence:
            return silence
        waits = sorted(self._suggested.shards - owned - self._log.stopped.keys())
        if not waits:
            return ""
        why = next((self._failed[shard] for shard in waits if shard in self._failed), "")
        return f"{_named(waits)} not taken over yet{f': {why}' if why else ''}"

    def _silence(self) -> str:
        """For how long the log hasn't answered; empty where that isn't long."""
        silent = monotonic() - self._answered if self._answered else 0.0
        return f"the log hasn't answered for {silent:.0f} s" if silent > SILENCE else ""

    # Keeping shards

    def keep(self, suggestions: Suggestions, until: threading.Event, outdated: threading.Event) -> None:
        """Keep what is suggested until the event is set, then let go of all of it at once.

        `outdated`: set where the log was raised to a revision that this build doesn't read: then others must go on
        alone, and LogError is raised.
        """
        with self._writing_snapshots(self._snapshots) if self._snapshots else nullcontext():
            try:
                while not until.wait(ROUND):
                    if outdated.is_set():
                        revision = "a revision that this build can't read: upgrade it"
                        raise LogError(f"the log of {self.room} is of {revision}")
                    self._keep_once(suggestions.now())
            finally:
                self._leaving = True
                for shard in self._claims.shards:
                    self._do(partial(self._keeper.let_go, shard))
                suggestions.leave()

    def _writing_snapshots(self, snapshots: Snapshots) -> AbstractContextManager[None]:
        return beside("snapshots", lambda until: snapshots.write(self._do, until))

    def _keep_once(self, suggested: Suggested) -> None:
        if suggested.turn != self._suggested.turn:
            self._begin_turn()
        self._suggested = suggested
        for shard in sorted(self._had.keys() - set(self._claims.shards)):
            self._notice_loss(shard)
        for shard in self._claims.shards:
            if shard not in suggested.shards:
                self._do(partial(self._keeper.let_go, shard))
                self._say(f"shard {shard} is let go: it is suggested to another node")
        for shard in sorted(suggested.shards - set(self._claims.shards)):
            if shard not in self._log.stopped and monotonic() >= self._not_before.get(shard, 0.0):
                self._take(shard)
        self._had = dict.fromkeys(self._claims.shards, suggested.turn)
        self._follow()
        self._keep_alive()
        self._answered = monotonic()

    def _begin_turn(self) -> None:
        """The group has spoken anew: what others claimed before that they don't keep against it."""
        self._not_before.clear()
        for shard in self._claims.shards:
            with suppress(LogError):  # the broker is away: it is known when something is written
                self._do(partial(self._keeper.check_owned, shard))

    def _notice_loss(self, shard: int) -> None:
        """Say why the shard isn't this node's any more. Who has claimed it since it was suggested keeps it for now."""
        self._metrics.lost(shard)
        self._do(partial(self._keeper.lost, shard))
        newest = self._owners[shard] = self._newest_claim(shard)
        if newest is None or newest.node == self._claims.claimant.node:
            self._say(f"shard {shard} was lost: somebody else wrote there, or an answer of the log didn't come")
            return
        self._say(f"shard {shard} was lost: node {newest.node} has claimed it")
        if self._had[shard] == self._suggested.turn:
            self._not_before[shard] = monotonic() + CONTESTED

    def _take(self, shard: int) -> None:
        try:
            taken = self._do(partial(self._keeper.take_over, shard))
        except LogError as error:
            if self._failed.get(shard) != str(error):
                self._say(f"shard {shard} can't be taken over: {error}")
            self._failed[shard] = str(error)
            self._not_before[shard] = monotonic() + WAIT
            return
        self._failed.pop(shard, None)
        self._metrics.taken_over(shard, len(taken.cancelled))
        self._say(_told(taken))

    def _follow(self) -> None:
        """Read what was recorded in the shards of others, so that they can be taken over at once.

        Where there are none, one of its own is asked, so that the node knows of a broker that is away.
        """
        if monotonic() - self._followed < FOLLOW:
            return
        self._followed = monotonic()
        own = self._claims.shards
        for shard in [shard for shard in range(self._log.shards) if shard not in own] or own[:1]:
            try:
                self._log.catch_up(shard)
            except BrokerAway as error:
                self._away = str(error)
                return
            except LogError:  # the shard is damaged: who takes it over says so
                continue
            self._owners[shard] = self._newest_claim(shard)
        self._away = ""
        self._do(self._keeper.see_doors)

    def _keep_alive(self) -> None:
        if monotonic() - self._told_alive < 1.0:
            return
        self._told_alive = monotonic()
        try:
            self._do(self._keeper.keep_alive)
        except LogError as error:
            self._say(f"no sign of life could be recorded: {error}")

    def _do(self, what: Callable[[], T]) -> T:
        """Do it in the writer's thread, between two batches."""
        return self._writer.look(lambda _: what()).result()

    def _newest_claim(self, shard: int) -> ShardClaimed | None:
        """The last claim that the shard has, as far as it was read."""
        return self._shards.now(shard).owner


def _failed(error: LogError) -> "Future[Any]":
    """What comes of something that isn't tried."""
    failed: Future[Any] = Future()
    failed.set_exception(error)
    return failed


def _named(shards: list[int]) -> str:
    return f"shard {shards[0]} is" if len(shards) == 1 else f"shards {listed([str(shard) for shard in shards])} are"


def _told(taken: TakenOver) -> str:
    said = [
        f"shard {taken.shard} is this node's: {counted(taken.tables, 'table')}",
        f"nothing was recorded for {seconds(taken.gap)}",
        f"hands that go on: {listed(taken.going_on) or 'none'}",
    ]
    return ", ".join([*said, f"cancelled: {listed(taken.cancelled)}"] if taken.cancelled else said)
