"""Money of accounts at a table: it comes as chips or is refused for good, and goes back whole (rules.md section 7)."""

from dataclasses import replace
from typing import Any

import pytest

from domain import catalog
from domain.hand.commands import ActTooLate, Protect
from domain.messages import AlreadyDone, Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.events import Funds, Leaving
from domain.table.play import Play
from domain.transfers import (
    About,
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Outcome,
    Purpose,
    TableCloseNotice,
    TableCloseTransfer,
    TableReceiveNotice,
    TableReceiveTransfer,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
)
from tests.domain.table.tables import HOLDEM, MINUTE, events, given, name, seat_of, table

EURO = replace(HOLDEM, small=1_00, big=2_00, kind="real", currency="EUR", funds=Funds.ACCOUNTS)
"""Between 20.00 and 200.00 to sit down with."""


def transfer(seat: int, amount: int, purpose: Purpose = Purpose.BUY_IN, seq: int = 1, **other: Any) -> Any:
    asked = TableReceiveTransfer(
        "t1", f"account:{name(seat)}:eur", seq, amount, "EUR", purpose, name(seat), seat, promotion=0, posts=True
    )
    return replace(asked, **other)


def top_up(seat: int, amount: int, seq: int = 2, **other: Any) -> Any:
    return transfer(seat, amount, Purpose.TOP_UP, seq, **other)


def funded(*seats: int, amount: int = 100_00) -> Play:
    now = given(opening=EURO)
    for seat in seats:
        events(now, transfer(seat, amount))
    return now


def dealt(*seats: int) -> Play:
    now = funded(*seats)
    events(now, ask.DealHand("t1", 1))
    return now


def refusal(now: Play, asked: Any, at: int = 0) -> str:
    """Why the table refused it: that is its only fact."""
    (refused,) = events(now, asked, at)
    assert isinstance(refused, TransferRefused) and (refused.seq, refused.amount) == (asked.seq, asked.amount)
    return refused.why


# --- coming ----------------------------------------------------------------------------------------------------------


def test_a_buy_in_takes_the_seat_with_its_chips() -> None:
    now = funded()
    seated, received = events(now, transfer(3, 50_00, posts=False), at=7)
    assert seated == fact.PlayerSeated(3, "player3", posts=False)
    assert received == TransferReceived(
        "account:player3:eur", 1, 50_00, "EUR", Purpose.BUY_IN, "player3", 3, promotion=0, at=7
    )  # fmt: skip
    assert (table(now).seats[3].player, table(now).seats[3].stack) == ("player3", 50_00)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (transfer(3, 19_99), "19.99 is too little: at least 20.00 to sit down"),
        (transfer(3, 200_01), "200.01 is too much: at most 200.00 to sit down"),
        (transfer(7, 50_00), "there is no seat 7: the table has seats 1 to 6"),
        (
            transfer(1, 50_00, sender="account:bo:eur", player="bo"),
            "seat 1 is taken by player1: free are 2, 3, 4, 5, 6",
        ),
        (replace(transfer(1, 50_00, seq=2), seat=4), "player1 sits in seat 1 already: stand up first"),
        (transfer(3, 5000, currency="PLAY"), "this table is played in EUR, not PLAY"),
    ],
)
def test_a_buy_in_that_a_seat_s_rules_forbid_is_refused(asked: Any, why: str) -> None:
    now = funded(1)
    assert refusal(now, asked) == why
    assert table(now).seats.keys() == {1} and table(now).seats[1].stack == 100_00


def test_a_closing_table_seats_nobody() -> None:
    now = funded()
    events(now, ask.CloseAfterHand("t1", "Ym94"))
    assert refusal(now, transfer(3, 50_00)) == "the table is closing: nobody sits down there any more"


def test_a_table_of_the_cashier_takes_no_money_of_accounts_and_the_other_way_round() -> None:
    assert "played with chips from the cashier" in refusal(
        given(opening=replace(EURO, funds=Funds.CASHIER)), transfer(3, 50_00)
    )
    with pytest.raises(Refused, match=r"played with chips from accounts: sit down with account\.buy-in"):
        events(funded(), ask.SitDown("t1", 3, "player3", 50_00))


def test_a_refusal_is_remembered_though_the_seat_is_free_by_then() -> None:
    now = funded(1)
    again = transfer(1, 50_00, sender="account:bo:eur", player="bo")
    why = refusal(now, again)
    events(now, ask.StandUp("t1", 1, "player1"))
    with pytest.raises(AlreadyDone) as done:
        events(now, again)
    assert done.value.outcome.why == why
    assert not table(now).seats


