"""Reasons that staff give for a command: plain text on the wire, sealed before it is decided, so that it can be erased
(design, Format: body)."""

from collections.abc import Callable
from typing import Any

from domain.desk import stream_of
from services.api.problems import INVALID, UNREADABLE, Problem
from services.sealing.private_file import BadKeys

Seal = Callable[[str, str], str]
"""Seals a text of a stream under a key of its own. Raises BadKeys."""

LONGEST = 500
"""Bytes of a reason: a sentence or two."""


def sealed(seal: Seal | None, reason: str, args: Any) -> str:
    """The box of the reason of a command with these arguments. Raises a Problem."""
    if not reason.strip() or not reason.isprintable() or len(reason.encode(errors="replace")) > LONGEST:
        raise Problem(INVALID, f"reason: say why in one line of plain text of at most {LONGEST} bytes.")
    if seal is None:
        raise Problem(INVALID, "This door keeps no reasons: send the command without one, or to a node's door.")
    try:
        return seal(reason, stream_of(args))
    except BadKeys as error:
        raise Problem(UNREADABLE, "The reason can't be kept just now, so nothing was recorded.") from error
