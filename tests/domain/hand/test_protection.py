"""All-in protection: who has lost his connection is all-in for what he has put in (rules.md section 8)."""

from typing import Any

import pytest

from domain.cards import cards as cards_of
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.invariants import Broken, check
from domain.messages import SECOND
from domain.rulings.replay import Standing, frames
from tests.hands import Table, on_the_flop, open_hand_for, played, replayed, stacked, table_ante_of

BEST, SECOND_BEST, WORST = "As Ad", "Ks Kd", "Qs Qd"
BOARD = "2c 3d 7h 8s 9c"


def with_20_in(cards: dict[int, str], **terms: Any) -> Table:
    """Three have put in 20 each and have 80 left; on the flop seat 1 bets 30, and seat 2 is protected."""
    opened = open_hand_for("holdem", "no", (5, 10), stacks=[100] * 3, cards=cards, board=BOARD, **terms)
    return played(opened, "3 raises to 20", "1 calls", "2 calls", "1 bets 30", "2 is protected")


def to_the_end(table: Table) -> Table:
    """Seat 3 calls the 30, and nothing more is bet."""
    return table.do("3 calls", "1 checks", "3 checks", "1 checks", "3 checks")


def test_he_is_all_in_for_what_he_has_put_in_and_the_rest_is_set_aside() -> None:
    table = with_20_in({})
    assert table.facts[-2] == fact.AllInProtected(2, 80)
    assert table.hand.aside[2] == 80
    assert table.stacks == {1: 50, 2: 0, 3: 80}
    assert table.awaited == (3, "call 30, raise 60..80")


def test_later_betting_goes_to_a_side_pot() -> None:
    """3 times 20 in the main pot, twice 30 in the side pot."""
    table = with_20_in({}).do("3 calls")
    assert table.pots == (60, 60)
    assert table.awaited[0] == 1


def test_he_wins_the_main_pot_and_has_what_was_set_aside_again() -> None:
    """80 + 60; the side pot of 60 goes to the better of the other two: 50 + 60."""
    table = to_the_end(with_20_in({1: SECOND_BEST, 2: BEST, 3: WORST}))
    assert table.won == {2: 60, 1: 60}
    assert table.stacks == {1: 110, 2: 140, 3: 50}
    assert table.found(fact.HandSettled)[0].stacks == (110, 140, 50)
    assert not any(table.hand.aside)


def test_he_loses_what_he_put_in_and_nothing_more() -> None:
    table = to_the_end(with_20_in({1: BEST, 2: WORST, 3: SECOND_BEST}))
    assert table.stacks == {1: 170, 2: 80, 3: 50}


def test_the_last_other_player_takes_his_uncalled_bet_back_and_plays_for_the_main_pot_only() -> None:
    """Seat 3 folds: nobody has called the 30 of seat 1. Nothing is left to bet, and both hands are turned up."""
    table = with_20_in({1: WORST, 2: BEST, 3: SECOND_BEST}).do("3 folds")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 30)]
    assert [one.seat for one in table.found(fact.HandShown)] == [1, 2]
    assert table.stacks == {1: 80, 2: 140, 3: 80}


def test_heads_up_the_hand_is_over_at_once() -> None:
    """He has called the big blind of 10 when 40 are bet; 40 go back, and his 10 play against 10."""
    opened = open_hand_for("holdem", "no", (5, 10), stacks=[100] * 2, cards={1: BEST, 2: WORST}, board=BOARD)
    table = played(opened, "2 calls", "1 checks", "1 bets 40", "2 is protected")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 40)]
    assert table.stacks == {1: 110, 2: 90}


def test_blinds_count_as_put_in() -> None:
    """The small blind of 5 is in: main pot 15, side pot 10."""
    table = played(open_hand_for("holdem", "no", (5, 10), stacks=[100] * 3), "3 calls", "1 is protected", "2 checks")
    assert table.found(fact.AllInProtected) == [fact.AllInProtected(1, 95)]
    assert table.pots == (15, 10)


