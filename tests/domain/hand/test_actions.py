"""rules.md section 2, Actions: who may do what, and when a round is over."""

from domain.hand import events as fact
from tests.hands import (
    Table,
    ante_of,
    big_blind_of,
    late_blind_of,
    on_the_flop,
    open_hand_for,
    played,
    small_blind_of,
)


def test_a_check_is_legal_when_nobody_has_bet() -> None:
    flop = on_the_flop([100, 100, 100])
    assert flop.do("1 checks").awaited == (2, "check, bet 10..100")


def test_a_check_is_not_legal_when_a_bet_is_owed() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 bets 10")
    assert flop.refusal("2 checks") == "seat 2 may not check: 10 to call, or fold"


def test_in_the_first_round_the_big_blind_checks_if_nobody_raised() -> None:
    table = played(open_hand_for(stacks=[100, 100, 100]), "3 calls", "1 calls")
    assert table.awaited == (2, "check, raise 4..100")
    assert table.do("2 checks").hand.street == 1


def test_in_the_first_round_the_big_blind_may_not_check_a_raise() -> None:
    table = played(open_hand_for(stacks=[100, 100, 100]), "3 raises to 4", "1 folds")
    assert table.refusal("2 checks") == "seat 2 may not check: 2 to call, or fold"


def test_a_live_poster_who_faces_no_raise_checks_and_may_raise() -> None:
    posts = [small_blind_of(1, 1), big_blind_of(2, 2), late_blind_of(3, 2)]
    table = Table(open_hand_for(stacks=[100] * 4, posts=posts))
    assert table.awaited == (3, "check, raise 4..100")
    assert table.do("3 checks").awaited == (4, "call 2, raise 4..100")


def test_a_live_poster_who_faces_a_raise_may_not_check() -> None:
    posts = [small_blind_of(1, 1), big_blind_of(2, 2), late_blind_of(4, 2)]
    table = played(open_hand_for(stacks=[100] * 4, posts=posts), "3 raises to 6")
    assert table.awaited == (4, "call 4, raise 10..100")
    assert table.refusal("4 checks") == "seat 4 may not check: 4 to call, or fold"


def test_folding_is_always_legal() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 folds")
    assert flop.hand.contesting == (2, 3)
    assert flop.do("2 bets 10", "3 folds").hand.settled


def test_the_big_blind_may_fold_his_free_look() -> None:
    table = played(open_hand_for(stacks=[100, 100, 100]), "3 calls", "1 folds", "2 folds")
    assert table.won == {3: 5}


def test_a_round_ends_when_everyone_who_can_act_has_acted() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 checks", "2 checks")
    assert flop.hand.street == 1
    assert flop.do("3 checks").hand.street == 2


def test_a_round_does_not_end_before_the_last_bet_is_matched() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 bets 10", "2 calls", "3 raises to 30", "1 calls")
    assert flop.hand.street == 1
    assert flop.awaited == (2, "call 20, raise 50..100")
    assert flop.do("2 calls").hand.street == 2


def test_a_player_all_in_from_his_ante_has_no_turn_and_is_not_folded() -> None:
    posts = [*(ante_of(seat, 10) for seat in (1, 2, 3, 4)), small_blind_of(1, 50), big_blind_of(2, 100)]
    table = Table(open_hand_for(stakes=(50, 100), kind="tournament", stacks=[1000, 1000, 10, 1000], posts=posts))
    assert table.awaited[0] == 4
    table.do("4 folds", "1 folds")
    assert table.hand.contesting == (2, 3)
    assert table.hand.settled, "the big blind has nobody to bet with"


def test_a_player_all_in_from_his_small_blind_has_no_turn_and_is_not_folded() -> None:
    table = played(open_hand_for(stacks=[1, 100, 100]), "3 calls")
    assert table.awaited == (2, "check, raise 4..100")
    assert 1 in table.hand.contesting


def test_no_decision_for_who_put_in_as_much_as_each_opponent_when_nobody_else_can_act() -> None:
    """Big blind 250 all-in for 115, small blind 125, all others out."""
    table = played(
        open_hand_for(stakes=(125, 250), stacks=[1000, 115, 1000], cards={1: "7c 2d", 2: "Ac Ad"}), "3 folds"
    )
    assert table.hand.settled
    assert [one.cards for one in table.found(fact.BoardDealt)] != [], "the cards are dealt out"
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 10)]
    assert table.stacks == {1: 885, 2: 230, 3: 1000}


def test_a_decision_for_who_put_in_less_than_an_opponent() -> None:
    """The same with 130: the small blind of 125 is 5 short of the chips of the big blind; the price is the full 250."""
    table = played(open_hand_for(stakes=(125, 250), stacks=[1000, 130, 1000]), "3 folds")
    assert table.awaited == (1, "call 125, raise 500..1000")


def test_no_more_decisions_when_all_but_one_are_all_in_and_he_has_called() -> None:
    table = played(open_hand_for(stacks=[50, 100, 50]), "3 raises to 50", "1 calls", "2 calls")
    assert table.hand.settled
    assert len([one for one in table.facts if isinstance(one, fact.TurnGiven)]) == 3


def test_nobody_puts_in_more_than_the_stack_before_him() -> None:
    table = played(open_hand_for(stacks=[100, 100, 30, 100]), "3 calls", "4 raises to 60", "1 folds", "2 folds")
    assert table.awaited == (3, "call 28")
    table.do("3 calls")
    assert table.found(fact.Called)[-1] == fact.Called(3, 28, 30, all_in=True)
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(4, 30)]


def test_three_may_act_and_the_same_answer_again_acts_for_nobody() -> None:
    """Scenario 45: an answer that is sent twice is neither a second action nor another player's."""
    flop = on_the_flop([100, 100, 100]).do("1 bets 10", "2 calls", "3 calls")
    assert flop.hand.street == 2
    decision = flop.hand.decision
    flop.do("1 checks")
    assert flop.hand.decision > decision
    assert "acts out of turn" in flop.refusal("1 checks")
    assert flop.awaited[0] == 2
