"""A table and its newest hand, and a patron, as JSON values and back, exactly equal, with the commands that they
remember.

Equal states are equal bytes, whoever took them. What follows from a hand's opening alone isn't written, nor are the
facts of the decision under way: a hand comes back as a fold leaves it. Boxes stay boxes: there is nothing here that the
log doesn't say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from domain.account.state import Account, Patron, PlayerFile
from domain.hand.state import Hand
from domain.room import Shard
from domain.table.state import Table
from services.eventlog import canonical
from services.room.load import Known
from services.snapshots.cabinet import Cabinet
from services.snapshots.commands import dump_commands, load_commands
from services.snapshots.letters import dump_letters, load_letters, others_of
from services.snapshots.shapes import Bits, Message, Shape

FOLD = 2
"""To be raised by one when facts come to another state than before, or states are written otherwise: older snapshots
are discarded then.

A change of what a state is made of is noticed by itself (`fold_revision`).
"""

STATES = (Table, Hand, PlayerFile, Account, Shard)
"""What facts come to, and a snapshot holds."""

FOLLOWS = frozenset({"id", "stream", "game", "fixed", "span", "unit", "order", "clockwise", "brought", "facts"})
"""Slots of a hand that its opening gives, for good; and its facts, those of one decision."""


LETTERS = frozenset({"sent", "received"})
"""What `letters` writes."""


@dataclass(slots=True)
class Desk:
    """A table with its newest hand, and the commands that each of them remembers, oldest first."""

    table: Table | None = None
    hand: Hand | None = None
    of_table: dict[str, Known] = field(default_factory=dict)
    of_hand: dict[str, Known] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as a snapshot has it: the bodies of its records. It is decoded when it is first needed.

    table: its state, its newest commands, and which `pages` have the older ones, oldest first. hand: state, commands.
    letters: the drawers of what a table with many visitors has sent and received; else it is in the state.
    """

    table: bytes
    hand: bytes | None
    pages: tuple[bytes, ...]
    letters: tuple[bytes, ...] = ()

    def desk(self) -> Desk:
        """What was stored, in objects of its own each time. Raises BadState."""
        table = canonical.decode(self.table)
        desk = Desk(load_table(table["state"] | self._letters()))
        for page in (*map(canonical.decode, self.pages), table["commands"]):
            desk.of_table |= load_commands(page)
        if self.hand is not None:
            hand = canonical.decode(self.hand)
            desk.hand, desk.of_hand = load_hand(hand["state"]), load_commands(hand["commands"])
        return desk

    def _letters(self) -> dict[str, Any]:
        found = dict(Cabinet(self.letters).items())
        values = canonical.decode(b"[%b]" % b",".join(found.values()))  # all at once is five times as fast
        return {"letters": dict(zip(found, values, strict=True))} if values else {}


# --- tables and hands ------------------------------------------------------------------------------------------------


def dump_table(table: Table, *, letters: bool = True) -> dict[str, Any]:
    """`letters`: whether what it has sent and received is written with it."""
    return _tables().dump(table) | {"letters": dump_letters(table, others_of(table) if letters else ())}


def load_table(value: Any) -> Table:
    """Raises BadState."""
    return Table(**_loaded(_tables(), value))


def dump_hand(hand: Hand) -> dict[str, Any]:
    return _hands().dump(hand)


def load_hand(value: Any) -> Hand:
    """Raises BadState."""
    slots = _hands().load(value)
    hand = Hand(slots["opened"])
    for slot, kept in slots.items():
        setattr(hand, slot, kept)
    return hand


# --- patrons ---------------------------------------------------------------------------------------------------------


def dump_patron(patron: Patron, known: dict[str, Known]) -> dict[str, Any]:
    """His file and his accounts, with the commands that they remember."""
    by_height = sorted(known.items(), key=lambda one: one[1].height)
    return {
        "player": None if patron.player is None else _dumped(_files(), patron.player),
        "accounts": [[currency, _dumped(_accounts(), one)] for currency, one in patron.accounts.items()],
        "commands": dump_commands(by_height),
    }


def load_patron(player: str, value: Any) -> tuple[Patron, dict[str, Known]]:
    """Raises BadState."""
    file = value["player"]
    patron = Patron(player, None if file is None else PlayerFile(**_loaded(_files(), file)))
    patron.accounts = {currency: Account(**_loaded(_accounts(), one)) for currency, one in value["accounts"]}
    return patron, load_commands(value["commands"])


def _dumped(shape: Shape, party: Any) -> dict[str, Any]:
    return shape.dump(party) | {"letters": dump_letters(party, others_of(party))}


def _loaded(shape: Shape, value: Any) -> dict[str, Any]:
    """The fields of who sends and receives."""
    sent, received = load_letters(value["letters"])
    return shape.load(value) | {"sent": sent, "received": received}


@cache  # what pydantic builds takes milliseconds
def _tables() -> Shape:
    return _but_for_letters(Table)


@cache
def _files() -> Shape:
    return _but_for_letters(PlayerFile)


@cache
def _accounts() -> Shape:
    return _but_for_letters(Account)


def _but_for_letters(cls: type[Any]) -> Shape:
    return Shape(cls, [one.name for one in fields(cls) if one.name not in LETTERS])


@cache
def _hands() -> Shape:
    names = [slot for slot in Hand.__slots__ if slot not in FOLLOWS]
    return Shape(Hand, names, turn=Message, gone=Bits, returned=Bits, faces=Bits)


# --- what this build makes of facts ----------------------------------------------------------------------------------


@cache
def fold_revision() -> str:
    """FOLD, and a digest of all that a state is made of: another one stands for states that may not be ours."""
    lines = "\n".join(sorted({line for state in STATES for line in _layout(state)}))
    return f"{FOLD}-{sha256(lines.encode()).hexdigest()[:16]}"


def _layout(cls: type[Any]) -> Iterator[str]:
    """A line for every field of the class and of the classes in it."""
    if issubclass(cls, Enum):
        yield f"{cls.__name__}: {[one.value for one in cls]}"
        return
    for name, hint in get_type_hints(cls).items():
        if cls is not Hand or name not in FOLLOWS:
            yield f"{cls.__name__}.{name}: {_told(hint)}"
            for part in _classes_in(hint):
                yield from _layout(part)


def _told(hint: Any) -> str:
    """An annotation in words that no version of Python spells differently."""
    parts = ", ".join(map(_told, get_args(hint)))
    if not parts:
        return getattr(hint, "__name__", str(hint))
    return f"{'either' if get_origin(hint) in (Union, UnionType) else get_origin(hint).__name__}[{parts}]"


def _classes_in(hint: Any) -> Iterator[type[Any]]:
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Enum)):
        yield hint
    for part in get_args(hint):
        yield from _classes_in(part)
