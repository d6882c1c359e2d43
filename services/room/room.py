"""The room's decisions: takes commands in batches, decides, appends, and only then answers (design, Group commit)."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from domain import catalog
from domain.account.invariants import check as check_account
from domain.account.state import Patron
from domain.desk import Desk, is_of_hand, is_unknown, owner_of, play_desk, under_way
from domain.hand.dealing import OpenShoe, SealBroken, Shoe, Shoes
from domain.hand.invariants import Broken, check
from domain.hand.state import Hand
from domain.messages import ROOM_STREAM, AlreadyDone, Command, Refused, player_stream, table_stream
from domain.room import Doors, RoomClosed, Shard
from domain.rules.registry import UnknownRevision
from domain.table.commands import DealHand
from domain.table.floor import ROOM_CLOSED
from domain.table.play import Play
from domain.transfers import Sent
from services.eventlog import body
from services.eventlog.commit import Head
from services.eventlog.log import Append, AppendUnknown, CorruptLog, Entry, HeadMoved, Log, LogError, NotOwner
from services.eventlog.mapper import UnreadableEvent, repository
from services.ports import Ports
from services.room.door import AHEAD, REMEMBERED, check_age, check_command, check_table_is_there, is_played
from services.room.load import Known, RoomFold, ShardFold, load_hand, load_patron, load_table
from services.room.office import Office
from services.room.owners import Alone, Owner
from services.room.recording import Answer, Told, answer_of, check_revision, entry, envelope, events_of, outcome_again
from services.room.shards import shard_of
from services.rulings import NoSuchHand, actions_since
from services.sealing.keyfile import NoKey
from services.snapshots import states
from services.snapshots.patrons import StoredPatrons
from services.snapshots.states import Stored

KEPT = REMEMBERED + AHEAD
"""Microseconds, from its commit on, for which an owner's command is remembered: as long as its id is taken."""

_FORGET_EVERY = 1024

_EMPTY = OpenShoe((), tuple)
"""The shoe of a hand that is over: nothing more is dealt from it, so nothing is opened."""

Outcome = Answer | Exception

_LOG = logging.getLogger("handlog.room")


_STOPS = (UnreadableEvent, CorruptLog, UnknownRevision, Broken, SealBroken)
"""What a shard can't go on from: somebody must look."""


class ShardStopped(LogError):
    """The shard holds something that this build can't read, or that breaks an invariant: it takes no commands."""


@dataclass(slots=True)
class _Desk:
    """An owner's aggregates in memory, and the commands that they remember: a table's newest hand its own."""

    now: Desk
    of_owner: dict[str, Known] = field(default_factory=dict)
    of_hand: dict[str, Known] = field(default_factory=dict)


