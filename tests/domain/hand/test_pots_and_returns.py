"""rules.md section 3: all-in, side pots, dead money, uncalled bets, and when all but one fold; rake of section 9."""

from dataclasses import replace

import pytest

from domain.hand import events as fact
from domain.hand.invariants import Broken, check
from domain.hand.pots import Pot, pots, uncalled
from domain.rules.vocabulary import RakeSchedule
from tests.hands import (
    Table,
    big_blind_of,
    dead_blind_of,
    late_blind_of,
    on_the_flop,
    open_hand_for,
    played,
    small_blind_of,
)

BLANKS = "2c 7d 9h Jc 3s"
ROYAL = "Ts Js Qs Ks As"


def test_an_all_in_player_can_win_from_each_opponent_only_what_he_put_in() -> None:
    assert pots([0, 50, 100, 100], (1, 2, 3), 0) == [Pot(150, (1, 2, 3)), Pot(100, (2, 3))]


def test_as_many_side_pots_as_needed() -> None:
    assert pots([0, 10, 20, 30, 40, 40], (1, 2, 3, 4, 5), 0) == [
        Pot(50, (1, 2, 3, 4, 5)),
        Pot(40, (2, 3, 4, 5)),
        Pot(30, (3, 4, 5)),
        Pot(20, (4, 5)),
    ]


def test_what_folded_players_put_in_lies_in_the_pots_that_it_reaches() -> None:
    assert pots([0, 50, 70, 100, 100], (1, 3, 4), 0) == [Pot(200, (1, 3, 4)), Pot(120, (3, 4))]


def test_dead_money_belongs_whole_to_the_main_pot() -> None:
    assert pots([0, 5, 100, 100], (1, 2, 3), 30) == [Pot(45, (1, 2, 3)), Pot(190, (2, 3))]


def test_an_equal_bet_is_called() -> None:
    assert uncalled([0, 100, 100], (1, 2), False) == []
    assert uncalled([0, 100, 70, 30], (1, 2, 3), False) == [(1, 30)]


def test_what_a_player_who_folded_matched_is_called() -> None:
    assert uncalled([0, 100, 100, 30], (1, 3), False) == []


def test_the_last_one_left_takes_what_the_others_put_in_even_where_he_put_in_less() -> None:
    """A small blind whom all fold to: he isn't all-in, so nothing limits what he wins."""
    assert uncalled([0, 5, 10, 10], (1,), True) == []


def test_of_what_folded_players_put_in_an_all_in_wins_no_more_than_he_put_in_himself() -> None:
    """Late posters of 100 fold before a shorter all-in acts: what he can't win goes back, whether one posted or two."""
    stacks = {1: 500, 2: 30, 3: 500, 4: 500, 5: 60}
    for late in ((3,), (3, 4)):
        ordinary = open_hand_for(stakes=(50, 100), stacks=stacks, cards={5: "Ah Ad", 2: "Kh Kd"}, board=BLANKS)
        opened = replace(ordinary, posts=(*ordinary.posts, *(late_blind_of(seat, 100) for seat in late)))
        table = played(opened, "3 folds", "4 folds", "5 calls", "1 folds")
        back = {one.seat: one.amount for one in table.found(fact.UncalledBetReturned)}
        assert back == dict.fromkeys(late, 40)
        assert table.won == {5: 30 + 60 + 50 + 60 * len(late)}


def test_what_folded_players_put_in_above_all_who_go_to_the_showdown_goes_back() -> None:
    """A small blind with chips against a shorter big blind has no decision: the late poster's rest is nobody's."""
    assert uncalled([0, 10, 5, 20], (1, 2), False) == [(3, 10)]


def test_the_price_of_a_run_out_is_nothing_once_the_uncalled_bet_is_back() -> None:
    table = played(open_hand_for(stakes=(5, 10), stacks=[200, 200, 10]), "3 calls", "1 calls", "2 checks")
    table.do("1 bets 50", "2 folds")
    assert table.hand.wager == 0


