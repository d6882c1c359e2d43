"""The replay: a frame after every fact, folded from facts alone, each with a sentence."""

import sys
from typing import Any

import pytest

from domain import catalog
from domain.cards import cards, faces
from domain.rules.vocabulary import Limit, Stakes
from domain.rulings import words
from domain.rulings.replay import Frame, Standing, frames
from tests.hands import Table, hole_of, open_hand_for, played, stacked


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


# --- antes, bring-ins, draws, votes ----------------------------------------------------------------------------------


def stud_of_three(**terms: Any) -> Table:
    """7-card stud, ante 0.25, real money; seat 3, with 1.00, has the lowest door card."""
    usual: dict[str, Any] = {
        "limit": "fixed", "stakes": (200, 400), "ante": 25, "rulebook": "ace", "kind": "real", "currency": "USD",
        "stacks": (5000, 5000, 100), "cards": {1: "AsKdQh3c", 2: "6c6hJcJh", 3: "9s8h2d4s"},
    }  # fmt: skip
    return stacked("stud", **(usual | terms))


def draw_of_three() -> Table:
    """2-7 triple draw, no limit 1/2, after a first round that all call; button 3."""
    table = stacked("triple-draw", "no", stacks=(50, 50, 50), cards={1: "9c9d9hTcJc 7d", 2: "KcKdKhQsQc 8h8s 7s"})
    return table.do("3 calls", "1 calls", "2 checks")


def vote_of_three(last_stack: int = 50) -> Table:
    """32-card draw, no limit 1/2, all called and stood pat; seat 3, the button, is first after the big blind."""
    table = stacked("draw32", "no", stacks=(50, 50, last_stack), cards={})
    return table.do("3 calls", "1 calls", "2 checks", "3 stands pat", "1 stands pat", "2 stands pat")


def test_an_ante_game_is_opened_from_its_dealer_box() -> None:
    frame = told(stud_of_three())[0]
    assert frame.button == 0
    assert frame.says.startswith(
        "hand t1-1 is opened: 7-card stud, fixed limit 2.00/4.00 USD, ante 0.25, bring-in 1.00, rulebook ace; "
        "the dealer box stands before seat 1; dealt in: seat 1 player1 with 50.00"
    )


@pytest.mark.parametrize(
    ("limit", "stakes", "said"),
    [
        (
            Limit.FIXED,
            Stakes(ante=50, bring_in=100, small_bet=200, big_bet=400),
            "fixed limit 2.00/4.00 EUR, ante 0.50, bring-in 1.00",
        ),
        (
            Limit.FIXED,
            Stakes(bring_in=100, small_bet=200, big_bet=400),
            "fixed limit 2.00/4.00 EUR, bring-in 1.00",
        ),
        (
            Limit.POT,
            Stakes(ante=100, bring_in=200, min_bet=300),
            "pot limit, ante 1.00, bring-in 2.00, minimum bet 3.00 EUR",
        ),
        (
            Limit.SPREAD,
            Stakes(small_blind=50, big_blind=100, min_bet=100, maxima=(300, 300, 600, 600)),
            "spread limit 0.50/1.00 EUR, maxima 3.00, 3.00, 6.00, 6.00",
        ),
        (
            Limit.SPREAD,
            Stakes(ante=25, bring_in=50, min_bet=50, maxima=(100, 200)),
            "spread limit, ante 0.25, bring-in 0.50, minimum bet 0.50, maxima 1.00, 2.00 EUR",
        ),
        (Limit.NO, Stakes(small_blind=50, big_blind=100, min_bet=100), "no limit 0.50/1.00 EUR"),
        (Limit.NO, Stakes(small_blind=50, big_blind=100, ante=10, min_bet=100), "no limit 0.50/1.00 EUR, ante 0.10"),
    ],
)
def test_stakes_are_said_as_people_write_them(limit: Limit, stakes: Stakes, said: str) -> None:
    assert words.limit_and_stakes(limit, stakes, "EUR") == said


def test_a_bring_in_of_fixed_limit_is_one_of_two_amounts() -> None:
    table = stud_of_three(stacks=(5000, 5000, 5000))
    assert told(table)[-1].says == "action is on seat 3: bring in for 1.00 or 2.00"
    assert told(table.do("3 brings in for 1.00"))[-2].says == "seat 3 brings in for 1.00"


def test_elsewhere_it_is_any_amount_between_two() -> None:
    table = stud_of_three(limit="pot", stakes=(0, 50), rulebook="euro", cards={1: "AsKdQh", 2: "6c6hJc", 3: "9s8hAh"})
    assert told(table)[-1].legal == "bring in for 0.50 up to 0.75"


def test_a_bring_in_that_takes_the_last_chips_says_so() -> None:
    table = stud_of_three()
    assert told(table)[-1].legal == "bring in for 0.75"
    frame = told(table.do("3 brings in for 0.75"))[-2]
    assert frame.says == "seat 3 brings in for 0.75, all-in"
    assert (frame.seats[2].live, frame.seats[2].standing) == (75, Standing.ALL_IN)
    assert frame.pots == (75,), "the antes"


def test_an_open_pair_may_be_bet_small_or_big_and_nothing_between() -> None:
    table = stud_of_three().do("3 brings in for 0.75", "1 calls", "2 calls")
    assert told(table)[-1].says == "action is on seat 2: check, bet 2.00 or 4.00, or fold"


