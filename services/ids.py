"""Command ids: UUIDs of version 7, whose first 48 bits are the milliseconds of their making (RFC 9562)."""

import re
from uuid import UUID

_FORM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class BadId(ValueError):
    """A text that is no UUIDv7."""


def uuid7(at: int, bits: int) -> str:
    """The id of a time (UTC microseconds since 1970) and 74 random bits."""
    milliseconds = at // 1000 & (1 << 48) - 1
    high, low = bits >> 62 & 0xFFF, bits & (1 << 62) - 1
    return str(UUID(int=milliseconds << 80 | 7 << 76 | high << 64 | 2 << 62 | low))


def time_of(id_: str) -> int:
    """When an id was made, in UTC microseconds. Raises BadId for anything but a lower-case UUIDv7."""
    if _FORM.fullmatch(id_) is None:
        raise BadId(f"{id_!r} is no command id: a UUID of version 7 in lower case, such as {uuid7(0, 1)}")
    return int(id_[:8] + id_[9:13], 16) * 1000
