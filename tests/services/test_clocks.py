"""The timekeeper: whose clock runs, for how long, and what is done when it has run out (rules.md section 8)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.messages import SECOND, Command, Refused
from domain.table.commands import DealHand, LoseConnection, PauseTable, RestoreConnection, ResumeTable
from services.eventlog.log import AppendRefused
from services.ports import Ports
from services.room.clocks import AGAIN, Awaited, Timekeeper, awaited_at
from services.room.staff import Staff, at_work
from services.room.writer import Writer
from services.rulings import readjudicate_all
from tests.services.floors import ACTION_CLOCK, DRAW_CLOCK, HAND, Floor, floor_in
from tests.services.homes import START, opener

Opened = Callable[..., Floor]


def told(commands: list[Command]) -> list[Any]:
    """What was asked, by the room itself as time was up."""
    assert all((one.by, one.cause) == ("room", "timer") for one in commands)
    return [one.args for one in commands]


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Opened]:
    with floor_in(tmp_path / "home", Timekeeper) as opened:
        yield opened


def keeper_of(at: Floor) -> Timekeeper:
    assert isinstance(at.attendant, Timekeeper)
    return at.attendant


# --- a real room -----------------------------------------------------------------------------------------------------


def test_he_has_the_seconds_of_his_table_and_not_one_less(floor: Opened) -> None:
    at = floor()
    late = ask.ActTooLate(HAND, 1, at.seat)
    assert at.after(ACTION_CLOCK - 0.001) == []
    assert told(at.after(0.001)) == [late]
    assert [type(one) for one in at.hand.facts[:2]] == [fact.OutOfTime, fact.Folded]
    assert at.after(0) == []


def test_the_next_one_has_a_clock_of_his_own(floor: Opened) -> None:
    at = floor()
    at.after(10)
    at.acts(ask.Call)
    assert at.after(ACTION_CLOCK - 1) == []
    assert told(at.after(1)) == [ask.ActTooLate(HAND, 2, at.hand.order[0])]


def test_who_never_answers_is_late_again_and_again_until_the_hand_is_over(floor: Opened) -> None:
    """Three players, nobody answers: two fold, the big blind wins."""
    at = floor()
    at.after(ACTION_CLOCK)
    at.after(ACTION_CLOCK)
    assert at.hand.settled
    assert at.after(1000) == []
    assert keeper_of(at).left("t1", at.clock.now) is None


def test_a_draw_has_the_draw_clock(floor: Opened) -> None:
    at = floor(game="draw")
    while type(at.hand.turn) is not fact.DrawOffered:
        at.acts(ask.Call if getattr(at.hand.turn, "call", 0) else ask.Check)
    late = ask.DrawTooLate(HAND, at.hand.decision, at.seat)
    assert at.after(DRAW_CLOCK - 1) == []
    assert told(at.after(1)) == [late]


def test_who_has_lost_his_connection_is_protected(floor: Opened) -> None:
    at = floor().acts(ask.Call)
    seat = at.seat
    at.give(LoseConnection("t1", seat, f"p{seat}"))
    assert told(at.after(ACTION_CLOCK)) == [ask.Protect(HAND, 2, seat)]
    assert at.hand.aside[seat] == 99, "the small blind of 1 is in"


def test_who_is_back_in_time_has_what_is_left_of_his_clock(floor: Opened) -> None:
    at = floor()
    seat = at.seat
    at.give(LoseConnection("t1", seat, f"p{seat}"))
    at.after(10)
    at.give(RestoreConnection("t1", seat, f"p{seat}"))
    assert at.after(ACTION_CLOCK - 10 - 1) == []
    assert told(at.after(1)) == [ask.ActTooLate(HAND, 1, seat)]


def test_a_use_that_was_refused_makes_him_late(floor: Opened) -> None:
    at = floor()
    seat = at.seat
    at.give(LoseConnection("t1", seat, f"p{seat}"))
    assert late_with(at, seat, "") is ask.Protect
    assert late_with(at, seat, "asked") is ask.Protect, "no answer counts as granted"
    assert late_with(at, seat, "granted") is ask.Protect
    assert late_with(at, seat, "refused") is ask.ActTooLate


def late_with(at: Floor, seat: int, protection: str) -> type:
    """What is done when the time of the seat is up."""
    now = at.room.table("t1")
    assert now.table
    now.table.seats[seat].protection = protection
    awaited = awaited_at(now)
    assert awaited
    return awaited.late


def test_no_tournament_protects(floor: Opened) -> None:
    at = floor(kind="tournament", currency="CHIPS")
    at.give(LoseConnection("t1", at.seat, f"p{at.seat}"))
    assert told(at.after(ACTION_CLOCK)) == [ask.ActTooLate(HAND, 1, 1)]


def test_at_a_paused_table_the_clock_stands_and_goes_on_with_what_was_left(floor: Opened) -> None:
    at = floor()
    seat = at.seat
    at.after(10)
    at.give(PauseTable("t1", ""))
    assert at.after(3600) == []
    assert keeper_of(at).left("t1", at.clock.now) == 5 * SECOND
    at.give(ResumeTable("t1", ""))
    assert at.after(ACTION_CLOCK - 10 - 1) == []
    assert told(at.after(1)) == [ask.ActTooLate(HAND, 1, seat)]


def test_after_a_takeover_a_running_clock_starts_afresh(floor: Opened) -> None:
    at = floor()
    at.after(10)
    at.attendant = Timekeeper(at.room.ports)
    at.attendant.look_over([at.room.table("t1")])
    assert at.after(ACTION_CLOCK - 1) == []
    assert told(at.after(1)) == [ask.ActTooLate(HAND, 1, at.hand.opened.button)]


def test_who_left_has_no_clock_he_folds_at_once(floor: Opened) -> None:
    at = floor()
    next_one = at.hand.order[0]
    at.give(ask.Leave(HAND, next_one), ask.Call(HAND, 1, at.seat))
    assert fact.Folded(next_one) in at.hand.facts
    assert at.seat == at.hand.order[1]


def test_nobody_else_says_that_time_is_up(floor: Opened) -> None:
    at = floor()
    for of in (ask.ActTooLate, ask.DrawTooLate, ask.Protect):
        (outcome,) = at.room.execute([at.desk(of(HAND, 1, at.seat))])
        assert isinstance(outcome, Refused)
        assert "only the room does" in str(outcome)


def test_the_staff_keeps_time_beside_the_writer(floor: Opened) -> None:
    """The whole way: a thread of its own, woken when the first clock ends."""
    at = floor()
    writer, over = Writer(at.room), Event()
    at.room.listeners.append(lambda room, told: over.set() if at.hand.settled else None)
    staff = Staff(writer.submit, at.room.ports, [keeper_of(at)])
    with at_work(staff, writer):
        at.clock.goes_on(ACTION_CLOCK)
        staff.wake()
        while not over.wait(0.02):
            at.clock.goes_on(1)
            staff.wake()
    writer.close()
    assert at.hand.settled


def test_what_time_decided_is_decided_the_same_again(floor: Opened) -> None:
    """Three players: one is too late, one is protected, one leaves."""
    at = floor()
    at.after(ACTION_CLOCK)
    seat = at.seat
    at.give(LoseConnection("t1", seat, f"p{seat}"))
    at.after(ACTION_CLOCK)
    assert at.hand.settled
    at.give(DealHand("t1", 2))
    at.give(ask.Leave("t1-2", at.seat))
    assert [type(one) for one in at.hand.facts[:2]] == [fact.PlayerLeft, fact.Folded]
    assert [found for _, found in readjudicate_all(at.room.log, opener(at.room.log)) if found is not None] == []


# --- clocks alone ----------------------------------------------------------------------------------------------------


def waits(decision: int = 1, *, seconds: int = 30, stands: bool = False, table: str = "t1") -> Awaited:
    return Awaited(f"{table}-1", decision, 1, seconds, ask.ActTooLate, stands)


def a_keeper() -> Timekeeper:
    return Timekeeper(Ports(lambda: START, Random(1).getrandbits))


def due(keeper: Timekeeper, seconds: float) -> list[Command]:
    return keeper.due(START + round(seconds * SECOND))


def test_it_is_asked_once_until_it_is_answered() -> None:
    keeper = a_keeper()
    keeper.see("t1", waits(), START)
    (command,) = due(keeper, 30)
    assert due(keeper, 31) == []
    keeper.answered(command, AppendRefused("the disk is full"), START + 31 * SECOND)
    assert due(keeper, 31.9) == []
    assert keeper.wakes() == START + 31 * SECOND + AGAIN
    assert [one.args for one in due(keeper, 32)] == [command.args]


def test_an_answer_to_a_decision_that_is_past_changes_nothing() -> None:
    keeper = a_keeper()
    keeper.see("t1", waits(), START)
    (command,) = due(keeper, 30)
    keeper.see("t1", waits(2), START + 30 * SECOND)
    keeper.answered(command, Refused("it was answered"), START + 30 * SECOND)
    assert due(keeper, 59) == []
    assert len(due(keeper, 60)) == 1


def test_a_table_that_another_room_writes_has_no_clock_here() -> None:
    keeper = a_keeper()
    keeper.see("t1", waits(), START)
    keeper.leave("table:t1".__eq__)
    assert due(keeper, 1000) == []


def test_a_clock_that_never_ran_is_not_due_however_long_it_stands() -> None:
    keeper = a_keeper()
    keeper.see("t1", waits(stands=True), START)
    assert due(keeper, 1000) == []
    keeper.see("t1", waits(), START + 1000 * SECOND)
    assert due(keeper, 1029) == []
    assert len(due(keeper, 1030)) == 1


def test_the_times_that_it_keeps_do_not_grow_with_the_decisions() -> None:
    keeper = a_keeper()
    for decision in range(20_000):
        keeper.see(f"t{decision % 10}", waits(decision, table=f"t{decision % 10}"), START + decision)
    assert len(keeper._ends) < 2_000
    assert len(due(keeper, 31)) == 10