@dataclass(slots=True)
class _Decided:
    """A decision that is not yet recorded, and the places in the batch that wait for it: a repeat waits too."""

    owner: str
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
        self._room = RoomFold(log)
        self.listeners: list[Listener] = []
        """Told of what was recorded, in this room's thread: each must be quick."""
        self._desks: dict[str, _Desk] = {}
        """By owner, as are those of a snapshot."""
        self._stored: dict[str, Stored] = {}
        self._tables: dict[int, set[str]] = {}
        self._patrons: dict[int, StoredPatrons] = {}
        """By shard, as a snapshot has them."""
        self._changed: dict[int, set[str]] = {}
        """By shard, the players who aren't as the last snapshot has them, or may not be."""
        self._told: list[Told] = []
        self._last_at = [self._at_of_head(shard) for shard in range(log.shards)]
        self._stopped: dict[int, ShardStopped] = {}

    def _at_of_head(self, shard: int) -> int:
        height = self.log.head(shard).height
        return body.decode(self.log.record(shard, height).body).at if height >= 0 else 0

    def execute(self, commands: Sequence[Command]) -> list[Outcome]:
        """The outcome of each command, in order: its answer, or why there is none.

        Refused: a rule; nothing happened. LogError: it could not be recorded, and its sentence says whether it may be.
        Each command to an owner sees what the earlier ones of the batch did; the office's come before them all. An
        answer is given only after the log holds it.
        """
        outcomes = [_given(*both) for both in zip(commands, self._execute(commands), strict=True)]
        self._tell()
        return outcomes

    def _tell(self) -> None:
        told, self._told = self._told, []
        for listener in self.listeners if told else ():
            try:
                listener(self, told)
            except Exception:  # noqa: BLE001 - its defect: what was recorded is answered all the same
                _LOG.exception("a listener of the room failed")

    def _execute(self, commands: Sequence[Command]) -> list[Outcome]:
        outcomes: list[Outcome] = [Refused("not decided")] * len(commands)
        waiting: dict[int, list[int]] = {}
        for place, command in enumerate(commands):
            try:
                check_command(command)
                if not is_played(command):
                    outcomes[place] = self._by_the_office(command)
                    continue
                shard = self._shard_of(owner_of(command.args))
                self._owner.expected(shard)
            except Exception as error:  # noqa: BLE001 - the sender is told, the others are served
                outcomes[place] = error
                continue
            waiting.setdefault(shard, []).append(place)
        while waiting:
            waiting = self._execute_once(commands, waiting, outcomes)
        return outcomes

    def _by_the_office(self, command: Command) -> Answer:
        answer = self._office.execute(command, self._now_at_head)
        place = self._office.place(command.args)
        if place.stream == ROOM_STREAM:
            self._told.append(Told(place.shard, ROOM_STREAM, answer))
        return answer

    def _execute_once(
        self, commands: Sequence[Command], waiting: dict[int, list[int]], outcomes: list[Outcome]
    ) -> dict[int, list[int]]:
        """Decide what waits, by shard, and append it all together; what must be decided again or later, by shard."""
        turns = []
        for shard, places in waiting.items():
            try:
                turns.append(self._decide_in_turn(shard, commands, places, outcomes))
            except NotOwner as lost:  # since the batch began, by what the office was asked in it
                for place in places:
                    outcomes[place] = lost
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

        What can't be read, or breaks an invariant, stops the shard. After any other error, a defect, the owner may be
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
                self._forget_unknown(owner_of(commands[place].args))
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
        owner = owner_of(command.args)
        desk = self._desk(owner)
        known = desk.of_hand.get(command.id) or desk.of_owner.get(command.id)
        if known is not None:
            record = self.log.record(turn.shard, known.height)
            said = body.decode(record.body).command
            _check_same(catalog.command.load(said["name"], said["rev"], said["args"]), command)
            return answer_of(record)
        decided = pending[command.id] = self._decide(turn.shard, place, owner, desk, command)
        turn.decided.append(decided)
        return None

    def _with_what_happened(self, refused: Refused, args: Any) -> Refused:
        """The refusal; that of a stale decision says what players have done since, as far as it is recorded."""
        if not is_of_hand(args):
            return refused
        desk = self._desks.get(owner_of(args))
        hand = desk.now.hand if desk is not None and isinstance(desk.now, Play) else None
        decision = getattr(args, "decision", None)
        if hand is None or decision is None or args.hand != hand.id or decision >= hand.decision:
            return refused
        try:
            since = actions_since(self.log, hand.id, decision)
        except (NoSuchHand, LogError):
            return refused
        return Refused(f"{refused}; since then: {', '.join(since)}") if since else refused

    def _decide(self, shard: int, place: int, owner: str, desk: _Desk, command: Command) -> _Decided:
        at = self._now(shard)
        if not is_of_hand(command.args):
            check_age(command.id, at)
        check_table_is_there(self.log, command.args)
        self._check_is_open(command.args)
        now = desk.now
        facts = play_desk(now, command.args, self.shoes, at)
        _check(now)
        said, events = envelope(command), events_of(facts, now)
        check_revision(events, self._shards, shard)
        return _Decided(owner, command.args, said, Answer(at, events), entry(at, said, events), [place])

    def _check_is_open(self, args: Any) -> None:
        """Raise Refused for a new hand in a room that is known to be closed: its table may not have its fact yet, and
        who closed the room was answered. Where the doors can't be read, the porter says so."""
        if type(args) is DealHand:
            with suppress(LogError):
                if isinstance(self.doors(), RoomClosed):
                    raise Refused(ROOM_CLOSED)

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
            _remember(self._desks.get(one.owner), one, head.height)
            self._note_changed(one.owner)
            self._told.append(Told(turn.shard, one.owner, one.answer))
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
            self._told.append(Told(turn.shard, one.owner, one.answer))
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
        """Whether the room still writes the shard. If not, or if another wrote there, what it has in memory of all of
        the shard is of the past."""
        owner = self._owner
        goes_on = owner.moved(shard) if isinstance(error, HeadMoved) else owner.unknown(shard)
        if not goes_on or isinstance(error, HeadMoved):
            self.restore(shard, {}, ())
        return goes_on

    # Desks

    def _desk(self, owner: str) -> _Desk:
        desk = self._desks.get(owner)
        if desk is None:
            desk = self._desks[owner] = self._load(owner)
            if isinstance(desk.now, Play):
                self._tables.get(self._shard_of(owner), set()).add(desk.now.id)
        return desk

    def _load(self, owner: str) -> _Desk:
        kind, _, id_ = owner.partition(":")
        desk = self._load_patron(id_) if kind == "player" else self._load_table(id_)
        # By the time that ids are checked against: the clock may be ahead of it now, and set right before it is used.
        desk.of_owner = _recent(desk.of_owner, self._last_at[self._shard_of(owner)])
        return desk

    def _load_table(self, table: str) -> _Desk:
        stored = self._stored.get(table_stream(table))
        since = states.Desk() if stored is None else stored.desk()
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
        return _Desk(now, since.of_table, since.of_hand)

    def _load_patron(self, player: str) -> _Desk:
        """He goes on from the snapshot, if that has him."""
        stored = self._patrons.get(self._shard_of(player_stream(player)))
        since = None if stored is None else stored.patron(player)
        patron, known = since or (Patron(player), {})
        return _Desk(load_patron(self._repository, player, known, patron), known)

    def _shoe_of(self, hand: Hand) -> Shoe:
        """What is dealt from. Raises NoKey where the hand can't go on: other tables can."""
        if hand.settled:
            return _EMPTY
        try:
            return self.shoes.of(hand)
        except NoKey as error:
            raise NoKey(f"hand {hand.id} can't go on without the key that its deck is sealed under: {error}") from error

    def _note_changed(self, owner: str) -> None:
        kind, _, player = owner.partition(":")
        if kind == "player":
            self._changed.setdefault(self._shard_of(owner), set()).add(player)

    def _forget(self, commands: Sequence[Command], places: Sequence[int]) -> None:
        """Drop what was decided and not recorded; the next command loads its owner from the log."""
        for place in places:
            owner = owner_of(commands[place].args)
            self._desks.pop(owner, None)
            self._note_changed(owner)  # what of it was recorded needn't be known here

    def record(self, command: Command) -> Answer:
        """Record what the room itself says of a shard, such as that its owner is there. Raises Refused, LogError."""
        return self._office.record(command, self._now_at_head)

    def last_at(self, shard: int) -> int:
        """The time of the shard's last commit (UTC microseconds)."""
        return self._last_at[shard]

    def stands(self, shard: int) -> tuple[int, Shard]:
        """The version of the shard's own stream, and what it comes to."""
        return self._shards.stands(shard)

    def doors(self) -> Doors:
        """What was done last to the doors of the room, as far as its log was read. Raises LogError."""
        return self._room.doors()

    def tables(self) -> list[Play]:
        """Those of all shards that the room writes, but those that can't be read. For looking at only."""
        return [now for shard in range(self.log.shards) for now in self.tables_of(shard)]

    def hands_under_way(self, shard: int) -> list[Hand]:
        """The hands of a restored shard that aren't over. A table that can't be read is passed over: whoever asks
        anything of it is told why. For looking at only."""
        return [now.hand for now in self.tables_of(shard) if now.hand is not None and not now.hand.settled]

    def tables_of(self, shard: int) -> list[Play]:
        """The tables of a shard, but those that can't be read; none where others write it. For looking at only."""
        try:
            self._owner.expected(shard)
        except NotOwner:
            return []
        found = []
        known = self._tables.get(shard)
        for table in sorted(self.log.tables(shard) if known is None else known):
            with suppress(*_STOPS, LogError, NoKey):
                found.append(self.table(table))
        return found

    def restore(
        self,
        shard: int,
        stored: Mapping[str, Stored],
        since: Iterable[str],
        patrons: Iterable[bytes] = (),
        changed: Iterable[str] = (),
    ) -> None:
        """Forget what is in memory of a shard, and go on from a snapshot that its log has confirmed.

        `stored`: its tables. `since`: the tables that were opened there after it; all of them where there is none.
        `patrons`: the drawers of its patrons. `changed`: the players of whom something was recorded after it.
        """
        for held in (self._desks, self._stored):
            for owner in [owner for owner in held if self._shard_of(owner) == shard]:
                del held[owner]
        self._stored.update({table_stream(table): one for table, one in stored.items()})
        self._tables[shard] = {*stored, *since}
        self._patrons[shard] = StoredPatrons(patrons)
        self._changed[shard] = set(changed)
        self._stopped.pop(shard, None)
        self._see_head(shard)

    def head(self, shard: int) -> Head:
        """The head that what is in memory of a shard stands at. Raises NotOwner where the log has moved beyond it."""
        head = self._owner.expected(shard)
        if self.log.head(shard) != head:
            raise NotOwner(shard)
        return head

    def desks_of(self, shard: int) -> Iterator[tuple[str, states.Desk]]:
        """Every table of a shard that was restored, for the next snapshot. For looking at only."""
        for table in sorted(self._tables[shard]):
            now, desk = self.table(table), self._desk(table_stream(table))
            if now.table is not None:
                yield table, states.Desk(now.table, now.hand, desk.of_owner, desk.of_hand)

    def patron_of(self, player: str) -> tuple[Patron, dict[str, Known]]:
        """A patron and the commands that he remembers, for the next snapshot: who isn't in memory doesn't stay there.
        For looking at only. Raises LogError."""
        owner = player_stream(player)
        desk = self._desks.get(owner) or self._load(owner)
        assert isinstance(desk.now, Patron)
        return desk.now, _recent(desk.of_owner, self._last_at[self._shard_of(owner)])

    def changed_patrons(self, shard: int) -> set[str]:
        """The players of whom something was recorded since the last snapshot of the shard, or may have been."""
        return self._changed.setdefault(shard, set())

    def patrons_to_look_at(self, shard: int) -> set[str]:
        """The players of a shard that was just restored who may have something under way."""
        return self._patrons[shard].under_way() | self._changed[shard]

    def _shard_of(self, owner: str) -> int:
        return shard_of(owner, self.log.shards)

    def _forget_unknown(self, owner: str) -> None:
        """Keep no desk for a table that was never opened, or a player of whom nothing is recorded: anybody could name
        as many as he likes."""
        if owner in self._desks and is_unknown(self._desks[owner].now):
            del self._desks[owner]
            self._tables.get(self._shard_of(owner), set()).discard(owner.partition(":")[2])

    def table(self, table: str) -> Play:
        """The table as it now is, with its newest hand. For looking at only."""
        now = self._desk(table_stream(table)).now
        assert isinstance(now, Play)
        return now

    def under_way(self, owner: str) -> list[tuple[str, Sent]]:
        """What the owner's streams have sent and not closed yet: of a pair the oldest first."""
        return under_way(self._desk(owner).now)

    def patron(self, player: str) -> Patron:
        """The player's file and his accounts as they now are. For looking at only."""
        now = self._desk(player_stream(player)).now
        assert isinstance(now, Patron)
        return now


