"""The door for commands: nothing that the log couldn't give back comes in (design, The decider: two doors)."""

from typing import Any

from domain import catalog
from domain.catalog import InvalidMessage
from domain.hand.commands import CancelHand
from domain.messages import Command, Refused
from domain.rules.phrases import listed
from services.ids import BadId, time_of
from services.rulings import PLAYED

REMEMBERED = 24 * 3600 * 1_000_000
"""Microseconds for which a table takes the id of a command, from the time in it (design, Idempotence)."""

AHEAD = 300 * 1_000_000
"""Microseconds by which an id's time may be ahead of the room's clock."""

OFFICE = ("audit.open-cards", "room.change-key", "shard.accept-loss", "shard.raise-revision")
"""What the office records."""

NODES = ("shard.claim", "shard.keep-alive")
"""What a node records of itself; the office refuses it from anybody, and says so."""

ROOM, RECOVERY = "room", "recovery"
"""Who asks, and the cause, of what the room itself asks after a failure."""

_LONGEST = 200


def check_command(command: Command) -> None:
    """Raise Refused unless the command is one that the catalog knows, with arguments, id and sender of their form."""
    entry = catalog.command.by_class.get(type(command.args))
    if entry is None or not (_is_taken(entry.name) or entry.name in NODES):
        taken = listed(sorted(filter(_is_taken, catalog.command.by_name)), "or")
        raise Refused(f"{command.args!r:.80} is no command of a table, a hand or the office: {taken}")
    try:
        catalog.command.load(entry.name, entry.rev, entry.dump(command.args))
    except InvalidMessage as error:
        raise Refused(str(error)) from error
    except (AttributeError, TypeError) as error:  # such as a text where one of a few choices must stand
        raise Refused(f"{command.args!r:.200} is no {entry.name}: {error}") from error
    for what, text in (("sender (by)", command.by), ("cause", command.cause)):
        if type(text) is not str or not text or len(text) > _LONGEST:
            raise Refused(f"the {what} of a command is a text of 1 to {_LONGEST} characters, not {text!r:.80}")
    if isinstance(command.args, CancelHand) and (command.by, command.cause) != (ROOM, RECOVERY):
        raise Refused(
            f"{command.by} can't cancel hand {command.args.hand}: only the room does, after a failure; "
            "a dispute about a hand is ruled on when it is over"
        )
    _time_of(command.id)


def is_played(command: Command) -> bool:
    """Whether a table decides it; the office does all else."""
    return catalog.command.by_class[type(command.args)].name.startswith(PLAYED)


def _is_taken(name: str) -> bool:
    return name.startswith(PLAYED) or name in OFFICE


def check_age(id_: str, now: int) -> None:
    """Raise Refused for an id that a table no longer remembers, or of the future: it must not begin anything."""
    made = _time_of(id_)
    if made < now - REMEMBERED:
        raise Refused(f"command {id_} was made more than 24 hours ago: look what came of it, then give a new one")
    if made > now + AHEAD:
        raise Refused(f"command {id_} was made more than 5 minutes in the future: set the clock that made it")


def _time_of(id_: Any) -> int:
    if type(id_) is not str:
        raise Refused(f"{id_!r:.80} is no command id: it must be a text")
    try:
        return time_of(id_)
    except BadId as error:
        raise Refused(str(error)) from error
