"""Money in and out of an account: never overdrawn, nothing twice, holds, adjustments, promotion credit."""

from typing import Any

import pytest

from domain.account import commands as ask
from domain.account import events as fact
from domain.account.events import LimitKind, Period
from domain.account.state import Patron
from domain.messages import Refused
from domain.money import MAX_AMOUNT
from domain.rules.vocabulary import Kind
from tests.domain.account.patrons import DAY, NOON, cash_out, facts, holds, patron


def refused(now: Patron, args: Any, sentence: str) -> None:
    before = repr(now)
    with pytest.raises(Refused, match=sentence):
        facts(now, args)
    assert repr(now) == before, "a refusal changes nothing"


def test_an_account_is_opened_once_and_his_file_knows_of_it() -> None:
    now = Patron("ann")
    added, opened = facts(now, ask.OpenAccount("ann", "SEK", 100_00))
    assert (added, opened) == (fact.AccountAdded("SEK"), fact.AccountOpened("SEK", 2, Kind.REAL, 100_00))
    assert now.player is not None and now.player.currencies == ["SEK"]
    refused(now, ask.OpenAccount("ann", "SEK"), "ann has an account in SEK already")


def test_there_are_accounts_in_the_currencies_of_the_house_and_none_in_chips() -> None:
    refused(Patron("ann"), ask.OpenAccount("ann", "CHIPS"), "no accounts in 'CHIPS': in EUR, USD, GBP, SEK or PLAY")
    refused(
        patron(), ask.Deposit("ann", "USD", 1, "p1"), "ann has no account in USD, but in EUR: one is opened at the cage"
    )


def test_the_versions_of_his_streams_count_their_facts() -> None:
    """Opened, deposited, held, released; his file: that he has the account, and a limit."""
    now = patron(cash=20_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 5_00))
    facts(now, ask.ReleaseHold("ann", "EUR", "h1"))
    facts(now, ask.SetLimit("ann", LimitKind.DEPOSIT, Period.DAY, "EUR", 10_00))
    assert (now.accounts["EUR"].version, now.file.version) == (4, 2)


def test_all_of_a_balance_can_be_withdrawn_and_not_a_cent_more() -> None:
    now = patron(cash=20_00)
    refused(now, ask.Withdraw("ann", "EUR", 20_01, "w1"), "20.01 EUR is more than the balance, 20.00 EUR: ask for at")
    assert facts(now, ask.Withdraw("ann", "EUR", 20_00, "w1")) == [fact.Withdrawn(20_00, "w1", "", NOON)]
    assert holds(now) == (0, 0, 0)


def test_a_payment_is_deposited_once() -> None:
    now = patron()
    assert facts(now, ask.Deposit("ann", "EUR", 5_00, "pay1")) == [fact.Deposited(5_00, "pay1", NOON)]
    refused(now, ask.Deposit("ann", "EUR", 5_00, "pay1"), "payment pay1 was deposited already, 5.00 EUR: another")
    refused(now, ask.Deposit("ann", "EUR", 5_00, ""), "a deposit needs the reference of its payment")
    assert holds(now) == (5_00, 0, 0)


def test_a_payment_is_paid_out_once() -> None:
    """A cashier who hears no answer and asks again under a new id pays nothing twice, not even from a hold."""
    now = patron(cash=20_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 5_00))
    facts(now, ask.Withdraw("ann", "EUR", 5_00, "w1"))
    for again in (ask.Withdraw("ann", "EUR", 5_00, "w1"), ask.Withdraw("ann", "EUR", 5_00, "w1", "h1")):
        refused(now, again, "payment w1 was paid out already, 5.00 EUR: another payment has a reference of its own")
    refused(now, ask.Withdraw("ann", "EUR", 5_00, ""), "a withdrawal needs the reference of its payment")
    assert holds(now) == (10_00, 5_00, 0)
    facts(now, ask.Withdraw("ann", "EUR", 5_00, "w2", "h1"))
    refused(now, ask.Withdraw("ann", "EUR", 5_00, "w2"), "payment w2 was paid out already")


