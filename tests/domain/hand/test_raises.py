"""rules.md section 2, Raises: how much a raise adds, and to whom a short all-in reopens the betting."""

import pytest

from domain.hand import events as fact
from tests.hands import (
    Table,
    ante_of,
    big_blind_of,
    on_the_flop,
    open_hand_for,
    played,
    small_blind_of,
    table_ante_of,
)


def test_bet_10_the_least_raise_makes_it_20() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 bets 10")
    assert flop.awaited == (2, "call 10, raise 20..100")
    assert "20 at the least" in flop.refusal("2 raises to 19")


def test_a_raise_adds_at_least_the_last_raise() -> None:
    flop = on_the_flop([200, 200, 200]).do("1 bets 10", "2 raises to 35")
    assert flop.awaited == (3, "call 35, raise 60..200")


def test_bet_100_all_in_150_the_next_raise_makes_it_250() -> None:
    flop = on_the_flop([900, 150, 900]).do("1 bets 100", "2 raises to 150")
    assert flop.awaited == (3, "call 150, raise 250..900")
    assert "250 at the least" in flop.refusal("3 raises to 249")


def test_minimum_bet_10_opening_all_in_3_the_least_raise_makes_it_13() -> None:
    flop = on_the_flop([3, 100, 100]).do("1 bets 3")
    assert flop.awaited == (2, "call 3, raise 13..100")


def test_a_raise_of_a_small_bet_adds_the_minimum_bet_at_least() -> None:
    """The opening all-in of 3 is no full bet: a raise to 13 is one, and the next makes it 23."""
    flop = on_the_flop([3, 100, 100]).do("1 bets 3", "2 raises to 13")
    assert flop.awaited == (3, "call 13, raise 23..100")


def test_only_an_all_in_may_raise_by_less() -> None:
    flop = on_the_flop([200, 15, 200]).do("1 bets 10")
    assert flop.awaited == (2, "call 10, raise 15")
    assert flop.refusal("2 raises to 14") == "seat 2 may raise to 15 and nothing else, not 14"
    assert flop.do("2 raises to 15").hand.full_raise == 10


def test_29_chips_against_a_bet_of_22_are_a_legal_raise() -> None:
    """Scenario 8."""
    flop = on_the_flop([200, 29, 200]).do("1 bets 22")
    assert flop.awaited == (2, "call 22, raise 29")
    flop.do("2 raises to 29")
    assert flop.found(fact.Raised)[-1].all_in


def test_an_opening_bet_is_no_raise_over_2_the_least_raise_is_to_4() -> None:
    """Scenario 7."""
    flop = on_the_flop([100, 100, 100], stakes=(1, 2)).do("1 bets 2")
    assert flop.awaited == (2, "call 2, raise 4..100")


def test_the_least_raise_does_not_shrink_to_the_stack_of_the_opponent() -> None:
    """Scenario 4: heads-up 10/20, the big blind has 200: to 100, to 180, then 260 at the least."""
    table = played(open_hand_for(stakes=(10, 20), stacks=[200, 1000]), "2 raises to 100", "1 raises to 180")
    assert table.awaited == (2, "call 80, raise 260..1000")
    table.do("2 raises to 260", "1 calls")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 60)]


def test_the_minimum_bet_of_the_next_round_is_the_big_blind_again() -> None:
    """Scenario 6."""
    flop = on_the_flop([900, 900, 900]).do("1 bets 400", "2 calls", "3 folds")
    assert flop.awaited == (1, "check, bet 10..500")


# --- reopening -------------------------------------------------------------------------------------------------------


def test_a_full_all_in_raise_before_does_not_help_a_short_one_to_reopen() -> None:
    """Scenario 1 and 3: 1/2, UTG all-in 16, the button calls, SB all-in 19, BB calls: the button may call or fold."""
    table = played(open_hand_for(stacks=[19, 200, 16, 200]), "3 raises to 16", "4 calls", "1 raises to 19", "2 calls")
    assert table.awaited == (4, "call 3")
    assert table.refusal("4 raises to 33") == "seat 4 may not raise: call 3 or fold"


def test_bet_100_all_in_150_the_bettor_may_only_call_50() -> None:
    """Scenario 2."""
    flop = on_the_flop([900, 150, 900]).do("1 bets 100", "2 raises to 150", "3 folds")
    assert flop.awaited == (1, "call 50")


def test_a_full_all_in_raise_reopens() -> None:
    flop = on_the_flop([900, 200, 900]).do("1 bets 100", "2 raises to 200", "3 folds")
    assert flop.awaited == (1, "call 100, raise 300..900")


def test_several_short_all_ins_may_add_up_to_a_full_raise() -> None:
    """Bet 100 (A), all-in 150, call (X), all-in 200: A may raise, X not."""
    flop = on_the_flop([900, 150, 900, 200]).do("1 bets 100", "2 raises to 150", "3 calls", "4 raises to 200")
    assert flop.awaited == (1, "call 100, raise 300..900")
    assert flop.do("1 calls").awaited == (3, "call 50")