Listener = Callable[[Room, Sequence[Told]], object]
"""Told of the commits of a batch, all of which the log holds."""


def _given(command: Command, outcome: Outcome) -> Outcome:
    """What the sender is given: where it was done before, what came of it then. It was a refusal until the log was
    known to hold what it rests on."""
    return outcome_again(command, outcome) if isinstance(outcome, AlreadyDone) else outcome


def _check(now: Desk) -> None:
    """Every invariant of what a decision has touched. Raises Broken."""
    if isinstance(now, Patron):
        for account in now.accounts.values():
            check_account(account)
    elif now.hand is not None:
        check(now.hand, None if now.shoe is _EMPTY else now.shoe)


def _check_same(before: Any, command: Command) -> None:
    """Raise Refused for a repeat with other arguments. A reason isn't compared: its text was sealed anew."""
    if _but_for_the_reason(before) != _but_for_the_reason(command.args):
        raise Refused(f"command {command.id} was given before with other arguments: a new command needs a new id")


def _but_for_the_reason(args: Any) -> Any:
    return replace(args, reason="") if hasattr(args, "reason") else args


def _remember(desk: _Desk | None, one: _Decided, height: int) -> None:
    """Note a recorded command; a hand's are forgotten when the next hand is dealt."""
    if desk is None:  # dropped meanwhile: it will be loaded with its commands
        return
    known = Known(one.answer.at, height)
    if is_of_hand(one.args):
        desk.of_hand[one.said["id"]] = known
        return
    if type(one.args) is DealHand:
        desk.of_hand = {}
    desk.of_owner[one.said["id"]] = known
    if len(desk.of_owner) % _FORGET_EVERY == 0:
        desk.of_owner = _recent(desk.of_owner, known.at)


def _recent(known: dict[str, Known], now: int) -> dict[str, Known]:
    return {id_: one for id_, one in known.items() if one.at >= now - KEPT}