def test_a_reference_is_of_one_payment_in_or_out_and_for_ever() -> None:
    now = patron(cash=20_00)
    facts(now, ask.Withdraw("ann", "EUR", 5_00, "w1"))
    years = NOON + 10 * 365 * DAY
    with pytest.raises(Refused, match="payment w1 was paid out already"):
        facts(now, ask.Deposit("ann", "EUR", 5_00, "w1"), years)
    with pytest.raises(Refused, match="payment first was deposited already, 20.00 EUR"):
        facts(now, ask.Withdraw("ann", "EUR", 5_00, "first"), years)


def test_another_account_has_payments_of_its_own() -> None:
    """References are its bank's: that of another currency may name another payment so."""
    now = patron(cash=20_00)
    facts(now, ask.OpenAccount("ann", "USD"))
    facts(now, ask.Deposit("ann", "USD", 5_00, "first"))
    assert holds(now, "USD") == (5_00, 0, 0)


def test_what_is_on_hold_is_neither_withdrawn_nor_held_again() -> None:
    now = patron(cash=20_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 15_00))
    assert holds(now) == (5_00, 15_00, 0)
    refused(now, ask.Withdraw("ann", "EUR", 5_01, "w1"), "more than the balance, 5.00 EUR: .*; 15.00 EUR more is on")
    refused(now, ask.Hold("ann", "EUR", "h2", 5_01), "5.01 EUR is more than the balance")
    refused(now, ask.Hold("ann", "EUR", "h1", 1_00), "there is a hold h1 already, of 15.00 EUR: give another id")


def test_a_hold_is_released_or_paid_out_as_a_whole() -> None:
    now = patron(cash=20_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 15_00))
    facts(now, ask.Hold("ann", "EUR", "h2", 2_00))
    refused(now, ask.Withdraw("ann", "EUR", 14_00, "w1", "h1"), "hold h1 is 15.00 EUR, not 14.00 EUR: pay out all of")
    facts(now, ask.Withdraw("ann", "EUR", 15_00, "w1", "h1"))
    assert holds(now) == (3_00, 2_00, 0)
    assert facts(now, ask.ReleaseHold("ann", "EUR", "h2")) == [fact.HoldReleased("h2", 2_00, NOON)]
    assert holds(now) == (5_00, 0, 0)
    refused(now, ask.ReleaseHold("ann", "EUR", "h2"), "there is no hold h2: nothing is held")


def test_promotion_credit_can_not_be_withdrawn_or_held() -> None:
    now = patron(promotion=30_00)
    credit = "0.00 EUR: ask for at most the balance; 30.00 EUR is promotion credit, which is only played"
    refused(now, ask.Withdraw("ann", "EUR", 1, "w1"), credit)
    refused(now, ask.Hold("ann", "EUR", "h1", 1), credit)


def test_promotion_credit_is_taken_back_as_far_as_it_is_there() -> None:
    now = patron(promotion=30_00)
    refused(now, ask.TakeBackPromotion("ann", "EUR", 30_01, "welcome"), "the account has 30.00 EUR of it")
    facts(now, ask.TakeBackPromotion("ann", "EUR", 30_00, "welcome"))
    assert holds(now) == (0, 0, 0)


def adjustment(amount: int, by: str = "floor:bo", second: str = "", reason: str = "Ym94") -> ask.Adjust:
    return ask.Adjust("ann", "EUR", amount, by, second, reason)


def test_up_to_the_amount_that_the_account_names_one_person_adjusts_alone() -> None:
    """50.00 here, to either side."""
    now = patron(cash=100_00)
    facts(now, adjustment(50_00))
    facts(now, adjustment(-50_00))
    assert holds(now) == (100_00, 0, 0)
    for amount in (50_01, -50_01):
        refused(now, adjustment(amount), "takes two people: name a second; one alone may make 50.00 EUR")
        (made,) = facts(now, adjustment(amount, second="floor:cy"))
        assert (made.by, made.second) == ("floor:bo", "floor:cy")


