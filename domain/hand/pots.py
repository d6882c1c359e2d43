"""Main and side pots, and how a pot is split (rules.md section 3)."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.money import divide


class Pot(NamedTuple):
    """Chips that the same players contest. `seats` in clockwise order from the left of the button."""

    amount: int
    seats: tuple[int, ...]

    @property
    def shared(self) -> bool:
        """Whether it is still to be won: not the pot of one player alone, whose opponents there have all folded."""
        return len(self.seats) > 1


def pots(put_in: Sequence[int], contesting: Sequence[int], dead: int) -> list[Pot]:
    """The pots, main pot first.

    `put_in` by seat number; what folded players put in lies in the pots that it reaches. Dead money belongs whole to
    the main pot. A player all-in can win from each opponent only what he put in.
    """
    levels = sorted({put_in[seat] for seat in contesting})
    if len(levels) == 1:  # nobody is all-in for less
        return [Pot(sum(put_in) + dead, tuple(contesting))]
    found: list[Pot] = []
    below = 0
    for level in levels:
        amount = sum([min(chips, level) - min(chips, below) for chips in put_in])
        found.append(Pot(amount, tuple([seat for seat in contesting if put_in[seat] >= level])))
        below = level
    main = found[0]
    found[0] = Pot(main.amount + dead, main.seats)
    return found


def uncalled(put_in: Sequence[int], contesting: Sequence[int], takes_all: bool) -> list[tuple[int, int]]:
    """(seat, chips) of what goes back to its owner because nobody who contests the hand has matched it.

    `takes_all`: one player with chips is left, to whom everything falls. Otherwise what those who folded put in above
    all who contest the hand goes back too, since no one of these can win more from an opponent than he put in himself:
    a late poster who folded before a shorter all-in.
    """
    level = max([put_in[seat] for seat in contesting])
    back = [] if takes_all else [(seat, chips - level) for seat, chips in enumerate(put_in) if chips > level]
    top, *others = [seat for seat in contesting if put_in[seat] == level]
    second = max([chips for seat, chips in enumerate(put_in) if seat != top])
    if not others and second < level:
        back.append((top, level - second))
    return back


class Share(NamedTuple):
    """What one winner gets, in minor units; `odd` is the part of it that did not divide."""

    seat: int
    amount: int
    odd: int


def split(amount: int, winners: Sequence[int], unit: int) -> list[Share]:
    """Equal shares in whole chip units; the rest goes unit by unit from the first winner on, a last piece under a unit
    to the next one (odd chips).

    `winners` in clockwise order from the left of the button (ante games: from the dealer box).
    """
    part, rest = divide(amount, len(winners), unit)
    shares = []
    for seat in winners:
        odd = min(unit, rest)
        rest -= odd
        shares.append(Share(seat, part + odd, odd))
    return shares
