"""What a blind that passed a player by costs him, by rulebook (rules.md section 7)."""

import pytest

from domain.hand.events import TurnGiven
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.play import Play
from tests.domain.table.tables import (
    STUD,
    come_back,
    deal,
    events,
    fold_to_the_end,
    next_hand,
    play_hand,
    playing,
    seat_of,
    sit_out,
    table,
    under,
)

RULEBOOKS = ["ace", "omaha-guide", "classic", "euro"]


def owes(now: Play, seat: int) -> tuple[bool, bool]:
    """(small, big)"""
    return seat_of(now, seat).owes_small, seat_of(now, seat).owes_big


def seat_6_sits_out_of_six(rulebook: str, hands: int) -> Play:
    """Seats 1 to 6; of the first hand 1 had the button. Seat 6 sits out so many hands from the fourth on, in which it
    would have had the big blind: hand 4 has button 4, small blind 5, hand 5 has button 5."""
    now = playing(1, 2, 3, 4, 5, 6, opening=under(rulebook, limit="fixed", small=2, big=4))
    next_hand(now)
    assert next_hand(now) == "3 button, 4 small, 5 big, 6, 1, 2"
    sit_out(now, 6)
    for _ in range(hands):
        next_hand(now)
    return now


def test_the_big_blind_passes_who_sits_between_small_and_big_blind() -> None:
    now = seat_6_sits_out_of_six("euro", 0)
    made = events(now, ask.DealHand("t1", 4))
    assert made[0] == fact.HandStarted("t1-4", 4, 4, ())
    assert made[1] == fact.BlindsMissed((), (6,))
    assert owes(now, 6) == (False, True)


def test_and_the_small_one_who_sits_between_button_and_small_blind() -> None:
    now = seat_6_sits_out_of_six("euro", 1)
    made = events(now, ask.DealHand("t1", 5))
    assert made[1] == fact.BlindsMissed((6,), ())
    assert owes(now, 6) == (True, True)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_big_one_missed(rulebook: str) -> None:
    """Scenario 34: one hand sat out. He comes back between button and small blind, where nobody enters; then behind the
    button. Meanwhile the small blind has not passed him: he was no longer out."""
    now = seat_6_sits_out_of_six(rulebook, 1)
    come_back(now, 6)
    assert next_hand(now) == "5 button, 1 small, 2 big, 3, 4"
    costs = "2 live and 1 dead" if rulebook == "omaha-guide" else "2 live"
    assert next_hand(now) == f"1 button, 2 small, 3 big, 4, 5, 6 posts {costs}"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_both_missed(rulebook: str) -> None:
    now = seat_6_sits_out_of_six(rulebook, 2)
    come_back(now, 6)
    assert next_hand(now) == "1 button, 2 small, 3 big, 4, 5, 6 posts 2 live and 1 dead"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_small_one_alone_missed(rulebook: str) -> None:
    """Scenario 34: he has the big blind in hand 4 and sits out hand 5: he isn't charged for the big one again."""
    now = seat_6_sits_out_of_six(rulebook, 0)
    come_back(now, 6)
    assert next_hand(now) == "4 button, 5 small, 6 big, 1, 2, 3"
    sit_out(now, 6)
    assert next_hand(now) == "5 button, 1 small, 2 big, 3, 4"
    assert owes(now, 6) == (True, False)
    come_back(now, 6)
    assert next_hand(now) == "1 button, 2 small, 3 big, 4, 5, 6 posts 1 dead"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("rounds", [1, 2])
def test_he_may_wait_for_the_big_blind_which_is_all_that_he_posts_then(rulebook: str, rounds: int) -> None:
    """After one round, or two, of five hands, in which he missed both. Hand 4 + 5 x rounds has button 4 again."""
    now = seat_6_sits_out_of_six(rulebook, 2)
    if rounds == 2:
        for _ in range(5):
            next_hand(now)
    come_back(now, 6, posts=False)
    assert [next_hand(now) for _ in range(4)] == [
        "1 button, 2 small, 3 big, 4, 5",
        "2 button, 3 small, 4 big, 5, 1",
        "3 button, 4 small, 5 big, 1, 2",
        "4 button, 5 small, 6 big, 1, 2, 3",
    ]
    assert owes(now, 6) == (False, False)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_at_most_one_big_and_one_small_are_ever_owed_and_charged_once(rulebook: str) -> None:
    """Seat 6 sits out seven hands: the big blind passes twice (hands 4 and 9), the small one twice (5 and 10)."""
    now = seat_6_sits_out_of_six(rulebook, 7)
    come_back(now, 6)
    assert next_hand(now) == "1 button, 2 small, 3 big, 4, 5, 6 posts 2 live and 1 dead"
    assert next_hand(now) == "2 button, 3 small, 4 big, 5, 6, 1"


