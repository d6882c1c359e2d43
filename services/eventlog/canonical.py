"""Canonical JSON: RFC 8785, narrowed so that equal values have equal bytes in every language (design, Format).

Keys are ASCII, numbers are integers up to +-(2^53-1), strings hold no lone surrogate. Anything else is refused.
"""

from collections.abc import Collection
from typing import Any

import orjson

LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly; the smallest is its negative."""

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
_SCALARS = frozenset({str, int, bool, type(None)})


class NotCanonical(ValueError):
    """A value that has no canonical form, or bytes that are not in it; the sentence says what stood where."""


def encode(value: Any) -> bytes:
    """The canonical bytes of a value made of dict, list, tuple, str, int, bool and None.

    Raises NotCanonical for a float, a key that isn't ASCII, a lone surrogate, a larger integer, another type.
    """
    check(value)
    return write(value)


def check(value: Any) -> None:
    """Raise NotCanonical for a float, which orjson would write, nan as null, or for any type but JSON's own."""
    if not _is_plain((value,)):
        _look_closely(value, "value")


def write(value: Any) -> bytes:
    """The canonical bytes of a value that `check` has nothing against. Raises NotCanonical as `encode` does."""
    try:
        data = orjson.dumps(value, option=_OPTIONS)
    except TypeError as error:
        _look_closely(value, "value")
        raise NotCanonical(f"no canonical JSON: {error}") from error
    if not data.isascii():
        _look_closely(value, "value")
    return data


def decode(data: bytes) -> Any:
    """The value of JSON bytes. Raises NotCanonical for bytes that are no JSON; `is_canonical` looks at the spelling."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise NotCanonical(f"no JSON: {error}") from error


def is_canonical(data: bytes) -> bool:
    """Whether these bytes are exactly what `encode` writes for their value."""
    try:
        return encode(decode(data)) == data
    except (NotCanonical, RecursionError):  # nested as deep as that it is nobody's body
        return False


def _is_plain(values: Collection[Any]) -> bool:
    """Whether only JSON's own types stand in these values, and no floats."""
    if _SCALARS.issuperset(map(type, values)):  # in C: nearly all collections are flat
        return True
    for value in values:
        kind = type(value)
        if kind in _SCALARS:
            continue
        if kind is not dict and kind is not list and kind is not tuple:
            return False
        if not _is_plain(value.values() if kind is dict else value):
            return False
    return True


def _look_closely(value: Any, where: str) -> None:
    """Raise NotCanonical naming the first part of the value that canonical JSON has no room for."""
    if type(value) is dict:
        for key, part in value.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical(f"{where}: the key {key!r} isn't ASCII text")
            _look_closely(part, f"{where}.{key}")
    elif type(value) in (list, tuple):
        for index, part in enumerate(value):
            _look_closely(part, f"{where}[{index}]")
    elif isinstance(value, float):
        raise NotCanonical(f"{where}: {value!r} is a float; amounts and counts are integers")
    elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
        raise NotCanonical(f"{where}: {value} is beyond +-(2^53-1)")
    elif isinstance(value, str) and not _is_text(value):
        raise NotCanonical(f"{where}: {value!r} holds a lone surrogate")
    elif not isinstance(value, int | str | None):
        raise NotCanonical(f"{where}: {type(value).__name__} is no JSON value")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
