"""Who decides a command, and the one way from it to facts.

Every stream that is played has an owner, under whose name it lies in one shard: a table with its hands, or a patron, a
player's file with his accounts.
"""

from functools import cache
from typing import Any

from domain import catalog
from domain.account import play as account
from domain.account.state import Patron
from domain.hand.dealing import Shoes
from domain.hand.events import HandOpened
from domain.hand.state import evolve as evolve_hand
from domain.messages import ROOM_STREAM, Facts, account_stream, player_stream, table_stream
from domain.table.play import Play, play, table_of, table_of_hand
from domain.table.state import evolve as evolve_table
from domain.transfers import Sent

Desk = Play | Patron
"""What an owner's commands are decided on."""


def nobody_yet(owner: str) -> Desk:
    """An owner of whom nothing is recorded yet."""
    kind, _, id_ = owner.partition(":")
    return Play(id_) if kind == "table" else Patron(id_)


def owner_of(args: Any) -> str:
    """Whose a command is, by its wire name: `table:t1` of a table and its hands, `player:ann` of a patron, `room`."""
    match _kind(args):
        case "hand":
            return table_stream(table_of_hand(args.hand))
        case "account" | "player":
            return player_stream(args.player)
        case "room":
            return ROOM_STREAM
        case _:
            return table_stream(table_of(args))


def stream_of(args: Any) -> str:
    """The stream that a command is to, among those of its owner: that of the table where it is to one of its hands."""
    return account_stream(args.player, args.currency) if _kind(args) == "account" else owner_of(args)


def is_of_hand(args: Any) -> bool:
    """Whether a command is to a hand, which keeps its own commands until it ends (design, Idempotence)."""
    return _kind(args) == "hand"


def _kind(args: Any) -> str:
    """The first word of a command's wire name."""
    return _first_word(catalog.command.by_class[type(args)].name)


@cache
def _first_word(name: str) -> str:
    return name.partition(".")[0]


def is_unknown(now: Desk) -> bool:
    """Whether nothing was ever recorded of that owner."""
    return now.table is None if isinstance(now, Play) else now.player is None and not now.accounts


def play_desk(now: Desk, args: Any, shoes: Shoes, at: int) -> list[Facts]:
    """The facts that follow from a command; the owner's aggregates have moved on with them.

    `at`: the time of the commit, UTC microseconds. Raises Refused, AlreadyDone as `domain.table.play.play` does.
    """
    return play(now, args, shoes, at) if isinstance(now, Play) else account.play(now, args, at)


def evolve_desk(now: Desk, stream: str, event: Any) -> None:
    """Take a recorded fact of one of the owner's streams into its aggregates."""
    if isinstance(now, Patron):
        account.evolve_patron(now, stream, event)
    elif stream == table_stream(now.id):
        now.table = evolve_table(now.table, event)
    else:
        now.hand = evolve_hand(None if type(event) is HandOpened else now.hand, event)


def version_of(now: Desk, stream: str) -> int:
    """The version at which one of the owner's streams stands."""
    aggregate: Any
    if isinstance(now, Patron):
        aggregate = _aggregates(now)[stream]
    else:
        aggregate = now.table if stream == table_stream(now.id) else now.hand
    assert aggregate is not None
    version: int = aggregate.version
    return version


def under_way(now: Desk) -> list[tuple[str, Sent]]:
    """What the owner's streams have sent and not closed yet, each with its stream; of a pair the oldest first."""
    parties = [(stream, one) for stream, one in _aggregates(now).items() if one is not None and hasattr(one, "sent")]
    return [(stream, sent) for stream, one in parties for box in one.sent.values() for sent in box.under_way]


def _aggregates(now: Desk) -> dict[str, Any]:
    """By stream."""
    if isinstance(now, Patron):
        accounts = {account_stream(now.id, currency): one for currency, one in now.accounts.items()}
        return {now.stream: now.player} | accounts
    hand = {} if now.hand is None else {now.hand.stream: now.hand}
    return {table_stream(now.id): now.table} | hand
