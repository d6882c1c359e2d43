"""rules.md section 2, Antes and bring-ins."""

import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from tests.hands import Table, open_hand_for, played, stacked

DOORS = {1: "2c 3c Qh", 2: "2d 3d 4s", 3: "2h 3h Kd"}


def stud(limit: str = "fixed", doors: dict[int, str] | None = None, chips: int = 100, **terms) -> Table:
    """Three (or as many as have cards) with 100 each; fixed limit 4/8, elsewhere a minimum bet of the bring-in."""
    cards = doors or DOORS
    stakes = (4, 8) if limit == "fixed" else (0, 0)
    terms = {"game": "stud", "ante": 1, "stacks": [chips] * len(cards), **terms}
    return Table(open_hand_for(limit=limit, stakes=stakes, cards=cards, **terms))


def brings_in(table: Table) -> int:
    (owed,) = table.found(fact.BringInOwed)
    return owed.seat


# --- who -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["fixed", "pot", "half-pot", "no"])
def test_ace_stud_the_lowest_door_card_brings_in(limit) -> None:
    assert brings_in(stud(limit, rulebook="ace")) == 2


def test_euro_stud_the_lowest_in_fixed_and_spread_limit_the_highest_in_the_others() -> None:
    assert brings_in(stud("fixed")) == 2
    assert brings_in(stud("spread", maxima=(4, 4, 8, 8, 8))) == 2
    assert [brings_in(stud(limit)) for limit in ("pot", "half-pot", "no")] == [3, 3, 3]


@pytest.mark.parametrize("limit", ["fixed", "pot", "half-pot", "no"])
def test_stud_hilo_always_the_lowest(limit) -> None:
    assert brings_in(stud(limit, game="stud-hilo")) == 2


@pytest.mark.parametrize("game", ["soko", "americana", "telesina"])
@pytest.mark.parametrize("limit", ["fixed", "no"])
def test_soko_americana_telesina_the_highest(game, limit) -> None:
    assert brings_in(stud(limit, {1: "7c Qh", 2: "7d 8s", 3: "7h Kd"}, game=game)) == 3


def test_an_ace_is_high_for_this() -> None:
    assert brings_in(stud(doors={1: "2c 3c Ah", 2: "2d 3d 4s", 3: "2h 3h Kd"})) == 2


def test_ties_break_by_suit_spades_hearts_diamonds_clubs_from_high_to_low() -> None:
    tied = {1: "8c 9c 2h", 2: "8d 9d 2c", 3: "8h 9h 2d", 4: "8s 9s 2s"}
    assert brings_in(stud(doors=tied)) == 2
    assert brings_in(stud("no", tied)) == 4
    assert brings_in(stud("no", {1: "7c Kd", 2: "7d Kh", 3: "7h Ks"}, game="soko")) == 3


def test_telesina_hearts_diamonds_clubs_spades() -> None:
    assert brings_in(stud(doors={1: "7c Ks", 2: "7d Kd", 3: "7h Kc", 4: "7s Kh"}, game="telesina")) == 4
    assert brings_in(stud(doors={1: "7c Ks", 2: "7d Kd", 3: "7h Kc"}, game="telesina")) == 2
    assert brings_in(stud(doors={1: "7c Ks", 3: "7h Kc"}, game="telesina", stacks={1: 100, 3: 100})) == 3


def test_who_has_nothing_left_after_the_ante_is_passed_over_for_the_next_seat_clockwise() -> None:
    assert brings_in(stud(stacks={1: 100, 2: 1, 3: 100})) == 3
    assert brings_in(stud("no", stacks={1: 100, 2: 100, 3: 1})) == 1


def test_with_one_player_who_has_chips_nobody_brings_in_and_the_cards_are_dealt_out() -> None:
    table = stud(stacks={1: 100, 2: 1, 3: 1})
    assert not table.found(fact.BringInOwed)
    assert len(table.found(fact.HandShown)) == 3
    assert table.hand.settled


# --- how much --------------------------------------------------------------------------------------------------------


