"""The file of the checkpointer's secret: {"format": "handlog-checkpoint-key-1", "name": ..., "secret": 64 hex digits}.

It is another than the room's keys, so that who signs what the log was need not be able to open a card.
"""

import re
from pathlib import Path
from typing import Any

from services.eventlog import canonical
from services.evidence.note import CheckpointKey
from services.sealing import private_file
from services.sealing.private_file import BadKeys

FORMAT = "handlog-checkpoint-key-1"

_SECRET = re.compile("[0-9a-f]{64}").fullmatch


def make(path: Path | str, name: str, secret: bytes) -> CheckpointKey:
    """A new key file, mode 0600, durable. `name`: as in the notes. Raises BadKeys; writes over nothing."""
    path = Path(path)
    key = CheckpointKey(name, secret)
    document: dict[str, Any] = {"format": FORMAT, "name": name, "secret": secret.hex()}
    with private_file.changing(path):
        private_file.create(path, canonical.encode(document) + b"\n")
    return key


def load(path: Path | str, name: str) -> CheckpointKey:
    """The key of that name. Raises BadKeys for a file that is missing, open to others, damaged, or of another name."""
    path = Path(path)
    match private_file.read_json(path):
        case {"format": format_, "name": str(named), "secret": str(secret)} if format_ == FORMAT and _SECRET(secret):
            if named != name:
                raise BadKeys(f"the key file {path} is of {named}, not of {name}: choose this room's own")
            return CheckpointKey(name, bytes.fromhex(secret))
    raise BadKeys(
        f"{path} is no checkpoint key: an object of format {FORMAT}, a name and a secret of 64 lower-case hex digits "
        "is needed"
    )
