"""rules.md section 2, No limit, Pot limit, Half-pot limit."""

import pytest

from tests.hands import Table, on_the_flop, open_hand_for, played

LIMITS = ["no", "pot", "half-pot"]


@pytest.mark.parametrize("limit", LIMITS)
def test_the_minimum_bet_is_the_big_blind(limit) -> None:
    flop = on_the_flop([900] * 3, limit)
    assert flop.refusal("1 bets 9").startswith("seat 1 may bet 10 at the least")


def test_no_limit_the_maximum_is_the_stack() -> None:
    flop = on_the_flop([900] * 3)
    assert flop.awaited == (1, "check, bet 10..900")
    assert flop.refusal("1 bets 901") == "seat 1 can't bet 901: all that he has makes 900"


def test_pot_limit_a_bet_is_at_most_the_pot() -> None:
    """30: 30."""
    flop = on_the_flop([900] * 3, "pot")
    assert flop.awaited == (1, "check, bet 10..30")
    assert flop.refusal("1 bets 31") == "seat 1 may bet 10 at the least and 30 at the most, not 31"


def test_pot_10_bet_10_call_10_the_third_may_make_it_50() -> None:
    flop = on_the_flop([900] * 5, "pot", (1, 2)).do("1 bets 10", "2 calls")
    assert flop.awaited == (3, "call 10, raise 20..50")


def test_pot_20_three_have_put_in_10_each_the_fourth_raises_60_70_in_all() -> None:
    flop = on_the_flop([900] * 5, "pot", (2, 4)).do("1 bets 10", "2 calls", "3 calls")
    assert flop.awaited == (4, "call 10, raise 20..70")


def test_pot_100_bet_100_raise_by_300_400_in_all() -> None:
    flop = on_the_flop([900] * 5, "pot", (10, 20)).do("1 bets 100")
    assert flop.awaited == (2, "call 100, raise 200..400")


def test_first_in_at_blinds_5_10_may_make_it_35() -> None:
    """Scenario 40."""
    table = Table(open_hand_for(limit="pot", stakes=(5, 10), stacks=[900] * 4))
    assert table.awaited == (3, "call 10, raise 20..35")
    assert table.do("3 folds").awaited == (4, "call 10, raise 20..35")


def test_the_small_blind_calls_5_first_and_then_raises_the_pot() -> None:
    """Scenario 40: 15 in the pot, 5 to call, then 20: 30 in all."""
    table = played(open_hand_for(limit="pot", stakes=(5, 10), stacks=[900] * 3), "3 folds")
    assert table.awaited == (1, "call 5, raise 20..30")


def test_the_big_blind_raises_the_pot_of_a_free_look() -> None:
    table = played(open_hand_for(limit="pot", stakes=(5, 10), stacks=[900] * 3), "3 calls", "1 calls")
    assert table.awaited == (2, "check, raise 20..40")


def test_the_pot_is_the_chips_really_in_it() -> None:
    """The big blind all-in for 3: pot 8, call 10, raise 18: 28."""
    table = Table(open_hand_for(limit="pot", stakes=(5, 10), stacks=[900, 3, 900]))
    assert table.awaited == (3, "call 10, raise 20..28")


def test_a_raise_to_the_pot_is_never_under_the_least_raise() -> None:
    """Blinds 1/10, the big blind all-in for 1, half-pot: 2 and a call of 10 make 12, half 6: yet 20 is the least."""
    table = Table(open_hand_for(limit="half-pot", stakes=(1, 10), stacks=[900, 1, 900]))
    assert table.awaited == (3, "call 10, raise 20")


def test_half_pot_limit_half_of_the_pot_after_the_call() -> None:
    """5 and 10 and a call of 10 make 25: half, rounded down, is 12 on top of 10."""
    table = Table(open_hand_for(limit="half-pot", stakes=(5, 10), stacks=[900] * 3))
    assert table.awaited == (3, "call 10, raise 20..22")
    assert table.refusal("3 raises to 23") == "seat 3 may raise to 20 at the least and 22 at the most, not 23"


def test_half_pot_limit_a_bet_is_at_most_half_of_the_pot() -> None:
    flop = on_the_flop([900] * 5, "half-pot", (10, 20))
    assert flop.awaited == (1, "check, bet 20..50")
    assert flop.do("1 bets 50").awaited == (2, "call 50, raise 100..150")


def test_half_pot_limit_is_rounded_down_to_the_chip_unit() -> None:
    table = Table(open_hand_for(limit="half-pot", stakes=(5, 10), stacks=[900] * 3, chip_unit=5))
    assert table.awaited == (3, "call 10, raise 20")


def test_pot_limit_maxima_are_rounded_down_to_the_chip_unit() -> None:
    """The big blind of 10 all-in for 3: 28 by the chips in the pot, 25 by those of 5."""
    table = Table(open_hand_for(limit="pot", stakes=(5, 10), stacks=[900, 3, 900], chip_unit=5))
    assert table.awaited == (3, "call 10, raise 20..25")


def test_every_bet_is_a_multiple_of_the_chip_unit_an_all_in_excepted() -> None:
    flop = on_the_flop([97, 900, 900], stakes=(25, 50), chip_unit=25)
    assert flop.awaited == (1, "check, bet 50..97")
    assert flop.refusal("1 bets 80") == ("80 can't be made of chips of 25: put in a multiple of it, or go all-in")
    assert flop.do("1 bets 97").awaited == (2, "call 97, raise 200..900")


def test_stakes_of_two_cents_stay_whole_cents_to_the_end() -> None:
    """Scenario 52."""
    opened = open_hand_for(stakes=(1, 2), kind="real", stacks=[200] * 3)
    table = Table(opened)
    assert table.awaited == (3, "call 0.02, raise 0.04..2.00")
    table.do("3 raises to 0.07", "1 folds", "2 calls", "2 bets 1.93", "3 calls")
    assert table.hand.settled
    amounts = [table.hand.rake, *table.hand.stack, *table.hand.put_in, *table.won.values()]
    assert all(type(amount) is int for amount in amounts)
    assert sum(table.hand.stack) + table.hand.rake == 600


@pytest.mark.parametrize("limit", ["fixed", "spread", *LIMITS])
def test_the_hand_says_its_limit(limit) -> None:
    """Scenario 42."""
    opened = open_hand_for(limit=limit, maxima=(2,) * 4 if limit == "spread" else (), stacks=[90] * 2)
    assert opened.limit == limit


def test_half_of_the_pot_is_rounded_down_before_it_is_raised_by() -> None:
    """Chips of 25: over an all-in of 213 the pot is 363 and 576 after the call; half of it is 288, rounded down 275,
    to 488, rounded down 475."""
    opened = open_hand_for(limit="half-pot", stakes=(50, 100), chip_unit=25, stacks={1: 500, 2: 500, 3: 213, 4: 500})
    assert played(opened, "3 raises to 213").awaited == (4, "call 213, raise 350..475")
