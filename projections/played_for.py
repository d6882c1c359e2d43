"""The stakes of a hand in a word, as people call its table: the one that reports filter and total by."""

from domain.hand.events import HandOpened
from domain.money import decimal_text
from domain.rules.vocabulary import Limit


def played_for(opened: HandOpened) -> str:
    """`2.00/4.00`: the bets of fixed limit, else the blinds; where there are neither, the minimum bet: `1.00`."""
    stakes = opened.stakes
    fixed = opened.limit is Limit.FIXED
    pair = (stakes.small_bet, stakes.big_bet) if fixed else (stakes.small_blind, stakes.big_blind)
    amounts = pair if any(pair) else (stakes.min_bet,)
    return "/".join(decimal_text(amount, opened.scale) for amount in amounts)
