"""rules.md section 5, Draws."""

import pytest

from domain.cards import faces
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import open_order
from tests.hands import Table, hole_of, open_hand_for, replayed, stacked


def predraw(game: str = "draw", players: int = 3, **terms) -> Table:
    """All have called the big blind; the last seat is the button."""
    table = Table(open_hand_for(game, terms.pop("limit", "fixed"), (2, 4), **{"stacks": [100] * players, **terms}))
    return table.do(*called(table, players))


def called(table: Table, players: int) -> list[str]:
    if players == 2:
        return ["2 calls", "1 checks"]
    return [*(f"{seat} calls" for seat in [*range(3, players + 1), 1]), "2 checks"]


def discards(table: Table, count: int) -> ask.Draw:
    """Throw away the first cards of whoever draws now."""
    turn = table.hand.turn
    assert isinstance(turn, fact.DrawOffered)
    return ask.Draw(table.hand.id, table.hand.decision, turn.seat, table.hand.dealt[turn.seat][:count])


# --- in turn ---------------------------------------------------------------------------------------------------------


def test_the_draw_begins_left_of_the_button_and_goes_clockwise() -> None:
    table = predraw()
    assert table.awaited == (1, "draw 0..5")
    table.do("1 stands pat", "2 stands pat")
    assert table.awaited == (3, "draw 0..5")
    assert table.do("3 stands pat").awaited == (1, "check, bet 4")


def test_32_card_draw_with_the_first_active_seat_after_the_big_blind() -> None:
    table = predraw("draw32")
    assert table.awaited == (3, "draw 0..4")
    table.do("3 stands pat", "1 stands pat", "2 stands pat")
    assert table.awaited == (3, "check, bet 4, or vote")


def test_32_card_draw_heads_up_the_button() -> None:
    table = predraw("draw32", players=2)
    assert table.hand.opened.button == 2
    assert table.awaited == (2, "draw 0..4")


def test_who_folded_does_not_draw_and_who_is_all_in_does() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100, 2, 100, 100]))
    table.do("3 calls", "4 folds", "1 calls")
    assert table.awaited == (1, "draw 0..5")
    assert table.do("1 stands pat").awaited == (2, "draw 0..5")
    assert table.do("2 stands pat").awaited == (3, "draw 0..5")


def test_draws_still_take_place_where_nobody_can_bet_and_hands_are_turned_up_after_the_last() -> None:
    table = Table(open_hand_for("triple-draw", "no", (1, 2), stacks=[50, 50]))
    table.do("2 raises to 50", "1 calls")
    for _ in range(3):
        assert not table.found(fact.HandShown)
        table.do("1 stands pat", "2 stands pat")
    assert [shown.because for shown in table.found(fact.HandShown)] == [fact.ShownBecause.ALL_IN] * 2
    assert table.hand.settled


def test_each_discards_and_gets_as_many() -> None:
    table = stacked("draw", "fixed", (2, 4), stacks=[100] * 3, cards={1: "As Ad 7c 8c 9c Kh Kd"})
    table.do("3 calls", "1 calls", "2 checks", "1 draws 2: 8c 9c")
    assert table.found(fact.CardsDiscarded) == [fact.CardsDiscarded(1, (9, 12))]
    assert faces(hole_of(table.hand, 1)) == "As Ad 7c Kh Kd"


@pytest.mark.parametrize(("game", "most"), [("draw", 5), ("triple-draw", 5), ("draw32", 4)])
def test_five_at_the_most_in_32_card_draw_four(game, most) -> None:
    table = predraw(game)
    turn = table.hand.turn
    assert isinstance(turn, fact.DrawOffered)
    assert turn.most == most
    if most < 5:
        refusal = table.refusal_of(discards(table, 5))
        assert refusal == f"seat {turn.seat} may discard 4 cards at the most, not 5"


def test_a_card_that_he_does_not_hold_or_names_twice() -> None:
    table = predraw()
    answer = (table.hand.id, table.hand.decision, 1)
    assert "doesn't hold card 51" in table.refusal_of(ask.Draw(*answer, (51,)))
    own = table.hand.dealt[1][0]
    assert "only once" in table.refusal_of(ask.Draw(*answer, (own, own)))


def test_a_draw_is_no_time_to_bet_and_a_bet_no_time_to_draw() -> None:
    table = predraw()
    assert table.refusal("1 bets 4") == "seat 1 draws now: discard up to 5 cards, or stand pat"
    assert table.refusal("1 folds") == "seat 1 draws now: discard up to 5 cards, or stand pat"
    table.do("1 stands pat", "2 stands pat", "3 stands pat")
    assert table.refusal("1 stands pat") == ("seat 1 is to act now: check, bet 4, or fold")


# --- too late --------------------------------------------------------------------------------------------------------


