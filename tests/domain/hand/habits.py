"""Players of all games who do something legal, each as often as their habits say."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.state import Hand
from tests.hands import open_deck


class Habits(NamedTuple):
    """How often, of 1, somebody raises where he may, folds where he must pay, folds where he need not, bets all that he
    may, and votes to split."""

    raising: float = 0.15
    folding: float = 0.15
    folding_for_nothing: float = 0.0
    most: float = 0.0
    voting: float = 0.3


def play_at_random(opened: fact.HandOpened, random: Random, habits: Habits) -> list[Any]:
    """The facts of a hand, seeded random play to its end."""

    def shuffled(pile: Sequence[int]) -> Sequence[int]:
        return random.sample(list(pile), len(pile))

    shoe = OpenShoe(open_deck(opened.deck), shuffled)
    hand = open_hand(opened, shoe)
    facts = list(hand.facts)
    while hand.turn:
        facts += decide(hand, random_command(hand, random, habits), shoe)
    return facts


def random_command(hand: Hand, random: Random, habits: Habits) -> Any:
    """Something legal. In fixed limit nobody bets or raises all-in for less than a full bet, and nobody bets the big
    bet at an open pair; a bring-in is the least or, in fixed limit, the full bet; in spread limit nobody makes a raise
    that is under the last one. Other programs have other rules there."""
    turn = hand.turn
    assert turn
    answers = (hand.id, hand.decision, turn.seat)
    if isinstance(turn, fact.BringInOwed):
        full = turn.most == hand.opened.stakes.small_bet and random.random() < habits.raising
        return ask.BringIn(*answers, turn.most if full else turn.least)
    if isinstance(turn, fact.DrawOffered):
        held = hand.dealt[turn.seat]
        return ask.Draw(*answers, tuple(random.sample(held, random.randint(0, min(turn.most, len(held))))))
    if isinstance(turn, fact.SplitOffered) and (not hand.stack[turn.seat] or random.random() < habits.voting):
        return ask.VoteToSplit(*answers, random.random() < 0.7 or bool(hand.stack[turn.seat]))
    to, dice = _amount(hand, turn, random, habits), random.random()
    if to and dice < habits.raising:
        return (ask.Raise if hand.wager else ask.Bet)(*answers, to)
    if dice > 1 - (habits.folding if turn.call else habits.folding_for_nothing):
        return ask.Fold(*answers)
    return ask.Call(*answers) if turn.call else ask.Check(*answers)


def _amount(hand: Hand, turn: fact.TurnGiven | fact.SplitOffered, random: Random, habits: Habits) -> int:
    """What to bet or raise to; 0 for nothing."""
    if hand.fixed:
        street = hand.game.streets[hand.street]
        full = hand.opened.stakes.big_bet if street.big else hand.opened.stakes.small_bet
        return 0 if turn.least % full else turn.least
    all_in = hand.live[turn.seat] + hand.stack[turn.seat]
    if not turn.most or turn.least < min(all_in, hand.wager + hand.full_raise):
        return 0
    if random.random() < habits.most:
        return turn.most
    return random.randint(turn.least, min(turn.most, turn.least + hand.pot))