def test_antes_count_as_put_in() -> None:
    """An ante of 1 each; the others put in 4 more."""
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 3, ante=1, bring_in=2))
    first, second, third = (table.awaited[0], *table.hand.clockwise[table.awaited[0]][:2])
    table.do(f"{first} brings in for 4", f"{second} is protected", f"{third} calls")
    assert table.found(fact.AllInProtected) == [fact.AllInProtected(second, 99)]
    assert table.pots == (3, 8)


def test_a_bring_in_that_he_owes_passes_on_as_that_of_a_player_whom_the_ante_put_all_in() -> None:
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 3, ante=1, bring_in=2))
    first = table.awaited[0]
    next_one = table.hand.clockwise[first][0]
    table.do(f"{first} is protected")
    assert table.awaited == (next_one, "bring in 2..99")
    assert table.hand.stack[first] == 0


def test_with_two_players_a_protected_bring_in_ends_the_betting() -> None:
    """Only the two antes of 1 are played for."""
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 2, ante=1, bring_in=2))
    table.do(f"{table.awaited[0]} is protected")
    assert table.hand.settled
    assert sum(table.won.values()) == 2
    assert sum(table.stacks.values()) == 200


def test_with_nothing_in_the_pot_he_is_simply_out() -> None:
    table = played(open_hand_for("holdem", "no", (5, 10), stacks=[100] * 3), "3 is protected")
    assert table.facts[-3:-1] == [fact.OutOfTime(3), fact.Folded(3)]
    assert not table.found(fact.AllInProtected)
    assert table.awaited[0] == 1


def test_a_table_ante_that_another_posted_is_nothing_of_his() -> None:
    opened = open_hand_for("holdem", "no", (5, 10), stacks=[100] * 3)
    opened.posts = (table_ante_of(2, 10), *opened.posts)
    assert Table(opened).do("3 is protected").found(fact.Folded) == [fact.Folded(3)]


def test_never_in_a_tournament() -> None:
    table = on_the_flop([100, 100, 100], kind="tournament")
    assert table.refusal("1 is protected") == (
        "hand t1-1 is of a tournament: nobody is all-in protected there, who is late folds"
    )


def test_who_is_all_in_needs_none() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100, 2, 100])).do("3 calls", "1 calls")
    table.do("1 stands pat")
    assert table.refusal("2 is protected") == "seat 2 is all-in and needs no protection: he is too late"


def test_only_at_his_own_turn() -> None:
    assert on_the_flop([100, 100, 100]).refusal("2 is protected").startswith("seat 2 acts out of turn")


def test_he_stays_all_in_when_he_is_back() -> None:
    table = with_20_in({}).do("3 calls", "1 checks", "3 checks")
    assert table.refusal("2 checks").startswith("seat 2 acts out of turn")


def test_whether_a_raise_reopens_the_betting_is_not_touched_by_it() -> None:
    """Seat 1 bets 20, seat 2 raises to 50, seat 3 is all-in for 60, 10 more: not a full raise, so seat 1, who hasn't
    acted since the raise to 50, may raise, and seat 2 after his call may not. Protection of seat 4 changes neither."""
    table = on_the_flop([200, 200, 60, 200]).do("1 bets 20", "2 raises to 50", "3 raises to 60", "4 is protected")
    assert table.awaited == (1, "call 40, raise 90..200")
    assert table.do("1 calls").awaited == (2, "call 10")


# --- draws and votes -------------------------------------------------------------------------------------------------


def test_in_a_draw_he_stands_pat_and_in_later_draws_too() -> None:
    """Triple draw, three players; seat 1 draws first and is protected in the first draw."""
    table = Table(open_hand_for("triple-draw", "fixed", (2, 4), stacks=[100] * 3)).do("3 calls", "1 calls", "2 checks")
    table.do("1 is protected", "2 stands pat", "3 stands pat", "2 checks", "3 checks", "2 stands pat", "3 stands pat")
    assert [one for one in table.found(fact.StoodPat) if one.seat == 1] == [fact.StoodPat(1, late=False)] * 2
    assert table.awaited[0] == 2


