"""The records of one snapshot in the making: their places, their seals, and how they are sent."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count

from services.sealing.keyfile import RoomKeys
from services.snapshots.records import Title, seal

AT_ONCE = 4_000_000
"""Bytes that are sent before it is waited until they are safe."""

Send = Callable[[Sequence[tuple[bytes, bytes]]], Sequence[int]]
"""Sends (key, value) records to the shard's partition, in order, and gives their offsets once they are safe there.

Raises where it doesn't know: the snapshot is none then, and the next one takes its place.
"""


Sealed = tuple[bytes, bytes, str]
"""Key, value and digest of a record."""

Places = Mapping[str, Collection[int]]
"""Places by the role of what stands there."""


class Batch:
    """The records of one snapshot in the making, and the places that they take."""

    def __init__(self, keys: RoomKeys, shard: int, in_use: Places) -> None:
        self._keys, self._shard, self._in_use = keys, shard, in_use
        self.places: dict[str, set[int]] = {}

    def free(self, role: str) -> int:
        """A place that neither the newest manifest nor this one needs; it is taken now."""
        taken = self.places.setdefault(role, set())
        place = next(place for place in count() if place not in taken and place not in self._in_use.get(role, ()))
        taken.add(place)
        return place

    def sealed(self, title: Title, body: bytes) -> Sealed:
        return title.key, *seal(self._keys, self._shard, title, body)


def portions(sealed: Sequence[Sealed]) -> Iterator[list[Sealed]]:
    """The same, as much together as is sent at once."""
    some: list[Sealed] = []
    size = 0
    for one in sealed:
        some.append(one)
        size += len(one[1])
        if size >= AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some
