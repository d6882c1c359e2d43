"""Advance actions: held until the player's turn, done if still legal and not dearer than he saw (rules.md section 8).

Three players with 100 each at no limit 1/2: seat 1 has the button and acts first, then 2, the small blind, then 3.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.hand import commands as ask
from domain.messages import Command, Queued, Refused
from services.eventlog import body
from services.room.advance import Advance, AdvanceActions, Choice
from services.room.recording import envelope
from tests.services.floors import HAND, Floor, floor_in
from tests.services.homes import START

Opened = Callable[..., Floor]


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Opened]:
    with floor_in(tmp_path / "home", AdvanceActions) as opened:
        yield opened


def actions(at: Floor) -> AdvanceActions:
    assert isinstance(at.attendant, AdvanceActions)
    return at.attendant


def chooses(at: Floor, seat: int, choice: Choice, amount: int = 0, *, price: int) -> Floor:
    actions(at).take(at.room.table("t1"), Advance(HAND, seat, choice, amount, price), f"player:p{seat}")
    return at


def held(at: Floor, seat: int) -> Choice | None:
    advance = actions(at).held(at.room.table("t1"), seat)
    return None if advance is None else advance.choice


def done(at: Floor) -> list[Any]:
    """What the room does for players whose turn has come."""
    commands = at.after(0)
    assert all(one.cause == "advance" for one in commands)
    return [one.args for one in commands]


def refusal(at: Floor, seat: int, choice: Choice, amount: int = 0, *, price: int) -> str:
    with pytest.raises(Refused) as refused:
        chooses(at, seat, choice, amount, price=price)
    return str(refused.value)


# --- executed when the turn comes ------------------------------------------------------------------------------------


def test_it_is_done_when_his_turn_comes_and_not_before(floor: Opened) -> None:
    at = chooses(floor(), 2, Choice.CALL, price=1)
    assert done(at) == []
    assert held(at, 2) is Choice.CALL
    at.acts(ask.Call)
    assert done(at) == [ask.Call(HAND, 2, 2)]
    assert held(at, 2) is None
    assert at.seat == 3


def test_one_after_the_other_where_several_have_chosen(floor: Opened) -> None:
    at = chooses(chooses(floor(), 2, Choice.FOLD, price=1), 3, Choice.CHECK_FOLD, price=0)
    at.acts(ask.Raise, 6)
    assert done(at) == [ask.Fold(HAND, 2, 2)]
    assert done(at) == [ask.Fold(HAND, 3, 3)]
    assert at.hand.settled


def test_a_queued_call_of_10_is_dropped_at_20(floor: Opened) -> None:
    """The button makes it 10, so the big blind sees a call of 8; the small blind makes it 20, now 18."""
    at = chooses(floor().acts(ask.Raise, 10), 3, Choice.CALL, price=8)
    at.acts(ask.Raise, 20)
    assert done(at) == []
    assert held(at, 3) is None
    assert at.seat == 3


def test_a_call_at_the_price_that_he_saw_is_made(floor: Opened) -> None:
    at = chooses(floor().acts(ask.Raise, 10), 3, Choice.CALL, price=8)
    at.acts(ask.Call)
    assert done(at) == [ask.Call(HAND, 3, 3)]


@pytest.mark.parametrize(
    ("choice", "made"), [(Choice.CALL_ANY, ask.Call(HAND, 3, 3)), (Choice.RAISE_ANY, ask.Raise(HAND, 3, 3, 30))]
)
def test_call_any_and_raise_any_are_done_at_any_price(floor: Opened, choice: Choice, made: Any) -> None:
    """From 2 to 10, then to 20: the least raise is 10 more, to 30."""
    at = chooses(floor().acts(ask.Raise, 10), 3, choice, price=8)
    at.acts(ask.Raise, 20)
    assert done(at) == [made]


def test_call_any_checks_where_there_is_nothing_to_call(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.CALL_ANY, price=0)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == [ask.Check(HAND, 3, 3)]


def test_a_check_is_made_where_it_is_free_and_dropped_where_there_is_a_bet(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.CHECK, price=0)
    at.acts(ask.Call)
    at.acts(ask.Raise, 6)
    assert done(at) == []
    assert held(at, 3) is None


def test_check_fold_checks_where_it_is_free(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.CHECK_FOLD, price=0)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == [ask.Check(HAND, 3, 3)]


def test_a_raise_is_made_to_what_he_said_and_dropped_when_the_call_is_dearer(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.RAISE, 8, price=0)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == [ask.Raise(HAND, 3, 3, 8)]


def test_a_raise_is_dropped_when_the_call_is_dearer(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.RAISE, 8, price=0)
    at.acts(ask.Raise, 4)
    assert held(at, 3) is None


def test_a_bet_is_made_where_nobody_has_bet(floor: Opened) -> None:
    at = on_the_flop(floor())
    chooses(at, 3, Choice.BET, 4, price=0)
    at.acts(ask.Check)
    assert done(at) == [ask.Bet(HAND, 5, 3, 4)]


def on_the_flop(at: Floor) -> Floor:
    """Everybody has called the 2; seat 2 is to act."""
    return at.acts(ask.Call).acts(ask.Call).acts(ask.Check)


def test_a_wager_that_is_not_legal_any_more_is_dropped(floor: Opened) -> None:
    """The least raise is to 4; he said 3."""
    at = chooses(floor(), 3, Choice.RAISE, 3, price=0)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == []
    assert held(at, 3) is None
    assert at.seat == 3


# --- what lapses -----------------------------------------------------------------------------------------------------


def test_all_lapse_when_the_street_ends_since_he_sees_new_cards(floor: Opened) -> None:
    """The button has called, and chooses for a raise that doesn't come."""
    at = floor().acts(ask.Call)
    chooses(at, 1, Choice.FOLD, price=0)
    at.acts(ask.Call).acts(ask.Check)
    assert held(at, 1) is None


