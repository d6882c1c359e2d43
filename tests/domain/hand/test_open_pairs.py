"""rules.md section 2, Antes and bring-ins: an open pair on 4th street, in fixed limit."""

from domain.hand import events as fact
from tests.hands import Table, stacked

KINGS = {1: "2h 3c 4c 5d", 2: "2s 3d Kh Kc", 3: "4s 5s 9c Td"}
NO_PAIR = {1: "2h 3c 4c 5d", 2: "2s 3d Kh Qc", 3: "4s 5s 9c Td"}


def fourth_street(game: str = "stud", rulebook: str = "ace", cards=KINGS, stacks=(100, 100, 100), **terms) -> Table:
    """A $2/$4 table; seat 2 shows kings and opens. Three are in, who have put in 1 each."""
    table = stacked(game, "fixed", (2, 4), ante=1, rulebook=rulebook, cards=cards, stacks=stacks, **terms)
    return table.do("1 brings in for 1" if rulebook == "ace" else "1 brings in for 2", "2 calls", "3 calls")


def test_ace_stud_and_its_hilo_any_player_may_bet_small_or_big() -> None:
    for game in ("stud", "stud-hilo"):
        table = fourth_street(game)
        assert table.awaited == (2, "check, bet 2 or 4")
        assert table.do("2 checks").awaited == (3, "check, bet 2 or 4")


def test_euro_stud_only() -> None:
    assert fourth_street("stud", "euro").awaited == (2, "check, bet 2 or 4")
    assert fourth_street("stud-hilo", "euro").awaited == (2, "check, bet 2")


def test_only_where_a_pair_shows_and_only_on_4th_street() -> None:
    assert fourth_street(cards=NO_PAIR).awaited == (2, "check, bet 2")
    on_fifth = fourth_street(cards={1: "2h 3c 4c 5d 6c", 2: "2s 3d Kh Qc Kc", 3: "4s 5s 9c Td 8h"})
    assert on_fifth.do("2 checks", "3 checks", "1 checks").awaited == (2, "check, bet 4")


def test_a_pair_in_the_hole_is_not_open() -> None:
    assert fourth_street(cards={1: "2h 3c 4c 5d", 2: "Ks Kd Ah Qc", 3: "4s 5s 9c Td"}).awaited == (2, "check, bet 2")


def test_only_in_fixed_limit() -> None:
    table = stacked("stud", "no", (0, 4), ante=1, bring_in=2, rulebook="ace", cards=KINGS, stacks=[100] * 3)
    assert table.do("1 brings in for 2", "2 calls", "3 calls").awaited == (2, "check, bet 4..97")


def test_a_bet_of_three_is_neither() -> None:
    assert fourth_street().refusal("2 bets 3") == "seat 2 may bet 2 or 4 and nothing else, not 3"


def test_after_2_raise_2_or_4() -> None:
    table = fourth_street().do("2 bets 2")
    assert table.awaited == (3, "call 2, raise 4 or 6")
    assert table.do("3 raises to 4").awaited == (1, "call 4, raise 6 or 8")


def test_after_a_4_only_4s() -> None:
    assert fourth_street().do("2 bets 4").awaited == (3, "call 4, raise 8")
    assert fourth_street().do("2 bets 2", "3 raises to 6").awaited == (1, "call 6, raise 10")


def test_three_raises_whatever_their_size() -> None:
    for rulebook in ("ace", "euro"):
        small = fourth_street(rulebook=rulebook).do("2 bets 2", "3 raises to 4", "1 raises to 6", "2 raises to 8")
        assert small.awaited == (3, "call 4")
        mixed = fourth_street(rulebook=rulebook).do("2 bets 2", "3 raises to 4", "1 raises to 8", "2 raises to 12")
        assert mixed.awaited == (3, "call 8")


def test_the_step_is_the_small_bet_until_a_big_one_was_made() -> None:
    """2, all-in 3: half of the step to 4, so it counts as 4, and 4 is completed, not counted again."""
    table = fourth_street(stacks=(100, 100, 5)).do("2 bets 2", "3 raises to 3")
    assert table.awaited == (1, "call 3, raise 4")
    table.do("1 raises to 4", "2 raises to 6", "1 raises to 8")
    assert table.awaited == (2, "call 2")


def test_less_than_half_of_the_small_step_is_only_a_dearer_call() -> None:
    table = stacked("stud", "fixed", (20, 40), ante=1, rulebook="ace", cards=KINGS, stacks=(300, 300, 40))
    table.do("1 brings in for 10", "2 calls", "3 calls")
    table.do("2 bets 20", "3 raises to 29")
    assert table.awaited == (1, "call 29, raise 40 or 60")
    assert table.do("1 calls").awaited == (2, "call 9")


def test_an_all_in_between_the_small_and_the_big_bet_is_no_big_one() -> None:
    table = stacked("stud", "fixed", (20, 40), ante=1, rulebook="ace", cards=KINGS, stacks=(300, 36, 300))
    table.do("1 brings in for 10", "2 calls", "3 calls")
    assert table.awaited == (2, "check, bet 20 or 25")
    assert table.do("2 bets 25").awaited == (3, "call 25, raise 40 or 60")


def test_an_all_in_nearer_to_the_big_bet_is_one() -> None:
    table = stacked("stud", "fixed", (20, 40), ante=1, rulebook="ace", cards=KINGS, stacks=(300, 46, 300))
    table.do("1 brings in for 10", "2 calls", "3 calls", "2 bets 35")
    assert table.awaited == (3, "call 35, raise 40")
    assert table.do("3 raises to 40").awaited == (1, "call 40, raise 80")


def test_the_next_street_is_an_ordinary_one() -> None:
    cards = {seat: f"{hole} {fifth}" for (seat, hole), fifth in zip(KINGS.items(), ("6c", "7c", "8c"), strict=True)}
    table = fourth_street(cards=cards).do("2 bets 4", "3 calls", "1 calls")
    assert table.found(fact.RoundOpened)[-1].size == 4
    assert table.awaited == (2, "check, bet 4")
