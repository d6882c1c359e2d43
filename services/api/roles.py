"""What somebody may be to the room."""

from enum import StrEnum


class Role(StrEnum):
    """`service`: another program, such as a lobby; `integrity`: the desk that looks for cheats."""

    PLAYER = "player"
    FLOOR = "floor"
    AUDITOR = "auditor"
    INTEGRITY = "integrity"
    SERVICE = "service"
    ADMIN = "admin"