def test_several_short_all_ins_that_stay_one_chip_under_a_full_raise_do_not_reopen() -> None:
    flop = on_the_flop([900, 150, 900, 199]).do("1 bets 100", "2 raises to 150", "3 calls", "4 raises to 199")
    assert flop.awaited == (1, "call 99")


def test_who_may_not_raise_may_again_after_the_full_raise_of_another() -> None:
    flop = on_the_flop([900, 150, 900]).do("1 bets 100", "2 raises to 150", "3 raises to 250")
    assert flop.awaited == (1, "call 150, raise 350..900")


def test_checking_is_acting() -> None:
    flop = on_the_flop([100, 6, 100]).do("1 checks", "2 bets 6", "3 calls")
    assert flop.awaited == (1, "call 6")


def test_who_has_not_acted_may_raise_a_short_all_in() -> None:
    flop = on_the_flop([100, 6, 100]).do("1 checks", "2 bets 6")
    assert flop.awaited == (3, "call 6, raise 16..100")


def test_posting_a_blind_is_not_acting() -> None:
    table = played(open_hand_for(stakes=(5, 10), stacks=[100, 100, 15]), "3 raises to 15")
    assert table.awaited == (1, "call 10, raise 25..100")
    assert table.do("1 calls").awaited == (2, "call 5, raise 25..100")


@pytest.mark.parametrize("limit", ["no", "pot", "half-pot", "spread"])
def test_a_short_all_in_reopens_nothing_in_any_structure_but_fixed_limit(limit) -> None:
    maxima = (20,) * 4 if limit == "spread" else ()
    flop = on_the_flop([900, 25, 900], limit, maxima=maxima).do("1 bets 15", "2 raises to 25", "3 calls")
    assert flop.awaited == (1, "call 10")


# --- the price of a short blind --------------------------------------------------------------------------------------


def test_big_blind_1200_all_in_for_1028_call_1200_least_raise_to_2400() -> None:
    table = Table(open_hand_for(stakes=(600, 1200), stacks=[5000, 1028, 5000]))
    assert table.awaited == (3, "call 1200, raise 2400..5000")


def test_big_blind_120_of_200_call_200_least_raise_to_400() -> None:
    """Scenario 12."""
    table = Table(open_hand_for(stakes=(100, 200), stacks=[1000, 120, 1000]))
    assert table.awaited == (3, "call 200, raise 400..1000")


def test_a_big_blind_who_is_all_in_gets_no_option_and_the_round_ends() -> None:
    """Scenario 11: 30 of 100; the others put in the full 100."""
    table = played(open_hand_for(stakes=(50, 100), stacks=[1000, 30, 1000]), "3 calls", "1 calls")
    assert table.hand.put_in[1:] == [100, 30, 100]
    assert table.hand.street == 1
    assert table.pots == (90, 140)


def test_a_big_blind_who_is_all_in_for_less_in_fixed_limit_is_the_one_bet_all_the_same() -> None:
    table = Table(open_hand_for(limit="fixed", stakes=(60, 120), stacks=[1000, 20, 1000]))
    assert table.awaited == (3, "call 60, raise 120")
    assert table.hand.bets == 1


def test_antes_that_all_post_the_main_pot_takes_the_shortest_from_each() -> None:
    opened = open_hand_for(stakes=(100, 200), kind="tournament", ante=25, stacks=[1000, 1000, 10, 1000])
    table = played(opened, "4 calls", "1 calls", "2 checks")
    assert table.pots == (40, 3 * 15 + 3 * 200)


def test_an_ante_that_one_player_posts_for_the_table_is_dead_money() -> None:
    posts = [table_ante_of(2, 100), small_blind_of(1, 50), big_blind_of(2, 100)]
    opened = open_hand_for(stakes=(50, 100), kind="tournament", stacks=[1000, 1000, 60], posts=posts)
    table = played(opened, "3 calls", "1 calls", "2 checks")
    assert table.hand.dead == 100
    assert table.hand.put_in[1:] == [100, 100, 60]
    assert table.pots == (3 * 60 + 100, 2 * 40)


def test_a_raise_that_no_opponent_can_call_any_more_is_legal_and_comes_back() -> None:
    table = played(open_hand_for(stacks=[10, 100]), "2 calls", "1 raises to 10", "2 raises to 100")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 90)]
    assert table.pots == (20,)


def test_an_ante_is_no_part_of_the_wager() -> None:
    posts = [*(ante_of(seat, 10) for seat in (1, 2, 3)), small_blind_of(1, 50), big_blind_of(2, 100)]
    table = Table(open_hand_for(stakes=(50, 100), kind="tournament", stacks=[1000] * 3, posts=posts))
    assert table.awaited == (3, "call 100, raise 200..990")
