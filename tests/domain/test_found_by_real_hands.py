"""What the logged hands of other rooms have in them and a rule's text seldom shows; all amounts and cards are ours."""

from domain.hand import events as fact
from tests.hands import ante_of, big_blind_of, late_blind_of, open_hand_for, played, small_blind_of

SPLIT_BOARD = "Ts Js Qs Ks As"
"""Everybody plays the board."""


def test_the_first_round_starts_left_of_a_big_blind_who_had_nothing_left_after_his_ante() -> None:
    posts = [ante_of(seat, 5) for seat in (1, 2, 3, 4)] + [small_blind_of(1, 10), big_blind_of(2, 20)]
    table = played(open_hand_for(stakes=(10, 20), stacks=[500, 5, 500, 500], posts=posts, kind="tournament", ante=5))
    posted = [(post.seat, post.amount) for post in table.found(fact.BlindPosted)]
    assert posted == [(1, 5), (2, 5), (3, 5), (4, 5), (1, 10)]
    assert table.awaited == (3, "call 20, raise 40..495")


def test_a_button_on_an_empty_seat_still_says_who_is_first() -> None:
    """Nobody sits at 4, where the button is: 5 is first left of it, bets first and takes the odd chip of 15."""
    posts = [small_blind_of(5, 1), big_blind_of(2, 5)]
    table = played(
        open_hand_for(stakes=(1, 5), stacks={2: 100, 3: 100, 5: 100}, button=4, posts=posts, board=SPLIT_BOARD),
        "3 calls", "5 calls", "2 checks", "5 checks", "2 folds", "3 checks",
        "5 checks", "3 checks", "5 checks", "3 checks",
    )  # fmt: skip
    assert table.won == {5: 8, 3: 7}


def test_who_posts_late_may_raise_his_own_blind_when_the_turn_comes() -> None:
    posts = [small_blind_of(1, 1), big_blind_of(2, 2), late_blind_of(4, 2)]
    table = played(open_hand_for(stacks=[100] * 5, posts=posts), "3 calls")
    assert table.awaited == (4, "check, raise 4..100")
    table.do("4 raises to 10", "5 folds", "1 folds", "2 folds", "3 folds")
    assert table.stacks == {1: 99, 2: 98, 3: 98, 4: 105, 5: 100}


def test_a_main_pot_that_reaches_the_cap_leaves_no_rake_for_the_side_pot() -> None:
    """Main pot 3 x 40.00 = 120.00: the cap of 2.00; side pot 2 x 60.00 = 120.00: nothing more."""
    table = played(
        open_hand_for(
            stakes=(50, 1_00), stacks=[40_00, 100_00, 100_00], kind="real", board="2c 7d 9s Jc 3h",
            cards={1: "Ah Ad", 2: "Kh Kd", 3: "Qh Qd"},
        ),
        "3 raises to 100", "1 calls", "2 calls",
    )  # fmt: skip
    assert [rake.by_pot for rake in table.found(fact.RakeTaken)] == [(2_00, 0)]
    assert table.won == {1: 118_00, 2: 120_00}


def test_a_hand_that_was_laid_down_unseen_wins_nothing_even_if_it_was_the_best() -> None:
    table = played(
        open_hand_for(
            rulebook="ace", stacks=[100, 100, 100], board="2c 7d 9s Jc 3h", cards={1: "Ah Ad", 2: "Kh Kd", 3: "Qh Qd"}
        ),
        "3 calls", "1 calls", "2 checks", "1 gives up at the showdown", "1 bets 5", "2 calls", "3 folds",
        "1 checks", "2 checks", "1 checks", "2 checks",
    )  # fmt: skip
    assert [(one.seat, one.because) for one in table.found(fact.HandMucked)] == [
        (1, fact.MuckedBecause.GIVEN_UP),
        (2, fact.MuckedBecause.LAST_LEFT),
    ]
    assert table.stacks == {1: 93, 2: 109, 3: 98}
