"""rules.md section 2, Spread limit."""

import pytest

from domain.messages import Refused
from tests.hands import Table, on_the_flop, open_hand_for, played


def spread_flop(maximum: int = 3, big_blind: int = 1, behind: tuple[int, ...] = (100, 100, 100)) -> Table:
    """A flop of a real-money table, all in whole euros."""
    maxima = (big_blind * 100, *[maximum * 100] * 3)
    return on_the_flop([chips * 100 for chips in behind], "spread", (0, big_blind * 100), maxima=maxima, kind="real")


def test_maximum_3_bet_2_to_5_to_8_to_9_then_call_or_fold() -> None:
    flop = spread_flop()
    assert flop.awaited == (1, "check, bet 1.00..3.00")
    assert flop.do("1 bets 2").awaited == (2, "call 2.00, raise 4.00..5.00")
    assert flop.do("2 raises to 5").awaited == (3, "call 5.00, raise 8.00")
    assert flop.do("3 raises to 8").awaited == (1, "call 6.00, raise 9.00")
    assert flop.do("1 raises to 9").awaited == (2, "call 4.00")
    assert flop.refusal("2 raises to 10") == "seat 2 may not raise: call 4.00 or fold"


def test_a_bet_is_from_the_big_blind_to_the_maximum_of_the_round() -> None:
    flop = spread_flop(maximum=5, big_blind=2)
    assert flop.awaited == (1, "check, bet 2.00..5.00")
    assert flop.refusal("1 bets 1.99") == "seat 1 may bet 2.00 at the least and 5.00 at the most, not 1.99"
    assert flop.refusal("1 bets 5.01") == "seat 1 may bet 2.00 at the least and 5.00 at the most, not 5.01"


def test_a_raise_is_from_the_last_full_raise_to_the_maximum() -> None:
    flop = spread_flop(maximum=10, big_blind=2).do("1 bets 4")
    assert flop.awaited == (2, "call 4.00, raise 8.00..14.00")
    assert flop.do("2 raises to 11").awaited == (3, "call 11.00, raise 18.00..21.00")


def test_each_round_has_its_maximum() -> None:
    """A "1-2-3" table of hold'em: 1, 1, 2, 3."""
    opened = open_hand_for(limit="spread", stakes=(0, 100), maxima=(100, 100, 200, 300), kind="real", stacks=[9000] * 3)
    table = Table(opened)
    assert table.awaited == (3, "call 1.00, raise 2.00")
    table.do("3 calls", "1 calls", "2 checks")
    for bet in ("bet 1.00", "bet 1.00..2.00", "bet 1.00..3.00"):
        assert table.awaited == (1, f"check, {bet}")
        table.do("1 checks", "2 checks", "3 checks")


def test_live_chips_of_the_blind_count_towards_three_times_the_maximum() -> None:
    """Maximum 1: the big blind of 1, to 2, to 3, and no more."""
    table = Table(open_hand_for(limit="spread", stakes=(0, 1), maxima=(1, 1, 1, 1), stacks=[100, 100, 100]))
    table.do("3 raises to 2", "1 raises to 3")
    assert table.awaited == (2, "call 2")


def test_no_other_limit_on_the_number_of_raises() -> None:
    flop = spread_flop(maximum=10).do("1 bets 1")
    for to in range(2, 12):
        turn = flop.hand.turn
        assert turn
        flop.do(f"{turn.seat} raises to {to}")
    assert flop.hand.wager == 11_00


def test_only_an_all_in_may_bet_or_raise_less() -> None:
    flop = spread_flop(maximum=10, big_blind=2, behind=(100, 3, 100)).do("1 bets 2")
    assert flop.awaited == (2, "call 2.00, raise 3.00")
    assert flop.do("2 raises to 3").awaited == (3, "call 3.00, raise 5.00..13.00")


def test_another_number_of_maxima_than_rounds_is_refused() -> None:
    with pytest.raises(Refused, match="states 4 maxima, one for each betting round"):
        open_hand_for(limit="spread", stakes=(0, 1), maxima=(1, 2, 3), stacks=[100, 100])


def test_a_big_blind_above_the_first_maximum_is_refused() -> None:
    with pytest.raises(Refused, match="under the big blind of 2"):
        open_hand_for(limit="spread", stakes=(0, 2), maxima=(1, 2, 2, 3), stacks=[100, 100])


def test_the_small_blind_is_that_of_fixed_limit() -> None:
    table = played(open_hand_for(limit="spread", stakes=(0, 4), maxima=(4,) * 4, stacks=[100] * 3), "3 folds")
    assert table.awaited == (1, "call 2, raise 8")


def test_over_an_odd_all_in_no_raise_passes_the_maximum_of_the_round() -> None:
    """Chips of 5, maximum 5: over 7 the least total is 15 and the most 10, so there is none."""
    opened = open_hand_for(
        limit="spread", stakes=(0, 5), maxima=(5, 5, 5, 5), chip_unit=5, stacks={1: 900, 2: 900, 3: 7, 4: 900}
    )
    assert played(opened, "3 raises to 7").awaited == (4, "call 7")
