"""rules.md section 2, Fixed limit and Levels."""

import pytest

from domain.hand import events as fact
from tests.hands import Table, on_the_flop, open_hand_for

DEEP = 10_000


def flop(*behind: int, **terms) -> Table:
    """Bets of 60 before and on the flop, of 120 after."""
    return on_the_flop(behind, "fixed", (60, 120), **terms)


def test_small_bet_on_the_first_two_rounds_big_bet_after() -> None:
    table = Table(open_hand_for(limit="fixed", stakes=(2, 4), stacks=[100] * 3))
    assert table.awaited == (3, "call 2, raise 4")
    table.do("3 calls", "1 calls", "2 checks")
    assert table.awaited == (1, "check, bet 2")
    table.do("1 checks", "2 checks", "3 checks")
    assert table.awaited == (1, "check, bet 4")
    table.do("1 checks", "2 checks", "3 checks")
    assert table.awaited == (1, "check, bet 4")


def test_the_big_bet_is_table_data() -> None:
    table = on_the_flop([100] * 3, "fixed", (2, 5)).do("1 checks", "2 checks", "3 checks")
    assert table.awaited == (1, "check, bet 5")
    assert table.do("1 bets 5").awaited == (2, "call 5, raise 10")


def test_four_bets_a_round_one_bet_and_three_raises() -> None:
    table = flop(DEEP, DEEP, DEEP).do("1 bets 60", "2 raises to 120", "3 raises to 180", "1 raises to 240")
    assert table.awaited == (2, "call 120")
    assert table.refusal("2 raises to 300") == "seat 2 may not raise: call 120 or fold"


def test_the_blind_is_the_one_bet_at_2_4_nobody_puts_in_more_than_8_8_16_16() -> None:
    table = Table(open_hand_for(limit="fixed", stakes=(2, 4), stacks=[100] * 3))
    table.do("3 raises to 4", "1 raises to 6", "2 raises to 8")
    assert table.awaited == (3, "call 4")
    table.do("3 calls", "1 calls")
    for bet, put_in in ((2, 16), (4, 32), (4, 48)):
        table.do("1 checks", f"2 bets {bet}", f"3 raises to {2 * bet}", f"1 raises to {3 * bet}")
        table.do(f"2 raises to {4 * bet}", "3 calls", "1 calls")
        assert table.hand.put_in[1:] == [put_in] * 3


def test_three_raises_everywhere_but_for_two_rulebooks() -> None:
    for rulebook in ("classic", "euro"):
        assert raises_of_two(rulebook, seats=2) == 3


def test_ace_five_raises_at_a_heads_up_table_only() -> None:
    assert raises_of_two("ace", seats=2) == 5
    assert raises_of_two("ace", seats=6) == 3


def test_omaha_guide_five_raises_in_a_round_that_starts_with_two_players_at_any_table() -> None:
    assert raises_of_two("omaha-guide", seats=2) == 5
    assert raises_of_two("omaha-guide", seats=6) == 5


def raises_of_two(rulebook: str, seats: int, kind: str = "play") -> int:
    """How often two players can raise the big blind."""
    opened = open_hand_for(
        limit="fixed", stakes=(60, 120), stacks=[DEEP] * 2, rulebook=rulebook, seats=seats, kind=kind
    )
    table = Table(opened)
    raises = 0
    while isinstance(turn := table.hand.turn, fact.TurnGiven) and turn.most:
        table.do(f"{turn.seat} raises to {turn.least}")
        raises += 1
    return raises


def test_omaha_guide_counts_all_in_players_in_the_round() -> None:
    table = flop(DEEP, 60, DEEP, rulebook="omaha-guide")
    table.do("1 checks", "2 bets 60", "3 calls", "1 calls")
    assert (table.hand.street, table.hand.contesting, table.hand.bets_cap) == (2, (1, 2, 3), 4)


def test_omaha_guide_a_round_that_starts_with_three_keeps_three_raises_when_one_folds() -> None:
    table = flop(DEEP, DEEP, DEEP, rulebook="omaha-guide").do("1 folds", "2 bets 60", "3 raises to 120")
    table.do("2 raises to 180", "3 raises to 240")
    assert table.awaited == (2, "call 60")


def test_omaha_guide_the_next_round_of_those_two_has_five_raises() -> None:
    table = flop(DEEP, DEEP, DEEP, rulebook="omaha-guide").do("1 folds", "2 checks", "3 checks")
    assert table.hand.bets_cap == 6


