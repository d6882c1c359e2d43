"""States as JSON values and back, exactly equal, by the annotations of their fields."""

from collections.abc import Iterable
from dataclasses import make_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter, ValidationError

from domain import catalog


class BadState(ValueError):
    """A value that is no state of this build; the sentence says where."""


def _message_of(value: Any) -> Any:
    return None if value is None else catalog.event.load(*value)


def _dumped(message: Any) -> Any:
    return None if message is None else catalog.event.dump(message)


Message = Annotated[Any, PlainSerializer(_dumped), BeforeValidator(_message_of)]
"""A fact with its name: some differ in nothing else."""

Bits = Annotated[int, PlainSerializer("{:x}".format), BeforeValidator(lambda text: int(text, 16))]
"""A bit for each index, more than a number of JSON has."""


class Shape:
    """What is written of a state: its fields by their annotations; of a dict its pairs, whose order then stays."""

    def __init__(self, cls: type[Any], names: Iterable[str], **otherwise: Any) -> None:
        """`otherwise`: by name, what a field is written as instead of what it is annotated with."""
        hints = get_type_hints(cls, include_extras=True)
        self._names = tuple(names)
        self._dicts = {name for name in self._names if get_origin(hints[name]) is dict}
        written = [(name, otherwise.get(name, self._written(name, hints[name]))) for name in self._names]
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