def test_cards_that_lie_face_up_are_told_apart() -> None:
    frame = told(stud_of_three().do("3 brings in for 0.75", "1 calls", "2 calls"))[-1]
    assert frame.seats[0].cards == cards("AsKdQh3c")
    assert [seat.up for seat in frame.seats] == [cards("Qh3c"), cards("JcJh"), cards("2d4s")]


def test_a_street_begins_with_its_first_card() -> None:
    shown = told(stud_of_three().do("3 brings in for 0.75", "1 calls", "2 calls"))
    first = next(at for at, frame in enumerate(shown) if frame.says == "seat 1 is dealt 3c face up")
    assert [frame.street for frame in shown[first - 1 : first + 1]] == ["3rd", "4th"]
    assert "betting opens on 4th street" in [frame.says for frame in shown[first:]]


def test_streets_are_named_where_no_betting_is_left() -> None:
    """Both are all-in on 3rd street; the cards are dealt out to 7th."""
    shown = told(stud_of_three(stacks=(0, 125, 100)).do("3 brings in for 0.75", "2 calls"))
    assert list(dict.fromkeys(frame.street for frame in shown)) == ["3rd", "4th", "5th", "6th", "7th"]


def test_a_community_card_on_7th_street() -> None:
    shown = told(stacked("stud", "fixed", (2, 4), stacks=[1] * 8, ante=1, bring_in=1, cards={}))
    (card,) = [frame for frame in shown if frame.says.startswith("7th street: ")]
    assert (card.street, len(card.board)) == ("7th", 1)
    assert [len(seat.cards) for seat in card.seats] == [6] * 8


def test_a_draw_is_a_street_and_its_frames_hold_what_was_discarded() -> None:
    shown = told(draw_of_three().do("1 draws 1: Jc", "2 stands pat"))
    says = [frame.says for frame in shown]
    drawing = shown[says.index("the first draw begins") :]
    assert [frame.says for frame in drawing] == [
        "the first draw begins",
        "the draw is on seat 1: draw up to 5 cards or stand pat",
        "seat 1 discards 1 card",
        "seat 1 is dealt 7d",
        "the draw is on seat 2: draw up to 5 cards or stand pat",
        "seat 2 stands pat",
        "the draw is on seat 3: draw up to 5 cards or stand pat",
    ]
    assert {frame.street for frame in drawing} == {"first draw"}
    assert [len(frame.seats[0].cards) for frame in drawing[1:4]] == [5, 4, 5]
    assert drawing[-1].seats[0].discards == cards("Jc")


def test_discards_of_all_draws_are_kept() -> None:
    table = draw_of_three().do("1 draws 1: Jc", "2 draws 2: Qs Qc", "3 stands pat", "1 checks", "2 checks", "3 checks")
    end = told(table.do("1 stands pat", "2 draws 1: Kc"))[-1]
    assert [seat.discards for seat in end.seats] == [cards("Jc"), cards("QsQcKc"), ()]


def test_who_is_too_late_may_neither_bet_nor_raise() -> None:
    shown = told(draw_of_three().do("1 is late to draw", "2 stands pat", "3 stands pat"))
    assert "seat 1 is too late: it stands pat, and may neither bet nor raise in the round that follows" in [
        frame.says for frame in shown
    ]
    assert shown[-1].says == "action is on seat 1: check or fold"


def test_a_reshuffle_is_told() -> None:
    """Six players draw five each: 30 cards of 52 are dealt, 22 are left."""
    table = stacked("triple-draw", "no", stacks=[50] * 6, cards={})
    table.do(*(f"{seat} calls" for seat in (3, 4, 5, 6, 1)), "2 checks")
    for seat in (1, 2, 3, 4, 5):
        table.do(f"{seat} draws 5: {faces(hole_of(table.hand, seat))}")
    says = [frame.says for frame in told(table)]
    assert "the deck has run out: 25 cards, mucked and discarded, are shuffled to finish the draw" in says


def test_who_has_chips_may_agree_to_a_split_or_act() -> None:
    table = vote_of_three()
    assert told(table)[-1].says == ("the split is offered to seat 3: agree to split, check, bet 2 up to 48, or fold")
    assert told(table.do("3 votes to split"))[-2].says == "seat 3 agrees to split"


def test_who_is_all_in_agrees_to_a_split_or_refuses() -> None:
    table = vote_of_three(last_stack=2)
    assert told(table)[-1].says == "the split is offered to seat 3: agree to split or refuse"
    assert "seat 3 refuses to split" in [frame.says for frame in told(table.do("3 refuses to split"))]


def test_a_pot_that_all_agreed_to_split_says_so() -> None:
    shown = told(vote_of_three().do("3 votes to split", "1 votes to split", "2 votes to split"))
    won = [frame.says for frame in shown if " wins " in frame.says]
    assert won == [f"seat {seat} wins 2 of the main pot, as agreed" for seat in (1, 2, 3)]


def test_frames_need_no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = played(open_hand_for(stacks=(50, 100)), "2 raises to 6", "1 calls").facts
    for module in ("betting", "decider", "pots", "showdown", "dealing"):
        monkeypatch.setitem(sys.modules, f"domain.hand.{module}", None)
    assert len(list(frames(facts))) == len(facts)
