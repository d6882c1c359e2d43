"""Why a logged hand isn't dealt again: what the product can't deal, and what is wrong with single records."""

from enum import StrEnum
from functools import cache
from pathlib import Path

from services.interop.unsupported import Reason, why_unsupported
from tests.oracle.records import Record

BROKEN = Path(__file__).with_name("broken.txt")


class Skip(StrEnum):
    CASH_OUT = "a player cashed out of his all-in"
    SPLASH_POT = "the room added money to the pot"
    STREETS_MERGED = "two streets stand in the log as one"
    BET_LOGGED_TWICE = "one bet stands in the log several times"
    SEATS_WRONG = "the seats of the log contradict its actions"
    POST_LOGGED_AS_BET = "a forced all-in post stands in the log as a bet"
    STAKES_WRONG = "the stakes of the log aren't those that were played"
    LINES_LOST = "lines of the log are lost"
    CANCELLED = "the room cancelled the hand"
    CHECKS_AFTER_ALL_IN = "the log lets players check who have no decision any more"
    CAPPED_GAME = "what a player may put into the hand was capped"
    SEAT_WITHOUT_CHIPS = "a player was dealt in without chips"
    BRING_IN_IN_BET = "the log adds the bring-in to the bet"


def why_skipped(record: Record) -> Skip | Reason | None:
    """The first reason that applies; None for a hand that can be dealt again."""
    if record.id in broken():
        return broken()[record.id]
    if "run_it_multiple" in record.flags:
        return Reason.RUN_TWICE
    if any(line.act == "cash_out" for line in record.lines):
        return Skip.CASH_OUT
    if "splash_pot" in record.flags:
        return Skip.SPLASH_POT
    return why_unsupported(record)


@cache
def broken() -> dict[str, Skip]:
    """The hands listed in broken.txt."""
    lines = (line.split() for line in BROKEN.read_text().splitlines() if line and not line.startswith("#"))
    return {hand: Skip[reason] for hand, reason in lines}
