"""rules.md section 6, The split vote of 32-card draw. Offer and betting start with the first seat after the blinds."""

from domain.hand import events as fact
from tests.hands import Table, open_hand_for, stacked

PAT = ("3 stands pat", "1 stands pat", "2 stands pat")


def after_the_draw(stacks=(100, 100, 100), **terms) -> Table:
    """Three have called 2; seat 3 is asked first, then 1, then 2."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=stacks, **terms))
    return table.do("3 calls", "1 calls", "2 checks", *PAT)


def with_a_side_pot(short: int) -> Table:
    """The short seat is all-in for the main pot of 90; the other two share a side pot of 40 and have 50 left."""
    stacks = {seat: 30 if seat == short else 100 for seat in (1, 2, 3)}
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=stacks))
    if short == 1:
        return table.do("3 raises to 50", "1 calls", "2 calls", *PAT)
    return table.do("3 calls", "1 raises to 50", "2 calls", "3 calls", *PAT)


def by_vote(table: Table) -> dict[int, list[int]]:
    """Pot number to what each of its players was given, in order."""
    given: dict[int, list[int]] = {}
    for award in table.found(fact.PotAwarded):
        if award.part is fact.Part.AGREED:
            given.setdefault(award.pot, []).append(award.amount)
    return given


def test_the_first_to_act_may_vote_beside_the_usual_actions_then_the_next_is_offered_it() -> None:
    table = after_the_draw()
    assert table.awaited == (3, "check, bet 2..98, or vote")
    assert table.do("3 votes to split").awaited == (1, "check, bet 2..98, or vote")
    assert table.do("1 votes to split").awaited == (2, "check, bet 2..98, or vote")


def test_when_all_have_voted_yes_the_pot_is_divided_without_a_showdown() -> None:
    table = after_the_draw().do("3 votes to split", "1 votes to split", "2 votes to split")
    assert by_vote(table) == {0: [2, 2, 2]}
    assert not table.found(fact.HandShown)
    assert not table.found(fact.HandMucked)
    assert table.stacks == {1: 100, 2: 100, 3: 100}


def test_only_in_32_card_draw_and_only_after_the_draw() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 3))
    assert table.refusal("3 votes to split").startswith("no split is offered: seat 3 is to act now")
    draw = Table(open_hand_for("draw", "no", (1, 2), stacks=[100] * 2))
    draw.do("2 calls", "1 checks", "1 stands pat", "2 stands pat")
    assert draw.refusal("1 votes to split").startswith("no split is offered: seat 1 is to act now")


def test_who_checks_ends_the_offer_for_those_after_him() -> None:
    table = after_the_draw().do("3 votes to split", "1 checks")
    assert table.awaited == (2, "check, bet 2..98")
    table.do("2 checks")
    assert by_vote(table) == {}
    assert table.found(fact.HandShown)


def test_a_first_player_who_acts_offers_nothing() -> None:
    assert after_the_draw().do("3 checks").awaited == (1, "check, bet 2..98")


def test_a_yes_already_given_stands_as_a_check() -> None:
    table = after_the_draw().do("3 votes to split", "1 bets 10")
    assert table.awaited == (2, "call 10, raise 20..98")
    table.do("2 folds")
    assert table.awaited == (3, "call 10, raise 20..98")
    assert table.do("3 raises to 20").awaited == (1, "call 10, raise 30..98")


def test_a_player_with_chips_refuses_by_acting() -> None:
    assert after_the_draw().refusal("3 refuses to split") == (
        "seat 3 has chips left and refuses the split by acting: check, bet 2 up to 98, or fold"
    )


def test_who_folds_ends_the_offer_too() -> None:
    table = after_the_draw().do("3 votes to split", "1 folds")
    assert table.awaited == (2, "check, bet 2..98")


def test_an_all_in_player_is_asked_in_his_turn_yes_or_no_only() -> None:
    table = with_a_side_pot(short=1).do("3 votes to split")
    assert table.awaited == (1, "vote or refuse")
    for sentence in ("1 checks", "1 folds"):
        assert table.refusal(sentence) == "seat 1 is all-in: agree to the split, or refuse it"


def test_a_no_spares_the_pots_that_he_is_not_in() -> None:
    """A yes, C no, B yes: 20 each from the side, the main goes to the showdown with no more betting."""
    table = with_a_side_pot(short=1)
    assert table.pots == (90, 40)
    table.do("3 votes to split", "1 refuses to split", "2 votes to split")
    assert by_vote(table) == {1: [20, 20]}
    assert sum(award.amount for award in table.found(fact.PotAwarded) if award.pot == 0) == 90
    assert table.found(fact.HandShown)
    assert table.hand.settled


def test_all_yes_divides_both_pots() -> None:
    table = with_a_side_pot(short=2).do("3 votes to split", "1 votes to split", "2 votes to split")
    assert by_vote(table) == {0: [30, 30, 30], 1: [20, 20]}


def test_the_other_action_of_a_player_with_chips_ends_the_offer_everywhere() -> None:
    table = with_a_side_pot(short=1).do("3 votes to split", "1 votes to split", "2 bets 10")
    assert table.awaited == (3, "call 10, raise 20..50")
    table.do("3 calls")
    assert by_vote(table) == {}


def test_a_no_of_an_all_in_player_leaves_the_others_to_bet_where_there_is_only_his_pot() -> None:
    table = after_the_draw(stacks=(2, 100, 100)).do("3 votes to split", "1 refuses to split")
    assert table.awaited == (2, "check, bet 2..98")
    assert table.do("2 bets 2").awaited == (3, "call 2, raise 4..98")


def test_with_all_of_them_all_in_the_first_remaining_seat_opens_the_offer() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[50, 50, 50]))
    table.do("3 raises to 50", "1 calls", "2 calls", *PAT)
    assert table.awaited == (3, "vote or refuse")
    assert not table.found(fact.HandShown)
    table.do("3 votes to split", "1 votes to split", "2 refuses to split")
    assert by_vote(table) == {}
    assert [shown.because for shown in table.found(fact.HandShown)] == [fact.ShownBecause.ALL_IN] * 3


def test_with_one_that_has_chips_he_is_asked_too_and_a_check_refuses() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[50, 50, 90]))
    table.do("3 raises to 50", "1 calls", "2 calls", *PAT)
    assert table.awaited == (3, "check or vote")
    table.do("3 checks")
    assert table.hand.settled
    assert by_vote(table) == {}


def test_a_pot_of_one_player_alone_is_nobodys_to_vote_on() -> None:
    """Seat 3 put 20 into a side pot and folded to a raise: it is seat 2's, whatever he and seat 1 do with the main."""
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[30, 100, 100]))
    table.do("3 raises to 50", "1 calls", "2 raises to 98", "3 folds", "1 stands pat", "2 stands pat")
    assert table.pots == (90, 40)
    assert table.awaited == (1, "vote or refuse")
    table.do("1 votes to split", "2 votes to split")
    assert by_vote(table) == {0: [45, 45]}
    assert table.found(fact.PotAwarded)[-1] == fact.PotAwarded(1, fact.Part.WHOLE, 2, 40, 0, "")


