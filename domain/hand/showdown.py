"""Who shows, who mucks and who wins what (rules.md section 3)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.hand import events as fact
from domain.hand.dealing import Shoe
from domain.hand.pots import Pot, split
from domain.hand.state import Hand
from domain.rules.evaluation import category, evaluator
from domain.rules.rake import rake_by_pot
from domain.rules.vocabulary import OddHalf


class Strength(NamedTuple):
    """What a hand is worth: higher is better, a low of 0 doesn't qualify."""

    high: int
    low: int


def strengths(hand: Hand, shoe: Shoe) -> dict[int, Strength]:
    """The worth of every hand that is still contested, by seat."""
    game = hand.game
    high = evaluator(game.high, game.hole_cards_used)
    low = evaluator(game.low, game.hole_cards_used) if game.low else None
    found = {}
    for seat in hand.contesting:
        hole = [shoe.card(index) for index in hand.dealt[seat]]
        found[seat] = Strength(high(hole, hand.board), low(hole, hand.board) if low else 0)
    return found


def order_of_showing(hand: Hand) -> tuple[int, ...]:
    """The last to bet or raise in the game's final betting round first; if nobody did, or it was not played, the first
    seat left of the button; then clockwise."""
    last_round = len(hand.game.streets) - 1
    if hand.street == last_round and hand.aggressor:
        around = hand.clockwise[hand.aggressor]
        return tuple(seat for seat in (around[-1], *around[:-1]) if seat in hand.contesting)
    return hand.contesting


def show_or_muck(hand: Hand, pots: Sequence[Pot], worth: dict[int, Strength], shoe: Shoe) -> list[Any]:
    """Each hand in turn: shown, or mucked where it is beaten, given up, or the last one left.

    A hand that was mucked no longer contests its pots.
    """
    facts: list[Any] = []
    shown = list(hand.shown)
    live = [list(pot.seats) for pot in pots]
    for seat in order_of_showing(hand):
        if seat in hand.shown:
            continue
        because = None if hand.opened.house.everyone_shows else _why_muck(seat, live, shown, worth, hand)
        if because is None or hand.wishes.get(seat) is fact.Wish.SHOW:
            shown.append(seat)
            asked = fact.ShownBecause.ORDER if because is None else fact.ShownBecause.ASKED
            facts.append(show(seat, hand, shoe, asked))
            continue
        facts.append(fact.HandMucked(seat, because))
        if because is not fact.MuckedBecause.LAST_LEFT:
            live = [[other for other in seats if other != seat] for seats in live]
    return facts


def show(seat: int, hand: Hand, shoe: Shoe, because: fact.ShownBecause) -> fact.HandShown:
    return fact.HandShown(seat, tuple(map(shoe.card, hand.dealt[seat])), because)


def _why_muck(
    seat: int, live: Sequence[Sequence[int]], shown: Sequence[int], worth: dict[int, Strength], hand: Hand
) -> fact.MuckedBecause | None:
    """Why a hand need not be shown; None where it must be.

    A wish to give up counts where each of its pots has another player left to take it.
    """
    mine = [seats for seats in live if seat in seats]
    alone = [seats for seats in mine if len(seats) == 1]
    if len(alone) == len(mine):
        return fact.MuckedBecause.LAST_LEFT
    for seats in mine:
        if not _beaten(seat, seats, shown, worth):
            break
    else:
        return fact.MuckedBecause.BEATEN
    if hand.wishes.get(seat) is fact.Wish.GIVE_UP and hand.opened.house.may_give_up and not alone:
        return fact.MuckedBecause.GIVEN_UP
    return None


def _beaten(seat: int, contesting: Sequence[int], shown: Sequence[int], worth: dict[int, Strength]) -> bool:
    """Whether the hand can win or share no part of a pot against the hands that were shown for it."""
    mine = worth[seat]
    loses_high, loses_low = False, not mine.low
    for other in shown:
        if other in contesting:
            theirs = worth[other]
            loses_high = loses_high or theirs.high > mine.high
            loses_low = loses_low or theirs.low > mine.low
    return loses_high and loses_low


def rake_taken(hand: Hand, pots: Sequence[Pot]) -> fact.RakeTaken | None:
    """The rake, where the hand pays any: its schedule applies once the game's street has been dealt (section 9)."""
    schedule = hand.opened.rake
    if schedule is None or not _raked_street_was_dealt(hand):
        return None
    by_pot = tuple(rake_by_pot(schedule, [pot.amount for pot in pots]))
    return fact.RakeTaken(sum(by_pot), by_pot)


def _raked_street_was_dealt(hand: Hand) -> bool:
    needed = 0
    for street in hand.game.streets:
        needed += street.board
        if street.name == hand.game.raked_from:
            break
    return len(hand.board) >= needed


def awards(hand: Hand, pots: Sequence[Pot], raked: Sequence[int], worth: dict[int, Strength]) -> list[fact.PotAwarded]:
    """Each pot, after its rake, split on its own; hi/lo pots first into halves (odd chips).

    With what a pot was won is said only of a hand that was shown: a mucked one is never public.
    """
    facts = []
    for number, pot in enumerate(pots):
        seats = [seat for seat in pot.seats if seat in hand.contesting]
        for part, chips, winners in _parts(hand, pot.amount - raked[number], seats, worth):
            for seat, amount, odd in split(chips, winners, hand.opened.chip_unit):
                if amount:
                    words = _words(hand, part, worth[seat]) if seat in hand.shown and worth else ""
                    facts.append(fact.PotAwarded(number, part, seat, amount, odd, words))
    return facts


def _parts(
    hand: Hand, amount: int, seats: Sequence[int], worth: dict[int, Strength]
) -> list[tuple[fact.Part, int, Sequence[int]]]:
    """(part, chips, winners) of a pot: whole, or high and low."""
    if len(seats) == 1:
        return [(fact.Part.WHOLE, amount, seats)]
    highs = _best(seats, [worth[seat].high for seat in seats])
    lows = [worth[seat].low for seat in seats]
    if not any(lows):
        return [(fact.Part.WHOLE, amount, highs)]
    high_half, low_half = (share.amount for share in split(amount, (0, 1), hand.opened.chip_unit))
    if hand.opened.house.odd_half is OddHalf.LOW:
        high_half, low_half = low_half, high_half
    return [(fact.Part.HIGH, high_half, highs), (fact.Part.LOW, low_half, _best(seats, lows))]


def _best(seats: Sequence[int], values: Sequence[int]) -> list[int]:
    top = max(values)
    return [seat for seat, value in zip(seats, values, strict=True) if value == top]


def _words(hand: Hand, part: fact.Part, worth: Strength) -> str:
    if part is fact.Part.LOW:
        return category(hand.game.low, worth.low)
    return category(hand.game.high, worth.high)
