"""The room's decisions: takes commands in batches, decides, appends, and only then answers (design, Group commit)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain import catalog
from domain.hand.dealing import OpenShoe, SealBroken, Shoe, Shoes
from domain.hand.invariants import Broken, check
from domain.hand.state import Hand
from domain.messages import Command, Refused, table_stream
from domain.room import Shard
from domain.rules.registry import UnknownRevision
from domain.table.commands import DealHand
from domain.table.play import Play, play, table_of
from services.eventlog import body
from services.eventlog.commit import Head
from services.eventlog.log import Append, AppendUnknown, CorruptLog, Entry, HeadMoved, Log, LogError, NotOwner
from services.eventlog.mapper import UnreadableEvent, repository
from services.ports import Ports
from services.room.door import AHEAD, REMEMBERED, check_age, check_command, is_played
from services.room.load import Known, ShardFold, load_hand, load_table
from services.room.office import Office
from services.room.owners import Alone, Owner
from services.room.recording import Answer, answer_of, check_revision, entry, envelope, events_of
from services.room.shards import shard_of
from services.rulings import NoSuchHand, actions_since
from services.sealing.keyfile import NoKey
from services.snapshots.states import Desk, Stored

KEPT = REMEMBERED + AHEAD
"""Microseconds, from its commit on, for which a table's command is remembered: as long as its id is taken."""

_FORGET_EVERY = 1024

_EMPTY = OpenShoe((), tuple)
"""The shoe of a hand that is over: nothing more is dealt from it, so nothing is opened."""

Outcome = Answer | Exception


_STOPS = (UnreadableEvent, CorruptLog, UnknownRevision, Broken, SealBroken)
"""What a shard can't go on from: somebody must look."""


class ShardStopped(LogError):
    """The shard holds something that this build can't read, or that breaks an invariant: it takes no commands."""


@dataclass(slots=True)
class _Desk:
    """A table's aggregates in memory, and the commands that it and its newest hand remember."""

    play: Play
    of_table: dict[str, Known] = field(default_factory=dict)
    of_hand: dict[str, Known] = field(default_factory=dict)


@dataclass(slots=True)
class _Decided:
    """A decision that is not yet recorded, and the places in the batch that wait for it: a repeat waits too."""

    args: Any
    said: dict[str, Any]
    answer: Answer
    entry: Entry
    places: list[int]


class _Turn(NamedTuple):
    """One shard's part of a batch: the head before it, its places, what was decided, and what is left for after it."""

    shard: int
    expected: Head
    places: list[int]
    decided: list[_Decided]
    left: list[int]


