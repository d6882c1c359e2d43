"""The shape of every message by its wire name and revision, as plain JSON: what must not change without a new one."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from domain import catalog
from services.rulings import PLAYED

assert PLAYED  # importing it registers every message


def shapes() -> dict[str, Any]:
    """{"event hand.folded#1": {"seat": "int ..."}, ...}"""
    return {
        f"{of.kind} {entry.name}#{entry.rev}": shape_of(entry.cls)
        for of in (catalog.event, catalog.command)
        for entry in of.by_name.values()
    }


def shape_of(annotation: Any) -> Any:
    """A type as JSON: dataclasses by their fields, choices by their values, bounds as they are written."""
    if is_dataclass(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        return {field.name: shape_of(hints[field.name]) for field in fields(annotation)}
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [member.value for member in annotation]
    if getattr(annotation, "__metadata__", None):
        return [shape_of(get_args(annotation)[0]), *map(_bounds, annotation.__metadata__)]
    arguments = [one for one in get_args(annotation) if one is not Ellipsis]
    if arguments:
        return {_name(get_origin(annotation)): [shape_of(one) for one in arguments]}
    return _name(annotation)


def _bounds(info: Any) -> list[str]:
    """What a field's annotation demands, such as "ge=0"."""
    return sorted(repr(one) for one in info.metadata) if hasattr(info, "metadata") else [repr(info)]


def _name(of: Any) -> str:
    return getattr(of, "__name__", str(of))
