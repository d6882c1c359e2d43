"""rules.md section 3: the order of the showdown, who shows and who mucks, high and low."""

import pytest

from domain.hand import events as fact
from domain.hand.events import ShownBecause
from tests.hands import Table, open_hand_for, played

ACES, KINGS, QUEENS, LOW_CARDS = "Ac Ad", "Kc Kd", "Qc Qd", "7c 2d"
BLANKS = "3s 5d 9h Jc 8s"


def three(cards: dict[int, str], *, rulebook: str = "euro", stacks=(100, 100, 100), game: str = "holdem") -> Table:
    """Three players on the river, where the pot is 6 and seat 1 is to act."""
    opened = open_hand_for(game, stacks=stacks, cards=cards, board=BLANKS, rulebook=rulebook)
    table = played(opened, "3 calls", "1 calls", "2 checks")
    for _ in ("flop", "turn"):
        table.do("1 checks", "2 checks", "3 checks")
    return table


def ends(table: Table) -> list[str]:
    """What the showdown did, in order: "1 shows", "2 beaten", ..."""
    said = []
    for one in table.facts:
        if isinstance(one, fact.HandShown):
            said.append(f"{one.seat} shows")
        if isinstance(one, fact.HandMucked):
            said.append(f"{one.seat} {one.because.name.lower()}")
    return said


# --- order -----------------------------------------------------------------------------------------------------------


def test_the_last_to_bet_or_raise_on_the_river_shows_first_then_clockwise() -> None:
    """Scenario 43."""
    table = three({1: KINGS, 2: QUEENS, 3: ACES}).do("1 checks", "2 bets 2", "3 calls", "1 calls")
    assert ends(table) == ["2 shows", "3 shows", "1 beaten"]


def test_a_raiser_shows_before_the_bettor() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("1 bets 2", "2 calls", "3 raises to 6", "1 calls", "2 calls")
    assert ends(table) == ["3 shows", "1 shows", "2 beaten"]


def test_if_nobody_bet_on_the_river_the_first_left_of_the_button_shows_first() -> None:
    """Scenario 43: whoever bet before."""
    opened = open_hand_for(stacks=[100] * 3, cards={1: QUEENS, 2: KINGS, 3: ACES}, board=BLANKS)
    table = played(
        opened, "3 raises to 6", "1 calls", "2 calls", "1 checks", "2 checks", "3 bets 10", "1 calls", "2 calls"
    )
    table.do(*["1 checks", "2 checks", "3 checks"] * 2)
    assert ends(table) == ["1 shows", "2 shows", "3 shows"]


def test_if_the_river_was_not_played_the_first_left_of_the_button_shows_first() -> None:
    opened = open_hand_for(stacks=[100] * 3, cards={1: QUEENS, 2: KINGS, 3: ACES}, board=BLANKS)
    table = played(opened, "3 raises to 100", "1 calls", "2 calls")
    assert ends(table) == ["1 shows", "2 shows", "3 shows"]


def test_one_order_for_all_pots() -> None:
    """Seat 1 is all-in for the main pot; seat 2 bets the side pot on the river and shows first, seat 1 last."""
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: ACES, 2: QUEENS, 3: KINGS}, board=BLANKS)
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", *["2 checks", "3 checks"] * 2, "2 bets 2", "3 calls")
    assert ends(table) == ["2 shows", "3 shows", "1 shows"]
    assert table.won == {1: 30, 3: 4}


# --- show or muck ----------------------------------------------------------------------------------------------------


def test_a_hand_already_beaten_is_mucked() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 beaten", "3 beaten"]


def test_a_hand_that_is_not_yet_beaten_is_shown_even_if_it_will_lose() -> None:
    table = three({1: QUEENS, 2: KINGS, 3: ACES}).do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 shows", "3 shows"]


def test_an_equal_hand_is_not_beaten() -> None:
    table = three({1: "Ac Kd", 2: "Ad Kc", 3: LOW_CARDS}).do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 shows", "3 beaten"]
    assert table.won == {1: 3, 2: 3}