def test_a_short_all_in_before_the_flop_and_a_side_pot_of_the_flop() -> None:
    """Scenario 14: 25/50, a short 100 all-in, the others bet 200 on the flop."""
    opened = open_hand_for(
        stakes=(25, 50), stacks=[1000, 1000, 100], cards={1: "4c 5d", 2: "Kc Kd", 3: "Ac Ad"}, board=BLANKS
    )
    table = played(opened, "3 raises to 100", "1 calls", "2 calls", "1 bets 200", "2 calls")
    assert table.pots == (300, 400)
    table.do("1 checks", "2 checks", "1 checks", "2 checks")
    assert table.won == {3: 300, 2: 400}


def test_eligibility_stays_when_the_side_pot_is_folded_to_one() -> None:
    opened = open_hand_for(
        stakes=(25, 50), stacks=[1000, 1000, 100], cards={1: "Ac Ad", 2: "Kc Kd", 3: "Qc Qd"}, board=BLANKS
    )
    table = played(opened, "3 raises to 100", "1 calls", "2 calls", "1 bets 200", "2 raises to 400", "1 folds")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 200)]
    assert table.pots == (300, 400)
    assert table.won == {2: 700}, "the aces of seat 1 are folded"


def test_a_folded_hand_wins_nothing() -> None:
    """Scenario 16: A bets, B folds the nuts."""
    opened = open_hand_for(stacks=[100, 100], cards={1: "2h 4d", 2: "Ac Ad"}, board="As Ah 9h Jc 3s")
    table = played(opened, "2 calls", "1 checks", "1 bets 2", "2 folds")
    assert table.won == {1: 4}
    assert not table.found(fact.HandShown)


def test_each_pot_is_decided_by_its_own_players() -> None:
    """Scenario 17: stacks of 10, 50 and 100; the middle and the big one tie, the short one is beaten."""
    opened = open_hand_for(stacks=[10, 50, 100], cards={1: "4c 5d", 2: "Kc Qd", 3: "Kd Qc"}, board="Ks 7d 9h 2c 3s")
    table = played(opened, "3 raises to 100", "1 calls", "2 calls")
    assert table.pots == (30, 80)
    assert table.won == {2: 15 + 40, 3: 15 + 40}
    assert table.stacks == {1: 0, 2: 55, 3: 105}


def test_a_side_pot_with_several_winners_and_a_main_pot_with_another() -> None:
    opened = open_hand_for(stacks=[10, 50, 100], cards={1: "Ac Ad", 2: "Kc Qd", 3: "Kd Qc"}, board="Ks 7d 9h 2c 3s")
    table = played(opened, "3 raises to 100", "1 calls", "2 calls")
    assert table.won == {1: 30, 2: 40, 3: 40}


def test_two_equal_straights_of_unequal_stacks_are_both_paid() -> None:
    """Scenario 19."""
    opened = open_hand_for(stacks=[30, 70, 100], cards={1: "6c 5d", 2: "6d 5c", 3: "Ac Ad"}, board="7s 8d 9h 2c 3s")
    table = played(opened, "3 raises to 100", "1 calls", "2 calls")
    assert table.pots == (90, 80)
    assert table.won == {1: 45, 2: 45 + 80}


def test_what_nobody_called_comes_back_before_the_showdown_and_is_no_win() -> None:
    """Scenario 21: A 500 against B 300 all-in, B wins."""
    opened = open_hand_for(stacks=[500, 300], cards={1: "Kc Kd", 2: "Ac Ad"}, board=BLANKS)
    table = played(opened, "2 calls", "1 raises to 500", "2 calls")
    kinds = [type(one) for one in table.facts]
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 200)]
    assert kinds.index(fact.UncalledBetReturned) < kinds.index(fact.HandShown)
    assert table.won == {2: 600}
    assert table.stacks == {1: 200, 2: 600}


