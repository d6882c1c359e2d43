"""What goes on a report of all-in protection (rules.md section 8): uses that nobody had granted when the clock ended,
and those over what is allowed."""

from pathlib import Path
from typing import Any

import pytest

from domain.hand.commands import Protect
from domain.hand.state import Hand
from domain.table.commands import DealHand, LoseConnection, RestoreConnection, SitDown
from services.bootstrap import open_log
from services.ports import seeded_ports
from services.room.recording import Answer
from services.warehouse import asking
from services.warehouse.worker import catch_up
from tests.services.homes import Desk, hand_of, in_its_name, new_home, open_table, room_over, stays_in
from tests.services.patrons import Attended, attended, recover

PLAYERS = {1: "ann", 2: "bob"}


class Sitting:
    """Ann and bob play heads-up at a table of `ace`, which allows two uses in 24 hours. The small blind, ann's in hands
    1, 3, 5 and bob's in 2, 4, 6, acts first."""

    def __init__(self, one: Attended) -> None:
        self.one, self.desk = one, Desk(one.room.ports)
        self.give(open_table(rulebook="ace", limit="fixed", small=2, big=4))
        self.give(SitDown("t1", 1, "ann", 200), SitDown("t1", 2, "bob", 200))

    def give(self, *all_args: Any) -> None:
        for args in all_args:
            (outcome,) = self.one.give(in_its_name(self.desk, args))
            assert isinstance(outcome, Answer), outcome

    def hand(self, number: int) -> Hand:
        """It is dealt, and the small blind is asked."""
        self.give(DealHand("t1", number))
        return hand_of(self.one.room)

    def is_protected(self, number: int, *, answered: str) -> None:
        """The small blind's. `answered`: when his file is asked and answers: "in time", "late", or "never"."""
        hand = self.hand(number)
        assert hand.turn is not None
        seat = hand.turn.seat
        self.give(LoseConnection("t1", seat, PLAYERS[seat]))
        if answered == "in time":
            self.one.settle()
        self.give(Protect(hand.id, hand.decision, seat))
        self.finish()
        self.give(RestoreConnection("t1", seat, PLAYERS[seat]))
        if answered != "never":
            self.one.settle()

    def is_not_protected(self, number: int) -> None:
        self.hand(number)
        self.finish()

    def finish(self) -> None:
        while not hand_of(self.one.room).settled:
            self.give(stays_in(hand_of(self.one.room)))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    ports = new_home(home)
    with open_log(home, write=True) as log:
        sitting = Sitting(attended(room_over(log, ports)))
        sitting.is_protected(1, answered="in time")
        sitting.is_protected(2, answered="late")
        sitting.is_protected(3, answered="in time")
        sitting.is_not_protected(4)
        sitting.is_protected(5, answered="late")
        sitting.is_protected(6, answered="never")
    return home


COLUMNS = ("hand", "player", "uses_24h", "answer", "over_allowed")


def reported(home: Path) -> list[tuple[Any, ...]]:
    with open_log(home) as log:
        catch_up(home / "warehouse", log)
    with asking.opened(home / "warehouse") as warehouse:
        return [tuple(row[name] for name in COLUMNS) for row in asking.as_dicts(warehouse.ask("protection"))]


def test_it_tells_what_nobody_had_granted_and_what_was_over_the_two_that_are_allowed(home: Path) -> None:
    assert reported(home) == [
        ("t1-1", "ann", 1, "granted", False),
        ("t1-2", "bob", 1, "unanswered", False),
        ("t1-3", "ann", 2, "granted", False),
        ("t1-5", "ann", 3, "unanswered", True),
        ("t1-6", "bob", 2, "unanswered", None),
    ]


def test_what_his_file_says_later_is_taken_in_with_the_next_batch(home: Path) -> None:
    assert reported(home)[-1] == ("t1-6", "bob", 2, "unanswered", None)
    ports = seeded_ports(9)
    with open_log(home, write=True) as log:
        one = attended(room_over(log, ports))
        recover(one, home)
        one.settle()
    assert reported(home)[-1] == ("t1-6", "bob", 2, "unanswered", False)