def test_too_late_he_stands_pat_and_may_neither_bet_nor_raise_in_the_round_that_follows() -> None:
    table = predraw().do("1 is late to draw", "2 stands pat", "3 stands pat")
    assert table.found(fact.StoodPat)[0] == fact.StoodPat(1, late=True)
    assert table.awaited == (1, "check")
    table.do("1 checks", "2 bets 4", "3 calls")
    assert table.awaited == (1, "call 4")
    assert table.refusal("1 raises to 8") == "seat 1 may not raise: it drew too late; call 4 or fold"


def test_he_may_call_all_in() -> None:
    table = predraw(limit="no", stacks=[20, 100, 100]).do("1 is late to draw", "2 stands pat", "3 stands pat")
    assert table.do("1 checks", "2 bets 60", "3 folds").awaited == (1, "call 16")


def test_in_triple_draw_in_time_at_the_next_draw_he_may_bet_again() -> None:
    table = predraw("triple-draw").do("1 is late to draw", "2 stands pat", "3 stands pat")
    table.do("1 checks", "2 checks", "3 checks", "1 stands pat", "2 is late to draw", "3 stands pat")
    assert table.awaited == (1, "check, bet 4")
    assert table.do("1 checks").awaited == (2, "check")


def test_if_all_are_late_the_round_is_checked_through() -> None:
    table = predraw().do("1 is late to draw", "2 is late to draw", "3 is late to draw")
    assert table.found(fact.Checked)[-3:] == [fact.Checked(1), fact.Checked(2), fact.Checked(3)]
    assert table.hand.settled


def test_all_who_can_act_late_is_enough() -> None:
    table = Table(open_hand_for("draw", "no", (1, 2), stacks=[100, 2, 100]))
    table.do("3 calls", "1 calls", "1 is late to draw", "2 stands pat", "3 is late to draw")
    assert table.hand.settled
    assert not table.found(fact.BetMade)


def test_the_round_of_the_first_draw_has_no_late_players() -> None:
    assert Table(open_hand_for("draw", "no", (1, 2), stacks=[9, 9])).awaited == (2, "call 1, raise 4..9")


# --- the deck runs out -----------------------------------------------------------------------------------------------


def six_handed(**terms) -> Table:
    """30 dealt; the first four draw five each: 2 are left for the fifth."""
    table = predraw("triple-draw", players=6, **terms)
    for _ in range(4):
        draw_all_five(table)
    return table


def draw_all_five(table: Table) -> None:
    seat = discards(table, 5).seat
    table.do(f"{seat} draws 5: {faces(hole_of(table.hand, seat))}")


def test_the_mucked_and_discarded_cards_are_shuffled_to_finish_the_draw() -> None:
    table = six_handed()
    assert table.hand.gone.bit_count() == 50
    draw_all_five(table)
    (again,) = table.found(fact.DeckReshuffled)
    assert again.indices == tuple(range(52, 52 + len(again.pile)))
    assert len(again.pile) == 25
    first, second = table.found(fact.CardsDealt)[-2:]
    assert (first.indices, len(second.indices)) == ((50, 51), 3)
    assert min(second.indices) >= 52


def test_folded_hands_go_in_too() -> None:
    table = Table(open_hand_for("triple-draw", "fixed", (2, 4), stacks=[100] * 6))
    table.do("3 folds", "4 calls", "5 calls", "6 calls", "1 calls", "2 checks")
    for _ in range(5):
        draw_all_five(table)
    (again,) = table.found(fact.DeckReshuffled)
    assert set(table.hand.dealt[3]) < set(again.pile)


def test_a_player_never_receives_a_card_that_he_himself_discarded_in_this_hand() -> None:
    table = six_handed()
    while not table.hand.settled:
        turn = table.hand.turn
        if isinstance(turn, fact.DrawOffered):
            draw_all_five(table)
        else:
            assert turn is not None
            table.do(f"{turn.seat} checks")
    assert len(table.found(fact.DeckReshuffled)) > 1
    order = open_order(table.hand)
    for seat in range(1, 7):
        thrown = {order[index] for index in table.hand.discards[seat]}
        assert thrown and thrown.isdisjoint(hole_of(table.hand, seat))


def test_a_card_that_is_passed_over_comes_first_for_the_next() -> None:
    """The pile is put back in order of rank here, and the fifth had the lowest cards."""
    table = six_handed(cards={5: "2c 2d 2h 2s 3c"})
    draw_all_five(table)
    dealt = table.found(fact.CardsDealt)[-1].indices
    passed_over = [index for index in range(52, max(dealt)) if index not in dealt]
    draw_all_five(table)
    assert len(passed_over) == 5
    assert table.found(fact.CardsDealt)[-1].indices[: len(passed_over)] == tuple(passed_over)


def test_the_order_after_a_reshuffle_is_that_of_the_facts_whoever_loads_the_hand() -> None:
    table = six_handed()
    draw_all_five(table)
    loaded = replayed(table.facts)
    assert open_order(loaded) == open_order(table.hand)
    assert len(open_order(loaded)) == loaded.indices == 77
