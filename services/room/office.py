"""The office: what is recorded of the room itself, of a shard, and of hands after they were played.

Such commands are rare and concern no table, so each is a commit of its own, appended before its answer is given.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

from eventsourcing.application import Repository
from pydantic import TypeAdapter, ValidationError

from domain import catalog
from domain.catalog import InvalidMessage
from domain.messages import ROOM_STREAM, Command, Person, Refused, shard_stream, table_stream
from domain.room import (
    AcceptLoss,
    ChangeKey,
    ClaimShard,
    CloseDay,
    CloseRoom,
    KeepAlive,
    KeyChanged,
    LossAccepted,
    RaiseRevision,
    ReopenRoom,
    RevisionRaised,
    ShardAlive,
    ShardClaimed,
    close_room,
    reopen_room,
)
from domain.rules.phrases import counted
from domain.rulings.opening import OpenCards, open_cards
from domain.rulings.reasons import EraseReason, ReasonErased, erase_reason
from domain.table.play import table_of
from services.eventlog import body
from services.eventlog.log import AppendUnknown, Entry, HeadMoved, Log, NotOwner
from services.evidence import merkle
from services.room.days import close_day
from services.room.door import check_age
from services.room.load import RoomFold, ShardFold, load_hand
from services.room.owners import Alone, Owner
from services.room.recording import Answer, answer_of, check_revision, entry, envelope
from services.room.shards import ROOMS_SHARD, shard_of
from services.staff_decisions import decision_at, erasures


class Place(NamedTuple):
    """Where an office's fact stands."""

    shard: int
    stream: str


_PERSON: TypeAdapter[str] = TypeAdapter(Person)


def check_person(who: str, what: str) -> None:
    """Raise Refused unless the text refers to somebody as events do. `what`: his part, such as "the second"."""
    try:
        named = _PERSON.validate_python(who)
    except ValidationError:
        named = ""
    if not named:
        raise Refused(
            f"{who!r:.80} names nobody as {what}: write 1 to 64 of a-z, digits and the signs : . _ -, such as floor:ann"
        )