@pytest.mark.parametrize("rulebook", ["ace", "omaha-guide", "classic", "euro"])
def test_tournaments_three_raises_when_two_are_left_too(rulebook) -> None:
    """Section 10."""
    assert raises_of_two(rulebook, seats=2, kind="tournament") == 3


@pytest.mark.parametrize("limit", ["pot", "half-pot", "no"])
def test_no_cap_in_the_other_structures(limit) -> None:
    table = Table(open_hand_for(limit=limit, stakes=(1, 2), stacks=[10**9] * 2))
    for _ in range(12):
        turn = table.hand.turn
        assert isinstance(turn, fact.TurnGiven)
        assert turn.most
        table.do(f"{turn.seat} raises to {turn.least}")


# --- levels ----------------------------------------------------------------------------------------------------------


def test_60_120_all_in_150_180_and_240_is_left() -> None:
    table = flop(DEEP, DEEP, 150, DEEP).do("1 bets 60", "2 raises to 120", "3 raises to 150")
    assert table.awaited == (4, "call 150, raise 180")
    assert table.do("4 raises to 180").awaited == (1, "call 120, raise 240")
    assert table.do("1 raises to 240").awaited == (2, "call 120")


@pytest.mark.parametrize("all_in", [40, 20])
def test_opening_all_in_40_or_20_to_60(all_in) -> None:
    table = flop(all_in, DEEP, DEEP).do(f"1 bets {all_in}")
    assert table.awaited == (2, f"call {all_in}, raise 60")


@pytest.mark.parametrize(("all_in", "may"), [(40, "call 40, raise 60"), (30, "call 30, raise 60"), (29, "call 29")])
def test_an_opening_all_in_of_half_a_bet_reopens_to_a_player_who_checked(all_in, may) -> None:
    table = flop(DEEP, all_in, DEEP).do("1 checks", f"2 bets {all_in}", "3 calls")
    assert table.awaited == (1, may)


def test_60_all_in_80_to_120() -> None:
    table = flop(DEEP, 80, DEEP).do("1 bets 60", "2 raises to 80")
    assert table.awaited == (3, "call 80, raise 120")


def test_60_all_in_80_is_only_a_dearer_call() -> None:
    table = flop(DEEP, 80, DEEP).do("1 bets 60", "2 raises to 80", "3 calls")
    assert table.awaited == (1, "call 20")


def test_60_all_in_80_all_in_95_is_35_of_60_it_reopens() -> None:
    table = flop(DEEP, 80, 95).do("1 bets 60", "2 raises to 80", "3 raises to 95")
    assert table.awaited == (1, "call 35, raise 120")


@pytest.mark.parametrize(("all_in", "may"), [(90, "call 30, raise 120"), (89, "call 29")])
def test_half_of_the_step_reopens_and_one_chip_less_does_not(all_in, may) -> None:
    table = flop(DEEP, all_in, DEEP).do("1 bets 60", f"2 raises to {all_in}", "3 calls")
    assert table.awaited == (1, may)


def test_a_level_is_counted_and_reopens_once() -> None:
    """60, 120, all-in 150, call 150 (X), all-in 170: X may not raise."""
    table = flop(DEEP, DEEP, 150, DEEP, 170)
    table.do("1 bets 60", "2 raises to 120", "3 raises to 150", "4 calls", "5 raises to 170")
    assert table.awaited == (1, "call 110, raise 180")
    assert table.do("1 calls", "2 calls").awaited == (4, "call 20")


def test_it_may_be_completed_at_the_cap_too() -> None:
    """60, 120, 180, all-in 210: to 240."""
    table = flop(DEEP, DEEP, DEEP, 210, DEEP)
    table.do("1 bets 60", "2 raises to 120", "3 raises to 180", "4 raises to 210")
    assert table.awaited == (5, "call 210, raise 240")
    assert table.do("5 raises to 240").awaited == (1, "call 180")


def test_60_all_in_80_x_calls_raise_to_120_x_may_raise() -> None:
    table = flop(DEEP, 80, DEEP, DEEP).do("1 bets 60", "2 raises to 80", "3 calls", "4 raises to 120", "1 calls")
    assert table.awaited == (3, "call 40, raise 180")


def test_120_all_in_150_x_calls_completed_to_180_x_may_not_raise() -> None:
    table = flop(DEEP, DEEP, 150, DEEP, DEEP)
    table.do("1 bets 60", "2 raises to 120", "3 raises to 150", "4 calls", "5 raises to 180")
    assert table.awaited == (1, "call 120, raise 240")
    assert table.do("1 calls", "2 calls").awaited == (4, "call 30")
