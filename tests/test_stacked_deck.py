"""A stacked deck gives each seat its cards in order, whoever folds, draws or makes the deck run out."""

import pytest

from domain.cards import faces
from domain.hand import events as fact
from tests.hands import Table, open_cards, stacked


def got(table: Table, seat: int) -> str:
    return faces(card for deal in table.found(fact.CardsDealt) if deal.seat == seat for card in open_cards(deal.cards))


def test_a_fold_in_stud_moves_no_card_of_the_others() -> None:
    cards = {1: "As Ah Kd Kc Qd Qc 2s", 2: "9s 9h 2c", 3: "8s 8h 7d 7c 6d 6c 3s"}
    table = stacked("stud", "fixed", (2, 4), stacks=[50, 50, 50], ante=1, bring_in=1, cards=cards)
    table.do("2 brings in for 1", "3 calls", "1 calls", "1 checks", "2 folds", "3 checks")
    for _ in range(3):
        table.do("1 checks", "3 checks")
    assert [got(table, 1), got(table, 3)] == [cards[1], cards[3]]
    assert got(table, 2).startswith(cards[2])


def test_a_community_card_of_stud_is_named_as_the_board() -> None:
    table = stacked("stud", "fixed", (2, 4), rulebook="ace", stacks=[50] * 8, ante=1, cards={1: "3s 3h 2c"}, board="Ad")
    table.do("1 brings in for 1", *(f"{seat} calls" for seat in range(2, 9)))
    while not table.found(fact.BoardDealt):
        table.do(f"{table.awaited[0]} checks")
    assert table.found(fact.BoardDealt)[0].cards == (49,)


def test_the_cards_that_come_after_a_reshuffle_lie_in_its_pile() -> None:
    """Six draw five each of 22: the fifth gets three cards that others threw away, named in the order he gets them."""
    thrown = {1: "2c 3c 4c 5c 7c", 2: "2d 3d 4d 5d 7d", 3: "2h 3h 4h 5h 7h", 4: "2s 3s 4s 5s 7s", 5: "8c 8d 8h 8s 9c"}
    cards = thrown | {5: thrown[5] + " As Ah 7s 2c 3d"}
    table = stacked("triple-draw", "fixed", (2, 4), stacks=[50] * 6, cards=cards)
    table.do("3 calls", "4 calls", "5 calls", "6 calls", "1 calls", "2 checks")
    table.do(*(f"{seat} draws 5: {five}" for seat, five in thrown.items()))
    assert len(table.found(fact.DeckReshuffled)) == 1
    assert got(table, 5) == cards[5]


def test_a_card_named_twice_cannot_come_twice() -> None:
    with pytest.raises(AssertionError, match="2c can't come at index 5: it has left the shoe, or is named twice"):
        stacked("stud", "fixed", (2, 4), stacks=[50, 50], ante=1, cards={1: "As Ah 2c", 2: "Ks Kh 2c"})
