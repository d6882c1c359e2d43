"""What a hand refuses, in which words; and that nothing of its state changes (each `refusal` compares every slot)."""

from domain.hand import commands as ask
from tests.hands import Table, command_of, on_the_flop, open_hand_for, played


def bet_to_answer() -> Table:
    """Seat 1 bet 10 of 100 on the flop; seat 2 is to act."""
    return on_the_flop([100, 100, 100]).do("1 bets 10")


def test_out_of_turn() -> None:
    table = bet_to_answer()
    turn = f"the action is on seat 2 (decision {table.hand.decision})"
    for sentence in ("3 folds", "3 checks", "3 calls", "3 bets 10", "3 raises to 20"):
        assert table.refusal(sentence) == f"seat 3 acts out of turn: {turn}"


def test_a_seat_that_is_not_in_the_hand_acts_out_of_turn() -> None:
    assert bet_to_answer().refusal("9 calls").startswith("seat 9 acts out of turn: the action is on seat 2")


def test_a_stale_decision() -> None:
    table = bet_to_answer()
    old = table.hand.decision
    table.do("2 raises to 20", "3 folds", "1 raises to 30")
    assert table.awaited[0] == 2
    assert table.refusal_of(command_of(table.hand, "2 calls", decision=old)) == (
        f"decision {old} of hand t1-1 has been answered, and the hand has moved on: the action is on seat 2 "
        f"(decision {table.hand.decision})"
    )


def test_a_decision_that_is_not_there_yet() -> None:
    table = bet_to_answer()
    early = table.hand.decision + 2
    assert table.refusal_of(command_of(table.hand, "2 calls", decision=early)) == (
        f"hand t1-1 has no decision {early} yet: the action is on seat 2 (decision {table.hand.decision})"
    )


def test_a_player_who_sends_his_action_twice_is_told_that_it_was_answered() -> None:
    """Scenario 45."""
    table = bet_to_answer()
    call = command_of(table.hand, "2 calls")
    table.do("2 calls")
    assert "has been answered, and the hand has moved on: the action is on seat 3" in table.refusal_of(call)


def test_a_bet_below_the_minimum() -> None:
    assert on_the_flop([100] * 3).refusal("1 bets 9") == ("seat 1 may bet 10 at the least and 100 at the most, not 9")


def test_a_bet_of_nothing() -> None:
    assert on_the_flop([100] * 3).refusal("1 bets 0") == ("seat 1 may bet 10 at the least and 100 at the most, not 0")


def test_a_bet_above_the_maximum() -> None:
    assert on_the_flop([100] * 3, "pot").refusal("1 bets 31") == (
        "seat 1 may bet 10 at the least and 30 at the most, not 31"
    )


def test_a_bet_above_the_stack() -> None:
    assert on_the_flop([100] * 3).refusal("1 bets 101") == "seat 1 can't bet 101: all that he has makes 100"


def test_a_raise_below_the_least() -> None:
    assert bet_to_answer().refusal("2 raises to 19") == (
        "seat 2 may raise to 20 at the least and 100 at the most, not 19"
    )


def test_a_raise_to_no_more_than_the_bet() -> None:
    for to in (0, 5, 10):
        assert f"not {to}" in bet_to_answer().refusal(f"2 raises to {to}")


def test_a_raise_above_the_stack() -> None:
    assert bet_to_answer().refusal("2 raises to 101") == "seat 2 can't raise to 101: all that he has makes 100"


def test_a_raise_by_a_stack_that_makes_a_call_only() -> None:
    table = on_the_flop([100, 8, 100]).do("1 bets 10")
    assert table.refusal("2 raises to 8") == "seat 2 may not raise: call 8 or fold"


def test_a_raise_by_a_stack_that_makes_exactly_the_call() -> None:
    table = on_the_flop([100, 10, 100]).do("1 bets 10")
    assert table.awaited == (2, "call 10")
    assert table.refusal("2 raises to 10") == "seat 2 may not raise: call 10 or fold"


def test_a_check_when_owing() -> None:
    assert bet_to_answer().refusal("2 checks") == "seat 2 may not check: 10 to call, or fold"


