"""Money that goes from an account to a table and comes back: each cent once (rules.md section 7)."""

import pytest

from domain.account import commands as ask
from domain.account import events as fact
from domain.account.state import Patron
from domain.messages import AlreadyDone, Refused
from domain.rules.vocabulary import Kind
from domain.transfers import Purpose, TransferReceived, TransferSent
from tests.domain.account.patrons import NOON, buy_in, cash_out, close, facts, holds, patron


def test_a_buy_in_of_the_whole_balance_is_under_way_to_the_table() -> None:
    """Scenario 49: what is just enough is enough."""
    now = patron(cash=20_00)
    (sent,) = facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00, posts=False))
    assert sent == TransferSent(
        "table:t1", 1, 20_00, "EUR", Purpose.BUY_IN, "ann", 3, promotion=0, posts=False, at=NOON
    )  # fmt: skip
    assert holds(now) == (0, 0, 0)


def test_more_than_the_account_has_is_refused() -> None:
    with pytest.raises(Refused, match=r"20\.01 EUR is more than the account has: bring at most 20\.00$"):
        facts(patron(cash=20_00), ask.BuyIn("ann", "EUR", "t1", 3, 20_01))
    with pytest.raises(
        Refused,
        match=r"25\.01 EUR is more than the account has: bring at most 25\.00, of which 5\.00 is promotion credit$",
    ):
        facts(patron(cash=20_00, promotion=5_00), ask.BuyIn("ann", "EUR", "t1", 3, 25_01))


def test_what_is_on_hold_is_not_played() -> None:
    now = patron(cash=20_00)
    facts(now, ask.Hold("ann", "EUR", "h1", 1))
    with pytest.raises(Refused, match=r"20\.00 EUR is more than the account has: bring at most 19\.99$"):
        facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00))


def test_cash_goes_first_then_promotion_credit() -> None:
    now = patron(cash=20_00, promotion=30_00)
    (sent,) = facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 35_00))
    assert (sent.amount, sent.promotion, holds(now)) == (35_00, 15_00, (0, 0, 15_00))


def test_a_refused_transfer_is_back_with_cash_and_credit_as_they_were() -> None:
    now = patron(cash=20_00, promotion=30_00)
    (sent,) = facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 35_00))
    (closed,) = close(now, sent.seq, why="seat 3 is taken")
    assert (closed.received, closed.why, holds(now)) == (False, "seat 3 is taken", (20_00, 0, 30_00))
    assert now.tables() == []


def test_promotion_credit_never_becomes_cash_by_sitting_down_and_up() -> None:
    """In with 20.00 cash and 15.00 credit; out with 40.00, of which the table says 15.00 are credit: 25.00 is cash."""
    now = patron(cash=20_00, promotion=30_00)
    buy_in(now, 35_00)
    cash_out(now, 1, 40_00, promotion=15_00)
    assert holds(now) == (25_00, 0, 30_00)


def test_who_has_money_at_a_table_tops_up_and_does_not_buy_in_again() -> None:
    now = patron(cash=50_00)
    with pytest.raises(Refused, match="ann has no EUR at table t1: buy in there first"):
        facts(now, ask.TopUp("ann", "EUR", "t1", 3, 5_00))
    buy_in(now, 20_00)
    with pytest.raises(Refused, match="ann has money at table t1, or on its way there or back: top up, or wait"):
        facts(now, ask.BuyIn("ann", "EUR", "t1", 4, 20_00))
    (sent,) = facts(now, ask.TopUp("ann", "EUR", "t1", 3, 5_00))
    assert (sent.seq, sent.purpose) == (2, Purpose.TOP_UP)


def brought(now: Patron) -> dict[str, int]:
    return {table: stay.brought for table, stay in now.accounts["EUR"].seated.items()}


def test_what_was_brought_to_a_table_counts_when_it_is_known_to_have_arrived() -> None:
    now = patron(cash=20_00)
    (sent,) = facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 8_00))
    assert brought(now) == {"t1": 0}
    close(now, sent.seq)
    (more,) = facts(now, ask.TopUp("ann", "EUR", "t1", 3, 2_00))
    close(now, more.seq, why="no room")
    (more,) = facts(now, ask.TopUp("ann", "EUR", "t1", 3, 1_00))
    assert brought(now) == {"t1": 8_00}
    close(now, more.seq)
    assert brought(now) == {"t1": 9_00}


