"""What a table says of all-in protection and of players who leave in a hand (rules.md sections 7 and 8)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.hand import commands as of_hand
from domain.hand import events as hand_fact
from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.play import Play
from tests.domain.table.tables import events, name, playing, seat_of, table, under

ACE = under("ace")


def to_act(now: Play) -> int:
    """The seat that is to act."""
    assert now.hand
    assert now.hand.turn
    return now.hand.turn.seat


def late(now: Play, of: Callable[..., Any] = of_hand.Protect) -> Any:
    """What the timekeeper asks for who is to act."""
    assert now.hand
    return of(now.hand.id, now.hand.decision, to_act(now))


def a_hand_at(opening: ask.OpenTable) -> Play:
    """Three play their second hand; the big blind is to act, so something of his is in the pot."""
    now = playing(1, 2, 3, opening=opening)
    events(now, ask.DealHand("t1", 2))
    for _ in range(2):
        events(now, late(now, of_hand.Call))
    return now


def disconnected(now: Play) -> Play:
    """Who is to act has lost his connection."""
    seat = to_act(now)
    events(now, ask.LoseConnection("t1", seat, name(seat)))
    return now


def refusal(now: Play, args: Any) -> str:
    with pytest.raises(Refused) as refused:
        events(now, args)
    return str(refused.value)


@pytest.mark.parametrize("protection", ["", "asked", "granted"])
def test_who_has_lost_his_connection_is_protected_unless_that_was_refused(protection: str) -> None:
    now = disconnected(a_hand_at(ACE))
    seat = to_act(now)
    seat_of(now, seat).protection = protection
    assert events(now, late(now))[0] == hand_fact.AllInProtected(seat, 98), "2 of 100 are in"


def test_who_has_no_use_left_is_late() -> None:
    now = disconnected(a_hand_at(ACE))
    seat = to_act(now)
    seat_of(now, seat).protection = "refused"
    assert refusal(now, late(now)) == f"player{seat} has no use of all-in protection left: seat {seat} is too late"
    assert events(now, late(now, of_hand.ActTooLate))[0] == hand_fact.OutOfTime(seat)


def test_who_is_connected_is_late() -> None:
    now = a_hand_at(ACE)
    assert refusal(now, late(now)).endswith("is connected: all-in protection is for who has lost his connection")


def test_who_is_back_in_time_is_not_protected() -> None:
    now = disconnected(a_hand_at(ACE))
    seat = to_act(now)
    events(now, ask.RestoreConnection("t1", seat, name(seat)))
    assert "is connected" in refusal(now, late(now))


@pytest.mark.parametrize("limit", ["no", "pot", "half-pot"])
def test_euro_protects_in_fixed_and_spread_limit_only(limit: str) -> None:
    now = disconnected(a_hand_at(under("euro", limit=limit)))
    assert refusal(now, late(now)).startswith("nobody is all-in protected at this table")
    fixed = disconnected(a_hand_at(under("euro", limit="fixed", small=2, big=4)))
    assert isinstance(events(fixed, late(fixed))[0], hand_fact.AllInProtected)


def test_a_tournament_never() -> None:
    now = disconnected(a_hand_at(under("ace", kind="tournament", currency="CHIPS")))
    assert refusal(now, late(now)).startswith("nobody is all-in protected at this table")


def test_at_a_paused_table_nobody_is_too_late() -> None:
    now = disconnected(a_hand_at(ACE))
    events(now, ask.PauseTable("t1", ""))
    for of in (of_hand.Protect, of_hand.ActTooLate, of_hand.DrawTooLate):
        assert "paused" in refusal(now, late(now, of))


def test_who_leaves_in_a_hand_is_to_be_taken_from_the_table() -> None:
    """The big blind leaves at his turn: he folds, and the others play on."""
    now = a_hand_at(ACE)
    seat = to_act(now)
    made = events(now, of_hand.Leave("t1-2", seat))
    assert made[:2] == [hand_fact.PlayerLeft(seat), hand_fact.Folded(seat)]
    assert made[-1] == fact.PlayerLeaving(seat, name(seat), fact.Leaving.ASKED, "")
    assert seat_of(now, seat).leaving is fact.Leaving.ASKED
    assert not seat_of(now, seat).can_be_dealt_in


def test_where_that_ends_the_hand_the_table_hears_of_both() -> None:
    now = playing(1, 2, opening=ACE)
    events(now, ask.DealHand("t1", 2))
    made = events(now, of_hand.Leave("t1-2", to_act(now)))
    assert [type(one) for one in made[-2:]] == [fact.PlayerLeaving, fact.HandFinished]
    assert not table(now).open_hand
