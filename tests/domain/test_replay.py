"""The replay: a frame after every fact, folded from facts alone, each with a sentence."""

import sys
from typing import Any

import pytest

from domain import catalog
from domain.cards import cards
from domain.rulings import words
from domain.rulings.replay import Frame, Standing, frames
from tests.hands import Table, open_hand_for, played


def three_handed(**terms: Any) -> Table:
    """Button 3 with 200, seat 1 (small blind) with 50, seat 2 (big blind) with 100; blinds 1/2."""
    usual: dict[str, Any] = {
        "stacks": (50, 100, 200),
        "cards": {1: "AhAd", 2: "KhKd", 3: "QhQd"},
        "board": "2c7s9hJdJs",
    }
    return Table(open_hand_for(**(usual | terms)))


def told(table: Table) -> list[Frame]:
    return list(frames(table.facts))


def test_every_event_of_a_hand_has_a_sentence() -> None:
    of_hand = {entry.cls for name, entry in catalog.event.by_name.items() if name.startswith("hand.")}
    assert of_hand == words.SENTENCES.keys()


def test_there_is_a_frame_for_every_fact_and_its_version_counts_from_1() -> None:
    table = three_handed().do("3 folds", "1 folds")
    assert [frame.version for frame in told(table)] == list(range(1, len(table.facts) + 1))


def test_a_frame_shows_whose_turn_it_is_and_what_is_legal() -> None:
    frame = told(three_handed())[-1]
    assert frame.turn is not None
    assert frame.turn.seat == 3
    assert frame.legal == "call 2, raise to 4 up to 200, or fold"
    assert frame.says == "action is on seat 3: call 2, raise to 4 up to 200, or fold"
    assert frame.wager == 2


def test_where_nothing_was_bet_a_player_may_check_or_bet() -> None:
    frame = told(three_handed().do("3 calls", "1 calls", "2 checks"))[-1]
    assert frame.legal == "check, bet 2 up to 48, or fold"


def test_where_only_all_in_is_left_one_amount_is_named() -> None:
    frame = told(three_handed().do("3 raises to 40"))[-1]
    assert frame.legal == "call 39, raise to 50, or fold"


def test_where_no_raise_is_left_call_or_fold() -> None:
    frame = told(three_handed().do("3 raises to 60"))[-1]
    assert frame.legal == "call 49 or fold"


def test_money_stands_with_its_decimal_point() -> None:
    table = three_handed(kind="real", stakes=(50, 100), stacks=(5000, 10000, 20000)).do("3 raises to 6.00")
    assert told(table)[-2].says == "seat 3 raises to 6.00"
    assert told(table)[-1].says == "action is on seat 1: call 5.50, raise to 11.00 up to 50.00, or fold"


def test_an_all_in_raise_says_so() -> None:
    assert told(three_handed().do("3 raises to 200"))[-2].says == "seat 3 raises to 200, all-in"


def test_chips_of_the_round_stand_before_their_seats_until_they_are_gathered() -> None:
    table = three_handed().do("3 raises to 10", "1 calls", "2 calls")
    before = next(frame for frame in told(table) if frame.says == "seat 2 calls 8")
    assert [(seat.live, seat.stack) for seat in before.seats] == [(10, 40), (10, 90), (10, 190)]
    assert before.pots == ()
    gathered = next(frame for frame in told(table) if frame.says == "the bets are gathered: main pot 30")
    assert [seat.live for seat in gathered.seats] == [0, 0, 0]
    assert gathered.pots == (30,)


def test_antes_lie_in_the_middle_from_the_start() -> None:
    frame = told(three_handed(kind="tournament", ante=1))[-1]
    assert frame.pots == (3,)
    assert [seat.live for seat in frame.seats] == [1, 2, 0]


def test_an_uncalled_bet_no_longer_stands_before_its_seat_once_it_was_returned() -> None:
    table = three_handed().do("3 raises to 200", "1 folds", "2 folds")
    frame = next(frame for frame in told(table) if frame.says == "198 that nobody called goes back to seat 3")
    assert [(seat.live, seat.stack) for seat in frame.seats] == [(1, 49), (2, 98), (2, 198)]


def test_side_pots_are_shown_and_empty_as_they_are_won() -> None:
    table = three_handed().do("3 raises to 200", "1 calls", "2 calls")
    shown = told(table)
    assert next(frame for frame in shown if frame.says.startswith("100 that nobody")).seats[2].stack == 100
    assert next(frame for frame in shown if frame.says.startswith("the bets are")).pots == (150, 100)
    won = [frame for frame in shown if " wins " in frame.says]
    assert [frame.says for frame in won] == [
        "seat 1 wins 150 of the main pot with two pair",
        "seat 2 wins 100 of side pot 1 with two pair",
    ]
    assert [frame.pots for frame in won] == [(0, 100), ()]


def test_seats_say_how_their_players_stand() -> None:
    shown = told(three_handed().do("3 folds", "1 raises to 50"))[-1]
    assert [seat.standing for seat in shown.seats] == [Standing.ALL_IN, Standing.IN, Standing.FOLDED]
    to_the_end = three_handed().do(
        "3 calls", "1 calls", "2 checks", "1 checks", "2 checks", "3 checks", "1 checks", "2 checks", "3 checks",
        "1 checks", "2 checks", "3 folds",
    )  # fmt: skip
    end = told(to_the_end)[-1]
    assert [seat.standing for seat in end.seats] == [Standing.SHOWN, Standing.MUCKED, Standing.FOLDED]
    assert end.over


def test_streets_and_board_follow_the_deal() -> None:
    table = three_handed().do("3 calls", "1 calls", "2 checks")
    shown = told(table)
    assert shown[0].street == "preflop"
    assert (shown[-1].street, shown[-1].board) == ("flop", cards("2c7s9h"))
    assert "the flop: 2c 7s 9h" in [frame.says for frame in shown]


def test_the_last_frame_has_the_final_stacks_and_the_rake() -> None:
    table = three_handed(kind="real", stakes=(50, 100), stacks=(5000, 5000, 5000))
    table.do("3 raises to 50.00", "1 calls", "2 calls")
    end = told(table)[-1]
    assert sum(seat.stack for seat in end.seats) + end.rake == 15000
    assert end.rake == 200
    assert end.pots == ()
    assert end.says == "the hand is over: seat 1 148.00, seat 2 0.00, seat 3 0.00; rake 2.00"


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("3 gives up at the showdown", "seat 3 asks to give up unseen at the showdown; nobody else sees it yet"),
        ("3 asks to show", "seat 3 asks to show at the showdown; nobody else sees it yet"),
    ],
)
def test_a_wish_is_told_and_changes_no_turn(sentence: str, says: str) -> None:
    table = three_handed(rulebook="ace")
    waiting = told(table)[-1]
    after = told(table.do(sentence))[-1]
    assert after.says == says
    assert (after.turn, after.legal) == (waiting.turn, waiting.legal)


def test_frames_need_no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = played(open_hand_for(stacks=(50, 100)), "2 raises to 6", "1 calls").facts
    for module in ("betting", "decider", "pots", "showdown", "dealing"):
        monkeypatch.setitem(sys.modules, f"domain.hand.{module}", None)
    assert len(list(frames(facts))) == len(facts)
