"""Who acts next, what is legal there, and what an action puts in (rules.md section 2)."""

from domain.hand import events as fact
from domain.hand.state import NOT_ACTED, Hand
from domain.rules.limits import NO_RAISE, Span, bets_counted
from domain.rules.vocabulary import Limit, Opener


def opening(hand: Hand, street: int) -> fact.RoundOpened:
    """The betting round of a street as it begins.

    In the first round of a blind game the price is the full big blind, even when its poster was all-in for less.
    """
    stakes, limit = hand.opened.stakes, hand.opened.limit
    price = max(stakes.big_blind, *hand.live) if street == 0 else 0
    if limit is Limit.FIXED:
        size = stakes.big_bet if hand.game.streets[street].big else stakes.small_bet
        return fact.RoundOpened(street, price, size, size, bets_counted(price, size), _bets_cap(hand))
    size = stakes.maxima[street] if limit is Limit.SPREAD else 0
    return fact.RoundOpened(street, price, stakes.min_bet, size, 0, 0)


def _bets_cap(hand: Hand) -> int:
    house = hand.opened.house
    return house.bets_cap_two if len(hand.contesting) == 2 else house.bets_cap


def first_seat(hand: Hand, street: int) -> int:
    """The seat clockwise from which the first to act is looked for, itself excluded."""
    opened = hand.opened
    if hand.game.streets[street].opener is Opener.AFTER_BIG_BLIND:
        for post in reversed(opened.posts):
            if post.kind is fact.PostKind.BIG_BLIND:
                return post.seat
    return opened.button


def next_turn(hand: Hand, after: int) -> fact.TurnGiven | None:
    """The next decision clockwise after a seat, None where the round is over."""
    stack, live, seen, wager, contesting = hand.stack, hand.live, hand.seen, hand.wager, hand.contesting
    for seat in hand.clockwise[after]:
        if stack[seat] and (live[seat] < wager or seen[seat] == NOT_ACTED) and seat in contesting:
            if _has_nobody_to_bet_with(hand, seat):
                return None
            owed, behind = wager - live[seat], stack[seat]
            if behind <= owed:
                return fact.TurnGiven(seat, behind, 0, 0)
            least, most = raise_span(hand, seat)
            return fact.TurnGiven(seat, owed, least, most)
    return None


def _has_nobody_to_bet_with(hand: Hand, seat: int) -> bool:
    """Nobody else can act, and the player has put in at least as much as each opponent."""
    stack, put_in = hand.stack, hand.put_in
    for other in hand.contesting:
        if other != seat and (stack[other] or put_in[other] > put_in[seat]):
            return False
    return True


def raise_span(hand: Hand, seat: int) -> Span:
    """The live totals between which the seat, which has more than a call, may bet or raise; NO_RAISE where it may not.

    Only an all-in may be under the structure's least; all else is a multiple of the chip unit.
    """
    seen, live = hand.seen[seat], hand.live[seat]
    if seen != NOT_ACTED and not _betting_reopened(hand, seen):
        return NO_RAISE
    least, most = hand.span(hand, live)
    if most == 0:
        return NO_RAISE
    everything = live + hand.stack[seat]
    if everything <= least:
        return everything, everything
    return least, most if most < everything else everything


def _betting_reopened(hand: Hand, seen: int) -> bool:
    """A player who has acted may raise again only after a full raise, or short ones that add up to it (Raises);
    in fixed limit after the count of bets has risen (Levels)."""
    if hand.fixed:
        return hand.bets > seen
    return hand.wager - seen >= hand.full_raise


def wagered(hand: Hand, seat: int, to: int) -> fact.BetMade | fact.Raised:
    """The bet or raise to a live total, and what it makes of the round's full raise and count of bets."""
    amount, step = to - hand.live[seat], to - hand.wager
    full_raise, bets = hand.full_raise, hand.bets
    if hand.fixed:
        bets = max(bets, bets_counted(to, hand.size))
    elif step > full_raise:
        full_raise = step
    made = fact.Raised if hand.wager else fact.BetMade
    return made(seat, amount, to, amount == hand.stack[seat], full_raise, bets)
