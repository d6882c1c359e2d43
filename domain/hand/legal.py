"""What the awaited decision allows, in words: for whoever is asked, and for a refusal that says what is right."""

from collections.abc import Sequence

from domain.hand import events as fact
from domain.hand.state import Action, Hand
from domain.money import decimal_text
from domain.rules.phrases import counted


def legal(hand: Hand) -> str:
    """ "call 5.00, raise to 10.00 up to 198.00, or fold"; "" where no decision is awaited."""
    match hand.turn:
        case fact.TurnGiven():
            return actions(hand.turn, hand)
        case fact.BringInOwed():
            return f"bring in for {between(hand.turn.least, hand.turn.most, hand)}"
        case fact.DrawOffered():
            return f"draw up to {counted(hand.turn.most, 'card')} or stand pat"
        case fact.SplitOffered() if hand.stack[hand.turn.seat]:
            return _either(["agree to split", *_betting(hand.turn, hand), "fold"])
        case fact.SplitOffered():
            return "agree to split or refuse"
        case _:
            return ""


def actions(turn: Action, hand: Hand) -> str:
    """What a player with chips may do, a vote aside."""
    return _either([*_betting(turn, hand), "fold"])


def chips(amount: int, hand: Hand) -> str:
    """An amount in the hand's currency, without its name: "2.50"."""
    return decimal_text(amount, hand.opened.scale)


def between(least: int, most: int, hand: Hand) -> str:
    """From one amount up to another; fixed limit has nothing between the two (rules.md section 2, open pair)."""
    if least == most:
        return chips(least, hand)
    return f"{chips(least, hand)} {'or' if hand.fixed else 'up to'} {chips(most, hand)}"


def _betting(turn: Action, hand: Hand) -> list[str]:
    choices = [f"call {chips(turn.call, hand)}" if turn.call else "check"]
    if turn.most:
        choices.append(f"{'raise to' if hand.wager else 'bet'} {between(turn.least, turn.most, hand)}")
    return choices


def _either(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])}{',' * (len(choices) > 2)} or {choices[-1]}"
