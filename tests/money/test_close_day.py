"""A day is closed once, when it is over, with what its books come to; else it is refused, or found by the audit."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.hand.commands import Fold
from domain.messages import SECOND, Command, Refused
from domain.room import CloseDay, DayTotal
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import make_home, open_log, opened_room
from services.evidence.checkpointer import commits_before
from services.ids import uuid7
from services.ledger import Ledger
from services.ports import Ports
from services.room.days import closed_days, end_of
from services.room.midnight import end_the_day
from services.room.recording import Answer
from services.soundness import verify_home

VIENNA = "Europe/Vienna"
DAY, NEXT = "2026-01-31", "2026-02-01"
MIDNIGHT = end_of(DAY, VIENNA)
SHARDS = 2


class Clocked:
    """A room in Vienna whose clock the test sets."""

    def __init__(self, home: Path) -> None:
        self.home, self.time = home, MIDNIGHT - 3600 * SECOND
        self.ports = Ports(lambda: self.time, Random(1).getrandbits)
        make_home(home, "riverside", self.ports, shards=SHARDS, time_zone=VIENNA)

    def give(self, *asked: Any) -> list[Answer]:
        """The answers to commands. Raises the first refusal."""
        with opened_room(self.home, self.ports) as room:
            answers = []
            for args in asked:
                command = Command(uuid7(self.time, self.ports.bits(74)), args, "floor:ann", "floor")
                (outcome,) = room.execute([command])
                if isinstance(outcome, Exception):
                    raise outcome
                answers.append(outcome)
            return answers

    def close(self, totals: tuple[DayTotal, ...], day: str = DAY, **otherwise: Any) -> None:
        ended = end_of(day, VIENNA)
        with opened_room(self.home, self.ports) as room:
            end_the_day(room, ended)
        with open_log(self.home) as log:
            commits = tuple(commits_before(log, shard, ended) for shard in range(SHARDS))
        self.give(replace(CloseDay(day, ended, commits, totals), **otherwise))

    def findings(self) -> list[str]:
        with open_log(self.home) as log:
            return [one.what for one in verify_home(log, ledger=Ledger()).findings]


@pytest.fixture
def room(tmp_path):
    """Ann and Bob sit down with 10.00 each, and Bob wins her small blind of 0.50, on the 31st of January; the second
    hand is dealt after midnight."""
    room = Clocked(tmp_path / "home")
    room.give(
        OpenTable("t1", "Elm", "holdem", "no", "euro", 50, 100, 2, "real", "EUR"),
        SitDown("t1", 1, "ann", 10_00),
        SitDown("t1", 2, "bob", 10_00),
        DealHand("t1", 1),
        Fold("t1-1", 1, 1),
    )
    room.time = MIDNIGHT
    room.give(DealHand("t1", 2), Fold("t1-2", 1, 2))
    room.time = MIDNIGHT + 300 * SECOND
    return room


THE_31ST = (DayTotal("EUR", 0, 0, 0, 1, 0, 20_00, 0),)
"""No rake: no flop was dealt (rules.md section 9). The cashier's chips are on the table, nothing is in accounts."""


def test_the_day_of_the_room_ends_at_its_own_midnight():
    """In January Vienna is an hour ahead of UTC."""
    assert end_of("2026-01-31", VIENNA) == end_of("2026-01-31", "UTC") - 3600 * SECOND


def test_a_day_is_closed_with_its_heights_and_totals(room):
    room.close(THE_31ST)
    with open_log(room.home) as log:
        (closed,) = closed_days(log)
        ends = [commits_before(log, shard, MIDNIGHT) for shard in range(SHARDS)]
    assert (closed.day, closed.totals, closed.by) == (DAY, THE_31ST, "floor:ann")
    assert list(closed.commits) == ends
    assert sum(ends) == SHARDS + 5
    assert room.findings() == []


@pytest.mark.parametrize(
    "wrong",
    [
        (replace(THE_31ST[0], tables=20_01),),
        (replace(THE_31ST[0], hands=2),),
        (replace(THE_31ST[0], rake=1),),
        (replace(THE_31ST[0], deposits=1),),
        (),
    ],
)
def test_totals_that_its_commits_do_not_come_to_are_found(room, wrong):
    room.close(wrong)
    (finding,) = room.findings()
    assert finding.startswith(f"{DAY} was closed with ")


def test_a_day_is_closed_once_and_none_before_it_afterwards(room):
    room.close(THE_31ST)
    with pytest.raises(Refused, match=f"{DAY} can't be closed: {DAY} was"):
        room.close(THE_31ST)
    with pytest.raises(Refused, match=f"2026-01-30 can't be closed: {DAY} was"):
        room.give(CloseDay("2026-01-30", end_of("2026-01-30", VIENNA), (0, 0), ()))


def test_a_day_that_may_not_be_over_on_every_clock_is_not_closed(room):
    room.time = MIDNIGHT + 300 * SECOND - 1
    with pytest.raises(Refused, match="five minutes after it ends"):
        room.close(THE_31ST)


def test_a_day_is_closed_where_it_ends_and_nowhere_else(room):
    with pytest.raises(Refused, match="doesn't end at"):
        room.close(THE_31ST, ended=MIDNIGHT + 1)
    with pytest.raises(Refused, match="ends after .* commits of the 2 shards"):
        room.close(THE_31ST, commits=(1, 1))
    with pytest.raises(Refused, match="is no day"):
        room.give(CloseDay("2026-02-30", MIDNIGHT, (0, 0), ()))


def test_what_comes_later_belongs_to_the_next_day(room):
    """The second hand was dealt at midnight: it is of the first of February."""
    room.close(THE_31ST)
    room.time = end_of(NEXT, VIENNA) + 300 * SECOND
    room.close(THE_31ST, day=NEXT)
    assert room.findings() == []


ANN_SITS = (DayTotal("EUR", 0, 0, 0, 0, 0, 10_00, 0),)


@pytest.fixture
def quiet(tmp_path):
    """Ann sits down at t1 at 23:00 on the 31st of January, and nothing else happens in its shard, the second of two."""
    room = Clocked(tmp_path / "home")
    room.give(OpenTable("t1", "Elm", "holdem", "no", "euro", 50, 100, 2, "real", "EUR"), SitDown("t1", 1, "ann", 10_00))
    return room


def test_a_day_is_not_closed_while_it_may_still_go_on_somewhere(quiet):
    """Times never go back within a shard: until something was recorded there after midnight, a slow clock could still
    add to the day."""
    quiet.time = MIDNIGHT + 300 * SECOND
    with open_log(quiet.home) as log:
        commits = tuple(commits_before(log, shard, MIDNIGHT) for shard in range(SHARDS))
    with pytest.raises(Refused, match=f"{DAY} can't be closed yet: nothing was recorded after it in shard 1"):
        quiet.give(CloseDay(DAY, MIDNIGHT, commits, ANN_SITS))
    quiet.close(ANN_SITS)
    assert quiet.findings() == []


def test_no_clock_that_is_set_right_leads_back_into_a_closed_day(quiet):
    """It was 36 minutes fast."""
    quiet.time = MIDNIGHT + 360 * SECOND
    quiet.close(ANN_SITS)
    quiet.time = MIDNIGHT - 1800 * SECOND
    (seated,) = quiet.give(SitDown("t1", 2, "bob", 10_00))
    assert seated.at == MIDNIGHT + 360 * SECOND
    assert quiet.findings() == []
