"""Uses of all-in protection, counted in the player's file over 24 hours (rules.md section 8)."""

from typing import Any

import pytest

from domain.account.play import play
from domain.account.state import Patron
from domain.messages import AlreadyDone, Refused
from domain.transfers import About, Outcome, PlayerReceiveNotice
from tests.domain.account.patrons import DAY, HOUR, NOON


class Tables:
    """What tables tell a player's file, each notice with the next number of its table."""

    def __init__(self, allowed: int = 2) -> None:
        self.patron, self.allowed = Patron("ann"), allowed
        self.last: dict[str, int] = {}

    def tell(self, about: About, hand: str, at: int) -> Outcome:
        table = hand.partition("-")[0]
        seq = self.last[table] = self.last.get(table, 0) + 1
        notice = PlayerReceiveNotice("ann", f"table:{table}", seq, about, hand, self.allowed)
        ((_, (received,)),) = play(self.patron, notice, at)
        outcome: Outcome = received.outcome
        return outcome

    def ask(self, hand: str, at: int = NOON) -> Outcome:
        return self.tell(About.PROTECTION, hand, at)


def test_two_uses_in_24_hours_then_none() -> None:
    """Granted at 12:00 and 13:00; refused until 24 hours after the first."""
    tables = Tables(allowed=2)
    assert tables.ask("t1-1", NOON) is Outcome.GRANTED
    assert tables.ask("t2-7", NOON + HOUR) is Outcome.GRANTED
    assert tables.ask("t1-2", NOON + DAY - 1) is Outcome.REFUSED
    assert tables.ask("t1-3", NOON + DAY) is Outcome.GRANTED
    assert tables.ask("t1-4", NOON + DAY) is Outcome.REFUSED


def test_what_was_granted_and_not_used_is_given_back() -> None:
    tables = Tables(allowed=1)
    assert tables.ask("t1-1") is Outcome.GRANTED
    assert tables.tell(About.PROTECTION_RELEASED, "t1-1", NOON) is Outcome.DONE
    assert tables.ask("t1-2") is Outcome.GRANTED


def test_what_was_granted_and_used_stays_used() -> None:
    tables = Tables(allowed=1)
    tables.ask("t1-1")
    assert tables.tell(About.PROTECTION_USED, "t1-1", NOON) is Outcome.DONE
    assert tables.ask("t1-2") is Outcome.REFUSED


def test_a_use_that_was_not_granted_is_over_and_counts() -> None:
    """No answer had come when the clock ended, which counts as granted: here none was left."""
    tables = Tables(allowed=1)
    tables.ask("t1-1", NOON)
    assert tables.ask("t1-2", NOON + HOUR) is Outcome.REFUSED
    assert tables.tell(About.PROTECTION_USED, "t1-2", NOON + HOUR) is Outcome.OVER
    assert tables.ask("t1-3", NOON + DAY) is Outcome.REFUSED, "the second use is of 13:00"
    assert tables.ask("t1-4", NOON + DAY + HOUR) is Outcome.GRANTED


def test_a_repeat_is_answered_the_same_and_counts_once() -> None:
    tables = Tables(allowed=2)
    tables.ask("t1-1")
    again = PlayerReceiveNotice("ann", "table:t1", 1, About.PROTECTION, "t1-1", 2)
    with pytest.raises(AlreadyDone) as done:
        play(tables.patron, again, NOON)
    assert done.value.outcome.outcome is Outcome.GRANTED
    assert tables.ask("t2-1") is Outcome.GRANTED


@pytest.mark.parametrize("about", [About.FREEZE, About.UNFREEZE, About.LEAVE])
def test_a_player_s_file_is_told_nothing_that_it_tells_tables(about: Any) -> None:
    with pytest.raises(Refused, match=f"a player's file tells tables of a {about}, none tells it"):
        Tables().tell(about, "t1-1", NOON)