def test_a_hand_that_is_beaten_for_the_main_pot_but_not_for_a_side_pot_is_shown() -> None:
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: ACES, 2: QUEENS, 3: KINGS}, board=BLANKS)
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", "2 bets 2", "3 calls")
    table.do(*["2 checks", "3 checks"] * 2)
    assert ends(table) == ["1 shows", "2 shows", "3 shows"]
    assert table.won == {1: 30, 3: 4}


def test_hi_lo_a_hand_beaten_for_high_is_shown_for_its_low() -> None:
    board = "8c 7d 3s Kh Td"
    opened = open_hand_for("omaha-hilo", stacks=[100] * 2, cards={1: "Kc Ks Qd Jd", 2: "Ah 2h Qc Jc"}, board=board)
    table = played(opened, "2 calls", "1 checks", *["1 checks", "2 checks"] * 3)
    assert ends(table) == ["1 shows", "2 shows"]


def test_hi_lo_a_hand_beaten_for_high_and_low_is_mucked() -> None:
    board = "8c 7d 3s Kh Td"
    opened = open_hand_for("omaha-hilo", stacks=[100] * 2, cards={1: "Kc Ks Ad 2d", 2: "Ah 4h Qc Jc"}, board=board)
    table = played(opened, "2 calls", "1 checks", *["1 checks", "2 checks"] * 3)
    assert ends(table) == ["1 shows", "2 beaten"]


def test_a_beaten_hand_is_shown_if_its_player_asks() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("3 asks to show", "1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 beaten", "3 shows"]
    assert table.found(fact.HandShown)[-1].because is ShownBecause.ASKED
    assert table.won == {1: 6}


def test_the_last_one_left_need_not_show() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="ace")
    table.do("1 gives up at the showdown", "2 gives up at the showdown", "1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 given_up", "2 given_up", "3 last_left"]
    assert table.won == {3: 6}


def test_the_last_one_left_shows_if_he_asks() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="ace")
    table.do("1 gives up at the showdown", "2 gives up at the showdown", "3 asks to show")
    table.do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 given_up", "2 given_up", "3 shows"]


def test_with_what_a_pot_was_won_is_said_only_of_a_hand_that_was_shown() -> None:
    """Folded and mucked hands are never public."""
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="ace")
    table.do("1 gives up at the showdown", "2 gives up at the showdown", "1 checks", "2 checks", "3 checks")
    assert [one.hand for one in table.found(fact.PotAwarded)] == [""]


@pytest.mark.parametrize("game", ["omaha", "omaha-hilo"])
def test_classic_everyone_remaining_shows_in_omaha_and_hi_lo(game) -> None:
    cards = {1: "Ac Ad 4h 2h", 2: "Kc Kd Ts 6s", 3: "Qc Qd Kh 6h"}
    table = three(cards, game=game, rulebook="classic").do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 shows", "3 shows"]
    table = three(cards, game=game, rulebook="euro").do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 beaten", "3 beaten"]


def test_classic_a_beaten_hand_is_mucked_in_holdem() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="classic").do("1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 beaten", "3 beaten"]


@pytest.mark.parametrize("rulebook", ["ace", "classic"])
def test_an_unbeaten_hand_may_be_given_up_in_holdem_under(rulebook) -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook=rulebook)
    table.do("1 gives up at the showdown", "1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 given_up", "2 shows", "3 beaten"]
    assert table.won == {2: 6}


@pytest.mark.parametrize(("game", "rulebook"), [("omaha", "ace"), ("omaha-hilo", "ace")])
def test_ace_an_unbeaten_hand_may_be_given_up_in_every_game(game, rulebook) -> None:
    table = Table(open_hand_for(game, rulebook=rulebook, stacks=[100] * 2))
    table.do("1 gives up at the showdown")
    assert table.found(fact.ShowdownWished) == [fact.ShowdownWished(1, fact.Wish.GIVE_UP)]


