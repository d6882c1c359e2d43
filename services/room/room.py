"""The room's decisions: takes commands in batches, decides, appends, and only then answers (design, Group commit)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from domain import catalog
from domain.hand.dealing import OpenShoe
from domain.hand.invariants import Broken, check
from domain.messages import Command, Facts, Refused, table_stream
from domain.table.commands import DealHand
from domain.table.play import Play, play, table_of
from services.eventlog import body
from services.eventlog.commit import LIMIT, Head
from services.eventlog.log import Append, CorruptLog, Entry, HeadMoved, Log, LogError
from services.eventlog.mapper import UnreadableEvent, repository
from services.ids import BadId, time_of
from services.ports import Ports
from services.room.load import Answer, Known, load_hand, load_table

REMEMBERED = 24 * 3600 * 1_000_000
"""Microseconds for which a table keeps the ids of its commands; an older id is refused (design, Idempotence)."""

AHEAD = 300 * 1_000_000
"""Microseconds by which an id's time may be ahead of the room's clock."""

LARGEST_BODY = LIMIT - 400
"""Bytes of a body that leave room for any header."""

_FORGET_EVERY = 1024

Outcome = Answer | Exception


class TooLarge(LogError):
    """A decision that no record has room for: nothing was recorded."""


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
    """A decision that is not yet recorded."""

    place: int
    entry: Entry
    answer: Answer


class _Turn(NamedTuple):
    """One shard's part of a batch: its places, what was decided, what is left for after it, and the head before it."""

    shard: int
    places: list[int]
    decided: list[_Decided]
    left: list[int]
    expected: Head


class Room:
    """Decides commands over one log. Not for several threads at once: `Writer` gives it one."""

    def __init__(self, log: Log, ports: Ports) -> None:
        self.log = log
        self.ports = ports
        self._repository = repository(log)
        self._desks: dict[str, _Desk] = {}
        self._last_at = [self._at_of_head(shard) for shard in range(log.shards)]
        self._stopped: dict[int, ShardStopped] = {}

    def _at_of_head(self, shard: int) -> int:
        height = self.log.head(shard).height
        return body.decode(self.log.record(shard, height).body).at if height >= 0 else 0

    def execute(self, commands: Sequence[Command]) -> list[Outcome]:
        """The outcome of each command, in order: its answer, or why there is none.

        Refused: a rule; nothing happened. LogError: it could not be recorded, and its sentence says whether it may be.
        Each command sees what the earlier ones of the batch did. An answer is given only after the log holds it.
        """
        outcomes: list[Outcome] = [Refused("not decided")] * len(commands)
        waiting: dict[int, list[int]] = {}
        for place, command in enumerate(commands):
            shard = shard_of(table_stream(table_of(command.args)), self.log.shards)
            waiting.setdefault(shard, []).append(place)
        while waiting:
            waiting = self._execute_once(commands, waiting, outcomes)
        return outcomes

    def _execute_once(
        self, commands: Sequence[Command], waiting: dict[int, list[int]], outcomes: list[Outcome]
    ) -> dict[int, list[int]]:
        """Decide what waits, by shard, and append it all together; what must be decided again or later, by shard."""
        turns = []
        for shard, places in waiting.items():
            expected = self.log.head(shard)
            turns.append(_Turn(shard, places, *self._decide_in_turn(shard, commands, places, outcomes), expected))
        found = self.log.append_all(
            [Append(turn.shard, turn.expected, [one.entry for one in turn.decided]) for turn in turns]
        )
        left = {}
        for turn, outcome in zip(turns, found, strict=True):
            if places := self._after(turn, outcome, commands, outcomes):
                left[turn.shard] = places
        return left

    def _after(
        self, turn: _Turn, outcome: list[Head] | LogError, commands: Sequence[Command], outcomes: list[Outcome]
    ) -> list[int]:
        """What became of a turn's append: the places that are left to decide, or to decide again."""
        if not isinstance(outcome, LogError):
            return turn.left
        self._forget(commands, turn.places)
        if isinstance(outcome, HeadMoved):  # another writer came first; a prefix of ours may have been before it
            self._last_at[turn.shard] = self._at_of_head(turn.shard)
            recorded = {one.place for one in turn.decided[: len(outcome.accepted)]}
            return [place for place in turn.places if place not in recorded]
        for place in [one.place for one in turn.decided] + turn.left:
            outcomes[place] = outcome
        return []

    def _decide_in_turn(
        self, shard: int, commands: Sequence[Command], places: list[int], outcomes: list[Outcome]
    ) -> tuple[list[_Decided], list[int]]:
        """The decisions that must be recorded now, and the places that are left for after that.

        What can't be read, or breaks an invariant, stops the shard. After any other error, a defect, the table may be
        half changed in memory. Either way what was decided before is recorded first.
        """
        decided: list[_Decided] = []
        for at, place in enumerate(places):
            if shard in self._stopped:
                outcomes[place] = self._stopped[shard]
                continue
            try:
                one = self._outcome(shard, place, commands[place])
            except Refused as refused:
                outcomes[place] = refused
                continue
            except (UnreadableEvent, CorruptLog, Broken) as error:
                outcomes[place] = self._stopped[shard] = ShardStopped(f"shard {shard} is stopped: {error}")
                continue
            except Exception as error:  # noqa: BLE001 - a defect: its sender is told, the others are served
                outcomes[place] = error
                self._forget(commands, [place])
                return decided, places[at + 1 :]
            if isinstance(one, _Decided):
                decided.append(one)
            outcomes[place] = one.answer
        return decided, []

    def _outcome(self, shard: int, place: int, command: Command) -> "_Decided | Known":
        """A new decision, or the one that the command got before."""
        desk = self._desk(table_of(command.args))
        known = desk.of_hand.get(command.id) or desk.of_table.get(command.id)
        if known is not None:
            return _repeated(known, command)
        return self._decide(shard, place, desk, command)

    def _decide(self, shard: int, place: int, desk: _Desk, command: Command) -> _Decided:
        at = max(self.ports.now(), self._last_at[shard])
        of_hand = hasattr(command.args, "hand")
        if not of_hand:
            _check_age(command.id, at)
        facts = play(desk.play, command.args, self.ports.shuffled)
        if desk.play.hand is not None:
            check(desk.play.hand)
        self._last_at[shard] = at
        events = _as_recorded(facts, desk.play)
        name, rev, args = catalog.command.dump(command.args)
        envelope = {
            "id": command.id, "name": name, "rev": rev, "args": args, "by": command.by, "cause": command.cause,
        }  # fmt: skip
        entry = body.entry(at, envelope, events)
        if len(entry.body) > LARGEST_BODY:
            raise TooLarge(
                f"command {command.id} makes a commit of {len(entry.body):,} bytes: at most {LARGEST_BODY:,}"
            )
        known = Known(envelope, Answer(at, events))
        if of_hand:
            desk.of_hand[command.id] = known
        else:
            _remember(desk, known, command.args)
        return _Decided(place, entry, known.answer)

    def _desk(self, table: str) -> _Desk:
        desk = self._desks.get(table)
        if desk is None:
            desk = self._desks[table] = self._load(table)
        return desk

    def _load(self, table: str) -> _Desk:
        of_table: dict[str, Known] = {}
        of_hand: dict[str, Known] = {}
        state = load_table(self._repository, table, known=of_table)
        if state is None:
            return _Desk(Play(table))
        now = Play(table, state)
        if state.hands:
            now.hand = load_hand(self._repository, f"{table}-{state.hands}", known=of_hand)
        if now.hand is not None:
            now.shoe = OpenShoe(now.hand.opened.deck)
        return _Desk(now, _recent(of_table, self.ports.now()), of_hand)

    def _forget(self, commands: Sequence[Command], places: Sequence[int]) -> None:
        """Drop what was decided and not recorded; the next command loads the tables from the log."""
        for place in places:
            self._desks.pop(table_of(commands[place].args), None)

    def table(self, table: str) -> Play:
        """The table as it now is, with its newest hand. For looking at only."""
        return self._desk(table).play