def test_what_nobody_called_comes_back_with_a_third_player_all_in() -> None:
    """A sibling of scenario 21: 500, 300 and 100."""
    opened = open_hand_for(stacks=[500, 300, 100], cards={1: "Kc Kd", 2: "Qc Qd", 3: "Ac Ad"}, board=BLANKS)
    table = played(opened, "3 raises to 100", "1 raises to 500", "2 calls")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 200)]
    assert table.pots == (300, 400)
    assert table.won == {3: 300, 1: 400}


def test_a_bet_that_all_folded_to_comes_back_down_to_what_the_folded_put_in() -> None:
    flop = on_the_flop([100, 100, 100]).do("1 bets 10", "2 raises to 50", "3 folds", "1 folds")
    assert flop.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 40)]
    assert flop.won == {2: 30 + 10 + 10}


def test_the_net_counts_the_returned_bet_once() -> None:
    """Scenario 23: bet 3.17, returned 0.34, collected 5.50: the net is 2.67."""
    opened = open_hand_for(stakes=(1, 2), kind="real", stacks=[317, 283], cards={1: "Ac Ad", 2: "Kc Kd"}, board=BLANKS)
    table = played(
        replace(opened, rake=RakeSchedule(per=35, each=1, cap=100)), "2 calls", "1 raises to 3.17", "2 calls"
    )
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 34)]
    assert table.won == {1: 550}
    assert table.stacks[1] - 317 == 550 - (317 - 34) == 267


def test_when_all_but_one_fold_the_pot_is_his_and_nobody_shows() -> None:
    table = played(open_hand_for(stacks=[100] * 3), "3 raises to 6", "1 folds", "2 folds")
    assert table.won == {3: 5}
    assert not table.found(fact.HandShown)
    assert not table.found(fact.HandMucked)
    assert table.found(fact.PotAwarded)[0].hand == ""


def test_when_all_but_one_fold_he_may_show() -> None:
    table = played(open_hand_for(stacks=[100] * 3), "3 raises to 6", "3 asks to show", "1 folds", "2 folds")
    (shown,) = table.found(fact.HandShown)
    assert (shown.seat, shown.because) == (3, fact.ShownBecause.ASKED)


def test_a_short_stack_pays_dead_money_before_the_live_blind() -> None:
    posts = [small_blind_of(1, 5), big_blind_of(2, 10), dead_blind_of(3, 5), late_blind_of(3, 10)]
    table = Table(open_hand_for(stakes=(5, 10), stacks=[100, 100, 12, 100], posts=posts))
    assert (table.hand.dead, table.hand.put_in[3]) == (5, 7)
    table.do("4 folds", "1 calls", "2 checks")
    assert table.pots == (3 * 7 + 5, 2 * 3)


def test_dead_money_of_a_player_who_folds_stays_in_the_main_pot() -> None:
    posts = [small_blind_of(1, 5), big_blind_of(2, 10), dead_blind_of(3, 5), late_blind_of(3, 10)]
    table = Table(open_hand_for(stakes=(5, 10), stacks=[100] * 4, posts=posts))
    table.do("3 folds", "4 folds", "1 folds")
    assert table.won == {2: 5 + 10 + 5 + 10}


# --- rake ------------------------------------------------------------------------------------------------------------

TENTH = RakeSchedule(per=10, each=1, cap=100)


def test_the_rake_is_of_the_pot_after_the_uncalled_bet_was_returned() -> None:
    """Scenario 24: 40 called and 60 uncalled, a tenth: 4."""
    opened = open_hand_for(kind="real", stakes=(10, 20), stacks=[500, 500])
    table = played(replace(opened, rake=TENTH), "2 calls", "1 checks", "1 bets 0.60", "2 folds")
    assert table.found(fact.RakeTaken) == [fact.RakeTaken(4, (4,))]
    assert table.won == {1: 36}