def test_ace_fixed_limit_half_of_the_small_bet_or_at_his_choice_the_full_one() -> None:
    table = stud(rulebook="ace")
    assert table.awaited == (2, "bring in 2 or 4")
    assert table.refusal("2 brings in for 3") == "seat 2 must bring in with 2 or 4 and nothing else, not with 3"


def test_euro_twice_the_ante_or_in_fixed_limit_the_full_small_bet() -> None:
    assert stud(ante=1).awaited == (2, "bring in 2 or 4")


def test_elsewhere_more_at_his_choice_up_to_the_limit_of_the_round() -> None:
    eight = {seat: f"{rank}c {rank}d {rank}h" for seat, rank in enumerate("23456789", start=1)}
    assert stud("pot", eight).awaited == (8, "bring in 2..8")
    assert stud("half-pot", eight).awaited == (8, "bring in 2..4")
    assert stud("no", eight).awaited == (8, "bring in 2..99")
    assert stud("spread", eight, maxima=(5, 5, 5, 5, 5)).awaited == (1, "bring in 2..5")
    assert stud("no", eight).refusal("8 brings in for 1") == (
        "seat 8 must bring in with 2 at the least and 99 at the most, not with 1"
    )


def test_a_bring_in_is_forced() -> None:
    table = stud()
    for sentence in ("2 folds", "2 checks", "2 calls", "2 bets 4"):
        assert table.refusal(sentence) == "seat 2 must bring in with 2 or 4 and nothing else"
    table.do("2 brings in for 2")
    assert table.refusal("3 brings in for 2") == ("seat 3 is to act now: call 2, raise to 4, or fold")


# --- what it makes of the round --------------------------------------------------------------------------------------


def test_a_raise_first_completes_the_bring_in_which_is_the_one_bet() -> None:
    table = stud().do("2 brings in for 2")
    assert table.awaited == (3, "call 2, raise 4")
    table.do("3 raises to 4", "1 raises to 8", "2 raises to 12", "3 raises to 16")
    assert table.awaited == (1, "call 8")


def test_an_opening_for_the_full_small_bet_is_the_one_bet() -> None:
    table = stud().do("2 brings in for 4", "3 raises to 8", "1 raises to 12", "2 raises to 16")
    assert table.awaited == (3, "call 8")


def test_a_bring_in_as_large_as_the_small_bet_is_the_one_bet_also_when_all_in_for_less() -> None:
    assert stud(bring_in=4).do("2 brings in for 4").awaited == (3, "call 4, raise 8")
    assert stud(bring_in=4, stacks={1: 100, 2: 2, 3: 100}).do("2 brings in for 1").awaited == (3, "call 4, raise 8")


def test_eight_antes_of_1_bring_in_2_raise_to_4_at_most_to_14_in_pot_limit_8_in_half_pot() -> None:
    eight = {seat: f"{rank}c {rank}d {rank}h" for seat, rank in enumerate("23456789", start=1)}
    assert stud("pot", eight).do("8 brings in for 2").awaited == (1, "call 2, raise 4..14")
    assert stud("half-pot", eight).do("8 brings in for 2").awaited == (1, "call 2, raise 4..8")


def minimum_bet_of_10(limit: str = "no") -> Table:
    opened = open_hand_for(
        "stud",
        limit,
        (0, 10),
        ante=1,
        bring_in=2,
        cards={**DOORS, 4: "2s 3s 5h"},
        stacks={1: 100, 2: 100, 3: 100, 4: 6},
    )
    return played(opened, "3 brings in for 2")


def test_where_the_minimum_bet_is_larger_the_first_raise_goes_at_least_to_it() -> None:
    table = minimum_bet_of_10()
    assert table.awaited == (4, "call 2, raise 5")
    table.do("4 calls")
    assert table.awaited == (1, "call 2, raise 10..99")
    assert table.do("1 raises to 10").awaited == (2, "call 10, raise 20..99")