def test_what_he_left_with_is_remembered_through_refused_buy_ins() -> None:
    """Scenario 51: he left with 150.00 and may not come back with 50.00, however often he tries, for 60 minutes."""
    now = funded()
    events(now, transfer(1, 150_00))
    events(now, ask.StandUp("t1", 1, "player1"))
    for seq in (2, 3):
        assert "player1 left with 150.00 within the last 60 minutes" in refusal(
            now, transfer(1, 50_00, seq=seq), MINUTE
        )
    events(now, transfer(1, 150_00, seq=4), 60 * MINUTE)
    assert table(now).seats[1].stack == 150_00


def test_a_repeat_of_what_was_received_brings_no_chips() -> None:
    now = funded(3)
    with pytest.raises(AlreadyDone) as done:
        events(now, transfer(3, 100_00))
    assert isinstance(done.value.outcome, TransferReceived)
    assert table(now).seats[3].stack == 100_00


@pytest.mark.parametrize("seq", [3, 4])
def test_a_transfer_that_is_not_the_next_of_its_account_is_not_taken(seq: int) -> None:
    now = funded(3)
    with pytest.raises(Refused, match=f"{seq} of account:player3:eur can't be taken: the next one is 2"):
        events(now, top_up(3, 5_00, seq))


def test_a_top_up_comes_to_the_stack_between_hands_and_waits_during_one() -> None:
    now = funded(1, 2)
    events(now, top_up(1, 5_00))
    assert table(now).seats[1].stack == 105_00
    events(now, ask.DealHand("t1", 1))
    events(now, top_up(1, 6_00, seq=3))
    assert (table(now).seats[1].stack, table(now).seats[1].pending) == (105_00, 6_00)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (
            top_up(1, 100_01),
            "100.01 is too much: seat 1 has 100.00, the table's maximum is 200.00, so it takes at most",
        ),
        (replace(top_up(1, 5_00), seat=2), "player1 doesn't sit in seat 2"),
        (top_up(3, 5_00, seq=1), "player3 doesn't sit in seat 3"),
    ],
)
def test_a_top_up_is_refused_above_the_maximum_and_for_who_is_not_there(asked: Any, why: str) -> None:
    assert refusal(funded(1), asked).startswith(why)


@pytest.mark.parametrize("control", [ask.FreezePlayer, ask.RemovePlayer])
def test_who_is_frozen_or_leaves_gets_no_more_chips(control: Any) -> None:
    now = funded(1)
    events(now, control("t1", 1, "player1", "Ym94"))
    assert refusal(now, top_up(1, 5_00)).startswith("player1 can't have more chips here")


# --- going -----------------------------------------------------------------------------------------------------------


def test_who_stands_up_sends_all_his_chips_to_his_account() -> None:
    now = funded(1)
    sent, left = events(now, ask.StandUp("t1", 1, "player1"), at=MINUTE)
    assert sent == TransferSent(
        "account:player1:eur", 1, 100_00, "EUR", Purpose.CASH_OUT, "player1", 1, promotion=0, posts=False, at=MINUTE
    )  # fmt: skip
    assert left == fact.PlayerLeft(1, "player1", MINUTE, 100_00)
    assert not table(now).seats


def test_who_has_no_chips_left_sends_none_so_that_his_account_knows() -> None:
    now = funded(1)
    table(now).seats[1].stack = 0
    sent, _ = events(now, ask.StandUp("t1", 1, "player1"))
    assert (sent.to, sent.amount) == ("account:player1:eur", 0)


@pytest.mark.parametrize(("stack", "promotion"), [(100_00, 30_00), (30_00, 30_00), (12_00, 12_00), (0, 0)])
def test_promotion_credit_goes_back_first_as_far_as_there_are_chips(stack: int, promotion: int) -> None:
    """20.00 of the buy-in and 10.00 of the top-up were credit: 30.00."""
    now = funded()
    events(now, transfer(1, 50_00, promotion=20_00))
    events(now, top_up(1, 50_00, promotion=10_00))
    table(now).seats[1].stack = stack
    sent, _ = events(now, ask.StandUp("t1", 1, "player1"))
    assert (sent.amount, sent.promotion) == (stack, promotion)


def test_one_cash_out_of_a_player_is_under_way_at_a_time() -> None:
    now = funded(1)
    events(now, ask.StandUp("t1", 1, "player1"))
    events(now, transfer(1, 100_00, seq=2))
    with pytest.raises(Refused, match="a transfer to account:player1:eur is under way"):
        events(now, ask.StandUp("t1", 1, "player1"))
    (closed,) = events(now, TableCloseTransfer("t1", "account:player1:eur", 1, received=True, why=""))
    assert isinstance(closed, TransferClosed)
    sent, _ = events(now, ask.StandUp("t1", 1, "player1"))
    assert sent.seq == 2


