"""How old revisions of messages are read: one function from a revision's data to the next one's.

A stored message is never rewritten. `@upcast("hand.bet-made", 1)` turns data of revision 1 into data of revision 2; the
catalog applies as many as a message needs before it validates.
"""

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
UPCASTS: dict[tuple[str, int], Callable[[Data], Data]] = {}


def upcast(name: str, rev: int) -> Callable[[Callable[[Data], Data]], Callable[[Data], Data]]:
    """Register the step from `rev` to `rev + 1` of the message with that wire name."""

    def register(step: Callable[[Data], Data]) -> Callable[[Data], Data]:
        UPCASTS[name, rev] = step
        return step

    return register
