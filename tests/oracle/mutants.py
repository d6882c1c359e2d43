"""The decider with one rule broken on purpose: each must make real hands disagree, or the oracle proves nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from domain.hand import betting, decider, pots, showdown
from domain.hand.pots import Pot, Share
from domain.hand.state import Hand
from domain.rules import limits
from domain.rules.limits import NO_RAISE, Round, Span
from domain.rules.vocabulary import Limit
from tests.oracle.records import Record

_REOPENED, _RAISE_SPAN = betting._betting_reopened, betting.raise_span


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
    to = (max(limits.bets_counted(now.wager, now.size), now.wager // now.size) + 1) * now.size
    return (to, to) if to <= now.bets_cap * now.size else NO_RAISE


def _two_raises(now: Round, live: int) -> Span:
    """A cap of one bet and two raises."""
    least, most = limits.fixed_limit(now, live)
    return (least, most) if most <= (now.bets_cap - 1) * now.size else NO_RAISE


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


# --- the mutants -----------------------------------------------------------------------------------------------------


def _somebody_is_all_in(record: Record) -> bool:
    paid = {seat.player: 0 for seat in record.seats}
    for line in record.lines:
        paid[line.player] += line.by
    return any(paid[seat.player] == seat.stack for seat in record.seats)


def _showdown(record: Record) -> bool:
    return len(record.left) > 1


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
        lambda record: record.limit == "fixed" and _somebody_is_all_in(record),
        lambda: patch.dict(limits.SPANS, {Limit.FIXED: _half_bet_counts_twice}),
    ),
    "two-raises": Mutant(
        "one bet and three raises: here two",
        lambda record: record.limit == "fixed",
        lambda: patch.dict(limits.SPANS, {Limit.FIXED: _two_raises}),
    ),
    "odd-chip-to-the-last": Mutant(
        "the odd chip goes to the first winner left of the button: here to the last",
        _showdown,
        lambda: patch.object(showdown, "split", _odd_chip_to_the_last),
    ),
    "odd-half-to-the-low": Mutant(
        "the odd chip between the halves goes to the high one: here to the low",
        lambda record: record.game == "omaha_hilo" and _showdown(record),
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
}


@contextmanager
def broken(rule: str) -> Iterator[None]:
    """The decider with that rule broken."""
    with MUTANTS[rule].broken():
        yield
