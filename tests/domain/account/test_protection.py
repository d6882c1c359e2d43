"""Cooling off, exclusion and freezing: what they stop, for how long, and which tables are told."""

from typing import Any

import pytest

from domain.account import commands as ask
from domain.account.state import Patron
from domain.messages import Refused
from domain.transfers import About, NoticeSent
from tests.domain.account.patrons import DAY, NOON, buy_in, close, facts, holds, patron

SIT_DOWN = ask.BuyIn("ann", "EUR", "t1", 3, 20_00)
TOP_UP = ask.TopUp("ann", "EUR", "t1", 3, 5_00)
DEPOSIT = ask.Deposit("ann", "EUR", 5_00, "p1")
WITHDRAW = ask.Withdraw("ann", "EUR", 5_00, "w1")


def refused(now: Patron, args: Any, at: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        facts(now, args, at)


def notices(made: list[Any]) -> list[tuple[str, int, About]]:
    return [(one.to, one.seq, one.about) for one in made if isinstance(one, NoticeSent)]


def test_who_cools_off_neither_buys_in_nor_deposits_until_it_is_over() -> None:
    now = patron(cash=50_00)
    facts(now, ask.CoolOff("ann", NOON + DAY))
    for args in (SIT_DOWN, DEPOSIT):
        refused(now, args, NOON + DAY - 1, "ann cools off until 2024-10-05 12:00:00 UTC")
        facts(now, args, NOON + DAY)


def test_who_excluded_himself_is_out_until_then_or_for_good() -> None:
    now = patron(cash=50_00)
    facts(now, ask.Exclude("ann", NOON + DAY))
    refused(now, SIT_DOWN, NOON, "ann excluded himself until 2024-10-05 12:00:00 UTC")
    buy_in(now, 20_00, NOON + DAY)
    facts(now, ask.Exclude("ann", None), NOON + DAY)
    for args in (TOP_UP, DEPOSIT):
        refused(now, args, NOON + 9_000 * DAY, "ann excluded himself for good")


def test_his_own_money_he_may_take_home() -> None:
    now = patron(cash=50_00)
    facts(now, ask.Exclude("ann", None))
    facts(now, WITHDRAW)
    assert holds(now) == (45_00, 0, 0)


def test_an_exclusion_and_a_cooling_off_are_never_shortened() -> None:
    now = patron()
    for command, words in ((ask.CoolOff, "cools off"), (ask.Exclude, "is excluded")):
        refused(now, command("ann", NOON), NOON, "ends later than now")
        facts(now, command("ann", NOON + 2 * DAY))
        refused(
            now, command("ann", NOON + DAY), NOON, f"ann {words} until 2024-10-06 12:00:00 UTC: that can be made longer"
        )
        facts(now, command("ann", NOON + 3 * DAY))
    facts(now, ask.Exclude("ann", None))
    refused(now, ask.Exclude("ann", NOON + 9 * DAY), NOON, "ann is excluded for good already")


def test_his_tables_are_told_that_he_leaves() -> None:
    now = patron(cash=50_00)
    buy_in(now, 20_00, table="t1")
    buy_in(now, 20_00, table="t2")
    made = facts(now, ask.Exclude("ann", None))
    assert notices(made) == [("table:t1", 1, About.LEAVE), ("table:t2", 1, About.LEAVE)]


def test_who_is_frozen_neither_plays_nor_withdraws() -> None:
    now = patron(cash=50_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 5_00))
    facts(now, ask.Freeze("ann", "Ym94"))
    for args in (SIT_DOWN, WITHDRAW, ask.Withdraw("ann", "EUR", 5_00, "w1", "h1")):
        refused(now, args, NOON, "ann's money is frozen by the floor: ask the floor manager")
    facts(now, DEPOSIT)
    facts(now, ask.Unfreeze("ann", "Ym94"))
    facts(now, WITHDRAW)


def test_a_freeze_has_a_reason_and_is_taken_back_once() -> None:
    now = patron()
    refused(now, ask.Unfreeze("ann", "Ym94"), NOON, "ann isn't frozen")
    refused(now, ask.Freeze("ann", ""), NOON, "frozen and unfrozen for a reason: say why")
    facts(now, ask.Freeze("ann", "Ym94"))
    refused(now, ask.Freeze("ann", "Ym94"), NOON, "ann is frozen already")
    refused(now, ask.Unfreeze("ann", ""), NOON, "frozen and unfrozen for a reason: say why")


def test_freezing_and_unfreezing_are_told_in_their_order_without_waiting() -> None:
    now = patron(cash=50_00)
    buy_in(now, 20_00)
    assert notices(facts(now, ask.Freeze("ann", "Ym94"))) == [("table:t1", 1, About.FREEZE)]
    assert notices(facts(now, ask.Unfreeze("ann", "Ym94"))) == [("table:t1", 2, About.UNFREEZE)]


def test_who_was_excluded_while_frozen_leaves_once_he_is_unfrozen() -> None:
    now = patron(cash=50_00)
    buy_in(now, 20_00)
    facts(now, ask.Freeze("ann", "Ym94"))
    facts(now, ask.Exclude("ann", None))
    made = facts(now, ask.Unfreeze("ann", "Ym94"))
    assert notices(made) == [("table:t1", 3, About.UNFREEZE), ("table:t1", 4, About.LEAVE)]


def test_who_has_cooled_off_by_then_stays() -> None:
    now = patron(cash=50_00)
    buy_in(now, 20_00)
    facts(now, ask.CoolOff("ann", NOON + DAY))
    facts(now, ask.Freeze("ann", "Ym94"))
    assert notices(facts(now, ask.Unfreeze("ann", "Ym94"), NOON + DAY)) == [("table:t1", 3, About.UNFREEZE)]


def test_a_table_that_was_told_before_the_money_came_is_told_again() -> None:
    """The notice may have overtaken the buy-in: the table knew of nobody then."""
    now = patron(cash=50_00)
    facts(now, SIT_DOWN)
    assert notices(facts(now, ask.Freeze("ann", "Ym94"))) == [("table:t1", 1, About.FREEZE)]
    assert notices(close(now, 1)) == [("table:t1", 2, About.FREEZE)]


def test_a_table_that_refused_his_money_is_told_nothing_more() -> None:
    now = patron(cash=50_00)
    facts(now, SIT_DOWN)
    facts(now, ask.Freeze("ann", "Ym94"))
    assert notices(close(now, 1, why="seat 3 is taken")) == []
