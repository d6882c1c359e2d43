"""What is true of every hand at every moment, stated once: the writer asks before it appends, verify after it."""

from typing import Any

from domain.hand import events as fact
from domain.hand.dealing import Shoe
from domain.hand.events import BringInOwed, CardsDiscarded, HandOpened, HandSettled, PotAwarded, RakeTaken, TurnGiven
from domain.hand.state import Hand, Turn


class Broken(Exception):
    """An invariant that doesn't hold: the hand must not go on."""


def check(hand: Hand, shoe: Shoe | None = None) -> None:
    """Every invariant of a hand; with its shoe, those of the cards that the log seals too. Raises Broken with the first
    that doesn't hold."""
    stack, aside, pot, rake, turn = hand.stack, hand.aside, hand.pot, hand.rake, hand.turn
    anybody_protected = any(aside)
    total = sum(stack) + pot + rake + (sum(aside) if anybody_protected else 0)
    if total != hand.brought:
        raise Broken(
            f"chips are not conserved: stacks {sum(stack)}, set aside {sum(aside)}, pot {pot} and rake {rake} "
            f"make {total}, but {hand.brought} were brought"
        )
    if pot + rake + hand.awarded != sum(hand.put_in) + hand.dead:
        raise Broken(
            f"{sum(hand.put_in)} were put in and {hand.dead} are dead, but the pot holds {pot}, {rake} were raked and "
            f"{hand.awarded} awarded"
        )
    if pot < 0 or min(stack) < 0 or (anybody_protected and min(aside) < 0):
        raise Broken(f"an amount is negative: stacks {stack}, set aside {aside}, pot {pot}")
    if hand.gone.bit_count() != hand.out or hand.gone >> hand.indices:
        raise Broken(f"{hand.out} cards were dealt of {hand.indices}, but one twice, or one that there isn't")
    if hand.indices != fact.size_of(hand.opened.deck) + hand.returned.bit_count():
        new = hand.indices - fact.size_of(hand.opened.deck)
        raise Broken(f"{hand.returned.bit_count()} cards were reshuffled, but {new} lie behind the deck")
    if hand.faces.bit_count() != hand.known:
        raise Broken(f"{hand.known} cards were seen, but {hand.faces.bit_count()} different faces: one is out twice")
    if shoe is not None and _may_double_a_card(hand):
        _check_cards(hand, shoe)
    if turn is None:
        _check_end(hand)
    elif hand.is_away(turn.seat):
        raise Broken(f"the action is on seat {turn.seat}, whose player left or is all-in protected")
    elif turn.seat not in hand.contesting or _asks_too_much(turn, stack[turn.seat]):
        raise Broken(f"the action is on seat {turn.seat}, which can't do what it is asked: {turn}")


def check_sealed(event: Any) -> None:
    """What a log must hide of a fact: cards that are dealt face down, and the order of a deck. Raises Broken."""
    match event:
        case fact.CardsDealt(up=False):
            for index, card in zip(event.indices, event.cards, strict=False):
                if isinstance(card, int):
                    raise Broken(f"card {index} of seat {event.seat} lies open in the log: {_SEALED}")
        case fact.HandOpened(deck=tuple()):
            raise Broken(f"the deck lies open in the log: {_SEALED}")
        case fact.DeckReshuffled(cards=tuple()):
            raise Broken(f"the order of the reshuffled cards lies open in the log: {_SEALED}")


_SEALED = "it must be sealed, so that nobody who reads the log sees a card that lies face down"


def _asks_too_much(turn: Turn, stack: int) -> bool:
    if type(turn) is TurnGiven:
        return turn.call > stack or not stack
    return type(turn) is BringInOwed and not 0 < turn.least <= turn.most <= stack


def _may_double_a_card(hand: Hand) -> bool:
    """Whether the decision under way opened the deck, or moved cards after a reshuffle. A refused command leaves no
    facts; a hand that was folded has only its opening."""
    first = type(hand.facts[0]) if hand.facts else None
    return first is HandOpened or (first is CardsDiscarded and hand.returned > 0)


def _check_cards(hand: Hand, shoe: Shoe) -> None:
    """No card lies twice in the deck; after a reshuffle none is in two places, and nobody holds one that he discarded:
    before it none can come back. Indices are named, no face: who sent the command may read it."""
    cards = [shoe.card(index) for index in range(hand.indices)]
    first = fact.size_of(hand.opened.deck)
    if len(set(cards[:first])) < first:
        raise Broken("a card lies twice in the deck")
    if not hand.returned:
        return
    seen: dict[int, int] = {}
    for index in [index for index in range(hand.indices) if not hand.returned >> index & 1]:
        if cards[index] in seen:
            raise Broken(f"cards {seen[cards[index]]} and {index} are the same: one is in two places")
        seen[cards[index]] = index
    if len(seen) != first:
        raise Broken(f"{len(seen)} cards are in the shoe and out of it: a deck has {first}")
    for seat in hand.order:
        thrown = {cards[index] for index in hand.discards[seat]}
        for index in hand.dealt[seat]:
            if cards[index] in thrown:
                raise Broken(f"seat {seat} was dealt card {index}, which it has discarded in this hand")


def _check_end(hand: Hand) -> None:
    if not hand.settled:
        raise Broken("the hand awaits nothing and is not settled")
    if hand.pot:
        raise Broken(f"the hand is settled with {hand.pot} left in the middle")
    if any(hand.aside):
        raise Broken(f"the hand is settled, but not everybody has back what was set aside for him: {hand.aside}")
    if hand.cancelled and any(hand.stack[one.seat] != one.stack for one in hand.opened.seats):
        raise Broken(f"the hand was cancelled, but not everybody has what he brought: {_stacks(hand)}")
    for event in hand.facts:
        if type(event) is PotAwarded and event.amount <= 0:
            raise Broken(f"a pot was awarded as nothing or less: {event}")
        if type(event) is HandSettled and not _is_the_end(hand, event):
            raise Broken(f"the hand ends with stacks {_stacks(hand)} and rake {hand.rake}, not as it says: {event}")
        if type(event) is RakeTaken and any(rake > pot for rake, pot in zip(event.by_pot, hand.pots, strict=True)):
            raise Broken(f"a pot bears more rake than is in it: {event}, pots {hand.pots}")


def _stacks(hand: Hand) -> dict[int, int]:
    return {seat: hand.stack[seat] for seat in sorted(hand.order)}


def _is_the_end(hand: Hand, settled: HandSettled) -> bool:
    """Whether the last fact says what the facts before it come to."""
    said = dict(zip(settled.seats, settled.stacks, strict=False))
    return said == _stacks(hand) and len(settled.seats) == len(settled.stacks) and settled.rake == hand.rake
