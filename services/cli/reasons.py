"""Reasons as people read them: the text, or why there is none to read."""

from pathlib import Path
from typing import NamedTuple

from domain.rulings.reasons import SealedReason
from services.bootstrap import TEXTS_FILE
from services.sealing.boxes import BadBox
from services.sealing.keyfile import NoKey
from services.sealing.texts import TextKeys
from services.staff_decisions import Erasure


class Reason(NamedTuple):
    """`text`: None where it can't be read. `state`: none, given, erased, to be erased (the log says that it was, but
    its key is still there), or unreadable, because its key or box isn't as it should be: `why`."""

    text: str | None
    state: str
    why: str = ""

    @property
    def said(self) -> str:
        """In words: the state, and why."""
        return f"{self.state}: {self.why}" if self.why else self.state

    @property
    def shown(self) -> str:
        """What stands in the place of the text."""
        return self.text or {"none": "", "given": ""}.get(self.state, self.said)


def keys_of_reasons(home: Path) -> TextKeys:
    """Raises BadKeys."""
    return TextKeys(home / TEXTS_FILE)


def read_reason(texts: TextKeys, reason: SealedReason | None, erased: Erasure | None) -> Reason:
    """A reason, with what the log says of its erasure. A box that doesn't open is told, and stops nothing."""
    if reason is None:
        return Reason(None, "none")
    try:
        text = texts.open(*reason)
    except (NoKey, BadBox) as error:
        return Reason(None, "unreadable", str(error))
    if text is None:
        return Reason(None, "erased")
    if erased is not None:
        place = f"{erased.event.shard}:{erased.event.height}"
        return Reason(None, "to be erased", f"its key is still here; `handlog erase-reason {place}` forgets it")
    return Reason(text, "given")
