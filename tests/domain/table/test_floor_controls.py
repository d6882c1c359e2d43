"""What the floor does to a table and to who sits there: each with a reason, each can be taken back."""

from typing import Any

import pytest

from domain.hand import commands as of_hand
from domain.messages import SECOND, Refused
from domain.table import commands as ask
from domain.table import events as fact
from tests.domain.table.tables import (
    deal,
    events,
    fold_to_the_end,
    next_hand,
    playing,
    seat_of,
    sit_down,
    sit_out,
    stand_up,
    table,
)

WHY = "c2VhbGVk"
"""A sealed reason."""

PAUSED = "the table is paused: nothing is dealt or played until the floor resumes it"


def test_a_paused_table_neither_deals_nor_plays_until_it_is_resumed() -> None:
    now = playing(1, 2, 3)
    deal(now)
    assert events(now, ask.PauseTable("t1", WHY), 5) == [fact.TablePaused(5, WHY)]
    hand = now.hand
    assert hand is not None and hand.turn is not None
    for args in (of_hand.Fold(hand.id, hand.decision, hand.turn.seat), of_hand.AskToShow(hand.id, hand.turn.seat)):
        with pytest.raises(Refused, match=PAUSED):
            events(now, args)
    assert events(now, ask.ResumeTable("t1", WHY), 9) == [fact.TableResumed(9, WHY)]
    fold_to_the_end(now)
    events(now, ask.PauseTable("t1", WHY))
    with pytest.raises(Refused, match=PAUSED):
        deal(now)


def test_a_hand_that_is_paused_can_still_be_cancelled_by_the_room() -> None:
    now = playing(1, 2, 3)
    deal(now)
    events(now, ask.PauseTable("t1", WHY))
    events(now, of_hand.CancelHand("t1-2", 61 * SECOND))
    assert table(now).open_hand == ""


def test_no_new_hands_lets_the_open_one_be_played() -> None:
    now = playing(1, 2, 3)
    deal(now)
    assert events(now, ask.StopDealing("t1", WHY), 5) == [fact.DealingStopped(5, WHY)]
    fold_to_the_end(now)
    with pytest.raises(Refused, match="the floor stopped new hands at this table: it starts them again first"):
        deal(now)
    assert events(now, ask.StartDealing("t1", WHY), 6) == [fact.DealingStarted(6, WHY)]
    deal(now)


def test_a_table_that_closes_plays_its_hand_and_takes_nobody() -> None:
    now = playing(1, 2, 3)
    deal(now)
    assert events(now, ask.CloseAfterHand("t1", WHY), 5) == [fact.TableClosing(5, WHY)]
    with pytest.raises(Refused, match="the table is closing: nobody sits down there any more"):
        sit_down(now, 4)
    fold_to_the_end(now)
    with pytest.raises(Refused, match="the table is closing: no new hand is dealt unless the floor reopens it"):
        deal(now)
    stand_up(now, 1, 2, 3)
    assert table(now).seats == {}


def test_a_closing_table_may_be_reopened() -> None:
    now = playing(1, 2, 3)
    events(now, ask.CloseAfterHand("t1", WHY))
    assert events(now, ask.ReopenTable("t1", WHY), 7) == [fact.TableReopened(7, WHY)]
    sit_down(now, 4)
    assert next_hand(now) == "2 button, 3 small, 4 big, 1"


def test_a_table_that_closes_with_the_room_plays_its_hand_and_takes_nobody() -> None:
    now = playing(1, 2, 3)
    deal(now)
    assert events(now, ask.CloseWithRoom("t1"), 5) == [fact.ClosingWithRoom(5)]
    with pytest.raises(Refused, match="the room is closed: nobody sits down until the floor reopens it"):
        sit_down(now, 4)
    fold_to_the_end(now)
    with pytest.raises(Refused, match="the room is closed: no new hand is dealt until the floor reopens it"):
        deal(now)
    assert events(now, ask.ReopenWithRoom("t1"), 7) == [fact.ReopenedWithRoom(7)]
    assert next_hand(now) == "3 button, 1 small, 2 big"


def test_a_table_that_the_floor_closed_stays_closed_when_the_room_reopens() -> None:
    now = playing(1, 2, 3)
    events(now, ask.CloseAfterHand("t1", WHY))
    events(now, ask.CloseWithRoom("t1"))
    events(now, ask.ReopenWithRoom("t1"))
    with pytest.raises(Refused, match="the table is closing"):
        deal(now)


def test_nobody_reopens_one_table_of_a_closed_room() -> None:
    now = playing(1, 2, 3)
    events(now, ask.CloseWithRoom("t1"))
    with pytest.raises(Refused, match=r"the table closes with the whole room, which room\.reopen opens again"):
        events(now, ask.ReopenTable("t1", WHY))


def test_what_the_floor_closed_in_a_closed_room_it_may_reopen_there_and_the_room_stays_closed() -> None:
    now = playing(1, 2, 3)
    events(now, ask.CloseWithRoom("t1"))
    events(now, ask.CloseAfterHand("t1", WHY))
    events(now, ask.ReopenTable("t1", WHY))
    with pytest.raises(Refused, match="the room is closed"):
        deal(now)