def test_no_rake_when_all_fold_to_a_raise_before_the_flop() -> None:
    """Scenario 25."""
    opened = open_hand_for(kind="real", stakes=(100, 200), stacks=[10000] * 3)
    table = played(opened, "3 raises to 50.00", "1 folds", "2 raises to 100.00", "3 folds")
    assert not table.found(fact.RakeTaken)
    assert table.won == {2: 10100}


@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha-hilo"])
def test_rake_once_a_flop_was_dealt_even_if_nobody_bets_after(game) -> None:
    """Scenario 26: the flop is what counts, not a call or a raise."""
    opened = open_hand_for(game, kind="real", stakes=(100, 200), stacks=[10000] * 2)
    table = played(opened, "2 calls", "1 checks", "1 folds")
    assert table.found(fact.RakeTaken) == [fact.RakeTaken(20, (20,))]


def test_rake_when_all_are_all_in_before_the_flop_which_is_dealt() -> None:
    opened = open_hand_for(kind="real", stakes=(100, 200), stacks=[10000] * 2)
    table = played(opened, "2 raises to 100.00", "1 calls")
    assert table.hand.rake == 75


@pytest.mark.parametrize("kind", ["play", "tournament"])
def test_play_money_and_tournament_hands_pay_no_rake(kind) -> None:
    table = played(open_hand_for(kind=kind, stacks=[10000] * 2), "2 raises to 10000", "1 calls")
    assert table.hand.rake == 0


def test_players_counted_are_those_dealt_in_whoever_folds() -> None:
    """euro no limit: the cap for four dealt in is 2.00, though two see the flop."""
    opened = open_hand_for(kind="real", stakes=(100, 200), stacks=[10000] * 4)
    table = played(opened, "3 folds", "4 raises to 100.00", "1 folds", "2 calls")
    assert table.hand.rake == 200


def test_35_and_20_three_dealt_in_pay_1_75_and_0_25() -> None:
    """euro no limit: the cap of 2.00 runs on the total. Main: 3 x 11.00 and a dead 2.00."""
    posts = [small_blind_of(1, 100), big_blind_of(2, 200), dead_blind_of(3, 200)]
    opened = open_hand_for(kind="real", stakes=(100, 200), stacks=[1100, 9000, 9000], posts=posts)
    table = played(opened, "3 raises to 11.00", "1 calls", "2 calls", "2 bets 10.00", "3 calls")
    assert table.pots == (3500, 2000)
    table.do("2 checks", "3 checks", "2 checks", "3 checks")
    assert table.found(fact.RakeTaken) == [fact.RakeTaken(200, (175, 25))]


def test_ace_2_4_four_players_15_and_30_pay_0_and_2() -> None:
    """The main pot of 4 x 3.75 reaches no 20; 45 in all pay 1.00 at 20 and 1.00 more at 40."""
    opened = open_hand_for(
        limit="fixed", stakes=(200, 400), rulebook="ace", kind="real", currency="USD", stacks=[9000, 9000, 375, 9000]
    )
    table = played(opened, "3 raises to 3.75", "4 calls", "1 calls", "2 calls")
    for bet in ("2.00", "4.00", "4.00"):
        table.do(f"1 bets {bet}", "2 calls", "4 calls")
    assert table.pots == (1500, 3000)
    assert table.found(fact.RakeTaken) == [fact.RakeTaken(200, (0, 200))]


def test_an_award_of_nothing_and_a_rake_above_its_pot_break_an_invariant() -> None:
    table = played(open_hand_for(stacks=[1000, 1000], stakes=(50, 100), kind="real"), "2 calls", "1 checks")
    table.do(*["1 checks", "2 checks"] * 3)
    check(table.hand)
    for wrong in (fact.PotAwarded(0, fact.Part.WHOLE, 1, 0, 0, ""), fact.RakeTaken(201, (201,))):
        table.hand.facts = [wrong]
        with pytest.raises(Broken, match=r"awarded as nothing|more rake than is in it"):
            check(table.hand)
