"""A table at which everything happens that can happen to one, but for the cards: people come, go, miss blinds and are
kept away, and the floor does all that it may."""

from collections.abc import Callable
from typing import Any

from domain.hand import commands as of_hand
from domain.table import commands as ask
from domain.table.play import Play
from tests.services.homes import open_table
from tests.services.patrons import REASON

Give = Callable[[Any], Any]
"""Has a command carried out."""

Look = Callable[[], Play]
"""Shows the table as it is."""


def live(give: Give, look: Look, table: str = "life") -> None:
    """Seats 1, 2 and 3 of a table of `ace`, so that seat 3, which sits out, loses its seat for three big blinds."""
    give(open_table(table, rulebook="ace", limit="fixed", small=2, big=4))
    for seat, player in enumerate(("ann", "bob", "cid"), start=1):
        give(ask.SitDown(table, seat, player, 100))
    play_hand(give, look, table)
    give(ask.SitOut(table, 3, "cid"))
    for _ in range(5):
        play_hand(give, look, table)
    give(ask.StandUp(table, 3, "cid"))
    give(ask.SitDown(table, 4, "dan", 100))
    play_hand_without_answers(give, look, table)
    leave_in_a_hand(give, look, table)
    give(ask.StandUp(table, 4, "dan"))
    give(ask.SitOut(table, 2, "bob"))
    give(ask.ComeBack(table, 2, "bob", True))
    give(ask.LoseConnection(table, 1, "ann"))
    give(ask.RestoreConnection(table, 1, "ann"))
    for control in (ask.PauseTable, ask.ResumeTable, ask.StopDealing, ask.StartDealing):
        give(control(table, REASON))
    for about in (ask.FreezePlayer, ask.UnfreezePlayer, ask.RemovePlayer):
        give(about(table, 2, "bob", REASON))
    give(ask.CloseAfterHand(table, REASON))
    give(ask.ReopenTable(table, REASON))
    give(ask.CloseWithRoom(table))
    give(ask.ReopenWithRoom(table))


def play_hand(give: Give, look: Look, table: str) -> None:
    """The next hand, in which everybody folds."""
    deal(give, look, table)
    while (hand := look().hand) is not None and hand.turn is not None:
        give(of_hand.Fold(hand.id, hand.decision, hand.turn.seat))


def deal(give: Give, look: Look, table: str) -> None:
    now = look().table
    assert now is not None
    give(ask.DealHand(table, now.hands + 1))


def play_hand_without_answers(give: Give, look: Look, table: str) -> None:
    """The first player is too late, each after him has lost his connection."""
    deal(give, look, table)
    late: Callable[..., Any] = of_hand.ActTooLate
    while (hand := look().hand) is not None and hand.turn is not None:
        seat = hand.turn.seat
        player = next(one.player for one in hand.opened.seats if one.seat == seat)
        if late is of_hand.Protect:
            give(ask.LoseConnection(table, seat, player))
        give(late(hand.id, hand.decision, seat))
        if late is of_hand.Protect:
            give(ask.RestoreConnection(table, seat, player))
        late = of_hand.Protect


def leave_in_a_hand(give: Give, look: Look, table: str) -> None:
    """Seat 4 leaves as the hand begins."""
    deal(give, look, table)
    hand = look().hand
    assert hand is not None
    give(of_hand.Leave(hand.id, 4))
    while hand.turn is not None:
        give(of_hand.Fold(hand.id, hand.decision, hand.turn.seat))
