"""The door for commands: nothing that the log couldn't give back comes in (design, The decider: two doors)."""

from collections.abc import Mapping
from typing import Any

from domain import catalog
from domain.account.commands import BuyIn, OpenAccount, TopUp
from domain.catalog import InvalidMessage
from domain.hand.commands import ActTooLate, CancelHand, DrawTooLate, Protect
from domain.messages import Command, Refused, table_stream
from domain.rules.phrases import listed
from domain.table.commands import CloseWithRoom, ReopenWithRoom
from domain.transfers import CARRIED
from services.eventlog.log import Log
from services.ids import BadId, time_of
from services.rulings import PLAYED
from services.sealing.boxes import BadBox, parts

REMEMBERED = 24 * 3600 * 1_000_000
"""Microseconds for which an owner takes the id of a command, from the time in it (design, Idempotence)."""

AHEAD = 300 * 1_000_000
"""Microseconds by which an id's time may be ahead of the room's clock."""

OFFICE = (
    "audit.open-cards", "room.change-key", "room.close", "room.close-day", "room.erase-reason", "room.reopen",
    "shard.accept-loss", "shard.raise-revision",
)  # fmt: skip
"""What the office records."""

NODES = ("shard.claim", "shard.keep-alive")
"""What a node records of itself; the office refuses it from anybody, and says so."""

ROOM = "room"
"""Who asks for what the room itself asks for."""

RECOVERY, TIMER, TRANSFER, FLOOR = "recovery", "timer", "transfer", "floor"
"""Why it does: after a failure; since a clock ran out; since something is under way between two streams; since the
floor wants it."""

ROOMS_OWN: Mapping[type[Any], str] = {
    CancelHand: RECOVERY,
    ActTooLate: TIMER,
    DrawTooLate: TIMER,
    Protect: TIMER,
    CloseWithRoom: FLOOR,
    ReopenWithRoom: FLOOR,
    **dict.fromkeys(CARRIED, TRANSFER),
}
"""What nobody else may ask for, with its cause."""

_LONGEST = 200


def check_command(command: Command) -> None:
    """Raise Refused unless the command is one that the catalog knows, with arguments, id and sender of their form."""
    entry = catalog.command.by_class.get(type(command.args))
    if entry is None or not (_is_taken(entry.name) or entry.name in NODES):
        taken = listed(sorted(filter(_is_taken, catalog.command.by_name)), "or")
        raise Refused(f"{command.args!r:.80} is no command of a table, a hand, a patron or the office: {taken}")
    try:
        catalog.command.load(entry.name, entry.rev, entry.dump(command.args))
    except InvalidMessage as error:
        raise Refused(str(error)) from error
    except (AttributeError, TypeError) as error:  # such as a text where one of a few choices must stand
        raise Refused(f"{command.args!r:.200} is no {entry.name}: {error}") from error
    for what, text in (("sender (by)", command.by), ("cause", command.cause)):
        if type(text) is not str or not text or len(text) > _LONGEST:
            raise Refused(f"the {what} of a command is a text of 1 to {_LONGEST} characters, not {text!r:.80}")
    _check_sender(command, entry.name)
    _check_reason(getattr(command.args, "reason", ""))
    _check_opened_with_nothing_alone(command.args)
    _time_of(command.id)


def _check_sender(command: Command, name: str) -> None:
    cause = ROOMS_OWN.get(type(command.args))
    if cause is not None and (command.by, command.cause) != (ROOM, cause):
        if isinstance(command.args, CancelHand):
            raise Refused(
                f"{command.by} can't cancel hand {command.args.hand}: only the room does, after a failure; "
                "a dispute about a hand is ruled on when it is over"
            )
        raise Refused(f"{command.by} can't give {name}: only the room does, by itself ({cause})")
    signed = getattr(command.args, "by", command.by)
    if signed != command.by:
        raise Refused(f"{command.by} can't give {name} in the name of {signed or 'nobody'}: by says who asks")


def _check_reason(reason: str) -> None:
    """Raise Refused for a reason that isn't sealed: it couldn't be erased.

    Whether a box opens isn't looked at: texts' keys are no business of the room's. Who takes a reason seals it himself
    (`services/api/reasons.py`, `handlog`), and nobody else's box comes as far as this.
    """
    try:
        if reason:
            parts(reason)
    except BadBox:
        raise Refused("a reason is recorded in a box of its own, which this isn't: seal it first") from None


def _check_opened_with_nothing_alone(args: Any) -> None:
    """Raise Refused for an account that one person opens to adjust it alone: two take that upon them. Not the decider's
    rule, since logs have accounts that were opened otherwise before."""
    if type(args) is OpenAccount and args.alone_up_to:
        raise Refused(
            "an account is opened with alone_up_to 0: what one person may adjust alone two people change afterwards, "
            "by account.change-alone-limit"
        )


def check_table_is_there(log: Log, args: Any) -> None:
    """Raise Refused for money to a table that was never opened: nobody could receive it, nor ever refuse it."""
    if type(args) in (BuyIn, TopUp) and log.stream_version(table_stream(args.table)) is None:
        raise Refused(f"there is no table {args.table}: look which are open")


def is_played(command: Command) -> bool:
    """Whether a table or a patron decides it; the office does all else."""
    return catalog.command.by_class[type(command.args)].name.startswith(PLAYED)


def _is_taken(name: str) -> bool:
    return name.startswith(PLAYED) or name in OFFICE


def check_age(id_: str, now: int) -> None:
    """Raise Refused for an id that its owner no longer remembers, or of the future: it must not begin anything."""
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