def test_an_adjustment_needs_two_different_people_a_reason_and_an_amount() -> None:
    now = patron(cash=100_00)
    refused(now, adjustment(60_00, second="floor:bo"), "floor:bo can't be both people who take an adjustment upon them")
    refused(now, adjustment(1, reason=""), "an adjustment needs a name and a reason")
    refused(now, adjustment(1, by=""), "an adjustment needs a name and a reason")
    refused(now, adjustment(0), "an adjustment of nothing changes nothing")


def change(most: int, by: str = "floor:bo", second: str = "floor:cy", reason: str = "Ym94") -> ask.ChangeAloneLimit:
    return ask.ChangeAloneLimit("ann", "EUR", most, by, second, reason)


def test_two_people_change_what_one_may_adjust_alone() -> None:
    now = patron(cash=100_00)
    changed = fact.AloneLimitChanged(60_00, "floor:bo", "floor:cy", "Ym94", NOON)
    assert facts(now, change(60_00)) == [changed]
    facts(now, adjustment(60_00))
    refused(now, adjustment(60_01), "one alone may make 60.00 EUR")
    facts(now, change(0))
    refused(now, adjustment(1), "one alone may make 0.00 EUR")
    assert now.accounts["EUR"].opened.alone_up_to == 50_00, "what it was opened with stays said"


def test_nobody_raises_alone_what_he_may_adjust_alone() -> None:
    now = patron()
    two = "is changed by two people and for a reason"
    for asked in (change(60_00, second=""), change(60_00, by=""), change(60_00, reason="")):
        refused(now, asked, two)
    refused(now, change(60_00, second="floor:bo"), "floor:bo can't be both people who take it upon them")
    refused(now, change(50_00), "one person may adjust 50.00 EUR alone already: name another amount")


def test_an_account_that_opened_itself_can_be_given_an_amount() -> None:
    """Money came from a table in a currency that she had no account in: nobody was asked then."""
    now = Patron("ann")
    cash_out(now, 1, 20_00)
    refused(now, adjustment(-1), "one alone may make 0.00 EUR")
    facts(now, change(50_00))
    facts(now, adjustment(-50))
    assert holds(now) == (19_50, 0, 0)


def test_an_adjustment_names_what_it_puts_right_where_there_is_something_to_name() -> None:
    """What comes later for a day that is closed posts to today, with the day as its reference."""
    now = patron(cash=100_00)
    late = ask.Adjust("ann", "EUR", -5_00, "floor:bo", "", "Ym94", "2024-10-03")
    assert facts(now, late) == [fact.Adjusted(-5_00, "floor:bo", "", "Ym94", "2024-10-03", NOON)]
    (of_nothing,) = facts(now, adjustment(1))
    assert of_nothing.about == ""


def test_an_adjustment_never_overdraws() -> None:
    now = patron(cash=20_00)
    refused(now, adjustment(-20_01), "20.01 EUR is more than the balance, 20.00 EUR")
    facts(now, adjustment(-20_00))
    assert holds(now) == (0, 0, 0)


def test_play_money_is_granted_and_never_deposited_withdrawn_or_held() -> None:
    now = Patron("ann")
    facts(now, ask.OpenAccount("ann", "PLAY"))
    assert now.accounts["PLAY"].opened.kind == "play"
    refused(
        now, ask.Deposit("ann", "PLAY", 1000, "p"), "play money isn't deposited: it is granted, as promotion credit"
    )
    facts(now, ask.GrantPromotion("ann", "PLAY", 1000, "daily"))
    refused(now, ask.Withdraw("ann", "PLAY", 1, "w"), "play money isn't withdrawn")
    refused(now, ask.Hold("ann", "PLAY", "h1", 1), "play money isn't held for a withdrawal")


def test_an_account_holds_no_more_than_the_log_can_write() -> None:
    """What is on hold and the promotion credit are counted with the balance."""
    now = patron(cash=MAX_AMOUNT - 8, promotion=3)
    facts(now, ask.Hold("ann", "EUR", "h1", 100_00))
    for args in (ask.Deposit("ann", "EUR", 6, "p"), ask.GrantPromotion("ann", "EUR", 6, "x"), adjustment(6)):
        refused(now, args, "an account holds at most")
    facts(now, ask.Deposit("ann", "EUR", 5, "p"))
