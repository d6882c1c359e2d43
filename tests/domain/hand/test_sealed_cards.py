"""A hand whose down cards and deck are sealed is the same hand: without keys its facts fold to the same chips, turns
and results, and no face that nobody was shown lies in it."""

from typing import Any

import pytest

from domain.hand import events as fact
from domain.hand.dealing import CardSealed, OpenShoe, open_order
from domain.hand.invariants import Broken, check, check_sealed
from domain.hand.state import Hand, evolve
from tests.domain.hand.sealed_hands import NAMES, hands_of, played, with_boxes_opened
from tests.hands import STATE, as_it_lies, everything_in, open_cards, open_deck, open_hand_for, replayed

OF_CARDS = {"opened", "decks", "hole", "faces", "known"}
"""Slots that tell the cards, as far as the log does."""

by_game = pytest.mark.parametrize("game", NAMES)


@by_game
def test_its_facts_are_those_of_the_open_hand_but_for_what_is_sealed(game: str) -> None:
    for step in played(game).steps:
        assert [with_boxes_opened(step.sealed_hand["id"], event) for event in step.sealed] == step.open


@by_game
def test_every_down_card_and_every_deck_is_sealed_and_nothing_else(game: str) -> None:
    for event in [event for step in played(game).steps for event in step.sealed]:
        check_sealed(event)
        if isinstance(event, fact.CardsDealt):
            assert {type(card) for card in event.cards} == {int if event.up else str}


@by_game
def test_after_each_decision_it_stands_as_the_open_hand_does(game: str) -> None:
    for step in played(game).steps:
        for slot in STATE:
            if slot not in OF_CARDS:
                assert step.sealed_hand[slot] == step.open_hand[slot], slot
        assert step.left[0] == step.left[1]


@by_game
def test_without_keys_its_facts_make_the_same_hand_and_break_no_invariant(game: str) -> None:
    again: Hand | None = None
    for step in played(game).steps:
        for event in step.sealed:
            again = evolve(None if isinstance(event, fact.HandOpened) else again, event)
        assert again
        again.facts = step.sealed
        check(again)
        assert everything_in(again) == step.sealed_hand


@by_game
def test_of_each_hand_only_the_faces_that_were_shown_are_known(game: str) -> None:
    for facts in hands_of(played(game)):
        hand, seen = replayed(facts), set[int]()
        shown = {event.seat: event.cards for event in facts if isinstance(event, fact.HandShown)}
        for event in facts:
            match event:
                case fact.CardsDealt(up=True) | fact.BoardDealt() | fact.HandShown():
                    seen.update(open_cards(event.cards))
        for seat in hand.order:
            faces = tuple([card for card in hand.hole[seat] if isinstance(card, int)])
            assert faces == (shown[seat] if seat in shown else hand.up[seat])
        reshuffled = {index for event in facts if isinstance(event, fact.DeckReshuffled) for index in event.pile}
        assert reshuffled or [card for card in range(52) if hand.faces >> card & 1] == sorted(seen)
        assert hand.known == hand.faces.bit_count()


def test_the_hands_came_to_all_that_turns_on_a_card() -> None:
    kinds = {game: {type(event) for facts in hands_of(played(game)) for event in facts} for game in NAMES}
    for game in NAMES:
        assert {fact.HandShown, fact.HandMucked, fact.Folded} <= kinds[game], game
    assert {game for game in NAMES if fact.DeckReshuffled in kinds[game]} >= {"triple-draw", "draw32"}


def test_the_order_of_a_sealed_deck_is_not_known_without_keys() -> None:
    hand = replayed(hands_of(played("holdem"))[0])
    with pytest.raises(CardSealed, match="needs card 0, sealed"):
        open_order(hand)


# --- what breaks an invariant, whatever is sealed --------------------------------------------------------------------


def sealed_hand() -> tuple[Hand, list[Any]]:
    """A hand up to its first decision, folded without keys, and its facts."""
    facts = played("holdem").steps[0].sealed
    return replayed(facts), facts


def some_dealt(facts: list[Any]) -> fact.CardsDealt:
    return next(event for event in facts if isinstance(event, fact.CardsDealt))


@pytest.mark.parametrize("index", [0, 52])
def test_a_card_dealt_twice_or_that_there_is_not_breaks_an_invariant(index: int) -> None:
    hand, facts = sealed_hand()
    evolve(hand, fact.CardsDealt(some_dealt(facts).seat, (index,), some_dealt(facts).cards[:1], up=False))
    with pytest.raises(Broken, match="13 cards were dealt of 52, but one twice, or one that there isn't"):
        check(hand)


def test_a_card_that_is_shown_and_lies_on_the_board_breaks_an_invariant() -> None:
    hand, _ = sealed_hand()
    evolve(hand, fact.BoardDealt("flop", (20, 21, 22), (3, 4, 5)))
    evolve(hand, fact.HandShown(1, (5, 6), fact.ShownBecause.ORDER))
    with pytest.raises(Broken, match="5 cards were seen, but 4 different faces: one is out twice"):
        check(hand)


def test_a_reshuffle_of_more_cards_than_come_back_breaks_an_invariant() -> None:
    hand, _ = sealed_hand()
    evolve(hand, fact.DeckReshuffled((0, 1, 2), (52, 53), fact.SealedDeck(2, "0" * 64, "box")))
    with pytest.raises(Broken, match="3 cards were reshuffled, but 2 lie behind the deck"):
        check(hand)


def test_with_the_shoe_a_card_that_lies_twice_in_the_deck_breaks_an_invariant() -> None:
    opened = open_hand_for(stacks=[50, 50])
    deck = open_deck(opened.deck)
    shoe = OpenShoe((*deck[:-1], deck[0]), as_it_lies)
    hand = Hand(opened)
    hand.facts = [opened]
    with pytest.raises(Broken, match="a card lies twice in the deck"):
        check(hand, shoe)
