"""Players who choose before it is their turn, by what their screens show of the hand."""

from random import Random

from domain.hand.state import Hand
from services.room.advance import Advance, Choice, price_for


def chooses(random: Random, hand: Hand) -> Advance | None:
    """What somebody chooses who isn't to act; not each choice can be made. None where nobody is left to choose."""
    asked = hand.turn.seat if hand.turn else 0
    seats = [seat for seat in hand.contesting if seat != asked and hand.stack[seat]]
    if not seats:
        return None
    seat = random.choice(seats)
    price = price_for(hand, seat)
    dear = [Choice.CHECK_FOLD, Choice.CALL, Choice.CALL, Choice.CALL_ANY, Choice.RAISE, Choice.RAISE_ANY, Choice.FOLD]
    free = [Choice.CHECK, Choice.CHECK, Choice.CHECK_FOLD, Choice.CALL_ANY, Choice.BET, Choice.RAISE_ANY]
    choice = random.choice(dear if price else free)
    stakes = hand.opened.stakes
    bet = stakes.small_bet or stakes.min_bet or stakes.big_blind
    amount = hand.wager + bet if choice in (Choice.BET, Choice.RAISE) else 0
    return Advance(hand.id, seat, choice, amount, price)
