"""Who acts next, what is legal there, and what an action puts in (rules.md section 2)."""

from domain.cards import RANKS, SUITS, rank_of, suit_of
from domain.hand import events as fact
from domain.hand.state import NOT_ACTED, Hand
from domain.rules.limits import NO_RAISE, Span, bets_counted
from domain.rules.rankings import ranking_named
from domain.rules.showing import showing_value
from domain.rules.vocabulary import DoorCard, Limit, Opener


def opening(hand: Hand, street: int) -> fact.RoundOpened:
    """The betting round of a street as it begins.

    In the first round of a blind game the price is the full big blind, even when its poster was all-in for less.
    """
    stakes, limit = hand.opened.stakes, hand.opened.limit
    price = max(stakes.big_blind, *hand.live) if street == 0 else 0
    if limit is Limit.FIXED:
        step = stakes.big_bet if hand.game.streets[street].big else stakes.small_bet
        size = stakes.big_bet if _open_pair(hand, street) else step
        return fact.RoundOpened(street, price, step, size, bets_counted(price, step), _bets_cap(hand))
    size = stakes.maxima[street] if limit is Limit.SPREAD else 0
    return fact.RoundOpened(street, price, stakes.min_bet, size, 0, 0)


def _bets_cap(hand: Hand) -> int:
    house = hand.opened.house
    return house.bets_cap_two if len(hand.contesting) == 2 else house.bets_cap


def _open_pair(hand: Hand, street: int) -> bool:
    """Whether a pair shows where the rulebook then lets the big bet be bet (section 2, open pair)."""
    if not (hand.opened.house.open_pair and hand.game.streets[street].open_pair):
        return False
    showing = [hand.up[seat] for seat in hand.contesting]
    return any(len({rank_of(card) for card in cards}) < len(cards) for cards in showing)


def first_seat(hand: Hand, street: int) -> int:
    """The seat clockwise from which the first to act is looked for, itself excluded."""
    opened, opener = hand.opened, hand.game.streets[street].opener
    if opener is Opener.BEST_SHOWING or opener is Opener.BRING_IN:
        return hand.clockwise[_best_showing(hand)][-2]
    if opener is Opener.AFTER_BIG_BLIND:
        for post in reversed(opened.posts):
            if post.kind is fact.PostKind.BIG_BLIND:
                return post.seat
    return opened.button


def _best_showing(hand: Hand) -> int:
    """The best hand showing; of equal ones that nearest the dealer's left (section 2, antes and bring-ins)."""
    return max(hand.contesting, key=lambda seat: showing_value(hand.game.high, hand.up[seat]))


# --- the bring-in ----------------------------------------------------------------------------------------------------


def bring_in_owed(hand: Hand) -> fact.BringInOwed:
    """Who brings in and with how much (section 2, antes and bring-ins); the first round has been opened."""
    seat = _brings_in(hand)
    everything = hand.stack[seat]
    least = min(hand.opened.stakes.bring_in, everything)
    return fact.BringInOwed(seat, least, max(least, min(hand.span(hand, 0)[1], everything)))


def _brings_in(hand: Hand) -> int:
    """By the door cards, ties by suit; who has nothing left after the ante is passed over for the next seat."""
    pick = max if hand.opened.house.brings_in is DoorCard.HIGHEST else min
    owes = pick(hand.order, key=lambda seat: _door_card(hand, seat))
    return next(seat for seat in (owes, *hand.clockwise[owes]) if hand.stack[seat] and seat in hand.contesting)


def _door_card(hand: Hand, seat: int) -> tuple[int, int]:
    """Rank and suit in the order of the game: its ranking says whether an ace is high."""
    card = hand.up[seat][0]
    ranks = ranking_named(hand.game.high).ranks
    return ranks.index(RANKS[rank_of(card)]), hand.game.suits.index(SUITS[suit_of(card)])


def brought_in(hand: Hand, seat: int, to: int) -> fact.BroughtIn:
    """The bring-in, or an opening for more, and what it makes of the round.

    The price is the full bring-in even when its player was all-in for less. Fixed limit: only an opening for the small
    bet, or an all-in towards it, is counted. Elsewhere a raise goes at least to the minimum bet, or adds as much again.
    """
    stakes = hand.opened.stakes
    wager = max(to, stakes.bring_in)
    full_raise, bets, level = hand.full_raise, 0, 0
    if not hand.fixed:
        full_raise = wager if wager >= stakes.min_bet else stakes.min_bet - wager
    elif wager == hand.size or to > stakes.bring_in:
        full_raise, bets, level = _counted(hand, wager)
    return fact.BroughtIn(seat, to, wager, to == hand.stack[seat], full_raise, bets, level)


# --- turns -----------------------------------------------------------------------------------------------------------


def next_turn(hand: Hand, after: int) -> fact.TurnGiven | None:
    """The next decision clockwise after a seat, None where the round is over."""
    stack, live, seen, wager, contesting = hand.stack, hand.live, hand.seen, hand.wager, hand.contesting
    for seat in hand.clockwise[after]:
        if stack[seat] and (live[seat] < wager or seen[seat] == NOT_ACTED) and seat in contesting:
            return None if _has_nobody_to_bet_with(hand, seat) else turn_of(hand, seat)
    return None


def turn_of(hand: Hand, seat: int) -> fact.TurnGiven:
    """What is legal for a seat with chips whose turn it is."""
    owed, behind = hand.wager - hand.live[seat], hand.stack[seat]
    if behind <= owed:
        return fact.TurnGiven(seat, behind, 0, 0)
    least, most = raise_span(hand, seat)
    return fact.TurnGiven(seat, owed, least, most)


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
    if (seen != NOT_ACTED and not _betting_reopened(hand, seen)) or seat in hand.late:
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
    amount = to - hand.live[seat]
    if hand.fixed:
        full_raise, bets, level = _counted(hand, to)
    else:
        full_raise, bets, level = max(hand.full_raise, to - hand.wager), 0, 0
        if hand.incomplete:  # a raise to the minimum bet adds less than the next one must
            full_raise = max(full_raise, hand.opened.stakes.min_bet)
    made = fact.Raised if hand.wager else fact.BetMade
    return made(seat, amount, to, amount == hand.stack[seat], full_raise, bets, level)


def _counted(hand: Hand, to: int) -> tuple[int, int, int]:
    """(full raise, bets, level) of fixed limit after a live total of `to`: half of a step or more counts as the step
    (Levels).

    On an open-pair street there are two steps, and all later raises are big once somebody has made a big one.
    """
    above, small, big = to - hand.level, hand.full_raise, hand.size
    if 2 * above >= small + big:
        return big, hand.bets + 1, hand.level + big
    if 2 * above >= small:
        return small, hand.bets + 1, hand.level + small
    return small, hand.bets, hand.level
