"""A table and its newest hand as JSON values and back, exactly equal, with the commands that they remember.

Equal states are equal bytes, whoever took them. What follows from a hand's opening alone isn't written, nor are the
facts of the decision under way: a hand comes back as a fold leaves it. Boxes stay boxes: there is nothing here that the
log doesn't say.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, make_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from itertools import accumulate, pairwise
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter, ValidationError

from domain import catalog
from domain.hand.state import Hand
from domain.room import Shard
from domain.table.state import Table
from services.eventlog import canonical
from services.room.load import Known

FOLD = 1
"""To be raised by one when facts come to another state than before: older snapshots are discarded then.

A change of what a state is made of is noticed by itself (`fold_revision`).
"""

FOLLOWS = frozenset({"id", "stream", "game", "fixed", "span", "unit", "order", "clockwise", "brought", "facts"})
"""Slots of a hand that its opening gives, for good; and its facts, those of one decision."""


class BadState(ValueError):
    """A value that is no state of this build; the sentence says where."""


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
    """

    table: bytes
    hand: bytes | None
    pages: tuple[bytes, ...]

    def desk(self) -> Desk:
        """What was stored, in objects of its own each time. Raises BadState."""
        table = canonical.decode(self.table)
        desk = Desk(load_table(table["state"]))
        for page in (*map(canonical.decode, self.pages), table["commands"]):
            desk.of_table |= load_commands(page)
        if self.hand is not None:
            hand = canonical.decode(self.hand)
            desk.hand, desk.of_hand = load_hand(hand["state"]), load_commands(hand["commands"])
        return desk


# --- states ----------------------------------------------------------------------------------------------------------


def dump_table(table: Table) -> dict[str, Any]:
    return _tables().dump(table)


def load_table(value: Any) -> Table:
    """Raises BadState."""
    return Table(**_tables().load(value))


def dump_hand(hand: Hand) -> dict[str, Any]:
    return _hands().dump(hand)


def load_hand(value: Any) -> Hand:
    """Raises BadState."""
    slots = _hands().load(value)
    hand = Hand(slots["opened"])
    for slot, kept in slots.items():
        setattr(hand, slot, kept)
    return hand


def _message_of(value: Any) -> Any:
    return None if value is None else catalog.event.load(*value)


def _dumped(message: Any) -> Any:
    return None if message is None else catalog.event.dump(message)


_Message = Annotated[Any, PlainSerializer(_dumped), BeforeValidator(_message_of)]
"""A fact with its name: some differ in nothing else."""

_Bits = Annotated[int, PlainSerializer("{:x}".format), BeforeValidator(lambda text: int(text, 16))]
"""A bit for each index, more than a number of JSON has."""

_WRITTEN: dict[str, Any] = {"turn": _Message, "gone": _Bits, "returned": _Bits, "faces": _Bits}


class _Shape:
    """What is written of a state: its fields by their annotations; of a dict its pairs, whose order then stays."""

    def __init__(self, cls: type[Any], names: Iterable[str]) -> None:
        hints = get_type_hints(cls, include_extras=True)
        self._names = tuple(names)
        self._dicts = {name for name in self._names if get_origin(hints[name]) is dict}
        written = [(name, _WRITTEN.get(name, self._written(name, hints[name]))) for name in self._names]
        self._class: Any = make_dataclass(f"{cls.__name__}State", written, slots=True)
        self._adapter: TypeAdapter[Any] = TypeAdapter(self._class)

    def _written(self, name: str, hint: Any) -> Any:
        return tuple[tuple[get_args(hint)], ...] if name in self._dicts else hint  # type: ignore[misc]

    def dump(self, state: Any) -> dict[str, Any]:
        values = [getattr(state, name) for name in self._names]
        pairs = [tuple(value.items()) if type(value) is dict else value for value in values]
        dumped: dict[str, Any] = self._adapter.dump_python(self._class(*pairs), mode="json")
        return dumped

    def load(self, value: Any) -> dict[str, Any]:
        try:
            state = self._adapter.validate_python(value)
        except (ValidationError, ValueError, TypeError) as error:
            raise BadState(f"no {self._class.__name__} of this build: {error}") from error
        kept = {name: getattr(state, name) for name in self._names}
        return kept | {name: dict(kept[name]) for name in self._dicts}


@cache  # what pydantic builds takes milliseconds
def _tables() -> _Shape:
    return _Shape(Table, [one.name for one in fields(Table)])


@cache
def _hands() -> _Shape:
    return _Shape(Hand, [slot for slot in Hand.__slots__ if slot not in FOLLOWS])


# --- what this build makes of facts ----------------------------------------------------------------------------------


@cache
def fold_revision() -> str:
    """FOLD, and a digest of all that a state is made of: another one stands for states that may not be ours."""
    lines = "\n".join(sorted({*_layout(Table), *_layout(Hand), *_layout(Shard)}))
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


# --- commands --------------------------------------------------------------------------------------------------------


def dump_commands(known: Sequence[tuple[str, Known]]) -> dict[str, Any]:
    """Commands that were answered, in the order of their commits: some 35 bytes each.

    `at` and `heights` are steps, the first one from 0. What a command said stands in the log, at its height.
    """
    return {
        "ids": b64encode(bytes.fromhex("".join([id_ for id_, _ in known]).replace("-", ""))).decode(),
        "at": _steps([one.at for _, one in known]),
        "heights": _steps([one.height for _, one in known]),
    }


def load_commands(value: Any) -> dict[str, Known]:
    """Raises BadState."""
    try:
        known = zip(
            _ids(b64decode(value["ids"], validate=True).hex()),
            accumulate(value["at"]),
            accumulate(value["heights"]),
            strict=True,
        )
        return {id_: Known(at, height) for id_, at, height in known}
    except (KeyError, TypeError, ValueError) as error:
        raise BadState(f"no commands of this build: {error}") from error


def _ids(digits: str) -> list[str]:
    """The ids of 32 digits each; `UUID` takes ten times as long."""
    ids = [digits[at : at + 32] for at in range(0, len(digits), 32)]
    return [f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}" for one in ids]


def _steps(numbers: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in pairwise([0, *numbers])]