def shard_of(owner: str, shards: int) -> int:
    """Where the owner of a stream, such as `table:t1`, writes (design, Format: streams)."""
    return int.from_bytes(sha256(owner.encode()).digest()[:8]) % shards


def _as_recorded(decided: Sequence[Facts], after: Play) -> list[dict[str, Any]]:
    """The events as a body has them: each with its version in its stream, whose last is the aggregate's after them."""
    table = table_stream(after.id)
    recorded: list[dict[str, Any]] = []
    ahead = {stream: 0 for stream, _ in decided}
    for stream, events in reversed(decided):
        aggregate = after.table if stream == table else after.hand
        assert aggregate is not None
        version = aggregate.version - ahead[stream]
        ahead[stream] += len(events)
        for event in reversed(events):
            entry = catalog.event.by_class[type(event)]
            recorded.append(body.fact(stream, version, entry.name, entry.rev, entry.dump(event)))
            version -= 1
    recorded.reverse()
    return recorded


def _repeated(known: Known, command: Command) -> Known:
    before = known.command
    if catalog.command.load(before["name"], before["rev"], before["args"]) != command.args:
        raise Refused(f"command {command.id} was given before with other arguments: a new command needs a new id")
    return known


def _check_age(id_: str, now: int) -> None:
    """An id may be repeated for 24 hours, so one that is older must not begin anything."""
    try:
        made = time_of(id_)
    except BadId as error:
        raise Refused(str(error)) from error
    if made < now - REMEMBERED:
        raise Refused(f"command {id_} was made more than 24 hours ago: look what came of it, then give a new one")
    if made > now + AHEAD:
        raise Refused(f"command {id_} was made more than 5 minutes in the future: set the clock that made it")


def _remember(desk: _Desk, known: Known, args: Any) -> None:
    """Note a table's command; a hand's are forgotten when the next one is dealt."""
    if type(args) is DealHand:
        desk.of_hand = {}
    desk.of_table[known.command["id"]] = known
    if len(desk.of_table) % _FORGET_EVERY == 0:
        desk.of_table = _recent(desk.of_table, known.answer.at)


def _recent(known: dict[str, Known], now: int) -> dict[str, Known]:
    return {id_: one for id_, one in known.items() if one.answer.at >= now - REMEMBERED}