def test_all_lapse_when_the_hand_is_over(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.FOLD, price=0)
    at.acts(ask.Fold).acts(ask.Fold)
    assert at.hand.settled
    assert done(at) == []
    assert held(at, 3) is None


def test_what_he_chooses_next_stands_instead(floor: Opened) -> None:
    at = chooses(chooses(floor(), 3, Choice.FOLD, price=0), 3, Choice.CHECK, price=0)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == [ask.Check(HAND, 3, 3)]


def test_he_takes_it_back(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.FOLD, price=0)
    taken = actions(at).take_back(at.room.table("t1"), 3)
    assert taken == Advance(HAND, 3, Choice.FOLD)
    at.acts(ask.Call).acts(ask.Call)
    assert done(at) == []


def test_whoever_takes_the_shard_over_knows_nothing_of_it(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.FOLD, price=0)
    actions(at).leave("table:t1".__eq__)
    assert held(at, 3) is None


def test_who_leaves_folds_and_nothing_else_is_done(floor: Opened) -> None:
    at = chooses(floor(), 3, Choice.CALL_ANY, price=0)
    at.give(ask.Leave(HAND, 3))
    assert held(at, 3) is None


# --- what may be chosen ----------------------------------------------------------------------------------------------


def test_at_his_turn_he_acts_instead(floor: Opened) -> None:
    assert refusal(floor(), 1, Choice.CALL, price=2) == ("seat 1 is to act now: act, instead of choosing in advance")


def test_he_must_have_seen_the_price_that_there_is(floor: Opened) -> None:
    at = floor().acts(ask.Raise, 10)
    assert refusal(at, 3, Choice.CALL, price=2) == "the call is 8 now, not 2: look, and choose again"


@pytest.mark.parametrize(
    ("seat", "choice", "amount", "price", "why"),
    [
        (2, Choice.CHECK, 0, 1, "check can't be chosen: there is a bet: choose check/fold, call or fold"),
        (3, Choice.CALL, 0, 0, "call can't be chosen: there is nothing to call: choose check or call any"),
        (3, Choice.BET, 4, 0, "bet can't be chosen: somebody has bet: choose raise"),
        (3, Choice.RAISE, 0, 0, "a bet or raise says in amount to how much; any other choice has amount 0"),
        (3, Choice.FOLD, 4, 0, "a bet or raise says in amount to how much; any other choice has amount 0"),
        (4, Choice.FOLD, 0, 0, "seat 4 has no action left in hand t1-1"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(
    floor: Opened, seat: int, choice: Choice, amount: int, price: int, why: str
) -> None:
    assert refusal(floor(), seat, choice, amount, price=price) == why


def test_only_in_the_hand_that_is_under_way(floor: Opened) -> None:
    at = floor().acts(ask.Fold).acts(ask.Fold)
    assert refusal(at, 3, Choice.FOLD, price=0) == "hand t1-1 is over"
    with pytest.raises(Refused, match="hand t1-7 is not under way"):
        actions(at).take(at.room.table("t1"), Advance("t1-7", 3, Choice.FOLD), "player:p3")


# --- what is recorded ------------------------------------------------------------------------------------------------


def test_the_log_says_that_it_was_queued_when_and_at_what_price(floor: Opened) -> None:
    at = floor().acts(ask.Raise, 10)
    chooses(at, 3, Choice.CALL, price=8)
    at.clock.goes_on(3)
    at.acts(ask.Call)
    (command,) = at.after(0)
    log, shard = at.room.log, 3
    said = body.decode(log.record(shard, log.head(shard).height).body).command
    assert said["queued"] == {"at": START, "price": 8}
    assert (said["name"], said["by"], said["cause"]) == ("hand.call", "player:p3", "advance")
    assert command.queued == Queued(START, 8)


def test_any_other_command_says_nothing_of_it() -> None:
    assert "queued" not in envelope(Command("id", ask.Fold(HAND, 1, 1), "player:p1", "player"))
