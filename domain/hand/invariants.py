"""What is true of every hand at every moment, stated once: the writer asks before it appends, verify after it."""

from domain.cards import FACES
from domain.hand.dealing import undealt
from domain.hand.events import BringInOwed, CardsDiscarded, HandOpened, PotAwarded, RakeTaken, TurnGiven
from domain.hand.state import Hand, Turn

_MAY_DEAL = (CardsDiscarded, HandOpened)
"""The first facts of a decision that moves cards once a deck was reshuffled; a hand that was folded has only its
opening."""


class Broken(Exception):
    """An invariant that doesn't hold: the hand must not go on."""


def check(hand: Hand) -> None:
    """Every invariant of a hand. Raises Broken with the first that doesn't hold."""
    stack, pot, rake, turn = hand.stack, hand.pot, hand.rake, hand.turn
    if sum(stack) + pot + rake != hand.brought:
        raise Broken(
            f"chips are not conserved: stacks {sum(stack)}, pot {pot} and rake {rake} make {sum(stack) + pot + rake}, "
            f"but {hand.brought} were brought"
        )
    if pot + rake + hand.awarded != sum(hand.put_in) + hand.dead:
        raise Broken(
            f"{sum(hand.put_in)} were put in and {hand.dead} are dead, but the pot holds {pot}, {rake} were raked and "
            f"{hand.awarded} awarded"
        )
    if pot < 0 or min(stack) < 0:
        raise Broken(f"an amount is negative: stacks {stack}, pot {pot}")
    out = hand.gone.bit_count() - hand.returned.bit_count()
    if hand.faces.bit_count() != out:
        raise Broken(f"{out} cards are out of the shoe, but {hand.faces.bit_count()} different faces: one is out twice")
    if hand.returned and type(hand.facts[0]) in _MAY_DEAL:
        _check_reshuffled(hand)
    if type(hand.facts[0]) is HandOpened and len(set(hand.opened.deck)) < len(hand.opened.deck):
        raise Broken("a card lies twice in the deck")
    if turn is None:
        _check_end(hand)
    elif turn.seat not in hand.contesting or _asks_too_much(turn, stack[turn.seat]):
        raise Broken(f"the action is on seat {turn.seat}, which can't do what it is asked: {turn}")


def _asks_too_much(turn: Turn, stack: int) -> bool:
    if type(turn) is TurnGiven:
        return turn.call > stack or not stack
    return type(turn) is BringInOwed and not 0 < turn.least <= turn.most <= stack


def _check_reshuffled(hand: Hand) -> None:
    """No card is in two places, and nobody holds a card that he discarded: before a reshuffle it can't come back."""
    left = [hand.deck[index] for index in undealt(hand)]
    if len(left) + hand.faces.bit_count() != len(hand.opened.deck):
        raise Broken(
            f"{len(left)} cards are left in the shoe and {hand.faces.bit_count()} are out of it: a deck has "
            f"{len(hand.opened.deck)}"
        )
    for card in left:
        if hand.faces >> card & 1:
            raise Broken(f"{FACES[card]} is both in the shoe and out of it")
    for seat in hand.order:
        for card in hand.hole[seat]:
            if hand.thrown[seat] >> card & 1:
                raise Broken(f"seat {seat} was dealt {FACES[card]}, which it has discarded in this hand")


def _check_end(hand: Hand) -> None:
    if not hand.settled:
        raise Broken("the hand awaits nothing and is not settled")
    if hand.pot:
        raise Broken(f"the hand is settled with {hand.pot} left in the middle")
    for event in hand.facts:
        if type(event) is PotAwarded and event.amount <= 0:
            raise Broken(f"a pot was awarded as nothing or less: {event}")
        if type(event) is RakeTaken and any(rake > pot for rake, pot in zip(event.by_pot, hand.pots, strict=True)):
            raise Broken(f"a pot bears more rake than is in it: {event}, pots {hand.pots}")