def test_who_is_back_from_a_table_has_nothing_there_though_his_top_up_is_closed_later() -> None:
    now = patron(cash=20_00)
    buy_in(now, 8_00)
    (more,) = facts(now, ask.TopUp("ann", "EUR", "t1", 3, 1_00))
    cash_out(now, 1, 9_00)
    close(now, more.seq)
    assert brought(now) == {}
    assert holds(now) == (20_00, 0, 0)


def test_why_a_table_would_not_take_it_is_known_until_it_takes_something() -> None:
    now = patron(cash=20_00)
    for why in ("the seat is taken", "too little"):
        (sent,) = facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 8_00))
        close(now, sent.seq, why=why)
    assert [one.why for one in now.accounts["EUR"].returned.values()] == ["too little"]
    buy_in(now, 8_00)
    assert now.accounts["EUR"].returned == {}


def test_one_transfer_of_a_pair_is_under_way_at_a_time() -> None:
    now = patron(cash=50_00)
    facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00))
    with pytest.raises(Refused, match="a transfer to table:t1 is under way: wait until it has arrived"):
        facts(now, ask.TopUp("ann", "EUR", "t1", 3, 5_00))
    facts(now, ask.BuyIn("ann", "EUR", "t2", 3, 20_00))  # another table is another pair
    assert holds(now) == (10_00, 0, 0)


def test_a_closing_that_is_repeated_is_answered_the_same_and_moves_nothing() -> None:
    now = patron(cash=20_00)
    facts(now, ask.BuyIn("ann", "EUR", "t1", 3, 20_00))
    close(now, 1, why="seat 3 is taken")
    with pytest.raises(AlreadyDone) as again:
        close(now, 1, why="seat 3 is taken")
    assert again.value.outcome is None
    with pytest.raises(Refused, match="1 to table:t1 was closed as refused, not received: it can't change"):
        close(now, 1)
    with pytest.raises(Refused, match="2 to table:t1 can't be closed: nothing is under way there"):
        close(now, 2)
    assert holds(now) == (20_00, 0, 0)


def test_a_cash_out_that_is_repeated_is_answered_the_same_and_comes_once() -> None:
    now = patron(cash=20_00)
    buy_in(now, 20_00)
    cash_out(now, 1, 33_00)
    with pytest.raises(AlreadyDone) as again:
        cash_out(now, 1, 33_00)
    assert isinstance(again.value.outcome, TransferReceived)
    with pytest.raises(Refused, match="1 of table:t1 was of 3300, not 3400: it can't change"):
        cash_out(now, 1, 34_00)
    with pytest.raises(Refused, match="3 of table:t1 can't be taken: the next one is 2"):
        cash_out(now, 3, 1_00)
    assert holds(now) == (33_00, 0, 0)


def test_an_account_that_does_not_exist_opens_itself_for_what_comes_from_a_table() -> None:
    now = Patron("ann")
    added, opened, received = cash_out(now, 1, 12_00)
    assert (added, opened) == (fact.AccountAdded("EUR"), fact.AccountOpened("EUR", 2, Kind.REAL, alone_up_to=0))
    assert (received.amount, holds(now)) == (12_00, (12_00, 0, 0))


def test_whoever_is_frozen_or_excluded_is_paid_out_what_he_had_at_the_table() -> None:
    now = patron(cash=20_00)
    buy_in(now, 20_00)
    facts(now, ask.Freeze("ann", "Ym94"))
    facts(now, ask.Exclude("ann", None))
    cash_out(now, 1, 20_00)
    assert holds(now) == (20_00, 0, 0)


def test_who_leaves_without_a_chip_is_away_from_the_table_too() -> None:
    now = patron(cash=40_00)
    buy_in(now, 20_00)
    cash_out(now, 1, 0)
    assert (holds(now), now.tables()) == ((20_00, 0, 0), [])
    buy_in(now, 20_00)