def test_where_the_only_shared_pot_is_refused_nobody_else_is_asked() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[30, 100, 100]))
    table.do("3 raises to 50", "1 calls", "2 raises to 98", "3 folds", "1 stands pat", "2 stands pat")
    assert table.do("1 refuses to split").hand.settled


def test_a_late_drawer_may_vote() -> None:
    table = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 3))
    table.do("3 calls", "1 calls", "2 checks", "3 is late to draw", "1 stands pat", "2 stands pat")
    assert table.awaited == (3, "check or vote")
    assert table.do("3 votes to split").awaited == (1, "check, bet 2..98, or vote")


def test_a_split_pot_is_raked_like_any_other_and_its_odd_chip_goes_left_of_the_button() -> None:
    table = Table(open_hand_for("draw32", "no", (100, 200), stacks=[10000] * 3, kind="real", currency="EUR"))
    table.do("3 raises to 10.01", "1 calls", "2 calls", *PAT)
    table.do("3 votes to split", "1 votes to split", "2 votes to split")
    (rake,) = table.found(fact.RakeTaken)
    assert rake.amount == 150
    assert by_vote(table) == {0: [951, 951, 951]}
    odd = Table(open_hand_for("draw32", "no", (1, 2), stacks=[100] * 3, button=3))
    odd.do("3 calls", "1 folds", "2 checks", "3 stands pat", "2 stands pat")
    odd.do("3 votes to split", "2 votes to split")
    assert by_vote(odd) == {0: [3, 2]}
    assert [award.seat for award in odd.found(fact.PotAwarded)] == [2, 3]


def test_a_player_may_still_show_at_his_wish() -> None:
    table = after_the_draw().do("1 asks to show", "3 votes to split", "1 votes to split", "2 votes to split")
    assert [(shown.seat, shown.because) for shown in table.found(fact.HandShown)] == [(1, fact.ShownBecause.ASKED)]


def test_nobody_bets_the_first_seat_after_the_big_blind_shows_first() -> None:
    cards = {1: "7c 8d 9h Jc Qd", 2: "7d 8h 9c Jd Kh", 3: "7h 8c 9d Jh Ac"}
    table = stacked("draw32", "no", (1, 2), stacks=[100] * 3, cards=cards)
    table.do("3 calls", "1 calls", "2 checks", *PAT, "3 checks", "1 checks", "2 checks")
    assert [shown.seat for shown in table.found(fact.HandShown)] == [3]
    assert [mucked.seat for mucked in table.found(fact.HandMucked)] == [1, 2]