@pytest.mark.parametrize(
    ("game", "rulebook"),
    [("holdem", "euro"), ("holdem", "omaha-guide"), ("omaha", "euro"), ("omaha", "classic"), ("omaha-hilo", "classic")],
)
def test_no_other_rulebook_lets_an_unbeaten_hand_be_given_up(game, rulebook) -> None:
    table = Table(open_hand_for(game, rulebook=rulebook, stacks=[100] * 2))
    assert "it can't be given up" in table.refusal("1 gives up at the showdown")


def test_a_side_pot_that_nobody_else_contests_can_not_be_given_up() -> None:
    """Seat 2 has a side pot to himself once seat 3 folds; were he to lay his hand down, nobody could have it."""
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: ACES, 2: KINGS, 3: QUEENS}, board=BLANKS, rulebook="ace")
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", "2 gives up at the showdown")
    table.do("2 bets 2", "3 calls", "2 bets 2", "3 folds")
    assert table.hand.settled
    assert table.won == {1: 30, 2: 4}


def test_given_up_in_the_main_pot_and_won_by_the_rest() -> None:
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: QUEENS, 2: ACES, 3: KINGS}, board=BLANKS, rulebook="ace")
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", "2 gives up at the showdown")
    table.do("2 bets 2", "3 calls", *["2 checks", "3 checks"] * 2)
    assert ends(table) == ["1 shows", "2 given_up", "3 shows"]
    assert table.won == {3: 30 + 4}


def test_a_wish_is_of_no_effect_on_the_play_before_the_showdown() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="ace")
    before = table.hand.turn
    table.do("3 gives up at the showdown")
    assert table.hand.turn == before
    assert table.do("1 bets 2", "2 folds").awaited == (3, "call 2, raise 4..98")


def test_the_last_wish_counts() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}, rulebook="ace")
    table.do("1 gives up at the showdown", "1 asks to show", "1 checks", "2 checks", "3 checks")
    assert ends(table) == ["1 shows", "2 beaten", "3 beaten"]


# --- all hands turned up ---------------------------------------------------------------------------------------------


def test_where_betting_ended_early_all_live_hands_are_turned_up_before_the_next_card() -> None:
    opened = open_hand_for(stacks=[50, 100, 100], cards={1: ACES, 2: KINGS, 3: QUEENS}, board=BLANKS)
    table = played(opened, "3 folds", "1 raises to 50", "2 calls")
    assert ends(table) == ["1 shows", "2 shows"]
    kinds = [type(one) for one in table.facts]
    assert kinds.index(fact.HandShown) < kinds.index(fact.BoardDealt)
    assert all(one.because is ShownBecause.ALL_IN for one in table.found(fact.HandShown))


def test_turned_up_hands_are_shown_once_and_none_is_mucked_or_given_up() -> None:
    opened = open_hand_for(stacks=[50, 100, 100], cards={1: ACES, 2: KINGS, 3: QUEENS}, board=BLANKS, rulebook="ace")
    table = played(opened, "1 gives up at the showdown", "3 folds", "1 raises to 50", "2 calls")
    assert ends(table) == ["1 shows", "2 shows"]
    assert table.won == {1: 100}


def test_hands_stay_down_while_two_have_chips() -> None:
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: ACES, 2: KINGS, 3: QUEENS}, board=BLANKS)
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", "2 checks", "3 checks")
    assert ends(table) == []


def test_hands_are_turned_up_as_soon_as_a_fold_leaves_one_with_chips() -> None:
    opened = open_hand_for(stacks=[10, 100, 100], cards={1: ACES, 2: KINGS, 3: QUEENS}, board=BLANKS)
    table = played(opened, "3 raises to 10", "1 calls", "2 calls", "2 bets 10", "3 folds")
    assert ends(table) == ["1 shows", "2 shows"]
    assert len(table.hand.board) == 5


def test_a_hand_is_not_seen_before_the_river_was_called() -> None:
    """Scenario 44."""
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("1 bets 10", "2 calls")
    assert ends(table) == []
    table.do("3 folds")
    assert ends(table) == ["1 shows", "2 beaten"]


