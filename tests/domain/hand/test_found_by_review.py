"""Found by reading the hand against the rules, each by its smallest case."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from domain.cards import faces
from domain.hand import events as fact
from domain.hand.invariants import Broken
from domain.rules import registry
from domain.rules.games import HOLDEM
from tests.hands import Table, hole_of, open_hand_for, stacked


def test_a_late_player_who_faces_an_all_in_bet_has_not_checked() -> None:
    """Sections 2 and 5: a check is legal only when nothing is owed; only a round in which nobody bet is checked
    through."""
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[20, 100, 100]))
    table.do("3 calls", "1 calls", "2 checks", "1 stands pat", "2 is late to draw", "3 is late to draw")
    checked_before = table.found(fact.Checked)
    table.do("1 bets 18")
    assert table.awaited == (2, "call 18")
    assert table.found(fact.Checked) == checked_before


def test_a_late_player_checks_only_in_a_round_that_is_played() -> None:
    """32-card draw: the small blind is all-in, so there is no round after the draw; the big blind drew too late."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks={1: 1, 2: 100}, button=1))
    table.do("1 stands pat", "2 is late to draw", "1 refuses to split")
    assert table.found(fact.Checked) == []


def test_where_an_open_pair_shows_nobody_puts_in_more_than_four_big_bets() -> None:
    """Section 2, Levels: an all-in opening of 36 at 20/40 counts as 40, so the next raise goes to that same level."""
    cards = {1: "2h 3c 4c 5d", 2: "Ks Kd Kh Kc", 3: "4s 5s 9c Td"}
    table = stacked("stud", "fixed", (20, 40), ante=1, rulebook="ace", cards=cards, stacks=(500, 47, 500))
    table.do("1 brings in for 10", "2 calls", "3 calls", "2 bets 36")
    while isinstance(table.hand.turn, fact.TurnGiven) and table.hand.turn.most:
        table.do(f"{table.hand.turn.seat} raises to {table.hand.turn.most}")
    assert table.hand.wager <= 4 * 40


def test_a_reshuffle_of_other_cards_than_the_pile_is_no_hand() -> None:
    """Section 5: the mucked and discarded cards are shuffled. Here one that seat 1 holds comes instead of one of them.

    32-card draw, five players: seven cards are left, so the second player who draws four has the deck reshuffled.
    """
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 5))
    table.do("3 calls", "4 calls", "5 calls", "1 calls", "2 checks")
    held_by_1 = hole_of(table.hand, 1)[0]

    def instead_of_the_first(pile: Sequence[int]) -> Sequence[int]:
        return (held_by_1, *pile[1:])

    table.shoe._shuffle = instead_of_the_first
    table.do(f"3 draws 4: {faces(hole_of(table.hand, 3)[:4])}")
    with pytest.raises((Broken, LookupError, ValueError)):
        table.do(f"4 draws 4: {faces(hole_of(table.hand, 4)[:4])}")


def test_a_split_refused_after_a_street_without_draw_or_betting_ends_the_hand(monkeypatch) -> None:
    """Section 6, in a game of the same vocabulary: hold'em with the vote, both all-in before the flop."""
    game = replace(HOLDEM, name="holdem-with-vote", split_vote=True)
    monkeypatch.setitem(registry.GAMES_BY_NAME, game.name, game)
    monkeypatch.setitem(registry.GAMES_BY_REVISION, (game.name, 1), game)
    table = Table(open_hand_for(game.name, "no", (1, 2), stacks=[10, 10]))
    table.do("2 raises to 10", "1 calls")
    assert table.found(fact.HandShown) == []  # section 3: as soon as no vote is left
    table.do("1 refuses to split")
    assert len(table.hand.board) == 5
    assert table.hand.settled


def test_who_may_not_raise_is_not_told_to() -> None:
    """A refusal says what would be right: seat 1 drew too late and may not bet."""
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 3))
    table.do("3 calls", "1 calls", "2 checks", "1 is late to draw", "2 stands pat", "3 stands pat")
    assert "check or bet" not in table.refusal("1 raises to 10")
