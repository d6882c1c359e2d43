"""Erasing reasons: recorded first, then done (`domain/rulings/reasons.py`)."""

import re
from pathlib import Path

from domain.rulings.reasons import DECISIONS, EraseReason, SealedReason
from services.bootstrap import open_log, opened_office
from services.cli.at_door import give_at
from services.cli.opening import Asker, give
from services.cli.reasons import keys_of_reasons
from services.cli.talk import say, stop
from services.ports import real_ports
from services.sealing.keyfile import NoKey
from services.sealing.texts import TextKeys
from services.staff_decisions import Decision, decision_at, erasures

_PLACE = re.compile(r"([0-9]{1,9}):([0-9]{1,15})").fullmatch


def erase_reason(home: Path, place: str, by: str, door: str | None) -> None:
    """Have nobody read the reason of a decision any more. Safe to repeat, also where it broke off half-way.

    `door`: of a node that runs this room; without one nobody else may write it meanwhile. Raises Refused, LogError,
    BadKeys.
    """
    shard, height = _placed(place)
    texts = keys_of_reasons(home)
    with open_log(home) as log:
        decision = decision_at(log, shard, height)
        before = erasures(log).get((shard, height))
    has_key = decision.reason is not None and _has_key(texts, decision.reason)  # without one the office refuses
    if before is None:
        _record(home, EraseReason(shard, height), by, door)
    elif not has_key:
        say(f"It was erased already, by {before.event.by}: {_named(decision)}.")
        return
    if decision.reason is not None:
        texts.erase(decision.reason.box)
    say(f"Nobody can read why any more: {_named(decision)}. The log says that it was erased, and by whom.")
    say("Who has a copy of texts.keys from before still can: erase such copies, or bring none of them back.")


def erase_again(home: Path) -> None:
    """Forget the key of every reason that the log says was erased: an older file of keys may have brought it back."""
    texts, forgotten = keys_of_reasons(home), 0
    with open_log(home) as log:
        for shard, height in erasures(log):
            reason = decision_at(log, shard, height).reason
            if reason is not None and _is_kept(texts, reason):
                texts.erase(reason.box)
                forgotten += 1
    say(f"Keys of erased reasons that were still there, and are forgotten now: {forgotten}.")


def _record(home: Path, asked: EraseReason, by: str, door: str | None) -> None:
    ports = real_ports()
    if door is not None:
        give_at(door, asked, ports)
        return
    Asker(by).check()
    with opened_office(home, ports) as room:
        give(room, asked, by)


def _has_key(texts: TextKeys, reason: SealedReason) -> bool:
    """Whether the key wasn't forgotten yet. Raises NoKey where it isn't in this file: nothing could be erased here;
    BadBox for a box that isn't the reason's own, whose key may be another's."""
    return texts.open(*reason) is not None


def _is_kept(texts: TextKeys, reason: SealedReason) -> bool:
    try:
        return _has_key(texts, reason)
    except NoKey:
        return False


def _placed(text: str) -> tuple[int, int]:
    found = _PLACE(text)
    if found is None:
        stop(f"{text!r} names no decision: write SHARD:HEIGHT, such as 1:14, as `handlog audit staff` does")
    return int(found[1]), int(found[2])


def _named(decision: Decision) -> str:
    return f"{DECISIONS[type(decision.asked)]}, by {decision.by}, at {decision.place}"