class Room:
    """Decides commands over one log. Not for several threads at once: `Writer` gives it one."""

    def __init__(self, log: Log, ports: Ports, shoes: Shoes, owner: Owner | None = None) -> None:
        """`owner`: which shards the room writes; None for all of them, in a home that lets in nobody else."""
        self.log = log
        self.ports = ports
        self.shoes = shoes
        self._owner = owner or Alone(log)
        self._repository = repository(log)
        self._office = Office(log, self._repository, self._owner)
        self._shards = ShardFold(log)
        self._desks: dict[str, _Desk] = {}
        self._stored: dict[str, Stored] = {}
        self._tables: dict[int, set[str]] = {}
        self._last_at = [self._at_of_head(shard) for shard in range(log.shards)]
        self._stopped: dict[int, ShardStopped] = {}

    def _at_of_head(self, shard: int) -> int:
        height = self.log.head(shard).height
        return body.decode(self.log.record(shard, height).body).at if height >= 0 else 0

    def execute(self, commands: Sequence[Command]) -> list[Outcome]:
        """The outcome of each command, in order: its answer, or why there is none.

        Refused: a rule; nothing happened. LogError: it could not be recorded, and its sentence says whether it may be.
        Each command to a table sees what the earlier ones of the batch did; the office's come before them all. An
        answer is given only after the log holds it.
        """
        outcomes: list[Outcome] = [Refused("not decided")] * len(commands)
        waiting: dict[int, list[int]] = {}
        for place, command in enumerate(commands):
            try:
                check_command(command)
                if not is_played(command):
                    outcomes[place] = self._office.execute(command, self._now_at_head)
                    continue
                shard = self._shard_of(table_of(command.args))
                self._owner.expected(shard)
            except Exception as error:  # noqa: BLE001 - the sender is told, the others are served
                outcomes[place] = error
                continue
            waiting.setdefault(shard, []).append(place)
        while waiting:
            waiting = self._execute_once(commands, waiting, outcomes)
        return outcomes

    def _execute_once(
        self, commands: Sequence[Command], waiting: dict[int, list[int]], outcomes: list[Outcome]
    ) -> dict[int, list[int]]:
        """Decide what waits, by shard, and append it all together; what must be decided again or later, by shard."""
        turns = [self._decide_in_turn(shard, commands, places, outcomes) for shard, places in waiting.items()]
        found = self.log.append_all(
            [Append(turn.shard, turn.expected, [one.entry for one in turn.decided]) for turn in turns]
        )
        left = {}
        for turn, outcome in zip(turns, found, strict=True):
            if not isinstance(outcome, LogError):
                self._recorded(turn, outcome, outcomes)
                if not turn.decided:
                    self._confirm(turn, outcomes)
                places = turn.left
            else:
                self._forget(commands, turn.places)
                places = self._not_recorded(turn, outcome, outcomes)
            if places:
                left[turn.shard] = places
        return left

    # Deciding

    def _decide_in_turn(
        self, shard: int, commands: Sequence[Command], places: list[int], outcomes: list[Outcome]
    ) -> _Turn:
        """Decide a shard's commands one after the other, as far as that goes before the first must be recorded.

        What can't be read, or breaks an invariant, stops the shard. After any other error, a defect, the table may be
        half changed in memory. Either way what was decided before is recorded first.
        """
        turn = _Turn(shard, self._owner.expected(shard), places, [], [])
        pending: dict[str, _Decided] = {}
        for at, place in enumerate(places):
            if shard in self._stopped:
                outcomes[place] = self._stopped[shard]
                continue
            try:
                answer = self._outcome(turn, pending, place, commands[place])
            except Refused as refused:
                outcomes[place] = self._with_what_happened(refused, commands[place].args)
                self._forget_unknown(table_of(commands[place].args))
            except _STOPS as error:
                outcomes[place] = self._stopped[shard] = ShardStopped(f"shard {shard} is stopped: {error}")
            except Exception as error:  # noqa: BLE001 - a defect: its sender is told, the others are served
                outcomes[place] = error
                self._forget(commands, [place])
                turn.left.extend(places[at + 1 :])
                break
            else:
                if answer is not None:
                    outcomes[place] = answer
        return turn

    def _outcome(self, turn: _Turn, pending: dict[str, _Decided], place: int, command: Command) -> Answer | None:
        """The answer that the command got before; None where it must be recorded first, now or as a repeat of one."""
        before = pending.get(command.id)
        if before is not None:
            _check_same(before.args, command)
            before.places.append(place)
            return None
        desk = self._desk(table_of(command.args))
        known = desk.of_hand.get(command.id) or desk.of_table.get(command.id)
        if known is not None:
            record = self.log.record(turn.shard, known.height)
            said = body.decode(record.body).command
            _check_same(catalog.command.load(said["name"], said["rev"], said["args"]), command)
            return answer_of(record)
        decided = pending[command.id] = self._decide(turn.shard, place, desk, command)
        turn.decided.append(decided)
        return None

    def _with_what_happened(self, refused: Refused, args: Any) -> Refused:
        """The refusal; that of a stale decision says what players have done since, as far as it is recorded."""
        desk = self._desks.get(table_of(args))
        hand = None if desk is None else desk.play.hand
        decision = getattr(args, "decision", None)
        if hand is None or decision is None or args.hand != hand.id or decision >= hand.decision:
            return refused
        try:
            since = actions_since(self.log, hand.id, decision)
        except (NoSuchHand, LogError):
            return refused
        return Refused(f"{refused}; since then: {', '.join(since)}") if since else refused

    def _decide(self, shard: int, place: int, desk: _Desk, command: Command) -> _Decided:
        at = self._now(shard)
        if not _is_of_hand(command.args):
            check_age(command.id, at)
        facts = play(desk.play, command.args, self.shoes, at)
        if desk.play.hand is not None:
            check(desk.play.hand, None if desk.play.shoe is _EMPTY else desk.play.shoe)
        said, events = envelope(command), events_of(facts, desk.play)
        check_revision(events, self._shards, shard)
        return _Decided(command.args, said, Answer(at, events), entry(at, said, events), [place])

    def _now(self, shard: int) -> int:
        """The time of the shard's next commit, never before that of its last one."""
        self._last_at[shard] = max(self.ports.now(), self._last_at[shard])
        return self._last_at[shard]

    def _now_at_head(self, shard: int) -> int:
        """The same where another writer may have extended the shard."""
        self._see_head(shard)
        return self._now(shard)

    def _see_head(self, shard: int) -> None:
        """Take the time of the shard's last commit, which another writer may have made, without going back."""
        self._last_at[shard] = max(self._at_of_head(shard), self._last_at[shard])

    # After the append

    def _recorded(self, turn: _Turn, heads: Sequence[Head], outcomes: list[Outcome]) -> None:
        for one, head in zip(turn.decided, heads, strict=False):
            _remember(self._desks.get(table_of(one.args)), one, head.height)
            for place in one.places:
                outcomes[place] = one.answer
        if heads:
            self._owner.recorded(turn.shard, heads[-1])

    def _not_recorded(self, turn: _Turn, error: LogError, outcomes: list[Outcome]) -> list[int]:
        """The places that must be decided again: all but a prefix that was recorded, where the room goes on.

        Where it doesn't, the error is the outcome of every place from the first decision on that wasn't recorded, or of
        those left: what was refused after that was refused because of something that never happened. Only an old answer
        stands.
        """
        goes_on = False
        accepted: Sequence[Head] = ()
        if isinstance(error, HeadMoved | AppendUnknown):
            goes_on, accepted = self._goes_on(turn.shard, error), error.accepted
        recorded, rest = turn.decided[: len(accepted)], turn.decided[len(accepted) :]
        for one in recorded:
            for place in one.places:
                outcomes[place] = one.answer
        if goes_on:
            self._see_head(turn.shard)
            answered = {place for one in recorded for place in one.places}
            return [place for place in turn.places if place not in answered]
        first = min([one.places[0] for one in rest] + turn.left, default=len(outcomes))
        if isinstance(error, HeadMoved):  # another wrote before all of it: no refusal rests on what is
            first = 0
        for place in turn.places:
            if place >= first and not isinstance(outcomes[place], Answer):
                outcomes[place] = NotOwner(turn.shard) if isinstance(error, HeadMoved) else error
        return []

    def _confirm(self, turn: _Turn, outcomes: list[Outcome]) -> None:
        """Take back refusals that rest on a past in which another has written since. An append that was recorded says
        as much."""
        refused = [place for place in turn.places if place not in turn.left and isinstance(outcomes[place], Refused)]
        if not refused:
            return
        error: LogError = NotOwner(turn.shard)
        try:
            if self._owner.confirm(turn.shard):
                return
            self.restore(turn.shard, {}, ())
        except LogError as unknown:
            error = unknown
        for place in refused:
            outcomes[place] = error

    def _goes_on(self, shard: int, error: HeadMoved | AppendUnknown) -> bool:
        """Whether the room still writes the shard. If not, what it has in memory of it is of the past."""
        owner = self._owner
        goes_on = owner.moved(shard) if isinstance(error, HeadMoved) else owner.unknown(shard)
        if not goes_on:
            self.restore(shard, {}, ())
        return goes_on

    # Desks

    def _desk(self, table: str) -> _Desk:
        desk = self._desks.get(table)
        if desk is None:
            desk = self._desks[table] = self._load(table)
            self._tables.get(self._shard_of(table), set()).add(table)
        return desk

    def _load(self, table: str) -> _Desk:
        stored = self._stored.get(table)
        since = Desk() if stored is None else stored.desk()
        state = load_table(self._repository, table, since.of_table, since.table)
        if state is None:
            return _Desk(Play(table))
        now = Play(table, state)
        if state.hands:
            newest = f"{table}-{state.hands}"
            if since.hand is not None and since.hand.id != newest:
                since.hand, since.of_hand = None, {}
            now.hand = load_hand(self._repository, newest, since.of_hand, since.hand)
        if now.hand is not None:
            now.shoe = self._shoe_of(now.hand)
        # By the time that ids are checked against: the clock may be ahead of it now, and set right before it is used.
        return _Desk(now, _recent(since.of_table, self._last_at[self._shard_of(table)]), since.of_hand)

    def _shoe_of(self, hand: Hand) -> Shoe:
        """What is dealt from. Raises NoKey where the hand can't go on: other tables can."""
        if hand.settled:
            return _EMPTY
        try:
            return self.shoes.of(hand)
        except NoKey as error:
            raise NoKey(f"hand {hand.id} can't go on without the key that its deck is sealed under: {error}") from error

    def _forget(self, commands: Sequence[Command], places: Sequence[int]) -> None:
        """Drop what was decided and not recorded; the next command loads the tables from the log."""
        for place in places:
            self._desks.pop(table_of(commands[place].args), None)

    def record(self, command: Command) -> Answer:
        """Record what the room itself says of a shard, such as that its owner is there. Raises Refused, LogError."""
        return self._office.record(command, self._now_at_head)

    def last_at(self, shard: int) -> int:
        """The time of the shard's last commit (UTC microseconds)."""
        return self._last_at[shard]

    def stands(self, shard: int) -> tuple[int, Shard]:
        """The version of the shard's own stream, and what it comes to."""
        return self._shards.stands(shard)

    def hands_under_way(self, shard: int) -> list[Hand]:
        """The hands of a restored shard that aren't over. A table that can't be read is passed over: whoever asks
        anything of it is told why. For looking at only."""
        found = []
        for table in sorted(self._tables.get(shard, ())):
            try:
                hand = self._desk(table).play.hand
            except (*_STOPS, LogError, NoKey):
                continue
            if hand is not None and not hand.settled:
                found.append(hand)
        return found

    def restore(self, shard: int, stored: Mapping[str, Stored], since: Iterable[str]) -> None:
        """Forget what is in memory of a shard, and go on from the tables of a snapshot that its log has confirmed.

        `since`: the tables that were opened there after it; all of them where there is none.
        """
        for held in (self._desks, self._stored):
            for table in [table for table in held if self._shard_of(table) == shard]:
                del held[table]
        self._stored.update(stored)
        self._tables[shard] = {*stored, *since}
        self._stopped.pop(shard, None)
        self._see_head(shard)

    def head(self, shard: int) -> Head:
        """The head that what is in memory of a shard stands at. Raises NotOwner where the log has moved beyond it."""
        head = self._owner.expected(shard)
        if self.log.head(shard) != head:
            raise NotOwner(shard)
        return head

    def desks_of(self, shard: int) -> Iterator[tuple[str, Desk]]:
        """Every table of a shard that was restored, for the next snapshot. For looking at only."""
        for table in sorted(self._tables[shard]):
            desk = self._desk(table)
            if desk.play.table is not None:
                yield table, Desk(desk.play.table, desk.play.hand, desk.of_table, desk.of_hand)

    def _shard_of(self, table: str) -> int:
        return shard_of(table_stream(table), self.log.shards)

    def _forget_unknown(self, table: str) -> None:
        """Keep no desk for a table that was never opened: anybody could name as many as he likes."""
        if table in self._desks and self._desks[table].play.table is None:
            del self._desks[table]
            self._tables.get(self._shard_of(table), set()).discard(table)

    def table(self, table: str) -> Play:
        """The table as it now is, with its newest hand. For looking at only."""
        return self._desk(table).play


def _is_of_hand(args: Any) -> bool:
    return hasattr(args, "hand")


def _check_same(before: Any, command: Command) -> None:
    if before != command.args:
        raise Refused(f"command {command.id} was given before with other arguments: a new command needs a new id")


def _remember(desk: _Desk | None, one: _Decided, height: int) -> None:
    """Note a recorded command; a hand's are forgotten when the next hand is dealt."""
    if desk is None:  # dropped meanwhile: it will be loaded with its commands
        return
    known = Known(one.answer.at, height)
    if _is_of_hand(one.args):
        desk.of_hand[one.said["id"]] = known
        return
    if type(one.args) is DealHand:
        desk.of_hand = {}
    desk.of_table[one.said["id"]] = known
    if len(desk.of_table) % _FORGET_EVERY == 0:
        desk.of_table = _recent(desk.of_table, known.at)


def _recent(known: dict[str, Known], now: int) -> dict[str, Known]:
    return {id_: one for id_, one in known.items() if one.at >= now - KEPT}
