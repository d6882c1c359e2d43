"""Who shows, who mucks and who wins what (rules.md section 3)."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from domain.hand import events as fact
from domain.hand.betting import first_seat
from domain.hand.dealing import Shoe
from domain.hand.pots import Pot, split
from domain.hand.state import Hand
from domain.rules.evaluation import beats_by_the_special_rule, category, evaluator
from domain.rules.rake import rake_by_pot
from domain.rules.vocabulary import Game, OddHalf


class Strength(NamedTuple):
    """What a hand is worth: higher is better, a low of 0 doesn't qualify."""

    high: int
    low: int


def worth_in(game: Game) -> Callable[[Sequence[int], Sequence[int]], Strength]:
    """The function from a player's own cards and the board to what they are worth."""
    high = evaluator(game.high, game.hole_cards_used)
    low = evaluator(game.low, game.hole_cards_used) if game.low else None
    return lambda hole, board: Strength(high(hole, board), low(hole, board) if low else 0)


def strengths(hand: Hand, shoe: Shoe) -> dict[int, Strength]:
    """The worth of every hand that is still contested, by seat."""
    worth = worth_in(hand.game)
    return {seat: worth([shoe.card(index) for index in hand.dealt[seat]], hand.board) for seat in hand.contesting}


def order_of_showing(hand: Hand) -> tuple[int, ...]:
    """The last to bet or raise in the game's final betting round first; if nobody did, or it was not played, whoever
    would open it; then clockwise."""
    final = len(hand.game.streets) - 1
    if hand.last_round == final and hand.aggressor:
        around = hand.clockwise[hand.aggressor]
        around = (around[-1], *around[:-1])
    else:
        around = hand.clockwise[first_seat(hand, final)]
    return tuple([seat for seat in around if seat in hand.contesting])


def show_or_muck(hand: Hand, pots: Sequence[Pot], worth: dict[int, Strength], shoe: Shoe) -> list[Any]:
    """Each hand in turn: shown, or mucked where it is beaten, given up, or the last one left.

    A hand that was mucked no longer contests its pots.
    """
    facts: list[Any] = []
    shown = list(hand.shown)
    if len(shown) == len(hand.contesting):
        return facts
    live = {pot: list(pot.seats) for pot in pots}
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
            live = {pot: [other for other in seats if other != seat] for pot, seats in live.items()}
    return facts


def show(seat: int, hand: Hand, shoe: Shoe, because: fact.ShownBecause) -> fact.HandShown:
    return fact.HandShown(seat, tuple(map(shoe.card, hand.dealt[seat])), because)


def _why_muck(
    seat: int, live: dict[Pot, list[int]], shown: Sequence[int], worth: dict[int, Strength], hand: Hand
) -> fact.MuckedBecause | None:
    """Why a hand need not be shown; None where it must be. `live`: those left in each pot.

    A wish to give up counts where each of its pots has another player left to take it.
    """
    mine = [pot for pot, seats in live.items() if seat in seats]
    alone = [pot for pot in mine if len(live[pot]) == 1]
    if len(alone) == len(mine):
        return fact.MuckedBecause.LAST_LEFT
    if all(_beaten(seat, pot, [other for other in shown if other in live[pot]], worth, hand) for pot in mine):
        return fact.MuckedBecause.BEATEN
    if hand.wishes.get(seat) is fact.Wish.GIVE_UP and hand.opened.house.may_give_up and not alone:
        return fact.MuckedBecause.GIVEN_UP
    return None


def _beaten(seat: int, pot: Pot, shown: Sequence[int], worth: dict[int, Strength], hand: Hand) -> bool:
    """Whether the hand can win or share no part of a pot against the hands that were shown for it."""
    mine = worth[seat]
    loses_high, loses_low = False, not mine.low
    for other in shown:
        theirs = worth[other]
        loses_high = loses_high or _outranks(hand, pot, theirs.high, mine.high)
        loses_low = loses_low or theirs.low > mine.low
    return loses_high and loses_low


def _outranks(hand: Hand, pot: Pot, value: int, other: int) -> bool:
    """Whether a high hand beats another in a pot. One ranking has an exception where exactly two contest the pot
    (section 4, Telesina): so many came to the showdown for it, whoever mucks then."""
    if len(pot.seats) == 2:
        ranking = hand.game.high
        if beats_by_the_special_rule(ranking, value, other):
            return True
        if beats_by_the_special_rule(ranking, other, value):
            return False
    return value > other


def rake_taken(hand: Hand, pots: Sequence[Pot], street: int) -> fact.RakeTaken | None:
    """The rake, where the hand pays any: if the game's street had been dealt or drawn when it ended (section 9)."""
    schedule = hand.opened.rake
    if schedule is None or hand.game.raked_from not in [one.name for one in hand.game.streets[: street + 1]]:
        return None
    by_pot = tuple(rake_by_pot(schedule, [pot.amount for pot in pots]))
    return fact.RakeTaken(sum(by_pot), by_pot)


def awards(
    hand: Hand, pots: Sequence[Pot], raked: Sequence[int], worth: dict[int, Strength], by_vote: Collection[int]
) -> list[fact.PotAwarded]:
    """Each pot, after its rake, split on its own; hi/lo pots first into halves (odd chips). `by_vote`: the numbers of
    those that were divided by the split vote.

    With what a pot was won is said only of a hand that was shown: a mucked one is never public.
    """
    facts = []
    for number, pot in enumerate(pots):
        rest = pot.amount - raked[number]
        parts = [(fact.Part.AGREED, rest, pot.seats)] if number in by_vote else _parts(hand, pot, rest, worth)
        for part, chips, winners in parts:
            for seat, amount, odd in split(chips, winners, hand.opened.chip_unit):
                if amount:
                    words = _words(hand, part, worth[seat]) if seat in hand.shown and worth else ""
                    facts.append(fact.PotAwarded(number, part, seat, amount, odd, words))
    return facts


def _parts(hand: Hand, pot: Pot, amount: int, worth: dict[int, Strength]) -> list[tuple[fact.Part, int, Sequence[int]]]:
    """(part, chips, winners) of a pot: whole, or high and low."""
    seats = [seat for seat in pot.seats if seat in hand.contesting]
    if not pot.shared or (len(seats) == 1 and seats[0] not in hand.shown):
        return [(fact.Part.WHOLE, amount, seats)]
    highs = _highest(hand, pot, seats, worth)
    lows = [worth[seat].low for seat in seats]
    if not any(lows):
        return [(fact.Part.WHOLE, amount, highs)]
    high_half, low_half = (share.amount for share in split(amount, (0, 1), hand.opened.chip_unit))
    if hand.opened.house.odd_half is OddHalf.LOW:
        high_half, low_half = low_half, high_half
    return [(fact.Part.HIGH, high_half, highs), (fact.Part.LOW, low_half, _best(seats, lows))]


def _highest(hand: Hand, pot: Pot, seats: Sequence[int], worth: dict[int, Strength]) -> list[int]:
    if len(pot.seats) == 2:
        return [
            seat
            for seat in seats
            if not any(_outranks(hand, pot, worth[other].high, worth[seat].high) for other in seats)
        ]
    return _best(seats, [worth[seat].high for seat in seats])


def _best(seats: Sequence[int], values: Sequence[int]) -> list[int]:
    top = max(values)
    return [seat for seat, value in zip(seats, values, strict=True) if value == top]


def _words(hand: Hand, part: fact.Part, worth: Strength) -> str:
    if part is fact.Part.AGREED:
        return ""
    if part is fact.Part.LOW:
        return category(hand.game.low, worth.low)
    return category(hand.game.high, worth.high)