def test_an_account_can_not_have_refused_a_cash_out() -> None:
    now = funded(1)
    events(now, ask.StandUp("t1", 1, "player1"))
    with pytest.raises(Refused, match="accounts never do"):
        events(now, TableCloseTransfer("t1", "account:player1:eur", 1, received=False, why="full"))


# --- notices ---------------------------------------------------------------------------------------------------------


def told(now: Play, seat: int, about: About, seq: int) -> list[Any]:
    return events(now, TableReceiveNotice("t1", f"player:{name(seat)}", seq, about, name(seat), "", 0))


def test_a_freeze_of_a_player_is_one_of_his_seat_until_it_is_taken_back() -> None:
    now = funded(1)
    received, frozen = told(now, 1, About.FREEZE, 1)
    assert (received.outcome, frozen) == (Outcome.DONE, fact.PlayerFrozen(1, "player1", "", fact.Freeze.MONEY))
    (received,) = told(now, 1, About.FREEZE, 2)
    assert received.outcome is Outcome.DONE, "so it is already"
    _, unfrozen = told(now, 1, About.UNFREEZE, 3)
    assert unfrozen == fact.PlayerUnfrozen(1, "player1", "", fact.Freeze.MONEY)


def test_a_seat_that_the_floor_froze_stays_so_when_the_player_is_unfrozen() -> None:
    """Two freezes, two reasons: whichever is lifted first, the other one holds him."""
    now = funded(1)
    events(now, ask.FreezePlayer("t1", 1, "player1", "Ym94"))
    told(now, 1, About.FREEZE, 1)
    told(now, 1, About.UNFREEZE, 2)
    assert seat_of(now, 1).frozen
    events(now, ask.UnfreezePlayer("t1", 1, "player1", "Ym94"))
    assert not seat_of(now, 1).frozen


def test_a_player_whose_money_is_frozen_stays_so_when_his_seat_is_unfrozen() -> None:
    now = funded(1)
    told(now, 1, About.FREEZE, 1)
    events(now, ask.FreezePlayer("t1", 1, "player1", "Ym94"))
    events(now, ask.UnfreezePlayer("t1", 1, "player1", "Ym94"))
    assert seat_of(now, 1).frozen
    told(now, 1, About.UNFREEZE, 2)
    assert not seat_of(now, 1).frozen


def test_the_floor_of_a_table_does_not_lift_what_froze_all_his_money() -> None:
    now = funded(1)
    told(now, 1, About.FREEZE, 1)
    with pytest.raises(Refused, match=r"player1's seat isn't frozen, all his money is: player\.unfreeze takes that"):
        events(now, ask.UnfreezePlayer("t1", 1, "player1", "Ym94"))


@pytest.mark.parametrize(("reason", "of"), [("Ym94", fact.Freeze.SEAT), ("", fact.Freeze.MONEY)])
@pytest.mark.parametrize("name", ["table.player-frozen", "table.player-unfrozen"])
def test_of_old_it_says_by_its_reason_whose_freeze_it_was(name: str, reason: str, of: fact.Freeze) -> None:
    """What a player's file told had none."""
    read = catalog.event.load(name, 1, {"seat": 1, "player": "ann", "reason": reason})
    assert read.of is of


def test_who_must_leave_is_taken_from_his_seat_after_the_hand() -> None:
    now = dealt(1, 2)
    _, leaving = told(now, 1, About.LEAVE, 1)
    assert leaving == fact.PlayerLeaving(1, "player1", Leaving.AWAY, "")
    assert told(now, 1, About.LEAVE, 2)[1:] == []


def test_a_notice_that_is_repeated_is_answered_the_same_and_one_out_of_turn_is_not_taken() -> None:
    now = funded(1)
    told(now, 1, About.FREEZE, 1)
    with pytest.raises(AlreadyDone) as done:
        told(now, 1, About.FREEZE, 1)
    assert done.value.outcome.outcome is Outcome.DONE
    with pytest.raises(Refused, match="3 of player:player1 can't be taken: the next one is 2"):
        told(now, 1, About.UNFREEZE, 3)


def test_of_who_is_not_there_a_table_takes_note_only() -> None:
    now = funded(1)
    (received,) = told(now, 3, About.FREEZE, 1)
    assert isinstance(received, NoticeReceived) and received.outcome is Outcome.ABSENT


# --- all-in protection -----------------------------------------------------------------------------------------------


def lose(now: Play, seat: int) -> list[Any]:
    return events(now, ask.LoseConnection("t1", seat, name(seat)))


