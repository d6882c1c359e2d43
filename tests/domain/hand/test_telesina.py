"""rules.md section 4.7 and section 3 as Telesina plays them: the vela, the two-player exception, the last round."""

from domain.hand import events as fact
from tests.hands import Table, stacked

LOWEST_IN_SPADES = "As 7s 8s 9s Ts"
ROYAL = "Th Jh Qh Kh Ah"


def to_the_showdown(cards: dict[int, str], all_in_with: dict[int, int] | None = None) -> Table:
    """No limit, ante 1: all stay in to the vela, 7c, and nobody bets, or on 2nd street all go all-in with what they
    have."""
    stacks = all_in_with or dict.fromkeys(cards, 100)
    table = stacked("telesina", "no", (0, 0), ante=1, bring_in=2, cards=cards, board="7c", stacks=stacks)
    turn = table.hand.turn
    assert isinstance(turn, fact.BringInOwed)
    table.do(f"{turn.seat} brings in for {turn.most if all_in_with else turn.least}")
    while not table.hand.settled:
        turn = table.hand.turn
        assert isinstance(turn, fact.TurnGiven)
        table.do(f"{turn.seat} {'calls' if turn.call else 'checks'}")
    return table


def winners(table: Table) -> dict[int, list[int]]:
    """The winners of each pot."""
    found: dict[int, list[int]] = {}
    for award in table.found(fact.PotAwarded):
        found.setdefault(award.pot, []).append(award.seat)
    return found


def test_of_two_the_lowest_straight_flush_in_spades_beats_the_highest_in_hearts() -> None:
    table = to_the_showdown({1: ROYAL, 2: LOWEST_IN_SPADES}, {1: 100, 2: 100})
    assert winners(table) == {0: [2]}


def test_and_only_it() -> None:
    table = to_the_showdown({1: ROYAL, 2: "7s 8s 9s Ts Js"}, {1: 100, 2: 100})
    assert winners(table) == {0: [1]}
    in_diamonds = to_the_showdown({1: "Td Jd Qd Kd Ad", 2: LOWEST_IN_SPADES}, {1: 100, 2: 100})
    assert winners(in_diamonds) == {0: [1]}


def test_with_three_in_the_pot_the_royal_wins() -> None:
    three = {1: ROYAL, 2: LOWEST_IN_SPADES, 3: "7d 8d 9c Jc Qd"}
    assert winners(to_the_showdown(three, {1: 100, 2: 100, 3: 100})) == {0: [1]}


def test_judged_pot_by_pot() -> None:
    """The royal has the main pot that three contest, the lowest in spades the side pot of the two."""
    three = {1: ROYAL, 2: LOWEST_IN_SPADES, 3: "7d 8d 9c Jc Qd"}
    table = to_the_showdown(three, {1: 100, 2: 100, 3: 40})
    assert table.pots == (120, 120)
    assert winners(table) == {0: [1], 1: [2]}


def test_the_royal_that_shows_first_does_not_let_the_spades_muck() -> None:
    """The best hand showing shows first; the spades are not beaten by it."""
    table = to_the_showdown({1: ROYAL, 2: LOWEST_IN_SPADES})
    assert [shown.seat for shown in table.found(fact.HandShown)] == [1, 2]
    assert table.won == {2: 6}
    spades_first = to_the_showdown({1: "Kh Th Jh Qh Ah", 2: "Ts As 7s 8s 9s"})
    assert table.won == spades_first.won


def test_two_are_two_that_came_to_the_showdown_whoever_mucks_there() -> None:
    """Three contest the pot; the third is beaten and mucks, and the royal still wins."""
    table = to_the_showdown({1: ROYAL, 2: LOWEST_IN_SPADES, 3: "7d 8d 9c Jc Qd"})
    assert list(table.won) == [1]


def test_the_vela_makes_five_rounds_and_its_bettor_shows_first() -> None:
    cards = {1: "7h Kd 9c Jc Qd", 2: "7d Ad 8c Js Qs", 3: "8d Jd 9h Tc Qc"}
    table = stacked("telesina", "fixed", (4, 8), ante=1, cards=cards, board="Th", stacks=dict.fromkeys(cards, 100))
    table.do("2 brings in for 2", "3 calls", "1 calls")
    for _ in range(3):
        table.do("2 checks", "3 checks", "1 checks")
    assert table.found(fact.BoardDealt)[0].street == "vela"
    table.do("2 checks", "3 bets 8", "1 calls", "2 folds")
    assert next(shown.seat for shown in table.found(fact.HandShown)) == 3
    assert len(table.found(fact.RoundOpened)) == 5


def test_the_vela_is_no_part_of_the_hands_showing() -> None:
    cards = {1: "7h Kd 9c Jc Qd", 2: "7d Ad 8c Js Qs", 3: "8d Jd 9h Tc 9s"}
    table = stacked("telesina", "fixed", (4, 8), ante=1, cards=cards, board="Ac", stacks=dict.fromkeys(cards, 100))
    table.do("2 brings in for 2", "3 calls", "1 calls", "2 checks", "3 checks", "1 checks", "2 checks", "3 checks")
    table.do("1 checks", "3 checks", "1 checks", "2 checks")
    assert table.awaited == (3, "check, bet 8")
