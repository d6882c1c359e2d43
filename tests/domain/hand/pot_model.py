"""Pots, returns, rake and shares a second time, from rules.md sections 3 and 9 alone: by layers and by pieces."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from domain.rules.vocabulary import RakeSchedule


class Pot(NamedTuple):
    """`seats`: those who contest it, clockwise from the left of the button or the dealer box."""

    chips: int
    seats: tuple[int, ...]


def pots_of(put_in: Mapping[int, int], in_hand: Sequence[int], dead: int) -> list[Pot]:
    """Between two neighbouring heights of the players' chips lies a layer of one piece from each who reaches it;
    neighbouring layers that the same players contest are one pot. The ground below them is the dead money, which all
    contest."""
    layers: list[tuple[tuple[int, ...], int]] = [(tuple(in_hand), dead)]
    for low, high in pairwise(sorted({0, *put_in.values()})):
        who = tuple(seat for seat in in_hand if put_in[seat] >= high)
        layers.append((who, (high - low) * sum(chips >= high for chips in put_in.values())))
    return [Pot(sum(chips for _, chips in same), who) for who, same in groupby(layers, key=lambda layer: layer[0])]


def returns_of(put_in: Mapping[int, int], in_hand: Sequence[int], last_has_chips: bool) -> dict[int, int]:
    """What goes back to each seat.

    A player all-in can win from each opponent only what he put in, so what folded players put in above all who are left
    goes back to them too, unless the last one left has chips behind: then the pot is his, whatever is in it.
    """
    height = max(put_in[seat] for seat in in_hand)
    back = {} if last_has_chips else {seat: chips - height for seat, chips in put_in.items() if chips > height}
    for seat in in_hand:
        unmatched = put_in[seat] - max(chips for other, chips in put_in.items() if other != seat)
        if unmatched > 0:
            back[seat] = unmatched
    return back


def rake_of(schedule: RakeSchedule, pots: Sequence[int]) -> list[int]:
    """What each pot bears of the rake of the running total, but never more than is in it: the rest falls to the one
    before it."""
    totals = [increments_of(schedule, sum(pots[:count])) for count in range(len(pots) + 1)]
    borne = [after - before for before, after in pairwise(totals)]
    for place in reversed(range(1, len(pots))):
        while borne[place] > pots[place]:
            borne[place], borne[place - 1] = borne[place] - 1, borne[place - 1] + 1
    return borne


def increments_of(schedule: RakeSchedule, total: int) -> int:
    """Each increment that is reached pays once, then the cap."""
    per, each = schedule.per, schedule.each
    if total < schedule.small_under:
        per, each = schedule.small_per, schedule.small_each
    paid = sum(each for _ in range(per, total + 1, per))
    return paid if paid < schedule.cap else schedule.cap


class Share(NamedTuple):
    """`odd`: the part of the chips that the others did not all get too."""

    seat: int
    chips: int
    odd: int


def deal_out(chips: int, winners: Sequence[int], unit: int) -> list[Share]:
    """Unit by unit around the winners while there is one for each; what is left unit by unit from the first on, the
    last piece as it comes. Who gets nothing has no share."""
    each, left = 0, chips
    while left >= unit * len(winners):
        rounds = left // (unit * len(winners))
        each, left = each + rounds * unit, left - rounds * unit * len(winners)
    shares = []
    for seat in winners:
        odd = unit if left >= unit else left
        left -= odd
        if each + odd:
            shares.append(Share(seat, each + odd, odd))
    return shares