def test_folded_hands_are_never_public() -> None:
    """Scenario 44: the bettor alone is left: no card of either is in any fact after the deal."""
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("1 bets 10", "2 folds", "3 folds")
    assert ends(table) == []
    assert table.found(fact.PotAwarded) == [fact.PotAwarded(0, fact.Part.WHOLE, 1, 6, 0, "")]


def test_a_folded_player_can_not_show() -> None:
    table = three({1: ACES, 2: KINGS, 3: QUEENS}).do("1 folds")
    assert "only a live hand can be shown or given up" in table.refusal("1 asks to show")


# --- high and low ----------------------------------------------------------------------------------------------------


def hilo(cards: dict[int, str], board: str) -> Table:
    opened = open_hand_for("omaha-hilo", stacks=[50] * len(cards), cards=cards, board=board)
    opener = [f"{seat} calls" for seat in cards if seat > 2]
    raiser = "3 raises to 50" if len(cards) > 2 else "2 raises to 50"
    rest = [*opener[1:], "1 calls", "2 calls"] if len(cards) > 2 else ["1 calls"]
    return played(opened, raiser, *rest)


def test_half_to_the_best_high_and_half_to_the_best_low() -> None:
    """The worked example of section 4."""
    table = hilo({1: "As 3s Jd Tc", 2: "Ad 2s Qc 9h"}, "5s 7s 8h Qs Kd")
    assert [(one.seat, one.part, one.amount, one.hand) for one in table.found(fact.PotAwarded)] == [
        (1, fact.Part.HIGH, 50, "flush"),
        (2, fact.Part.LOW, 50, "8-7-5-2-A low"),
    ]


def test_no_low_all_to_the_high() -> None:
    table = hilo({1: "As Ad Kh 2c", 2: "Qd Qh Tc 8c"}, "Qs Jd 9c 9h 4s")
    assert table.won == {2: 100}
    assert [one.part for one in table.found(fact.PotAwarded)] == [fact.Part.WHOLE]


def test_one_player_may_win_both() -> None:
    """A-2 of spades on 3-4-5 of spades scoops."""
    assert hilo({1: "As 2s 9d 9c", 2: "Kc Ks 7d 7c"}, "3s 4s 5s Kd Qh").won == {1: 100}


def test_unless_another_holds_6_7_of_spades_who_then_has_the_high() -> None:
    assert hilo({1: "As 2s 9d 9c", 2: "6s 7s Kc Kh"}, "3s 4s 5s Kd Qh").won == {1: 50, 2: 50}


def test_or_another_has_an_ace_and_a_deuce_who_gets_a_quarter() -> None:
    assert hilo({1: "As 2s 9d 9c", 2: "Ad 2d Kc Kh"}, "3s 4s 5s Kd Qh").won == {1: 75, 2: 25}


def test_two_lows_tied_get_a_quarter_each() -> None:
    table = hilo({1: "Kc Ks 5d 4d", 2: "Ah 2h Qc Jc", 3: "As 2d 9h 9c"}, "8c 7d 3s Kh Td")
    assert table.won == {1: 75, 2: 38, 3: 37}


def test_omaha_uses_exactly_two_of_the_hand() -> None:
    """Four hearts on the board make no flush for one heart in hand; a pair in hand does better."""
    opened = open_hand_for("omaha", stacks=[50] * 2, cards={1: "Ah Kc Qd 2s", 2: "9c 9d 3s 4s"}, board="2h 5h 8h Jh 7c")
    assert played(opened, "2 raises to 50", "1 calls").won == {2: 100}


def test_in_holdem_the_board_may_play() -> None:
    opened = open_hand_for(stacks=[50] * 2, cards={1: "2c 3d", 2: "4h 5d"}, board="Ts Js Qs Ks As")
    assert played(opened, "2 raises to 50", "1 calls").won == {1: 50, 2: 50}
