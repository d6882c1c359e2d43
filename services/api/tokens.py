"""Bearer tokens: who somebody is at the door (RFC 6750).

A token is `handlog_<id>_<secret>`: 8 hex digits that name it, and 256 random bits in base64url. The file has their
SHA-256, never the tokens: who reads it can't come in with what he read.
"""

import json
from base64 import urlsafe_b64encode
from dataclasses import asdict, dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from time import monotonic
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from domain.messages import Count, Identifier, Person, Text
from services.api.roles import Role
from services.ports import Ports
from services.sealing import private_file
from services.sealing.private_file import BadKeys

TOKENS_FILE = "tokens.json"
PLAYER = "player:"
"""What the reference of a player begins with."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whom a token stands for. `digest`: its SHA-256; `made`: when, UTC microseconds; `label`: where it is used."""

    id: Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{8}$")]
    digest: Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{64}$")]
    who: Person
    role: Role
    label: Text
    made: Count


_HOLDERS: TypeAdapter[list[Holder]] = TypeAdapter(list[Holder])
_PLAYER: TypeAdapter[str] = TypeAdapter(Identifier)
_PERSON: TypeAdapter[str] = TypeAdapter(Annotated[Person, Field(min_length=1)])
_NO_DIGEST = "0" * 64


class Tokens:
    """The tokens of a home. Several processes may use the file at once."""

    def __init__(self, path: Path, *, rest: float = 1.0) -> None:
        """`rest`: seconds for which a token may still be known that another process has taken back."""
        self._path, self._rest = path, rest
        self._looked = -rest
        self._seen: tuple[int, ...] = ()
        self._holders: dict[str, Holder] = {}

    def holder_of(self, token: str) -> Holder | None:
        """Whom a token stands for, None for one that isn't known. Raises BadKeys for a file that can't be used.

        The id finds the digest; digests are compared in constant time.
        """
        id_ = token[8:16]
        if id_ not in self._holders or monotonic() - self._looked >= self._rest:
            self._read()
        found = self._holders.get(id_)
        digest = sha256(token.encode(errors="replace")).hexdigest()
        return found if compare_digest(digest, found.digest if found else _NO_DIGEST) else None

    def holders(self) -> list[Holder]:
        """All of them, the oldest first. Raises BadKeys."""
        return sorted(self._read().values(), key=lambda one: (one.made, one.id))

    def add(self, who: str, role: Role, label: str, ports: Ports) -> str:
        """A new token: kept nowhere, so it is given out once. Raises BadKeys for who can't have one."""
        _check_who(who, role)
        if len(label) > 200 or not label.isprintable():
            raise BadKeys("the label is too long, or can't be shown: say in at most 200 characters where it is used")
        id_ = f"{ports.bits(32):08x}"
        token = f"handlog_{id_}_{urlsafe_b64encode(ports.bits(256).to_bytes(32)).rstrip(b'=').decode()}"
        made = Holder(id_, sha256(token.encode()).hexdigest(), who, role, label, ports.now())
        with private_file.changing(self._path):
            holders = self._read()
            if id_ in holders:
                raise BadKeys(f"another token is named {id_} by chance: try again")
            self._write(holders | {id_: made})
        return token

    def remove(self, id_: str) -> Holder:
        """Whom it stood for; nobody comes in with it any more. Raises BadKeys where there is none of that id."""
        with private_file.changing(self._path):
            holders = dict(self._read())
            if id_ not in holders:
                raise BadKeys(f"there is no token {id_[:80]!r}: `handlog tokens list` names them by 8 hex digits")
            gone = holders.pop(id_)
            self._write(holders)
        return gone

    def _read(self) -> dict[str, Holder]:
        """What the file holds now."""
        try:
            found = self._path.stat()
            seen: tuple[int, ...] = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode)
        except FileNotFoundError:
            seen = ()
        if seen != self._seen:
            self._holders = _holders_in(self._path) if seen else {}
            self._seen = seen
        self._looked = monotonic()
        return self._holders

    def _write(self, holders: dict[str, Holder]) -> None:
        data = json.dumps({"tokens": [asdict(one) for one in holders.values()]}, indent=1).encode() + b"\n"
        private_file.replace(self._path, data)
        self._read()


def _holders_in(path: Path) -> dict[str, Holder]:
    value = private_file.read_json(path)
    try:
        holders = _HOLDERS.validate_python(value["tokens"])
    except (ValidationError, KeyError, TypeError):
        # The validator's own error holds what stands there.
        raise BadKeys(
            f"{path} isn't a list of tokens any more: bring it back from its backup, or move it away"
        ) from None
    return {one.id: one for one in holders}


def _check_who(who: str, role: Role) -> None:
    """Raise BadKeys unless the reference is one of somebody in that role."""
    try:
        _PERSON.validate_python(who)
        if role is Role.PLAYER:
            _PLAYER.validate_python(who.removeprefix(PLAYER))
    except ValidationError:
        raise BadKeys(_NAMED) from None
    if who.startswith(PLAYER) is not (role is Role.PLAYER):
        raise BadKeys(_NAMED)


_NAMED = (
    "a token is for somebody: a player as player:alice, whose id has 1 to 32 of a-z and digits, and only he; others as "
    "floor:ann, with 1 to 64 of a-z, digits and the signs : . _ -"
)