def restore(now: Play, seat: int) -> list[Any]:
    return events(now, ask.RestoreConnection("t1", seat, name(seat)))


def answer(now: Play, seat: int, seq: int, outcome: Outcome) -> list[Any]:
    return events(now, TableCloseNotice("t1", f"player:{name(seat)}", seq, outcome))


def at_limit(*seats: int) -> Play:
    """A hand of fixed limit under `ace`, which protects twice in 24 hours."""
    opening = replace(EURO, limit="fixed", rulebook="ace", big=2_00, small=1_00, currency="USD")
    now = given(opening=opening)
    for seat in seats:
        events(now, transfer(seat, 100_00, sender=f"account:{name(seat)}:usd", currency="USD"))
    events(now, ask.DealHand("t1", 1))
    return now


def notices(made: list[Any]) -> list[tuple[str, About, str, int]]:
    return [(one.to, one.about, one.hand, one.allowed) for one in made if isinstance(one, NoticeSent)]


def test_whose_connection_is_lost_in_a_hand_is_asked_for_once() -> None:
    now = at_limit(1, 2, 3)
    assert notices(lose(now, 2)) == [("player:player2", About.PROTECTION, "t1-1", 2)]
    assert table(now).seats[2].protection == "asked"
    assert notices(restore(now, 2)) == notices(lose(now, 2)) == []


def test_of_a_player_who_is_not_in_the_hand_nothing_is_asked() -> None:
    now = at_limit(1, 2)
    events(now, transfer(4, 100_00, sender="account:player4:usd", currency="USD"))
    assert notices(lose(now, 4)) == []


def test_who_has_no_connection_when_a_hand_is_dealt_is_asked_for_then() -> None:
    now = at_limit(1, 2)
    fold_on(now)
    assert notices(lose(now, 2)) == []
    assert notices(events(now, ask.DealHand("t1", 2))) == [("player:player2", About.PROTECTION, "t1-2", 2)]


def test_where_nobody_is_protected_nothing_is_asked() -> None:
    """`euro` protects at fixed and spread limit only; this is no limit."""
    assert notices(lose(dealt(1, 2), 1)) == []


@pytest.mark.parametrize("outcome", [Outcome.GRANTED, Outcome.REFUSED])
def test_the_answer_stands_in_the_seat_until_the_hand_is_over(outcome: Outcome) -> None:
    now = at_limit(1, 2, 3)
    lose(now, 2)
    (closed,) = answer(now, 2, 1, outcome)
    assert isinstance(closed, NoticeClosed)
    assert table(now).seats[2].protection == outcome
    fold_on(now)
    assert table(now).seats[2].protection == ""


def test_what_was_not_used_is_given_back_at_the_end_of_the_hand() -> None:
    now = at_limit(1, 2, 3)
    lose(now, 2)
    answer(now, 2, 1, Outcome.GRANTED)
    assert notices(fold_on(now)) == [("player:player2", About.PROTECTION_RELEASED, "t1-1", 0)]


def test_what_was_refused_is_not_given_back() -> None:
    now = at_limit(1, 2, 3)
    lose(now, 2)
    answer(now, 2, 1, Outcome.REFUSED)
    assert notices(fold_on(now)) == []


@pytest.mark.parametrize("answered", [True, False])
def test_a_use_is_told_at_once_and_not_given_back(answered: bool) -> None:
    """Also where no answer had come: that counts as granted, and the file says if it was over."""
    now = at_limit(1, 2, 3)
    assert now.hand is not None and now.hand.turn is not None
    seat = 2  # small blind of three, so he acts second
    lose(now, seat)
    if answered:
        answer(now, seat, 1, Outcome.GRANTED)
    while now.hand.turn is not None and now.hand.turn.seat != seat:
        events(now, ActTooLate("t1-1", now.hand.decision, now.hand.turn.seat))
    used = events(now, Protect("t1-1", now.hand.decision, seat))
    assert notices(used)[0] == ("player:player2", About.PROTECTION_USED, "t1-1", 0)
    rest = notices(used)[1:] + notices(fold_on(now))
    assert rest == []


def test_an_answer_that_comes_after_the_hand_changes_nothing() -> None:
    now = at_limit(1, 2, 3)
    lose(now, 2)
    fold_on(now)
    answer(now, 2, 1, Outcome.GRANTED)
    assert table(now).seats[2].protection == ""


def fold_on(now: Play) -> list[Any]:
    """Everybody is too late until the hand is over; all facts of that."""
    made: list[Any] = []
    while now.hand is not None and not now.hand.settled:
        assert now.hand.turn is not None
        made += events(now, ActTooLate(now.hand.id, now.hand.decision, now.hand.turn.seat))
    return made