def test_a_call_when_nothing_is_owed() -> None:
    assert on_the_flop([100] * 3).refusal("1 calls") == "seat 1 has nothing to call: check"


def test_a_bet_when_there_is_one() -> None:
    assert bet_to_answer().refusal("2 bets 20") == (
        "seat 2 may not bet: 10 was bet already; call 10, raise to 20 up to 100, or fold"
    )


def test_a_bet_in_the_first_round_where_the_blind_is_one() -> None:
    table = Table(open_hand_for(stacks=[100] * 3))
    assert table.refusal("3 bets 4") == "seat 3 may not bet: 2 was bet already; call 2, raise to 4 up to 100, or fold"


def test_a_raise_when_there_is_no_bet() -> None:
    assert on_the_flop([100] * 3).refusal("1 raises to 10") == (
        "seat 1 may not raise: nobody has bet; check, bet 10 up to 100, or fold"
    )


def test_a_raise_where_the_betting_was_not_reopened() -> None:
    table = on_the_flop([900, 150, 900]).do("1 bets 100", "2 raises to 150", "3 folds")
    assert table.refusal("1 raises to 250") == "seat 1 may not raise: call 50 or fold"


def test_a_raise_beyond_the_cap() -> None:
    table = on_the_flop([900] * 3, "fixed").do("1 bets 5", "2 raises to 10", "3 raises to 15", "1 raises to 20")
    assert table.refusal("2 raises to 25") == "seat 2 may not raise: call 10 or fold"


def test_a_fixed_bet_of_another_size() -> None:
    table = on_the_flop([900] * 3, "fixed")
    for to in (4, 6, 10):
        assert table.refusal(f"1 bets {to}") == f"seat 1 may bet 5 and nothing else, not {to}"


def test_an_amount_between_chips() -> None:
    table = on_the_flop([900] * 3, stakes=(25, 50), chip_unit=25)
    assert table.refusal("1 bets 60") == "60 can't be made of chips of 25: put in a multiple of it, or go all-in"


def test_amounts_are_written_in_the_money_of_the_hand() -> None:
    table = Table(open_hand_for(kind="real", stakes=(50, 100), stacks=[5000] * 3))
    assert table.refusal("3 raises to 1.99") == (
        "seat 3 may raise to 2.00 at the least and 50.00 at the most, not 1.99"
    )


def test_any_action_after_the_hand_is_over() -> None:
    table = played(open_hand_for(stacks=[100] * 2), "2 folds")
    for sentence in ("1 folds", "1 checks", "2 calls", "1 bets 2", "1 raises to 4"):
        assert table.refusal(sentence) == "hand t1-1 is over; it takes no more actions"


def test_a_wish_after_the_hand_is_over() -> None:
    table = played(open_hand_for(stacks=[100] * 2, rulebook="ace"), "2 folds")
    for sentence in ("1 asks to show", "1 gives up at the showdown"):
        assert table.refusal(sentence) == "hand t1-1 is over: what its showdown does had to be asked before"


def test_a_wish_of_a_seat_that_is_not_in_the_hand() -> None:
    table = played(open_hand_for(stacks=[100] * 3, rulebook="ace"), "3 folds")
    for seat, where in ((3, "is not in hand t1-1 any more"), (9, "was not dealt into hand t1-1")):
        for wish in ("asks to show", "gives up at the showdown"):
            assert table.refusal(f"{seat} {wish}") == (
                f"seat {seat} {where}: only a live hand can be shown or given up"
            )


def test_a_command_that_no_hand_knows() -> None:
    assert bet_to_answer().refusal_of("please") == "a hand knows no command str"


def test_a_refused_command_leaves_the_decision_to_be_answered() -> None:
    table = bet_to_answer()
    table.refusal("2 raises to 19")
    assert table.do("2 raises to 20").awaited[0] == 3


def test_fold_is_never_refused_to_the_one_who_acts() -> None:
    assert isinstance(command_of(bet_to_answer().hand, "2 folds"), ask.Fold)
    assert bet_to_answer().do("2 folds").hand.contesting == (1, 3)