def test_he_is_not_offered_a_draw_after_he_was_protected_in_the_betting() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 3)).do(
        "3 raises to 6", "1 is protected", "2 calls"
    )
    assert table.found(fact.StoodPat) == [fact.StoodPat(1, late=False)]
    assert table.awaited == (2, "draw 0..5")


def test_he_refuses_the_vote() -> None:
    """Seats 1, 2 and 3 are in for 2; seat 3 is protected before the draw. With him the main pot can't be divided."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 3))
    table.do("3 calls", "1 calls", "2 checks", "3 is protected", "1 stands pat", "2 stands pat")
    assert table.found(fact.SplitVoteCast) == [fact.SplitVoteCast(3, agrees=False)]
    assert table.awaited == (1, "check, bet 2..98")


def test_protected_at_the_vote_he_refuses_it_and_the_others_act() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 3))
    table.do("3 calls", "1 calls", "2 checks", "3 stands pat", "1 stands pat", "2 stands pat")
    table.do("3 votes to split", "1 is protected")
    assert table.facts[-3:-1] == [fact.AllInProtected(1, 98), fact.SplitVoteCast(1, agrees=False)]
    assert table.awaited[0] == 2


# --- the books of it -------------------------------------------------------------------------------------------------


def test_a_cancelled_hand_gives_back_both_what_he_put_in_and_what_was_set_aside() -> None:
    table = with_20_in({}).do("no owner for 61 s")
    assert table.found(fact.HandCancelled)[0].amounts == (50, 20, 20)
    assert table.stacks == {1: 100, 2: 100, 3: 100}


def test_what_nobody_called_of_his_is_set_aside_too() -> None:
    """A late post of 10 by seat 4, a big blind of 4 all-in, a small blind of 5, which folds as the button does: the 5
    above that come back to the protected player, who still has no chips to act with."""
    opened = open_hand_for("holdem", "no", (5, 10), stacks={1: 100, 2: 100, 3: 4, 4: 100}, button=1)
    opened.posts = (*opened.posts, fact.Post(4, fact.PostKind.LATE_BLIND, 10, live=True))
    table = Table(opened).do("4 is protected", "1 folds", "2 folds")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(4, 5)]
    assert table.hand.settled
    assert sum(table.stacks.values()) == 304


def test_the_facts_alone_make_the_same_hand_and_a_frame_shows_him_all_in() -> None:
    table = with_20_in({})
    again = replayed(table.facts)
    assert (again.stack, again.aside, again.turn) == (table.hand.stack, table.hand.aside, table.hand.turn)
    *_, protected, last = frames(table.facts)
    assert protected.says == (
        "seat 2 has lost its connection and is all-in for what it has put in; 80 is set aside until the hand is over"
    )
    assert last.seats[1].standing is Standing.ALL_IN
    assert (last.seats[1].stack, last.seats[1].aside) == (0, 80)


def test_chips_set_aside_are_counted() -> None:
    table = with_20_in({})
    table.hand.aside[2] -= 1
    with pytest.raises(Broken, match="chips are not conserved: stacks 130, set aside 79, pot 90 and rake 0 make 299"):
        check(table.hand)


def test_cancelling_needs_the_same_failure_as_ever() -> None:
    table = with_20_in({})
    assert table.refusal_of(ask.CancelHand("t1-1", 60 * SECOND)).startswith("hand t1-1 goes on")


def test_a_free_check_protects_him_too_and_the_board_is_dealt_out() -> None:
    """Heads-up he had 10 in like his opponent: nobody is left to bet with."""
    table = stacked("holdem", "no", (5, 10), stacks=[100] * 2, cards={1: WORST, 2: BEST}, board=BOARD)
    table.do("2 calls", "1 checks", "1 is protected")
    assert table.hand.board == cards_of(BOARD)
    assert table.stacks == {1: 90, 2: 110}