@pytest.mark.parametrize("again", [ask.CloseWithRoom("t1"), ask.ReopenWithRoom("t1")], ids=["close", "reopen"])
def test_a_table_goes_with_the_room_once(again: Any) -> None:
    now = playing(1, 2, 3)
    events(now, ask.CloseWithRoom("t1"))
    if isinstance(again, ask.ReopenWithRoom):
        events(now, again)
    with pytest.raises(Refused, match="already|there is nothing to reopen"):
        events(now, again)


def test_a_frozen_player_plays_the_open_hand_and_no_other() -> None:
    now = playing(1, 2, 3, 4)
    deal(now)
    assert events(now, ask.FreezePlayer("t1", 3, "player3", WHY)) == [
        fact.PlayerFrozen(3, "player3", WHY, fact.Freeze.SEAT)
    ]
    fold_to_the_end(now)
    assert next_hand(now) == "4 button, 1 small, 2 big"


def test_his_chips_stay_on_the_table() -> None:
    now = playing(1, 2, 3, 4)
    events(now, ask.FreezePlayer("t1", 3, "player3", WHY))
    with pytest.raises(Refused, match="player3 is frozen: his chips stay on the table until the floor unfreezes him"):
        stand_up(now, 3)
    seat_of(now, 3).stack = 0
    stand_up(now, 3)


def test_an_unfrozen_player_plays_on_and_owes_nothing() -> None:
    """He couldn't have played the blinds that passed him."""
    now = playing(1, 2, 3, 4)
    events(now, ask.FreezePlayer("t1", 4, "player4", WHY))
    for _ in range(3):
        next_hand(now)
    (unfrozen,) = events(now, ask.UnfreezePlayer("t1", 4, "player4", WHY))
    assert unfrozen == fact.PlayerUnfrozen(4, "player4", WHY, fact.Freeze.SEAT)
    assert next_hand(now) == "2 button, 3 small, 4 big, 1"


def test_who_is_removed_is_not_dealt_in_and_stands_up_with_his_chips() -> None:
    now = playing(1, 2, 3, 4)
    deal(now)
    removed = fact.PlayerLeaving(4, "player4", fact.Leaving.REMOVED, WHY)
    assert events(now, ask.RemovePlayer("t1", 4, "player4", WHY)) == [removed]
    fold_to_the_end(now)
    assert next_hand(now) == "3 button, 1 small, 2 big"
    assert events(now, ask.StandUp("t1", 4, "player4"))[0] == fact.ChipsTaken(4, "player4", 101)  # a small blind won
    sit_down(now, 4, 101)
    assert next_hand(now) == "1 button, 2 small, 3 big, 4 posts 2 live"


def test_the_floor_may_remove_a_frozen_player_with_his_chips() -> None:
    now = playing(1, 2, 3, 4)
    events(now, ask.FreezePlayer("t1", 4, "player4", WHY))
    events(now, ask.RemovePlayer("t1", 4, "player4", WHY))
    made = events(now, ask.StandUp("t1", 4, "player4"))
    assert made[0] == fact.ChipsTaken(4, "player4", 100)


@pytest.mark.parametrize("args", [ask.SitOut("t1", 4, "player4"), ask.ComeBack("t1", 4, "player4", True)])
def test_who_is_removed_does_not_come_back_by_himself(args: Any) -> None:
    now = playing(1, 2, 3, 4)
    sit_out(now, 3)
    events(now, ask.RemovePlayer("t1", 4, "player4", WHY))
    with pytest.raises(
        Refused, match="player4 leaves the table, since the floor removed him: sit down again to play on"
    ):
        events(now, args)


@pytest.mark.parametrize(
    ("before", "args", "sentence"),
    [
        (None, ask.ResumeTable("t1", WHY), "isn't paused: there is nothing to resume"),
        (ask.PauseTable("t1", WHY), ask.PauseTable("t1", WHY), "the table is paused already"),
        (None, ask.StartDealing("t1", WHY), "aren't stopped: there is nothing to start"),
        (ask.StopDealing("t1", WHY), ask.StopDealing("t1", WHY), "new hands are stopped already"),
        (None, ask.ReopenTable("t1", WHY), "isn't closing: there is nothing to reopen"),
        (ask.CloseAfterHand("t1", WHY), ask.CloseAfterHand("t1", WHY), "the table is closing already"),
        (None, ask.UnfreezePlayer("t1", 1, "player1", WHY), "player1 isn't frozen: there is nothing to take back"),
        (ask.FreezePlayer("t1", 1, "player1", WHY), ask.FreezePlayer("t1", 1, "player1", WHY), "is frozen already"),
        (ask.RemovePlayer("t1", 1, "player1", WHY), ask.RemovePlayer("t1", 1, "player1", WHY), "is removed already"),
        (None, ask.FreezePlayer("t1", 1, "player2", WHY), "player2 doesn't sit in seat 1"),
        (None, ask.RemovePlayer("t1", 6, "player6", WHY), "player6 doesn't sit in seat 6"),
    ],
)
def test_what_is_so_already_is_refused(before: Any, args: Any, sentence: str) -> None:
    now = playing(1, 2, 3)
    if before is not None:
        events(now, before)
    with pytest.raises(Refused, match=sentence):
        events(now, args)