def test_a_raise_to_the_minimum_bet_reopens_to_who_called_the_bring_in() -> None:
    table = minimum_bet_of_10().do("4 folds", "1 calls", "2 raises to 10", "3 calls")
    assert table.awaited == (1, "call 8, raise 20..99")


def test_an_all_in_under_the_minimum_bet_does_not_and_the_next_raise_is_a_full_one_on_top() -> None:
    table = minimum_bet_of_10().do("4 raises to 5")
    assert table.awaited == (1, "call 5, raise 15..99")
    assert table.do("1 calls", "2 calls").awaited == (3, "call 3")


def test_a_larger_opening_is_raised_by_as_much_again() -> None:
    table = Table(open_hand_for("stud", "no", (0, 10), ante=1, bring_in=2, cards=DOORS, stacks=[100] * 3))
    assert table.do("3 brings in for 15").awaited == (1, "call 15, raise 30..99")


def test_spread_limit_the_bring_in_counts_among_the_live_chips_of_the_round() -> None:
    table = stud("spread", maxima=(3, 3, 3, 3, 3)).do("2 brings in for 2", "3 raises to 5", "1 raises to 8")
    assert table.awaited == (2, "call 6, raise 9")
    assert table.do("2 raises to 9").awaited == (3, "call 4")


def test_the_price_of_a_call_is_the_full_bring_in_even_when_it_was_all_in_for_less() -> None:
    table = stud(stacks={1: 100, 2: 2, 3: 100})
    assert table.awaited == (2, "bring in 1")
    assert table.do("2 brings in for 1").awaited == (3, "call 2, raise 4")


def test_fixed_limit_an_all_in_opening_of_half_a_small_bet_or_more_counts_as_the_bet() -> None:
    table = stud(stacks={1: 100, 2: 4, 3: 100})
    assert table.awaited == (2, "bring in 2 or 3")
    assert table.do("2 brings in for 3").awaited == (3, "call 3, raise 4")
    assert table.do("3 raises to 4", "1 raises to 8", "3 raises to 12").awaited == (1, "call 4, raise 16")


def test_the_bring_in_was_its_players_action_he_acts_again_only_after_a_raise() -> None:
    called = stud().do("2 brings in for 2", "3 calls", "1 calls")
    assert called.hand.street == 1
    assert stud().do("2 brings in for 2", "3 calls", "1 raises to 4").awaited == (2, "call 2, raise 8")


def test_a_bring_in_that_nobody_called_goes_back() -> None:
    table = stud().do("2 brings in for 2", "3 folds", "1 folds")
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(2, 2)]
    assert table.stacks == {1: 99, 2: 102, 3: 99}


def test_the_chip_unit_binds_the_bring_in_too() -> None:
    table = stud("no", ante=5, chip_unit=5, stacks=[500] * 3)
    assert "can't be made of chips of 5" in table.refusal("3 brings in for 12")


# --- ante games have no button ---------------------------------------------------------------------------------------


def test_cards_are_dealt_from_seat_1_since_the_dealer_box_stands_before_it() -> None:
    table = stud()
    assert table.hand.opened.button == 0
    assert [(one.seat, one.indices) for one in table.found(fact.CardsDealt)] == [
        (1, (0, 3)), (2, (1, 4)), (3, (2, 5)), (1, (6,)), (2, (7,)), (3, (8,)),
    ]  # fmt: skip


def test_the_main_pot_takes_from_each_what_the_shortest_ante_put_in() -> None:
    table = stud(ante=3, bring_in=3, stacks={1: 100, 2: 2, 3: 100}).do("3 brings in for 3", "1 calls")
    assert table.pots == (6, 8)


# --- who opens later rounds ------------------------------------------------------------------------------------------


