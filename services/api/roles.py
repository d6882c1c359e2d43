"""What somebody may be to the room."""

from enum import StrEnum


class Role(StrEnum):
    """`service`: another program, such as a lobby; `integrity`: the desk that looks for cheats; `cage`: where money
    comes in and goes out; `node`: another node of the room, which carries to this one's shards what is under way."""

    PLAYER = "player"
    FLOOR = "floor"
    AUDITOR = "auditor"
    INTEGRITY = "integrity"
    SERVICE = "service"
    ADMIN = "admin"
    CAGE = "cage"
    NODE = "node"
