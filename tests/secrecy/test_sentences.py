"""What goes wrong is told by indices: no sentence, and no divergence, names a face that the log hides."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from domain.cards import cards, faces
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe, SealBroken, open_order
from domain.hand.drawing import NotThePile, reshuffled
from domain.hand.invariants import Broken, check
from domain.hand.state import Hand
from domain.rulings.readjudicate import Divergence, RecordedCommit, RecordedFact, compare
from domain.rulings.recorded_shoe import RecordedShoes
from tests.hands import Table, open_cards, open_deck, stacked

FACE = r"\b[2-9TJQKA][cdhs]\b"


def with_others(hand: Hand, others: dict[int, int]) -> OpenShoe:
    """The hand's shoe, but other cards lie at these indices."""
    return OpenShoe([others.get(index, card) for index, card in enumerate(open_order(hand))], tuple)


class OtherPile(OpenShoe):
    """A shoe that shuffles another card than the pile's first."""

    def reshuffle(self, pile: Sequence[int]) -> tuple[int, ...]:
        return super().reshuffle([len(self.deck) - 1, *pile[1:]])


class OtherBox:
    """In every box is the deuce of clubs."""

    def order(self, hand: str, first: int, deck: fact.SealedDeck) -> None:
        return None

    def card(self, hand: str, seat: int, index: int, box: str) -> int:
        return 0


def six_who_draw_five(draws: int) -> Table:
    """2-7 triple draw with six players; for the fifth draw of five cards the deck runs out."""
    table = stacked("triple-draw", "no", stacks=[50] * 6, cards={})
    table.do(*(f"{seat} calls" for seat in (3, 4, 5, 6, 1)), "2 checks")
    for seat in range(1, draws + 1):
        table.do(f"{seat} draws 5: {faces(open_cards(table.hand.hole[seat]))}")
    return table


def told_of(raised: pytest.ExceptionInfo[Exception]) -> str:
    """A sentence that holds no face."""
    assert not re.search(FACE, str(raised.value))
    return str(raised.value)


def diverging(recorded: Any, decided: Any) -> Divergence:
    commit = RecordedCommit(0, 7, 0, None, [RecordedFact("hand:t1-1", 12, recorded)])
    found = compare(commit, lambda: [("hand:t1-1", [decided])])
    assert isinstance(found, Divergence)
    return found


def test_cards_that_are_dealt_on_another_path_stay_covered() -> None:
    found = diverging(fact.Folded(2), fact.CardsDealt(2, (30, 31), cards("AhKd"), up=False))
    assert found.decided == fact.CardsDealt(2, (30, 31), ("card30", "card31"), up=False)


def test_so_does_a_hand_that_the_log_doesn_t_show() -> None:
    shown = fact.HandShown(2, cards("AhKd"), fact.ShownBecause.ORDER)
    assert diverging(fact.HandMucked(2, fact.MuckedBecause.BEATEN), shown).decided.cards == ()
    assert diverging(fact.HandShown(3, cards("2c3c"), fact.ShownBecause.ORDER), shown).decided.cards == ()


def test_and_the_order_of_a_pile() -> None:
    found = diverging(fact.Folded(2), fact.DeckReshuffled((0, 1), (52, 53), cards("AhKd")))
    assert found.decided.cards == ()


def test_who_forges_a_record_is_told_no_card_that_he_didn_t_know() -> None:
    """Faces that stand in the record itself may be told, and no other: else a forged flop would buy the real one."""
    shown = fact.HandShown(2, cards("AhKd"), fact.ShownBecause.ORDER)
    assert diverging(fact.HandShown(2, cards("2c3c"), fact.ShownBecause.ORDER), shown).decided.cards == ()
    assert diverging(fact.HandShown(2, cards("AhKd"), fact.ShownBecause.ASKED), shown).decided == shown
    up = fact.CardsDealt(2, (30,), cards("Ah"), up=True)
    assert diverging(fact.Folded(2), up).decided.cards == ("card30",)
    flop = fact.BoardDealt("flop", (8, 9, 10), cards("Ah Kd 2c"))
    forged = fact.BoardDealt("flop", (8, 9, 10), cards("Ah 5c 6c"))
    assert diverging(forged, flop).decided.cards == (*cards("Ah"), "card9", "card10")


def test_a_card_in_two_places_is_told_by_its_indices() -> None:
    hand = six_who_draw_five(5).hand
    held = hand.dealt[6][0]
    with pytest.raises(Broken) as raised:
        check(hand, with_others(hand, {hand.indices - 1: open_order(hand)[held]}))
    assert told_of(raised) == f"cards {held} and {hand.indices - 1} are the same: one is in two places"


def test_a_card_that_comes_back_to_who_discarded_it_is_told_by_its_index() -> None:
    hand = six_who_draw_five(5).hand
    thrown, held = hand.discards[5][0], hand.dealt[5][-1]
    order = open_order(hand)
    again = next(index for index in range(52, hand.indices) if order[index] == order[thrown])
    with pytest.raises(Broken) as raised:
        check(hand, with_others(hand, {held: order[thrown], again: order[held]}))
    assert told_of(raised) == f"seat 5 was dealt card {held}, which it has discarded in this hand"


def test_another_pile_is_told_by_its_indices() -> None:
    hand = six_who_draw_five(4).hand
    with pytest.raises(NotThePile) as raised:
        reshuffled(hand, OtherPile(open_order(hand), tuple))
    assert told_of(raised).startswith("cards 0, 1, 2, 3, 6, 7, 8, 9, 12, ")


def test_another_card_in_a_box_is_told_by_its_index() -> None:
    opened = six_who_draw_five(0).opened
    shoes = RecordedShoes(OtherBox())
    shoes.feed([opened, fact.CardsDealt(2, (1,), ("box",), up=False)])
    with pytest.raises(SealBroken) as raised:
        shoes.new("t1-1", open_deck(opened.deck)).down(2, 1)
    assert told_of(raised) == "the box of card 1 for seat 2 holds another card than the deck has there"