def opens(game: str, *up: str) -> int:
    """The seat that opens the last street but one, with these up cards from seat 1 on."""
    down = {"soko": ["2h", "3h", "4h"], "stud": ["2h 3c", "2s 4c", "3s 5c"]}[game]
    cards = {seat: f"{hole} {shown}" for seat, (hole, shown) in enumerate(zip(down, up, strict=False), start=1)}
    table = stacked(game, "fixed", (4, 8), ante=1, cards=cards, stacks=[100] * len(up))
    owed = table.hand.turn
    assert owed is not None
    table.do(f"{owed.seat} brings in for 2")
    streets = len(up[0].split()) - 1
    while table.hand.street < streets:
        turn = table.hand.turn
        assert turn is not None
        table.do(f"{turn.seat} {'calls' if getattr(turn, 'call', 0) else 'checks'}")
    turn = table.hand.turn
    assert turn is not None
    return turn.seat


def test_the_best_hand_showing_opens_by_pair_then_high_cards() -> None:
    assert opens("stud", "Ah Kd", "6h 6d", "9h Td") == 2
    assert opens("stud", "Qh Kd", "Ah 6d", "Kh Td") == 2
    assert opens("stud", "Qh Kd 7c", "7h 7d 8c", "6h 6d 9c") == 2


def test_equal_ones_nearest_the_dealers_left() -> None:
    assert opens("stud", "6h 7d", "Ah Kd", "Ac Ks") == 2


def test_straights_and_flushes_do_not_count_but_four_of_them_do_in_soko() -> None:
    assert opens("stud", "Th Jh Qh Kh", "9c 9d 4d 5d", "6c 7c 8c 9s") == 2
    assert opens("soko", "Th Jh Qh Kh", "9c 9d 4d 5d", "6c 7c 8c 9s") == 1
    assert opens("soko", "As Kd 4s 5d", "6c 7c 8c 9s", "Jd Jc Qs Ks") == 2


def test_where_he_has_no_chips_left_the_next_seat_clockwise_that_can_act() -> None:
    cards = {1: "2h 3c 4c 5d", 2: "2s 3d Ah Ac", 3: "4s 5s 9c Td"}
    table = stacked("stud", "fixed", (4, 8), ante=1, cards=cards, stacks={1: 100, 2: 5, 3: 100})
    table.do("1 brings in for 2", "2 raises to 4", "3 calls", "1 calls")
    assert table.awaited == (3, "check, bet 4 or 8")


# --- too few cards ---------------------------------------------------------------------------------------------------


def eight_handed_to_sixth_street(rulebook: str) -> Table:
    table = Table(open_hand_for("stud", "fixed", (4, 8), ante=1, rulebook=rulebook, stacks=[100] * 8))
    turn = table.hand.turn
    assert turn is not None
    table.do(f"{turn.seat} brings in for 2")
    while table.hand.street < 3:
        turn = table.hand.turn
        assert isinstance(turn, fact.TurnGiven)
        table.do(f"{turn.seat} {'calls' if turn.call else 'checks'}")
    for _ in range(8):
        turn = table.hand.turn
        assert turn is not None
        table.do(f"{turn.seat} checks")
    return table


def test_one_community_card_for_all_where_fewer_are_left_than_players() -> None:
    table = eight_handed_to_sixth_street("ace")
    (river,) = table.found(fact.BoardDealt)
    assert (river.street, river.indices) == ("7th", (48,))
    assert all(len(table.hand.dealt[seat]) == 6 for seat in range(1, 9))


def test_ace_plays_its_round_euro_does_not() -> None:
    ace, euro = eight_handed_to_sixth_street("ace"), eight_handed_to_sixth_street("euro")
    assert (ace.hand.street, ace.hand.settled) == (4, False)
    assert euro.hand.settled
    assert not any(shown.because is fact.ShownBecause.ALL_IN for shown in euro.found(fact.HandShown))


def test_seven_players_get_a_card_each() -> None:
    table = Table(open_hand_for("stud", "fixed", (4, 8), ante=1, stacks=[1] * 7))
    assert not table.found(fact.BoardDealt)
    assert table.hand.settled


def test_the_command_itself_is_refused_with_another_decision() -> None:
    table = stud()
    stale = ask.BringIn(table.hand.id, table.hand.decision - 1, 2, 2)
    assert "has been answered, and the hand has moved on" in table.refusal_of(stale)
