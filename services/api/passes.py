"""Passes: how a node comes in at another node's door, in the room's name.

A pass is `handlog_node_<id of the room's key>_<seconds since 1970>_<HMAC-SHA256 of what is before it>`. Its key comes
from the room's, which every node has and nobody else: so nothing has to be given out, and none lasts longer than
`LASTS`.
"""

import hmac
from hashlib import sha256

from domain.messages import SECOND
from services.api.roles import Role
from services.api.tokens import Holder
from services.ports import Ports
from services.sealing.keyfile import NoKey, RoomKeys

LASTS = 300
"""Seconds for which a pass is good, and by which nodes' clocks may differ."""

_BEGINS = "handlog_node_"


class Passes:
    """Makes and knows the passes of a room's nodes."""

    def __init__(self, keys: RoomKeys, ports: Ports) -> None:
        self._keys, self._ports = keys, ports

    def make(self) -> str:
        """A pass that is good from now on."""
        begins = f"{_BEGINS}{self._keys.current.hex()}_{self._now()}"
        return f"{begins}_{self._mac(self._keys.current, begins)}"

    def holder_of(self, text: str) -> Holder | None:
        """The node that comes in with it; None for anything but a good pass."""
        begins, _, mac = text.rpartition("_")
        id_, _, made = begins.removeprefix(_BEGINS).partition("_")
        if not begins.startswith(_BEGINS) or not (made.isascii() and made.isdecimal() and len(made) <= 12):
            return None
        try:
            expected = self._mac(bytes.fromhex(id_), begins)
        except (NoKey, ValueError):
            return None
        genuine = hmac.compare_digest(expected.encode(), mac.encode(errors="replace"))
        if not genuine or abs(int(made) - self._now()) > LASTS:
            return None
        return Holder("0" * 8, sha256(text.encode()).hexdigest(), "node", Role.NODE, "a node of this room", int(made))

    def _mac(self, key_id: bytes, begins: str) -> str:
        return hmac.digest(self._keys.of_nodes(key_id), begins.encode(), "sha256").hex()

    def _now(self) -> int:
        return self._ports.now() // SECOND
