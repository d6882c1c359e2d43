"""A player whose time to act runs out while he is connected (rules.md section 8)."""

from domain.hand import events as fact
from tests.hands import Table, on_the_flop, open_hand_for


def last_two(table: Table, before: int) -> list[type]:
    """The kinds of the first two facts of what came after so many."""
    return [type(one) for one in table.facts[before : before + 2]]


def test_where_a_check_is_free_he_checks() -> None:
    table = on_the_flop([100, 100, 100])
    before = len(table.facts)
    table.do("1 is late to act")
    assert last_two(table, before) == [fact.OutOfTime, fact.Checked]
    assert table.awaited == (2, "check, bet 10..100")


def test_where_it_is_not_he_folds() -> None:
    table = on_the_flop([100, 100, 100]).do("1 bets 10")
    before = len(table.facts)
    table.do("2 is late to act")
    assert last_two(table, before) == [fact.OutOfTime, fact.Folded]
    assert table.awaited == (3, "call 10, raise 20..100")


def test_in_a_tournament_late_is_a_fold_even_where_a_check_is_free() -> None:
    table = on_the_flop([100, 100, 100], kind="tournament")
    before = len(table.facts)
    table.do("1 is late to act")
    assert last_two(table, before) == [fact.OutOfTime, fact.Folded]


def test_a_bring_in_is_forced_so_it_is_the_least_of_it() -> None:
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 3, ante=1, bring_in=2))
    seat = table.awaited[0]
    table.do(f"{seat} is late to act")
    (brought,) = table.found(fact.BroughtIn)
    assert (brought.seat, brought.amount) == (seat, 2)
    assert table.found(fact.OutOfTime) == [fact.OutOfTime(seat)]


def test_a_bring_in_is_forced_in_a_tournament_too() -> None:
    table = Table(open_hand_for("stud", "no", (0, 4), stacks=[100] * 3, ante=1, bring_in=2, kind="tournament"))
    seat = table.awaited[0]
    assert table.do(f"{seat} is late to act").found(fact.BroughtIn)[0].amount == 2


def after_the_draw(stacks: tuple[int, ...] = (100, 100, 100)) -> Table:
    """Three have called 2 and stood pat; seat 3 is offered the split first, then 1, then 2."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=stacks))
    return table.do("3 calls", "1 calls", "2 checks", "3 stands pat", "1 stands pat", "2 stands pat")


def test_offered_the_split_he_refuses_it_by_checking() -> None:
    table = after_the_draw().do("3 is late to act")
    assert table.found(fact.Checked)[-1] == fact.Checked(3)
    assert table.awaited == (1, "check, bet 2..98")


def test_all_in_he_refuses_the_split() -> None:
    """Seat 3 is all-in for his 2: with him the main pot can't be divided, and the others have no pot of their own."""
    table = after_the_draw((100, 100, 2)).do("3 is late to act")
    assert table.found(fact.SplitVoteCast) == [fact.SplitVoteCast(3, agrees=False)]
    assert table.awaited == (1, "check, bet 2..98")


def test_a_draw_has_a_clock_of_its_own() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 2))
    table.do("2 calls", "1 checks")
    assert table.refusal("1 is late to act") == "seat 1 draws now: discard up to 5 cards, or stand pat"


def test_who_acted_in_time_is_not_late() -> None:
    table = on_the_flop([100, 100, 100])
    table.do("1 checks")
    assert table.refusal("1 is late to act").startswith("seat 1 acts out of turn: the action is on seat 2")