def test_a_blind_that_is_owed_already_is_no_new_debt() -> None:
    """In hand 10 the small blind passes seat 6 for the second time, in hand 9 the big one: which counts only towards
    those missed in a row."""
    now = seat_6_sits_out_of_six("euro", 5)
    assert events(now, ask.DealHand("t1", 9))[1] == fact.BlindsMissed((), (6,))
    assert seat_of(now, 6).missed_in_a_row == 2
    fold_to_the_end(now)
    assert not any(isinstance(event, fact.BlindsMissed) for event in events(now, ask.DealHand("t1", 10)))


def test_who_missed_both_and_sits_down_elsewhere_is_a_newcomer() -> None:
    now = seat_6_sits_out_of_six("euro", 2)
    events(now, ask.StandUp("t1", 6, "player6"))
    events(now, ask.SitDown("t1", 6, "player6", 100))
    assert next_hand(now) == "1 button, 2 small, 3 big, 4, 5, 6 posts 2 live"


def test_a_newcomer_has_nothing_to_miss() -> None:
    now = playing(1, 2, 3)
    events(now, ask.SitDown("t1", 4, "player4", 100))
    sit_out(now, 4)
    for _ in range(6):
        next_hand(now)
    assert owes(now, 4) == (False, False)


def test_who_has_no_chips_left_misses_blinds_like_one_who_sits_out() -> None:
    now = seat_6_sits_out_of_six("euro", 0)
    come_back(now, 6)
    seat_of(now, 6).stack = 0
    next_hand(now)
    next_hand(now)
    seat_of(now, 6).stack = 100
    assert next_hand(now) == "1 button, 2 small, 3 big, 4, 5, 6 posts 2 live and 1 dead"


def three_missed(rulebook: str) -> tuple[Play, list[list[fact.PlayerLeaving]]]:
    """Seat 3 of three sits out while 1 and 2 play: it misses every second hand's big blind, when 2 has the button."""
    now = playing(1, 2, 3, opening=under(rulebook, limit="fixed", small=2, big=4))
    sit_out(now, 3)
    leaving = []
    for number in range(2, 9):
        made = events(now, ask.DealHand("t1", number))
        leaving.append([event for event in made if isinstance(event, fact.PlayerLeaving)])
        fold_to_the_end(now)
    return now, leaving


def test_three_big_blinds_missed_in_a_row_cost_the_seat_under_ace() -> None:
    """Missed in hands 2, 4 and 6."""
    now, leaving = three_missed("ace")
    assert leaving == [[], [], [], [], [fact.PlayerLeaving(3, "player3", fact.Leaving.MISSED_BLINDS, "")], [], []]
    events(now, ask.StandUp("t1", 3, "player3"))
    assert list(table(now).seats) == [1, 2]


@pytest.mark.parametrize("rulebook", ["omaha-guide", "classic", "euro"])
def test_and_nothing_elsewhere(rulebook: str) -> None:
    now, leaving = three_missed(rulebook)
    assert leaving == [[]] * 7
    assert seat_of(now, 3).missed_in_a_row == 4


def test_a_hand_played_in_between_begins_the_count_afresh() -> None:
    now = playing(1, 2, 3, opening=under("ace", limit="fixed", small=2, big=4))
    sit_out(now, 3)
    for _ in range(3):
        next_hand(now)  # the second and the fourth hand: two missed
    assert seat_of(now, 3).missed_in_a_row == 2
    come_back(now, 3)
    next_hand(now)
    assert seat_of(now, 3).missed_in_a_row == 0


def test_ante_games_have_nothing_to_miss() -> None:
    now = playing(1, 2, 3, opening=STUD)
    sit_out(now, 2)
    for _ in range(5):
        play_hand(now)
    assert owes(now, 2) == (False, False)
    come_back(now, 2)
    assert [one.seat for one in deal(now).seats] == [1, 2, 3]


def test_dead_money_is_the_pot_s_and_counts_for_no_call() -> None:
    """Seat 6 posts 2 live and 1 dead: the pot is 1 + 2 + 2 + 1, and a raise of fixed limit makes it 4 for all alike."""
    now = seat_6_sits_out_of_six("euro", 2)
    come_back(now, 6)
    deal(now)
    hand = now.hand
    assert hand is not None
    assert (hand.pot, table(now).seats[6].stack, hand.stack[6]) == (6, 100, 97)
    assert isinstance(hand.turn, TurnGiven)
    assert (hand.turn.seat, hand.turn.call, hand.turn.least) == (4, 2, 4)
