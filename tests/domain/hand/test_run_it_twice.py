"""Run it twice isn't spread: whoever asks is told so, and one board is dealt (scenario 57)."""

import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from tests.hands import Table, on_the_flop, open_hand_for

REFUSED = "run it twice isn't spread here: one board is dealt in hand t1-1, whoever is all-in"


def asked_by(table: Table, *seats: int) -> set[str]:
    """What each is told; that nothing of the hand changes, `refusal_of` checks."""
    return {table.refusal_of(ask.RunItTwice(table.hand.id, seat)) for seat in seats}


def test_all_in_on_the_flop_one_board_is_dealt_whoever_asks() -> None:
    """Scenario 57. Seat 1 is all-in; 2 and 3, who are still to answer, ask as he does. Then both call."""
    table = on_the_flop([100, 100, 100]).do("1 bets 100")
    assert asked_by(table, 1, 2, 3) == {REFUSED}
    table.do("2 calls")
    assert asked_by(table, 1, 2, 3) == {REFUSED}, "at the next decision too"
    table.do("3 calls")
    assert [len(dealt.cards) for dealt in table.found(fact.BoardDealt)] == [3, 1, 1]
    assert sum(table.won.values()) == 330, "10 each before the flop, and 100"
    assert asked_by(table, 1) == {REFUSED}, "nor is there another board once the hand is over"


def test_nobody_need_be_all_in_to_be_told() -> None:
    assert asked_by(on_the_flop([100, 100, 100]), 1, 2, 3) == {REFUSED}


@pytest.mark.parametrize(("game", "ante", "bring_in"), [("stud", 25, 1_00), ("draw", 0, 0)])
def test_a_game_without_a_board_deals_each_card_once(game: str, ante: int, bring_in: int) -> None:
    opened = open_hand_for(game, "fixed", (2_00, 4_00), stacks=(100_00,) * 3, ante=ante, bring_in=bring_in)
    table = Table(opened)
    assert asked_by(table, 1) == {
        "run it twice isn't spread here: every card is dealt once in hand t1-1, whoever is all-in"
    }
