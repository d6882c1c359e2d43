"""The split vote: whom the offer reaches next, and which pots it divides (rules.md section 6)."""

from collections.abc import Sequence

from domain.hand import events as fact
from domain.hand.betting import turn_of
from domain.hand.pots import Pot, pots
from domain.hand.state import Hand


def next_offer(hand: Hand, after: int) -> fact.SplitOffered | None:
    """The next seat clockwise after one that is asked: in a pot that nobody refused, and not asked yet.

    None where none is left. Any other action than a vote clears the votes, and nobody looks for an offer after it.
    """
    standing = pots(hand.put_in, hand.contesting, hand.dead)
    at_stake = [pot for pot in standing if pot.shared and not any(_refused(hand, seat) for seat in pot.seats)]
    for seat in hand.clockwise[after]:
        if seat not in hand.votes and any(seat in pot.seats for pot in at_stake):
            if not hand.stack[seat] or hand.able_to_bet() == 1:
                return fact.SplitOffered(seat, 0, 0, 0)
            turn = turn_of(hand, seat)
            return fact.SplitOffered(seat, turn.call, turn.least, turn.most)
    return None


def agreed(hand: Hand, standing: Sequence[Pot]) -> frozenset[int]:
    """The numbers of the pots whose players have all voted to split."""
    return frozenset(
        number
        for number, pot in enumerate(standing)
        if pot.shared and all(hand.votes.get(seat) is True for seat in pot.seats)
    )


def _refused(hand: Hand, seat: int) -> bool:
    return hand.votes.get(seat) is False