class Office:
    """Records over the log of a room. `at` of a commit is never before its shard's last, which the caller knows."""

    def __init__(self, log: Log, repository: Repository[str], owner: Owner | None = None) -> None:
        self._log = log
        self._repository = repository
        self._owner = owner or Alone(log)
        self._shards = ShardFold(log)
        self._room = RoomFold(log)

    def place(self, args: Any) -> Place:
        """Where a command's facts stand."""
        match args:
            case OpenCards():
                return Place(shard_of(table_stream(table_of(args)), self._log.shards), f"audit:{args.hand}")
            case AcceptLoss() | ClaimShard() | KeepAlive() | RaiseRevision():
                return Place(args.shard, shard_stream(args.shard))
            case _:
                return Place(ROOMS_SHARD, ROOM_STREAM)

    def execute(self, command: Command, now: Callable[[int], int]) -> Answer:
        """The answer, once it is recorded; `now` gives the time of a shard's next commit (UTC microseconds).

        Raises Refused, or LogError where it couldn't be recorded.
        """
        if isinstance(command.args, ClaimShard | KeepAlive):
            raise Refused("a node claims a shard and keeps it alive, nobody commands it: start one, or stop its owner")
        return self.record(command, now)

    def record(self, command: Command, now: Callable[[int], int]) -> Answer:
        """The same for what the room itself asks."""
        place = self._checked_place(command.args)
        check_person(command.by, "the one who asks (by)")
        while True:
            head = self._owner.expected(place.shard)
            before = None if isinstance(command.args, KeepAlive) else self._answered(place, command)
            if before is not None:
                return before
            at = now(place.shard)
            check_age(command.id, at)
            try:
                events = self._facts(place.stream, self._decide(command, head.height + 1, at))
            except Refused:
                if self._owner.confirm(place.shard):
                    raise
                raise NotOwner(place.shard) from None
            check_revision(events, self._shards, place.shard)
            try:
                heads = self._log.append(place.shard, head, [entry(at, envelope(command), events)])
            except HeadMoved as moved:  # by another writer, who may have recorded this very command
                if not self._owner.moved(place.shard):
                    raise NotOwner(place.shard) from moved
            except AppendUnknown:
                if not self._owner.unknown(place.shard):
                    raise
            else:
                self._owner.recorded(place.shard, heads[-1])
                return Answer(at, events)

    def entry_of(self, command: Command, at: int) -> Entry:
        """A claim, a keep-alive or a raise of the revision as the log is given it, by a node that appends it itself: at
        the head that it has read, a claim as one. Elsewhere its shard has moved on, and what it says may be wrong.

        `at`: UTC microseconds, not before the shard's last commit. Raises Refused.
        """
        place = self._checked_place(command.args)
        events = self._facts(place.stream, self._decide(command, self._log.head(place.shard).height + 1, at))
        return entry(at, envelope(command), events)

    def _checked_place(self, args: Any) -> Place:
        place = self.place(args)
        if not 0 <= place.shard < self._log.shards:
            raise Refused(f"there is no shard {place.shard}: this room has shards 0 to {self._log.shards - 1}")
        return place

    def _answered(self, place: Place, command: Command) -> Answer | None:
        """What a repeat of a command gets; these streams are short."""
        for record in self._log.stream_commits(place.stream):
            said = body.decode(record.body).command
            if said["id"] == command.id:
                asked = envelope(command)
                if (asked["name"], _but_for_the_reason(asked)) != (said["name"], _but_for_the_reason(said)):
                    raise Refused(f"command {command.id} was given before with other arguments: it needs a new id")
                return answer_of(record)
        return None

    def _facts(self, stream: str, events: list[Any]) -> list[body.Fact]:
        """The events as a body has them. Refused for one that couldn't be read again: its shard would stand still."""
        version = self._log.stream_version(stream) or 0
        made = []
        for at, event in enumerate(events, start=version + 1):
            name, rev, data = catalog.event.dump(event)
            try:
                catalog.event.load(name, rev, data)
            except InvalidMessage as error:
                raise Refused(str(error)) from error
            made.append(body.fact(stream, at, name, rev, data))
        return made

    def _decide(self, command: Command, commits: int, at: int) -> list[Any]:
        """What becomes of a command at a time (UTC microseconds); its shard has so many commits."""
        args = command.args
        match args:
            case OpenCards():
                hand = load_hand(self._repository, args.hand)
                if hand is None:
                    raise Refused(f"there is no hand {args.hand} in this log: `handlog hands` lists them")
                return open_cards(hand, args, command.by)
            case ChangeKey():
                return [KeyChanged(args.key_id)]
            case AcceptLoss():
                return [self._loss(args, command.by, commits)]
            case ClaimShard():
                return [ShardClaimed(args.node, args.address, args.software, args.reads)]
            case KeepAlive():
                return [ShardAlive()]
            case RaiseRevision():
                return [self._raise(args)]
            case CloseDay():
                return [close_day(self._log, args, command.by, at)]
            case CloseRoom():
                return [close_room(self._room.doors(), args, command.by)]
            case EraseReason():
                return [self._erasure(args, command.by)]
            case ReopenRoom():
                return [reopen_room(self._room.doors(), args, command.by)]
            case _:
                raise Refused(f"the office knows no command {type(args).__name__}")

    def _raise(self, asked: RaiseRevision) -> RevisionRaised:
        now = self._shards.now(asked.shard).revision
        if not now < asked.revision <= catalog.READS:
            raise Refused(
                f"shard {asked.shard} is written in revision {now} of the log and this build reads up to "
                f"{catalog.READS}: it can't be raised to {asked.revision}"
            )
        return RevisionRaised(asked.revision)

    def _loss(self, asked: AcceptLoss, by: str, commits: int) -> LossAccepted:
        if asked.second in ("", by) or not asked.reason:
            raise Refused(
                "a loss is accepted by two people and for a reason: name another one as the second, and say why"
            )
        if asked.commits != commits:
            raise Refused(
                f"shard {asked.shard} has {counted(commits, 'commit')} by now, not {asked.commits}: look again "
                "what was lost, then accept that"
            )
        if asked.size <= commits and self._root(asked.shard, asked.size).hex() == asked.root:
            raise Refused(
                f"shard {asked.shard} begins with the {counted(asked.size, 'commit')} of that checkpoint: none is lost"
            )
        return LossAccepted(asked.commits, asked.size, asked.root, by, asked.second, asked.reason)

    def _erasure(self, asked: EraseReason, by: str) -> ReasonErased:
        decision = decision_at(self._log, asked.shard, asked.height)
        before = erasures(self._log).get((asked.shard, asked.height))
        return erase_reason(asked, decision.reason, before and before.event, by)

    def _root(self, shard: int, size: int) -> bytes:
        """The root over the shard's first commits, as a checkpoint has it."""
        records = islice(self._log.read(shard, 0), size)
        return merkle.root_of(merkle.leaf_hash(bytes.fromhex(record.hash)) for record in records)


def _but_for_the_reason(said: dict[str, Any]) -> dict[str, Any]:
    """A command's arguments but that: of a repeat its text was sealed anew."""
    return {name: value for name, value in said["args"].items() if name != "reason"}
