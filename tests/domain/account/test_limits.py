"""A player's own limits: deposits, losses, time at tables; stricter at once, looser after 24 hours."""

from typing import Any

import pytest

from domain.account import commands as ask
from domain.account.events import LimitKind, LimitSet, Period
from domain.account.state import Patron
from domain.messages import SECOND, Refused
from tests.domain.account.patrons import DAY, HOUR, NOON, buy_in, cash_out, close, facts, patron


def limit(kind: str, period: str, most: int | None) -> ask.SetLimit:
    currency = "" if kind == "session" else "EUR"
    return ask.SetLimit("ann", LimitKind(kind), Period(period), currency, most)


def limited(kind: str, period: str, most: int, *, cash: int = 0, promotion: int = 0) -> Patron:
    now = patron(cash=cash, promotion=promotion)
    facts(now, limit(kind, period, most), NOON - 35 * DAY)
    return now


def deposit(amount: int, reference: str) -> ask.Deposit:
    return ask.Deposit("ann", "EUR", amount, reference)


def refused(now: Patron, args: Any, at: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        facts(now, args, at)


# --- deposits --------------------------------------------------------------------------------------------------------


def test_deposits_of_24_hours_come_to_the_limit_and_no_further() -> None:
    """100.00 a day: 60.00 at noon; 40.00 is left at 13:00, 40.01 fits after the next noon."""
    now = limited("deposit", "day", 100_00)
    facts(now, deposit(60_00, "a"), NOON)
    refused(
        now,
        deposit(40_01, "b"),
        NOON + HOUR,
        r"ann's deposit limit is 100\.00 EUR in 24 hours, of which 40\.00 is left now, not 40\.01: "
        r"40\.01 fits after 2024-10-05 12:00:00 UTC",
    )
    facts(now, deposit(40_00, "b"), NOON + HOUR)
    refused(
        now, deposit(1, "c"), NOON + HOUR, r"of which 0\.00 is left now, not 0\.01: 0\.01 fits after 2024-10-05 12:"
    )


def test_a_deposit_counts_for_24_hours_to_the_microsecond() -> None:
    now = limited("deposit", "day", 100_00)
    facts(now, deposit(100_00, "a"), NOON)
    refused(now, deposit(100_00, "b"), NOON + DAY - 1, r"100\.00 fits after 2024-10-05 12:00:00 UTC")
    facts(now, deposit(100_00, "b"), NOON + DAY)


def test_he_is_told_when_as_much_as_he_asks_for_fits() -> None:
    """100.00 a day: 30.00 at 12:00 and 60.00 at 13:00. For 80.00 not only the first must be a day ago."""
    now = limited("deposit", "day", 100_00)
    facts(now, deposit(30_00, "a"), NOON)
    facts(now, deposit(60_00, "b"), NOON + HOUR)
    refused(now, deposit(40_00, "c"), NOON + 2 * HOUR, r"40\.00 fits after 2024-10-05 12:00:00 UTC")
    refused(now, deposit(80_00, "c"), NOON + 2 * HOUR, r"80\.00 fits after 2024-10-05 13:00:00 UTC")


def test_what_is_above_the_limit_itself_never_fits() -> None:
    refused(limited("deposit", "day", 100_00), deposit(100_01, "a"), NOON, "not 100.01: so much never fits under it")


@pytest.mark.parametrize(
    ("period", "days", "words"), [("day", 1, "24 hours"), ("week", 7, "7 days"), ("month", 30, "30 days")]
)
def test_each_period_counts_back_from_now(period: str, days: int, words: str) -> None:
    now = limited("deposit", period, 10_00)
    facts(now, deposit(10_00, "a"), NOON)
    refused(now, deposit(1, "b"), NOON + days * DAY - 1, f"in {words}, of which 0.00 is left now")
    facts(now, deposit(1, "b"), NOON + days * DAY)


def test_all_limits_hold_at_once() -> None:
    """100.00 a day and 150.00 a week: the second day has 50.00."""
    now = limited("deposit", "day", 100_00)
    facts(now, limit("deposit", "week", 150_00), NOON - DAY)
    facts(now, deposit(100_00, "a"), NOON)
    refused(now, deposit(50_01, "b"), NOON + DAY, r"150\.00 EUR in 7 days, of which 50\.00 is left")
    facts(now, deposit(50_00, "b"), NOON + DAY)


def test_a_limit_is_of_its_currency() -> None:
    now = limited("deposit", "day", 0)
    facts(now, ask.OpenAccount("ann", "SEK"))
    facts(now, ask.Deposit("ann", "SEK", 500_00, "a"))


# --- losses ----------------------------------------------------------------------------------------------------------


def test_a_loss_is_what_went_to_tables_and_did_not_come_back() -> None:
    """50.00 a day: in with 40.00, out with 15.00: 25.00 are lost and 25.00 left."""
    now = limited("loss", "day", 50_00, cash=500_00)
    buy_in(now, 40_00, NOON)
    cash_out(now, 1, 15_00, NOON + HOUR)
    again = ask.BuyIn("ann", "EUR", "t1", 3, 25_01)
    refused(now, again, NOON + 2 * HOUR, r"ann's loss limit is 50\.00 EUR in 24 hours, of which 25\.00 is left now")
    buy_in(now, 25_00, NOON + 2 * HOUR)


def test_what_is_still_at_a_table_counts_as_lost() -> None:
    now = limited("loss", "day", 50_00, cash=500_00)
    buy_in(now, 40_00, NOON)
    refused(now, ask.TopUp("ann", "EUR", "t1", 3, 10_01), NOON, r"of which 10\.00 is left now, not 10\.01")
    refused(now, ask.BuyIn("ann", "EUR", "t2", 3, 10_01), NOON, r"of which 10\.00 is left now, not 10\.01")


def test_what_a_table_refused_was_never_there() -> None:
    now = limited("loss", "day", 50_00, cash=500_00)
    facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 50_00), NOON)
    close(now, 1, NOON + 1, why="seat 3 is taken")
    buy_in(now, 50_00, NOON + 2)


