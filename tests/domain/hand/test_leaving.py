"""A player who leaves the table while a hand goes on in which he was dealt in (rules.md sections 7 and 8)."""

from domain.hand import events as fact
from tests.hands import Table, on_the_flop, open_hand_for, played, replayed


def after_the_draw(stacks: tuple[int, ...] = (100, 100, 100)) -> Table:
    """Three have called 2 and stood pat; seat 3 is offered the split first, then 1, then 2."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=stacks))
    return table.do("3 calls", "1 calls", "2 checks", "3 stands pat", "1 stands pat", "2 stands pat")


def test_it_is_a_fold_when_his_turn_comes_and_not_before() -> None:
    table = on_the_flop([100, 100, 100]).do("2 leaves")
    assert table.facts[-1] == fact.PlayerLeft(2)
    assert table.awaited[0] == 1
    table.do("1 bets 10")
    assert table.facts[-2] == fact.Folded(2)
    assert table.awaited == (3, "call 10, raise 20..100")


def test_at_his_turn_it_is_a_fold_at_once_even_where_a_check_is_free() -> None:
    table = on_the_flop([100, 100, 100]).do("1 leaves")
    assert table.facts[-3:-1] == [fact.PlayerLeft(1), fact.Folded(1)]
    assert table.awaited[0] == 2


def test_two_who_left_fold_one_after_the_other() -> None:
    table = on_the_flop([100, 100, 100, 100]).do("2 leaves", "3 leaves", "1 checks")
    assert table.facts[-3:-1] == [fact.Folded(2), fact.Folded(3)]
    assert table.awaited == (4, "check, bet 10..100")


def test_the_last_one_left_wins_though_he_too_has_left() -> None:
    """Seats 2 and 3 leave; seat 1 folds nothing, he is out of time and checks; both others fold... but the last of the
    hand is never asked: seat 1 takes the 30."""
    table = on_the_flop([100, 100, 100]).do("2 leaves", "3 leaves", "1 checks")
    assert table.found(fact.Folded) == [fact.Folded(2), fact.Folded(3)]
    assert table.won == {1: 30}
    all_left = on_the_flop([100, 100, 100]).do("2 leaves", "3 leaves", "1 leaves")
    assert all_left.found(fact.Folded) == [fact.Folded(1), fact.Folded(2)]
    assert all_left.won == {3: 30}


def test_who_is_all_in_stays_in_for_the_showdown() -> None:
    cards, board = {1: "As Ad", 2: "Ks Kd"}, "2c 3d 7h 8s 9c"
    opened = open_hand_for("holdem", "no", (5, 10), stacks=[100, 100, 100], cards=cards, board=board)
    table = played(opened, "3 folds", "1 raises to 100", "1 leaves", "2 calls")
    assert not [one for one in table.found(fact.Folded) if one.seat == 1]
    assert table.stacks == {1: 200, 2: 0, 3: 100}


def test_who_has_folded_may_leave_too() -> None:
    table = on_the_flop([100, 100, 100]).do("1 folds", "1 leaves")
    assert table.facts[-1] == fact.PlayerLeft(1)
    assert table.awaited[0] == 2


def test_who_was_all_in_protected_may_leave_and_stays_in() -> None:
    table = on_the_flop([100, 100, 100]).do("1 is protected", "1 leaves", "2 checks", "3 checks")
    assert 1 in table.hand.contesting


def test_nobody_leaves_twice() -> None:
    table = on_the_flop([100, 100, 100]).do("2 leaves")
    assert table.refusal("2 leaves") == "seat 2 has left hand t1-1 already"


def test_who_was_not_dealt_in_stands_up() -> None:
    refusal = on_the_flop([100, 100, 100]).refusal("5 leaves")
    assert refusal == "seat 5 was not dealt into hand t1-1: stand up from the table"


def test_a_hand_that_is_over_is_left_by_standing_up() -> None:
    table = on_the_flop([100, 100, 100]).do("1 folds", "2 folds")
    assert table.refusal("3 leaves") == "hand t1-1 is over: stand up from the table"


def test_a_bring_in_is_owed_all_the_same() -> None:
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 3, ante=1, bring_in=2))
    seat = table.awaited[0]
    second, third = table.hand.clockwise[seat][:2]
    table.do(f"{seat} leaves")
    assert table.found(fact.BroughtIn)[0].amount == 2
    assert not table.found(fact.Folded)
    table.do(f"{second} raises to 4", f"{third} calls")
    assert table.found(fact.Folded) == [fact.Folded(seat)]


def test_in_a_draw_he_stands_pat_and_folds_at_his_next_action() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 3)).do(
        "3 calls", "1 calls", "2 checks", "1 leaves"
    )
    assert table.found(fact.StoodPat) == [fact.StoodPat(1, late=False)]
    table.do("2 stands pat", "3 stands pat")
    assert table.found(fact.Folded) == [fact.Folded(1)]
    assert table.awaited == (2, "check, bet 2..98")


def test_with_a_draw_to_come_he_is_not_asked_for_it() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 3)).do(
        "3 calls", "1 calls", "1 leaves", "2 checks"
    )
    assert table.found(fact.StoodPat) == [fact.StoodPat(1, late=False)]
    assert table.awaited == (2, "draw 0..5")


def test_at_the_vote_he_folds_which_ends_the_offer() -> None:
    table = after_the_draw().do("1 leaves", "3 votes to split")
    assert table.facts[-2] == fact.Folded(1)
    assert table.awaited == (2, "check, bet 2..98")
    assert not table.hand.votes


def test_all_in_he_refuses_the_vote() -> None:
    table = after_the_draw((2, 100, 100)).do("1 leaves", "3 votes to split")
    assert table.found(fact.SplitVoteCast) == [fact.SplitVoteCast(3, agrees=True), fact.SplitVoteCast(1, agrees=False)]
    assert 1 in table.hand.contesting


def test_one_who_drew_too_late_and_left_folds_where_the_others_are_checked_through() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 3)).do("3 calls", "1 calls", "2 checks")
    table.do("1 is late to draw", "1 leaves", "2 is late to draw", "3 is late to draw")
    assert table.found(fact.Folded) == [fact.Folded(1)]
    assert table.found(fact.Checked)[-2:] == [fact.Checked(2), fact.Checked(3)]
    assert table.hand.settled


def test_the_facts_alone_make_the_same_hand() -> None:
    table = on_the_flop([100, 100, 100]).do("2 leaves")
    assert replayed(table.facts).left == table.hand.left == (2,)
