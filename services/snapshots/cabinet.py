"""Many small values by name, in drawers: each drawer is one record, and is written anew only when something in it has
changed.

Which drawer a name lies in follows from the name and from how many drawers there are: a power of two, twice as many as
soon as they hold more than `FULL` on average. A large value lies there in pieces, each under a name of its own, so that
no drawer ever becomes too large for a record, whatever one value grows to. What lies there is packed: values are much
like each other.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count

from services.eventlog import canonical

FULL = 16_384
"""Packed bytes of a drawer on average: what is written where one of its values has changed."""

_FAST = 1
"""How much time is spent on packing."""

_PACKED = 4
"""How many times smaller it makes what lies there, or more."""

PIECE = 65_536
"""Characters of a value that lie under one name; the last piece has fewer."""


class Cabinet:
    """Values are canonical JSON; a name has no slash. Nothing is ever taken out."""

    def __init__(self, drawers: Iterable[bytes] = ()) -> None:
        """`drawers`: all of them as they were written."""
        self.drawers = list(drawers)
        """The body of each one's record: an object of texts by name, packed."""
        self.changed: set[int] = set()
        """Those that aren't as they were written; whoever writes them clears it."""

    def get(self, name: str) -> bytes | None:
        """The value; None where there is none of that name. No other drawer than its own is opened."""
        pieces = [one for _, one in self._pieces(name)]
        return "".join(pieces).encode() if pieces else None

    def items(self) -> Iterator[tuple[str, bytes]]:
        """All of them, in no order that means anything."""
        texts = self._texts()
        for name, text in texts.items():
            if "/" not in name:
                pieces = [text]
                while len(pieces[-1]) == PIECE:
                    pieces.append(texts[f"{name}/{len(pieces)}"])
                yield name, "".join(pieces).encode()

    def put(self, values: Mapping[str, bytes]) -> None:
        """Lay values there, in place of those of the same names."""
        if values and not self.drawers:
            self._have(_wanted(sum(map(len, values.values())) // _PACKED))
        texts: dict[str, str | None] = {}
        for name, value in values.items():
            texts |= dict.fromkeys(piece for piece, _ in self._pieces(name))
            texts |= _cut(name, value.decode())
        if texts:
            self._lay(texts)
            self._make_room()

    def _pieces(self, name: str) -> Iterator[tuple[str, str]]:
        """The pieces of a value with their names."""
        for number in count():
            piece = _piece(name, number)
            text = self._text(piece)
            if text is None:
                return
            yield piece, text
            if len(text) < PIECE:
                return

    def _text(self, name: str) -> str | None:
        if not self.drawers:
            return None
        return _unpacked(self.drawers[_drawer_of(name, len(self.drawers))]).get(name)

    def _texts(self) -> dict[str, str]:
        return {name: text for drawer in self.drawers for name, text in _unpacked(drawer).items()}

    def _lay(self, texts: Mapping[str, str | None]) -> None:
        """None: nothing of that name any more."""
        of_drawers: defaultdict[int, dict[str, str | None]] = defaultdict(dict)
        for name, text in texts.items():
            of_drawers[_drawer_of(name, len(self.drawers))][name] = text
        for number, new in of_drawers.items():
            lie = _unpacked(self.drawers[number]) | new
            self.drawers[number] = _packed({name: text for name, text in lie.items() if text is not None})
        self.changed |= of_drawers.keys()

    def _make_room(self) -> None:
        """Have more drawers where they have become too full."""
        while (wanted := _wanted(sum(map(len, self.drawers)))) > len(self.drawers):
            texts = self._texts()
            self._have(wanted)
            self._lay(texts)

    def _have(self, drawers: int) -> None:
        self.drawers = [_packed({})] * drawers
        self.changed = set(range(drawers))


def _packed(texts: Mapping[str, str]) -> bytes:
    return zlib.compress(canonical.write(texts), _FAST)


def _unpacked(drawer: bytes) -> dict[str, str]:
    texts: dict[str, str] = canonical.decode(zlib.decompress(drawer))
    return texts


def _wanted(size: int) -> int:
    """The drawers for so many bytes."""
    wanted = 1
    while size > FULL * wanted:
        wanted *= 2
    return wanted


def _cut(name: str, text: str) -> dict[str, str]:
    return {_piece(name, at // PIECE): text[at : at + PIECE] for at in range(0, len(text) + 1, PIECE)}


def _piece(name: str, number: int) -> str:
    return f"{name}/{number}" if number else name


def _drawer_of(name: str, drawers: int) -> int:
    """By other bits than those that say which shard an owner writes in."""
    return int.from_bytes(sha256(name.encode()).digest()[8:16]) % drawers
