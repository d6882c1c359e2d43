"""Every message of the house by its wire name: classes to bytes' data and back, with validation.

A message is a slotted dataclass; its wire name (`hand.bet-made`) and revision are chosen once and are never a Python
path. Modules that declare messages register them with `event` or `command`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from typing import Any, TypeVar, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError

from domain.upcasts import UPCASTS

T = TypeVar("T")
Data = dict[str, Any]

READS = 1
"""The newest revision of the log that this build reads.

A log is of revision 1 until it is raised (`domain.room.RevisionRaised`). Before that no writer writes what came with a
later one, since another build may read the log that knows nothing of it.
"""

NO_LATER: Mapping[int, int] = {}
"""All revisions of a message came with revision 1 of the log."""


class UnknownMessage(ValueError):
    """A wire name or revision that this build doesn't know: an event of the future, or no event at all."""


class InvalidMessage(ValueError):
    """Data that don't fit their message; the text names each field that is wrong."""


class Entry:
    """One message: its class, wire name, revision, and how to dump and load it.

    What pydantic builds for a class takes milliseconds, so it is built when the message is first read.
    """

    __slots__ = ("_adapter", "cls", "dump", "name", "rev", "since", "validate")

    def __init__(self, cls: type[Any], name: str, rev: int, since: Mapping[int, int] = NO_LATER) -> None:
        self.cls, self.name, self.rev, self.since = cls, name, rev, since
        self._adapter: TypeAdapter[Any] | None = None
        self.validate: Callable[[Any], Any] = self._validate_first
        self.dump: Callable[[Any], Data] = _dumper(cls, self)

    @property
    def adapter(self) -> TypeAdapter[Any]:
        if self._adapter is None:
            self._adapter = TypeAdapter(self.cls)
            self.validate = self._adapter.validator.validate_python
        return self._adapter

    def _validate_first(self, data: Any) -> Any:
        return self.adapter.validator.validate_python(data)


def _dumper(cls: type[Any], entry: Entry) -> Callable[[Any], Data]:
    """A function from a message to its data; flat messages avoid the general serializer for speed."""
    names = sorted(field.name for field in fields(cls))
    if any(is_nested(annotation) for annotation in cls.__annotations__.values()):
        return lambda message: entry.adapter.dump_python(message, mode="json")
    if not names:
        return lambda message: {}
    values = attrgetter(*names) if len(names) > 1 else lambda message: (getattr(message, names[0]),)
    turned = [(name, turn) for name in names if (turn := _to_json(cls.__annotations__[name])) is not None]
    if not turned:
        return lambda message: dict(zip(names, values(message), strict=True))

    def dump(message: Any) -> Data:
        data = dict(zip(names, values(message), strict=True))
        for name, turn in turned:
            data[name] = turn(data[name])
        return data

    return dump


def _to_json(annotation: Any) -> Callable[[Any], Any] | None:
    """What makes JSON's own type of a flat field's value; None where it has one already."""
    if get_origin(annotation) is tuple:
        return list
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return attrgetter("value")
    return None


def is_nested(annotation: Any) -> bool:
    """Whether a field holds dataclasses, at any depth of its annotation."""
    if is_dataclass(annotation):
        return True
    return any(is_nested(part) for part in getattr(annotation, "__args__", ()))


class Catalog:
    """The messages of one kind (events, or commands)."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.by_class: dict[type[Any], Entry] = {}
        self.by_name: dict[str, Entry] = {}

    def __call__(self, name: str, rev: int = 1, since: Mapping[int, int] = NO_LATER) -> Callable[[type[T]], type[T]]:
        """Register a slotted dataclass under its wire name.

        `since`: by revision of the message, the revision of the log that it came with, where that isn't the first.
        """
        newest = max(since.values(), default=1)
        if newest > READS:
            raise ValueError(
                f"{name!r} is of revision {newest} of the log, but READS says that it is read up to {READS}"
            )

        def register(cls: type[T]) -> type[T]:
            if name in self.by_name:
                raise ValueError(f"two {self.kind}s are named {name!r}: {self.by_name[name].cls} and {cls}")
            cls.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
            entry = Entry(cls, name, rev, since)
            self.by_class[cls] = self.by_name[name] = entry
            return cls

        return register

    def dump(self, message: Any) -> tuple[str, int, Data]:
        """(wire name, revision, data) of a message."""
        entry = self.by_class[type(message)]
        return entry.name, entry.rev, entry.dump(message)

    def load(self, name: str, rev: int, data: Data) -> Any:
        """The validated message, upcast to the revision that this build writes.

        Raises UnknownMessage for a name or revision of the future, InvalidMessage for data that don't fit.
        """
        entry = self._entry(name)
        if rev != entry.rev:
            data = self._upcast(entry, rev, data)
        try:
            return entry.validate(data)
        except ValidationError as error:
            raise InvalidMessage(f"{self.kind} {name!r}: {_explain(error)}") from error

    def log_revision(self, name: str, rev: int) -> int:
        """The revision of the log that a message came with. Raises UnknownMessage."""
        entry = self._entry(name)
        self._check_known(entry, rev)
        return entry.since.get(rev, 1)

    def _entry(self, name: str) -> Entry:
        entry = self.by_name.get(name)
        if entry is None:
            raise UnknownMessage(f"unknown {self.kind} {name!r}: this build reads {', '.join(sorted(self.by_name))}")
        return entry

    def _check_known(self, entry: Entry, rev: int) -> None:
        if not isinstance(rev, int) or rev < 1 or rev > entry.rev:
            raise UnknownMessage(
                f"revision {rev} of {self.kind} {entry.name!r}: this build reads revisions 1 to {entry.rev}; "
                "upgrade it before it reads this log"
            )

    def _upcast(self, entry: Entry, rev: int, data: Data) -> Data:
        self._check_known(entry, rev)
        for step in range(rev, entry.rev):
            data = UPCASTS[entry.name, step](data)
        return data


def _explain(error: ValidationError) -> str:
    """One sentence a fault: the field, what is wrong with it, what stood there."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'data'}: {fault['msg'].lower()}{_instead(fault)}"[:300]
        for fault in error.errors(include_url=False)
    )


def _instead(fault: Any) -> str:
    return "" if fault["type"] == "missing" else f", not {fault['input']!r}"


event = Catalog("event")
command = Catalog("command")


def revision_of(type_: str, rev: int) -> int:
    """The revision of the log that a revision of an event came with: 1, or the one that must have been raised before.

    `type_` is the event's wire name. Raises UnknownMessage for one that this build doesn't know.
    """
    return event.log_revision(type_, rev)
