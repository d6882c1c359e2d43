"""The decider with one rule broken on purpose: each must make real hands disagree, or the oracle proves nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from unittest.mock import patch

from domain.hand import betting, decider, pots, showdown
from domain.hand.events import BroughtIn, DrawOffered, RoundOpened
from domain.hand.pots import Pot, Share
from domain.hand.state import EVOLVE, NOT_ACTED, Hand
from domain.rules import limits
from domain.rules.limits import NO_RAISE, Round, Span
from domain.rules.vocabulary import Limit
from tests.oracle.records import Record

_REOPENED, _RAISE_SPAN = betting._betting_reopened, betting.raise_span
_DOOR_CARD, _BROUGHT_IN, _OPENING = betting._door_card, betting.brought_in, betting.opening
_EVOLVE_BROUGHT_IN = EVOLVE[BroughtIn]


class Mutant(NamedTuple):
    """`breaks`: the broken rule in words; `concerns`: the hands that can show it."""

    breaks: str
    concerns: Callable[[Record], bool]
    broken: Callable[[], AbstractContextManager[Any]]


# --- the rules, broken -----------------------------------------------------------------------------------------------


def _no_short_all_in(hand: Hand, seat: int) -> Span:
    least, most = _RAISE_SPAN(hand, seat)
    return NO_RAISE if most < hand.span(hand, hand.live[seat])[0] else (least, most)


def _all_in_never_reopens(hand: Hand, seat: int) -> bool:
    return _REOPENED(hand, seat) and (hand.aggressor == 0 or hand.stack[hand.aggressor] > 0)


def _short_all_in_is_full_raise(hand: Hand, seat: int) -> Span:
    """The next raise at least doubles the all-in."""
    least, most = _RAISE_SPAN(hand, seat)
    if hand.fixed or most == 0 or hand.aggressor == 0 or hand.stack[hand.aggressor]:
        return least, most
    return min(2 * hand.wager, most), most


def _half_bet_counts_twice(now: Round, live: int) -> Span:
    """The raise over an all-in of half a bet or more goes one bet above the level that it counted as."""
    if now.bets >= now.bets_cap:
        return NO_RAISE
    return now.level + now.full_raise, now.level + now.size


def _two_raises(now: Round, live: int) -> Span:
    """A cap of one bet and two raises."""
    return limits.fixed_limit(now, live) if now.bets < now.bets_cap - 1 else NO_RAISE


def _odd_chip_to_the_last(amount: int, winners: Sequence[int], unit: int) -> list[Share]:
    return pots.split(amount, winners[::-1], unit)


def _odd_half_to_the_low(amount: int, winners: Sequence[int], unit: int) -> list[Share]:
    shares = pots.split(amount, winners, unit)
    return shares[::-1] if winners == (0, 1) else shares


def _one_pot(put_in: Sequence[int], contesting: Sequence[int], dead: int) -> list[Pot]:
    return [Pot(sum(put_in) + dead, tuple(contesting))]


def _nothing_returned(put_in: Sequence[int], contesting: Sequence[int], takes_all: bool) -> list[tuple[int, int]]:
    return []


def _uncalled_bet_lies_in_the_pot(put_in: Sequence[int], contesting: Sequence[int], dead: int) -> list[Pot]:
    """What nobody called is dead money of the main pot."""
    excess = dict(pots.uncalled(put_in, contesting, False))
    matched = [chips - excess.get(seat, 0) for seat, chips in enumerate(put_in)]
    return pots.pots(matched, contesting, dead + sum(excess.values()))


def _highest_brings_in(hand: Hand) -> int:
    return max(hand.order, key=lambda seat: betting._door_card(hand, seat))


def _suits_upside_down(hand: Hand, seat: int) -> tuple[int, int]:
    rank, suit = _DOOR_CARD(hand, seat)
    return rank, -suit


def _lowest_with_chips_brings_in(hand: Hand) -> int:
    return min((seat for seat in hand.order if hand.stack[seat]), key=lambda seat: betting._door_card(hand, seat))


def _bring_in_is_a_bet(hand: Hand, seat: int, to: int) -> BroughtIn:
    brought_in = _BROUGHT_IN(hand, seat, to)
    return replace(brought_in, bets=brought_in.bets + 1)


def _bring_in_is_a_blind(hand: Hand, event: BroughtIn) -> None:
    _EVOLVE_BROUGHT_IN(hand, event)
    hand.seen[event.seat] = NOT_ACTED


def _first_seat_opens(hand: Hand) -> int:
    return hand.contesting[0]


def _small_third_round(hand: Hand, street: int) -> RoundOpened:
    opened, small = _OPENING(hand, street), hand.opened.stakes.small_bet
    return replace(opened, full_raise=small, size=small) if street == 2 and hand.fixed else opened


def _drawing_anticlockwise(hand: Hand, after: int) -> DrawOffered | None:
    left = [seat for seat in hand.contesting if seat not in hand.drawn]
    return DrawOffered(left[-1], hand.game.streets[hand.street].draw or 0) if left else None


def _all_in_stands_pat(hand: Hand, after: int) -> DrawOffered | None:
    for seat in hand.clockwise[after]:
        if seat in hand.contesting and seat not in hand.drawn and hand.stack[seat]:
            return DrawOffered(seat, hand.game.streets[hand.street].draw or 0)
    return None


# --- the mutants -----------------------------------------------------------------------------------------------------


def _somebody_is_all_in(record: Record) -> bool:
    paid = {seat.player: 0 for seat in record.seats}
    for line in record.lines:
        paid[line.player] += line.by
    return any(paid[seat.player] == seat.stack for seat in record.seats)


def _showdown(record: Record) -> bool:
    return len(record.left) > 1


def _has_bring_in(record: Record) -> bool:
    return record.game in ("stud", "stud-hilo", "five-card-stud")


def _has_draws(record: Record) -> bool:
    return record.game in ("draw", "triple-draw")


MUTANTS = {
    "short-all-in-refused": Mutant(
        "only an all-in may be under the least raise: here it may not either",
        _somebody_is_all_in,
        lambda: patch.object(betting, "raise_span", _no_short_all_in),
    ),
    "short-all-in-doubles": Mutant(
        "the last full raise counts after a short all-in: here the next raise doubles the all-in",
        _somebody_is_all_in,
        lambda: patch.object(betting, "raise_span", _short_all_in_is_full_raise),
    ),
    "all-in-never-reopens": Mutant(
        "a short all-in doesn't reopen the betting: here a full one doesn't either",
        _somebody_is_all_in,
        lambda: patch.object(betting, "_betting_reopened", _all_in_never_reopens),
    ),
    "half-bet-twice": Mutant(
        "the raise over an all-in of half a bet goes to the level that it counted as: here one bet higher",
        lambda record: record.limit is Limit.FIXED and _somebody_is_all_in(record),
        lambda: patch.dict(limits.SPANS, {Limit.FIXED: _half_bet_counts_twice}),
    ),
    "two-raises": Mutant(
        "one bet and three raises: here two",
        lambda record: record.limit is Limit.FIXED,
        lambda: patch.dict(limits.SPANS, {Limit.FIXED: _two_raises}),
    ),
    "odd-chip-to-the-last": Mutant(
        "the odd chip goes to the first winner left of the button: here to the last",
        _showdown,
        lambda: patch.object(showdown, "split", _odd_chip_to_the_last),
    ),
    "odd-half-to-the-low": Mutant(
        "the odd chip between the halves goes to the high one: here to the low",
        lambda record: record.game in ("omaha-hilo", "stud-hilo") and _showdown(record),
        lambda: patch.object(showdown, "split", _odd_half_to_the_low),
    ),
    "side-pots-ignored": Mutant(
        "a player all-in wins from each only what he put in: here there is one pot",
        lambda record: _showdown(record) and _somebody_is_all_in(record),
        lambda: patch.object(decider, "pots", _one_pot),
    ),
    "uncalled-bet-kept": Mutant(
        "what nobody called goes back: here it stays in the pot",
        lambda record: _showdown(record) and _somebody_is_all_in(record),
        lambda: patch.multiple(decider, uncalled=_nothing_returned, pots=_uncalled_bet_lies_in_the_pot),
    ),
    "highest-brings-in": Mutant(
        "the lowest door card brings in: here the highest",
        _has_bring_in,
        lambda: patch.object(betting, "_brings_in", _highest_brings_in),
    ),
    "door-suits-upside-down": Mutant(
        "equal door cards rank by spades, hearts, diamonds, clubs: here the other way round",
        _has_bring_in,
        lambda: patch.object(betting, "_door_card", _suits_upside_down),
    ),
    "lowest-with-chips-brings-in": Mutant(
        "for who has nothing left after the ante the next seat brings in: here the next door card",
        lambda record: _has_bring_in(record) and _somebody_is_all_in(record),
        lambda: patch.object(betting, "_brings_in", _lowest_with_chips_brings_in),
    ),
    "bring-in-is-a-bet": Mutant(
        "the completion of a bring-in is the round's one bet: here it is a raise",
        _has_bring_in,
        lambda: patch.object(decider, "brought_in", _bring_in_is_a_bet),
    ),
    "bring-in-is-a-blind": Mutant(
        "the bring-in was its player's action: here he has the option to raise himself",
        _has_bring_in,
        lambda: patch.dict(EVOLVE, {BroughtIn: _bring_in_is_a_blind}),
    ),
    "open-pair-ignored": Mutant(
        "an open pair lets 4th street be played for the big bet: here it doesn't",
        _has_bring_in,
        lambda: patch.object(betting, "_open_pair", lambda hand, street: False),
    ),
    "first-seat-opens": Mutant(
        "the best hand showing opens: here the first seat",
        _has_bring_in,
        lambda: patch.object(betting, "_best_showing", _first_seat_opens),
    ),
    "small-third-round": Mutant(
        "5th street, or the second draw's round, is for the big bet: here for the small one",
        lambda record: _has_bring_in(record) or record.game == "triple-draw",
        lambda: patch.object(decider, "opening", _small_third_round),
    ),
    "drawing-anticlockwise": Mutant(
        "the first seat left of the button draws first: here the last",
        _has_draws,
        lambda: patch.object(decider, "next_draw", _drawing_anticlockwise),
    ),
    "all-in-stands-pat": Mutant(
        "who is all-in draws too: here he stands pat",
        lambda record: _has_draws(record) and _somebody_is_all_in(record),
        lambda: patch.object(decider, "next_draw", _all_in_stands_pat),
    ),
}


@contextmanager
def broken(rule: str) -> Iterator[None]:
    """The decider with that rule broken."""
    with MUTANTS[rule].broken():
        yield
