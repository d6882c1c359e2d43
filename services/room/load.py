"""Tables, hands and shards out of the log: the one way in which room, replay and re-adjudication load.

`Repository.get` of the `eventsourcing` library reads a stream with our own projector, a fold of the domain; where the
room asks for it, the stream's commands are noted on the way.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from eventsourcing.application import AggregateNotFoundError, Repository

from domain import catalog, room
from domain.account.state import Patron
from domain.desk import evolve_desk
from domain.hand.state import Hand
from domain.hand.state import evolve as evolve_hand
from domain.messages import ROOM_STREAM, account_stream, hand_stream, shard_stream, table_stream
from domain.room import Doors, Shard, doors_after
from domain.table.state import Table
from domain.table.state import evolve as evolve_table
from services.eventlog import body
from services.eventlog.log import Log
from services.eventlog.mapper import UnreadableEvent


class Known(NamedTuple):
    """A command that was answered: when (UTC microseconds), and the height of its commit, which says the rest."""

    at: int
    height: int


def load_table(
    repository: Repository[str], table: str, known: dict[str, Known] | None = None, since: Table | None = None
) -> Table | None:
    """The table, None where there is none. Its commands are noted in `known`, not those to its hands.

    `since`: the table as a snapshot has it, which then goes on with what the log has after it.
    """
    loaded: Table | None = _load(repository, table_stream(table), evolve_table, known, since)
    return loaded


def load_hand(
    repository: Repository[str], hand: str, known: dict[str, Known] | None = None, since: Hand | None = None
) -> Hand | None:
    """The hand, None where there is none. `known` and `since` as in `load_table`."""
    loaded: Hand | None = _load(repository, hand_stream(hand), evolve_hand, known, since)
    return loaded


def load_patron(
    repository: Repository[str], player: str, known: dict[str, Known] | None = None, since: Patron | None = None
) -> Patron:
    """The player's file with all his accounts; an empty one where nothing is recorded of him. `known` and `since` as in
    `load_table`, of all his streams."""
    patron = Patron(player) if since is None else since
    _load_into(patron, repository, patron.stream, patron.file.version, known)
    for currency in patron.file.currencies:
        account = patron.accounts.get(currency)
        _load_into(
            patron, repository, account_stream(player, currency), 0 if account is None else account.version, known
        )
    return patron


class ShardFold:
    """Who owns each shard, and the revision of the log in which it is written: read once, then only what is new."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: dict[int, tuple[int, Shard]] = {}

    def now(self, shard: int) -> Shard:
        """The shard as its log has it now. Raises UnreadableEvent where it was raised to a revision that this build
        doesn't read."""
        return self.stands(shard)[1]

    def stands(self, shard: int) -> tuple[int, Shard]:
        """The same, and the version at which its stream stands."""
        version, state = self._known.get(shard) or self._beginning(shard)
        for part in self._log.stream_parts(shard_stream(shard), gt=version):
            for one in body.decode(part.body).events:
                if one["stream"] == shard_stream(shard):
                    state = _evolved(state, one, shard, part.height)
            version = part.last
        self._known[shard] = version, state
        return version, state

    def _beginning(self, shard: int) -> tuple[int, Shard]:
        began = self._log.began(shard)
        return (0, room.UNCLAIMED) if began is None else (began.streams[shard_stream(shard)], load_shard(began.own))


class RoomFold:
    """The doors of the room: read once, then only what is new in its stream."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._version, self._doors = 0, cast(Doors, None)

    def doors(self) -> Doors:
        """What was done to them last, as far as the log was read. Raises NotHereYet, UnreadableEvent."""
        for part in self._log.stream_parts(ROOM_STREAM, gt=self._version):
            for one in body.decode(part.body).events:
                if one["stream"] == ROOM_STREAM:
                    self._doors = doors_after(self._doors, _loaded(one, part.height))
            self._version = part.last
        return self._doors


def dump_shard(shard: Shard) -> dict[str, Any]:
    """What a shard's own stream came to, as a JSON value."""
    owner = None if shard.owner is None else list(catalog.event.dump(shard.owner))
    return {"owner": owner, "revision": shard.revision}


def load_shard(value: Any) -> Shard:
    """The same back."""
    owner = value["owner"]
    return Shard(None if owner is None else catalog.event.load(*owner), value["revision"])


def _evolved(state: Shard, one: body.Fact, shard: int, height: int) -> Shard:
    event = _loaded(one, height, shard)
    try:
        room.check_revision(event)
    except ValueError as error:
        raise UnreadableEvent(f"shard {shard}, height {height}: {error}") from error
    return room.evolve(state, event)


def _loaded(one: body.Fact, height: int, shard: int = 0) -> Any:
    try:
        return catalog.event.load(one["type"], one["rev"], one["data"])
    except ValueError as error:
        raise UnreadableEvent(f"shard {shard}, height {height}: {error}") from error


def _load_into(
    patron: Patron, repository: Repository[str], stream: str, version: int, known: dict[str, Known] | None
) -> None:
    """Take into the patron what the log has of one of his streams after that version."""

    def project(_: Any, recorded: Iterable[Any]) -> Any:
        for one in recorded:
            for event in one.events:
                evolve_desk(patron, stream, event)
            if known is not None:
                known[one.commit.command["id"]] = Known(one.commit.at, one.height)
        return patron

    if version:
        project(patron, repository.event_store.get(stream, gt=version))
    else:
        _get(repository, stream, project)


def _load(
    repository: Repository[str],
    stream: str,
    evolve: Callable[[Any, Any], Any],
    known: dict[str, Known] | None,
    since: Any,
) -> Any:
    own = f"{stream.partition(':')[0]}."

    def project(state: Any, recorded: Iterable[Any]) -> Any:
        for one in recorded:
            for event in one.events:
                state = evolve(state, event)
            command = one.commit.command
            if known is not None and command["name"].startswith(own):
                known[command["id"]] = Known(one.commit.at, one.height)
        return state

    if since is not None:
        return project(since, repository.event_store.get(stream, gt=since.version))
    return _get(repository, stream, project)


def _get(repository: Repository[str], stream: str, project: Callable[[Any, Any], Any]) -> Any:
    try:
        return repository.get(stream, projector_func=project)
    except AggregateNotFoundError:
        return None
