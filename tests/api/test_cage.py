"""The cage through the door, as somebody does who is new to it: each refusal says what was wrong and what is right."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from domain.messages import SECOND
from domain.table.commands import StandUp
from tests.api.cage import ANN, CAGE, FLOOR, Cage, cage_of
from tests.api.doors import problem
from tests.services.patrons import buy_in, real_table

DAY = 24 * 3600 * SECOND


@pytest.fixture
def cage(tmp_path: Path) -> Iterator[Cage]:
    """A room with table t1, of 0.20 to 2.00 EUR, and ann, who has brought 10.00 EUR to the cage."""
    with cage_of(tmp_path / "home") as cage:
        cage.done(FLOOR, real_table())
        cage.done(CAGE, ask.OpenAccount("ann", "EUR"))
        cage.done(CAGE, ask.Deposit("ann", "EUR", 10_00, "pay1"))
        yield cage


def balances(cage: Cage) -> tuple[int, int, int]:
    account = cage.account()
    return account["balance"], account["held"], account["promotion"]


def now() -> int:
    return time.time_ns() // 1000


# --- money in and out ---


def test_an_account_is_opened_before_anything_else(cage: Cage) -> None:
    said = cage.refused(CAGE, ask.Deposit("bob", "EUR", 5_00, "pay2"))
    assert said == "bob has no account in EUR: one is opened at the cage"
    said = cage.refused(CAGE, ask.Deposit("ann", "USD", 5_00, "pay2"))
    assert said == "ann has no account in USD, but in EUR: one is opened at the cage"
    assert cage.refused(CAGE, ask.OpenAccount("ann", "EUR")) == "ann has an account in EUR already: use that one"
    said = cage.refused(CAGE, ask.OpenAccount("ann", "CHF"))
    assert said == "there are no accounts in 'CHF': in EUR, USD, GBP, SEK or PLAY"


def test_a_payment_is_booked_once(cage: Cage) -> None:
    said = cage.refused(CAGE, ask.Deposit("ann", "EUR", 10_00, "pay1"))
    assert said == "payment pay1 was deposited already, 10.00 EUR: another payment has a reference of its own"
    said = cage.refused(CAGE, ask.Deposit("ann", "EUR", 10_00, ""))
    assert said == "a deposit needs the reference of its payment, so that none is booked twice"
    assert balances(cage) == (10_00, 0, 0)


def test_a_slip_of_the_pen_is_named(cage: Cage) -> None:
    body = {"player": "ann", "currency": "EUR", "amount": "12.50"}
    said = problem(cage.sent(CAGE, {"name": "account.deposit", "args": body}), 422, "invalid")
    assert "amount: input should be a valid integer, not '12.50'" in said
    assert said.endswith("reference: field required")


def test_no_more_is_withdrawn_than_the_balance(cage: Cage) -> None:
    said = cage.refused(CAGE, ask.Withdraw("ann", "EUR", 10_01, "out1"))
    assert said == "10.01 EUR is more than the balance, 10.00 EUR: ask for at most the balance"
    cage.done(CAGE, ask.Withdraw("ann", "EUR", 10_00, "out1"))
    assert balances(cage) == (0, 0, 0)


def test_promotion_credit_is_played_and_not_withdrawn(cage: Cage) -> None:
    cage.done(CAGE, ask.GrantPromotion("ann", "EUR", 3_00, "welcome"))
    assert cage.refused(CAGE, ask.Withdraw("ann", "EUR", 12_00, "out1")) == (
        "12.00 EUR is more than the balance, 10.00 EUR: ask for at most the balance; 3.00 EUR is promotion credit, "
        "which is only played"
    )
    assert cage.refused(CAGE, ask.TakeBackPromotion("ann", "EUR", 4_00, "welcome")) == (
        "4.00 EUR of promotion credit can't be taken back: the account has 3.00 EUR of it, so take back at most that"
    )


def test_a_hold_waits_until_it_is_released_or_paid_out(cage: Cage) -> None:
    cage.done(CAGE, ask.Hold("ann", "EUR", "h1", 4_00))
    said = cage.refused(CAGE, ask.Hold("ann", "EUR", "h1", 1_00))
    assert said == "there is a hold h1 already, of 4.00 EUR: give another id"
    assert cage.refused(CAGE, ask.Withdraw("ann", "EUR", 7_00, "out1")) == (
        "7.00 EUR is more than the balance, 6.00 EUR: ask for at most the balance; 4.00 EUR more is on hold"
    )
    said = cage.refused(CAGE, ask.Withdraw("ann", "EUR", 3_00, "out1", "h1"))
    assert said == "hold h1 is 4.00 EUR, not 3.00 EUR: pay out all of it, or release it first"
    said = cage.refused(CAGE, ask.ReleaseHold("ann", "EUR", "h2"))
    assert said == "there is no hold h2: those of the account are h1"
    cage.done(CAGE, ask.Withdraw("ann", "EUR", 4_00, "out1", "h1"))
    assert cage.refused(CAGE, ask.ReleaseHold("ann", "EUR", "h1")) == "there is no hold h1: nothing is held"
    cage.done(CAGE, ask.Hold("ann", "EUR", "h1", 1_00))
    cage.done(CAGE, ask.ReleaseHold("ann", "EUR", "h1"))
    assert balances(cage) == (6_00, 0, 0)


def test_play_money_stays_play_money(cage: Cage) -> None:
    cage.done(CAGE, ask.OpenAccount("bob", "PLAY"))
    cage.done(CAGE, ask.GrantPromotion("bob", "PLAY", 500, "daily"))
    rest = "it is granted, as promotion credit, and only played"
    assert cage.refused(CAGE, ask.Deposit("bob", "PLAY", 5, "pay2")) == f"play money isn't deposited: {rest}"
    assert cage.refused(CAGE, ask.Withdraw("bob", "PLAY", 5, "out1")) == f"play money isn't withdrawn: {rest}"


# --- to a table and back ---


def test_what_the_account_has_is_brought_to_a_table_that_is_there(cage: Cage) -> None:
    assert cage.refused(ANN, buy_in("ann", 1, table="t9")) == "there is no table t9: look which are open"
    said = cage.refused(ANN, buy_in("ann", 1, 200_00))
    assert said == "200.00 EUR is more than the account has: bring at most 10.00"
    said = cage.refused(ANN, ask.TopUp("ann", "EUR", "t1", 1, 50))
    assert said == "ann has no EUR at table t1: buy in there first"


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (buy_in("ann", 1, 19), "0.19 is too little: at least 0.20 to sit down"),
        (buy_in("ann", 1, 2_01), "2.01 is too much: at most 2.00 to sit down"),
    ],
)
def test_what_a_table_will_not_take_comes_back_with_the_reason(cage: Cage, args: ask.BuyIn, why: str) -> None:
    """It is asked when the money comes there, so the player reads why with his account."""
    cage.done(ANN, args)
    (back,) = cage.account()["returned"]
    assert (back["to"], back["purpose"], back["amount"], back["why"]) == ("table:t1", "buy-in", args.amount, why)
    assert balances(cage) == (10_00, 0, 0)


def test_a_top_up_goes_to_the_maximum_of_the_table(cage: Cage) -> None:
    """1.50 EUR at the table, whose maximum is 2.00 EUR."""
    cage.done(ANN, buy_in("ann", 1, 1_50))
    cage.done(ANN, ask.TopUp("ann", "EUR", "t1", 1, 51))
    (back,) = cage.account()["returned"]
    most = "the table's maximum is 2.00, so it takes at most 0.50 more"
    assert back["why"] == f"0.51 is too much: seat 1 has 1.50, {most}"
    cage.done(ANN, ask.TopUp("ann", "EUR", "t1", 1, 50))
    assert cage.account()["returned"] == [], "it is over when the table takes something again"
    assert balances(cage) == (8_00, 0, 0)


def test_money_that_is_at_a_table_is_neither_withdrawn_nor_brought_again(cage: Cage) -> None:
    cage.done(ANN, buy_in("ann", 1, 2_00))
    said = cage.refused(CAGE, ask.Withdraw("ann", "EUR", 10_00, "out1"))
    assert said == "10.00 EUR is more than the balance, 8.00 EUR: ask for at most the balance"
    assert cage.refused(ANN, buy_in("ann", 2, 2_00)) == (
        "ann has money at table t1, or on its way there or back: top up, or wait until it has come back"
    )
    cage.done(ANN, StandUp("t1", 1, "ann"))
    assert balances(cage) == (10_00, 0, 0)


# --- what protects a player ---


def limit(kind: LimitKind, most: int | None, currency: str = "EUR") -> ask.SetLimit:
    return ask.SetLimit("ann", kind, Period.DAY, currency, most)


def test_a_limit_holds_at_once_and_is_loosened_a_day_later(cage: Cage) -> None:
    """10.00 EUR are deposited, of 15.00 EUR."""
    cage.done(ANN, limit(LimitKind.DEPOSIT, 15_00))
    said = cage.refused(CAGE, ask.Deposit("ann", "EUR", 5_01, "pay2"))
    assert said.startswith(
        "ann's deposit limit is 15.00 EUR in 24 hours, of which 5.00 is left now, not 5.01: 5.01 fits after "
    )
    (set_,) = cage.done(ANN, limit(LimitKind.DEPOSIT, 100_00))
    assert set_["data"]["effective"] - set_["data"]["at"] == DAY
    cage.refused(CAGE, ask.Deposit("ann", "EUR", 5_01, "pay2"))
    cage.done(CAGE, ask.Deposit("ann", "EUR", 5_00, "pay2"))


def test_a_limit_that_makes_no_sense_is_explained(cage: Cage) -> None:
    said = cage.refused(ANN, limit(LimitKind.SESSION, 3600))
    assert said == "a session limit is of time and has no currency, not EUR: leave it out"
    said = cage.refused(ANN, limit(LimitKind.LOSS, 5_00, ""))
    assert said == "a loss limit is of a currency: EUR, USD, GBP, SEK or PLAY, not ''"
    assert cage.refused(ANN, limit(LimitKind.LOSS, None)) == "ann has no such limit: there is none to lift"


ONLY_OUT = "meanwhile money is withdrawn, and none deposited or brought to tables"


def test_who_stays_away_takes_money_out_only(cage: Cage) -> None:
    until = now() + 30 * DAY
    cage.done(ANN, ask.Exclude("ann", until))
    for who, args in ((CAGE, ask.Deposit("ann", "EUR", 5_00, "pay2")), (ANN, buy_in("ann", 1))):
        said = cage.refused(who, args)
        assert said.startswith("ann excluded himself until 20")
        assert said.endswith(ONLY_OUT)
    assert cage.refused(ANN, ask.Exclude("ann", until - DAY)).endswith("that can be made longer only")
    cage.done(ANN, ask.Exclude("ann", None))
    said = cage.refused(ANN, ask.Exclude("ann", until))
    assert said == "ann is excluded for good already: that is never shortened"
    cage.done(CAGE, ask.Withdraw("ann", "EUR", 10_00, "out1"))


def test_cooling_off_says_until_when(cage: Cage) -> None:
    assert cage.refused(ANN, ask.CoolOff("ann", 5)).startswith("a cooling off ends later than now: 1970-01-01")
    cage.done(ANN, ask.CoolOff("ann", now() + DAY))
    said = cage.refused(ANN, buy_in("ann", 1))
    assert said.startswith("ann cools off until 20")
    assert said.endswith(ONLY_OUT)


# --- the floor ---


def floor(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": {"player": "ann", **args}}


def test_the_floor_freezes_for_a_reason(cage: Cage) -> None:
    said = cage.refused(FLOOR, floor("player.freeze", reason=""))
    assert said == "a player's money is frozen and unfrozen for a reason: say why"
    said = cage.refused(FLOOR, floor("player.unfreeze", reason="a mistake"))
    assert said == "ann isn't frozen: there is nothing to take back"
    cage.done(FLOOR, floor("player.freeze", reason="two cards up her sleeve"))
    said = cage.refused(FLOOR, floor("player.freeze", reason="again"))
    assert said == "ann is frozen already: he stays so until somebody unfreezes him"
    for who, args in ((CAGE, ask.Withdraw("ann", "EUR", 1_00, "out1")), (ANN, buy_in("ann", 1))):
        assert cage.refused(who, args) == "ann's money is frozen by the floor: ask the floor manager"
    cage.done(FLOOR, floor("player.unfreeze", reason="they were ours"))
    cage.done(CAGE, ask.Withdraw("ann", "EUR", 1_00, "out1"))


def adjustment(amount: int, **other: Any) -> dict[str, Any]:
    signed = {"currency": "EUR", "amount": amount, "by": FLOOR, "second": "", "reason": "short at the till"}
    return floor("account.adjust", **(signed | other))


def alone(**other: Any) -> dict[str, Any]:
    """What asks that one person may adjust up to 5.00 EUR alone."""
    asked = {"currency": "EUR", "alone_up_to": 5_00, "by": FLOOR, "second": "floor:gus", "reason": "a till of our own"}
    return floor("account.change-alone-limit", **(asked | other))


def test_an_adjustment_takes_two_people_above_an_amount(cage: Cage) -> None:
    """5.00 EUR here, as two of the floor have said."""
    cage.done(FLOOR, alone())
    cage.done(FLOOR, adjustment(5_00))
    assert cage.refused(FLOOR, adjustment(5_01)) == (
        "an adjustment of 5.01 EUR takes two people: name a second; one alone may make 5.00 EUR"
    )
    assert cage.refused(FLOOR, adjustment(5_01, second=FLOOR)) == (
        "floor:fay can't be both people who take an adjustment upon them: the second must be another one"
    )
    (made,) = cage.done(FLOOR, adjustment(5_01, second="floor:gus", about="t1-17"))
    assert made["data"]["about"] == "t1-17"
    assert "reason" not in made["data"]
    assert balances(cage) == (20_01, 0, 0)


def test_two_of_the_floor_change_what_one_may_adjust_alone(cage: Cage) -> None:
    """From nothing, as every account is opened."""
    said = cage.refused(CAGE, ask.OpenAccount("bob", "EUR", alone_up_to=1))
    assert said == (
        "an account is opened with alone_up_to 0: what one person may adjust alone two people change afterwards, by "
        "account.change-alone-limit"
    )
    problem(cage.sent(CAGE, alone(by=CAGE)), 403, "forbidden")
    said = cage.refused(FLOOR, alone(second=""))
    assert said == "what one person may adjust alone is changed by two people and for a reason: name both, say why"
    (changed,) = cage.done(FLOOR, alone())
    assert {name: changed["data"][name] for name in ("alone_up_to", "by", "second")} == {
        "alone_up_to": 5_00, "by": FLOOR, "second": "floor:gus",
    }  # fmt: skip
    assert "reason" not in changed["data"]
    cage.done(FLOOR, adjustment(5_00))


def test_an_adjustment_is_signed_explained_and_covered(cage: Cage) -> None:
    said = cage.refused(FLOOR, adjustment(1, by="floor:gus"))
    assert said == "floor:fay can't give account.adjust in the name of floor:gus: by says who asks"
    said = cage.refused(FLOOR, adjustment(1, reason=""))
    assert said == "an adjustment needs a name and a reason: say who makes it, and why"
    said = cage.refused(FLOOR, adjustment(0))
    assert said == "an adjustment of nothing changes nothing: state what comes (positive) or goes (negative)"
    said = cage.refused(FLOOR, adjustment(-10_01, second="floor:gus"))
    assert said == "10.01 EUR is more than the balance, 10.00 EUR: ask for at most the balance"
    said = problem(cage.sent(CAGE, adjustment(1, by=CAGE)), 403, "forbidden")
    assert said == "cage:cara (cage) may not send account.adjust here; it is for admin or floor."