def test_what_was_won_is_no_room_for_more_losses() -> None:
    """In with 10.00 and out with 90.00: nothing is lost, and 50.00 may be, not 130.00."""
    now = limited("loss", "day", 50_00, cash=500_00)
    buy_in(now, 10_00, NOON)
    cash_out(now, 1, 90_00, NOON + HOUR)
    again = ask.BuyIn("ann", "EUR", "t1", 3, 50_01)
    refused(now, again, NOON + 2 * HOUR, "of which 50.00 is left now, not 50.01: so much never fits under it")


def test_promotion_credit_is_no_loss_of_his() -> None:
    """10.00 of cash and 90.00 of credit, with 11.00 a day: 1.00 is left then."""
    now = limited("loss", "day", 11_00, cash=10_00, promotion=90_00)
    buy_in(now, 100_00)
    facts(now, deposit(5_00, "a"))
    refused(now, ask.TopUp("ann", "EUR", "t1", 3, 1_01), NOON, r"of which 1\.00 is left now, not 1\.01")
    facts(now, ask.TopUp("ann", "EUR", "t1", 3, 1_00))


# --- time at tables --------------------------------------------------------------------------------------------------


def test_who_has_sat_his_time_sits_down_again_when_some_of_it_is_a_day_ago() -> None:
    """2 hours a day: 12:00 to 14:00; the next day at 12:00 the first of it is gone."""
    now = limited("session", "day", 2 * 3600, cash=500_00)
    buy_in(now, 20_00, NOON)
    cash_out(now, 1, 20_00, NOON + 2 * HOUR)
    again = ask.BuyIn("ann", "EUR", "t1", 3, 20_00)
    refused(
        now,
        again,
        NOON + 3 * HOUR,
        "ann's session limit is 2 h at tables in 24 hours, and none of it is left: "
        "sit down or top up after 2024-10-05 12:00:00 UTC",
    )
    refused(now, again, NOON + DAY, "none of it is left")
    buy_in(now, 20_00, NOON + DAY + SECOND)


def test_time_that_goes_on_counts_up_to_now() -> None:
    now = limited("session", "day", 2 * 3600, cash=500_00)
    buy_in(now, 20_00, NOON)
    top_up = ask.TopUp("ann", "EUR", "t1", 3, 1_00)
    facts(now, top_up, NOON + 2 * HOUR - SECOND)
    close(now, 2, NOON + 2 * HOUR - SECOND)
    refused(now, top_up, NOON + 2 * HOUR, "sit down or top up after 2024-10-05 12:00:00 UTC")


def test_who_sat_longer_than_his_limit_waits_until_less_than_it_counts() -> None:
    """12:00 to 15:00 with 2 hours: only when the first hour is a day ago, 13:00, are 2 hours left of it."""
    now = limited("session", "day", 2 * 3600, cash=500_00)
    buy_in(now, 20_00, NOON)
    cash_out(now, 1, 20_00, NOON + 3 * HOUR)
    refused(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00), NOON + 4 * HOUR, "after 2024-10-05 13:00:00 UTC")


