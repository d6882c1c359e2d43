"""What comes of other rooms' hands when they are dealt again: a verdict on each, none passed over."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from domain.hand.legal import chips
from domain.hand.state import Hand
from domain.rules.rulebook import Rulebook
from services.interop import phh
from services.interop.history import Net, Unreadable
from services.interop.holdings import Contradiction
from services.interop.redeal import BreaksOff, Dealt, Disagreement, dealt_again, difference
from services.interop.unsupported import Reason, Unsupported, why_unsupported


class Outcome(StrEnum):
    """AS_PAID: to the chip. NOT_TOLD: dealt again, but its file doesn't tell what was paid. UNSUPPORTED: it can't be
    dealt again, which is no fault of the file. UNREADABLE: it isn't of its format, or contradicts itself."""

    AS_PAID = "as paid"
    DIFFERS = "differs"
    NOT_TOLD = "not told"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`hand`: its number as the file says it, or else that of its place there, "" where it is the only one. `why`:
    empty where nothing is to be said.
    `net`: what each player won or lost here, and `rake`, both in minor units, of which 10 to the power of `scale` are
    one of the file's `currency`. Where the hand wasn't dealt again to its end they are None or empty, as game and limit
    are."""

    file: str
    hand: str
    outcome: Outcome
    why: str = ""
    game: str = ""
    limit: str = ""
    currency: str = ""
    scale: int | None = None
    rake: int | None = None
    net: Net | None = None


def verdicts(file: Path, rulebook: Rulebook) -> Iterator[Verdict]:
    """One on each hand of a file, under that rulebook. Raises OSError for a file that isn't there."""
    try:
        hands = phh.hands_of(file.read_bytes().decode())
    except UnicodeDecodeError as error:
        yield Verdict(str(file), "", Outcome.UNREADABLE, f"no text in UTF-8: {error.reason} at byte {error.start}")
        return
    except Unreadable as error:
        yield Verdict(str(file), "", Outcome.UNREADABLE, str(error))
        return
    for name, hand in hands.items():
        number = str(hand.get("hand", name)) if isinstance(hand, dict) else name
        yield replace(verdict(hand, rulebook), file=str(file), hand=number)


def verdict(hand: Any, rulebook: Rulebook) -> Verdict:
    """On one hand, as `phh.hands_of` has it; its file is left empty."""
    try:
        imported = phh.read(hand)
        reason = why_unsupported(imported.history)
        return _dealt(imported, rulebook) if reason is None else _none(Outcome.UNSUPPORTED, reason)
    except Unsupported as unsupported:
        return _none(Outcome.UNSUPPORTED, unsupported)
    except (Unreadable, Contradiction) as error:
        return _none(Outcome.UNREADABLE, error)


def _none(outcome: Outcome, why: object) -> Verdict:
    return Verdict("", "", outcome, str(why))


def _dealt(imported: phh.Imported, rulebook: Rulebook) -> Verdict:
    collected = imported.collected
    told = imported.net is not None or collected is not None
    try:
        dealt = dealt_again(imported.history, rulebook, None if collected is None else sum(collected.values()))
    except BreaksOff as breaks_off:
        outcome = Outcome.DIFFERS if told else Outcome.UNSUPPORTED
        return _none(outcome, breaks_off if told else Reason.BREAKS_OFF)
    except Disagreement as found:
        return _none(Outcome.DIFFERS, found)
    opened, why = dealt.hand.opened, _difference(imported, dealt)
    outcome = Outcome.NOT_TOLD if not told else Outcome.DIFFERS if why else Outcome.AS_PAID
    return Verdict(
        "",
        "",
        outcome,
        why,
        opened.game,
        opened.limit,
        imported.currency,
        opened.scale,
        dealt.hand.rake,
        dealt.net,
    )


def _difference(imported: phh.Imported, dealt: Dealt) -> str:
    text = partial(_text, hand=dealt.hand)
    if imported.net is not None:
        return difference(dealt.net, imported.net, text)
    if imported.collected is not None:
        return difference(dealt.collected, imported.collected, text)
    return "here " + ", ".join(f"{player} has {text(won)}" for player, won in dealt.net.items())


def _text(amount: int, hand: Hand) -> str:
    return f"{'-' if amount < 0 else '+'}{chips(abs(amount), hand)}"