def test_time_with_pauses_is_counted_back_over_them() -> None:
    """12:00 to 13:00 and 14:00 to 16:00, with 2 hours 30: they are left of it from 12:30 on, a day later."""
    now = limited("session", "day", 150 * 60, cash=500_00)
    buy_in(now, 20_00, NOON)
    cash_out(now, 1, 20_00, NOON + HOUR)
    buy_in(now, 20_00, NOON + 2 * HOUR)
    cash_out(now, 2, 20_00, NOON + 4 * HOUR)
    refused(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00), NOON + 5 * HOUR, "after 2024-10-05 12:30:00 UTC")


def test_time_at_two_tables_at_once_counts_once() -> None:
    """12:00 to 13:00 at one, 12:30 to 13:30 at the other: an hour and a half."""
    now = limited("session", "day", 90 * 60 + 1, cash=500_00)
    buy_in(now, 20_00, NOON, "t1")
    buy_in(now, 20_00, NOON + HOUR // 2, "t2")
    cash_out(now, 1, 20_00, NOON + HOUR, "t1")
    cash_out(now, 1, 20_00, NOON + HOUR + HOUR // 2, "t2")
    buy_in(now, 20_00, NOON + 2 * HOUR)
    facts(now, limit("session", "day", 90 * 60), NOON + 2 * HOUR)
    refused(now, ask.BuyIn("ann", "EUR", "t2", 3, 20_00), NOON + 2 * HOUR, "session limit is 1 h 30 min at tables")


# --- setting them ----------------------------------------------------------------------------------------------------


def test_a_stricter_limit_holds_at_once() -> None:
    now = limited("deposit", "day", 100_00)
    (fact,) = facts(now, limit("deposit", "day", 50_00), NOON)
    assert fact == LimitSet(LimitKind.DEPOSIT, Period.DAY, "EUR", 50_00, effective=NOON, at=NOON)
    refused(now, deposit(50_01, "a"), NOON, "limit is 50.00 EUR")


@pytest.mark.parametrize("most", [200_00, None])
def test_a_looser_limit_holds_after_24_hours(most: int | None) -> None:
    now = limited("deposit", "day", 100_00)
    (fact,) = facts(now, limit("deposit", "day", most), NOON)
    assert (fact.at, fact.effective) == (NOON, NOON + DAY)
    refused(now, deposit(100_01, "a"), NOON + DAY - 1, "limit is 100.00 EUR")
    facts(now, deposit(100_01, "a"), NOON + DAY)


def test_a_stricter_one_takes_back_the_looser_one_that_was_to_come() -> None:
    now = limited("deposit", "day", 100_00)
    facts(now, limit("deposit", "day", 200_00), NOON)
    facts(now, limit("deposit", "day", 80_00), NOON + HOUR)
    refused(now, deposit(80_01, "a"), NOON + 3 * DAY, "limit is 80.00 EUR")


def test_the_same_limit_again_takes_back_the_looser_one_too() -> None:
    now = limited("deposit", "day", 100_00)
    facts(now, limit("deposit", "day", 200_00), NOON)
    facts(now, limit("deposit", "day", 100_00), NOON + HOUR)
    refused(now, deposit(100_01, "a"), NOON + 3 * DAY, "limit is 100.00 EUR")


def test_a_looser_one_again_waits_its_own_24_hours_and_the_old_one_holds() -> None:
    now = limited("deposit", "day", 100_00)
    facts(now, limit("deposit", "day", 200_00), NOON)
    facts(now, limit("deposit", "day", 300_00), NOON + HOUR)
    refused(now, deposit(100_01, "a"), NOON + DAY, "limit is 100.00 EUR")
    facts(now, deposit(300_00, "a"), NOON + DAY + HOUR)


def test_a_limit_names_a_currency_unless_it_is_of_time() -> None:
    now = patron()
    refused(now, ask.SetLimit("ann", LimitKind.SESSION, Period.DAY, "EUR", 60), NOON, "is of time and has no currency")
    refused(now, ask.SetLimit("ann", LimitKind.LOSS, Period.DAY, "", 60), NOON, "a loss limit is of a currency: EUR")
    refused(now, limit("loss", "day", None), NOON, "ann has no such limit: there is none to lift")


def test_who_allows_himself_no_time_never_sits_down() -> None:
    now = limited("session", "day", 0, cash=500_00)
    refused(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00), NOON, "session limit is no time at tables: raise it first")
