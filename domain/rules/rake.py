"""Rake: what a hand pays out of its pots, and by which row of its rulebook (rules.md section 9).

Whether a hand pays at all is no matter of these: play money and tournaments have no bands, and the game's `raked_from`
names the street that must have been dealt.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from domain.messages import Refused
from domain.money import decimal_text
from domain.rules.rulebook import RAKE_SCALE, Rulebook, stakes_text
from domain.rules.vocabulary import Limit, RakeBand, RakeSchedule


def rake_of(schedule: RakeSchedule, total: int) -> int:
    """The rake of pots that total `total` minor units, uncalled bet returned: whole increments only, up to the cap."""
    if total < schedule.small_under:
        paid = total // schedule.small_per * schedule.small_each
    else:
        paid = total // schedule.per * schedule.each
    return min(paid, schedule.cap)


def rake_by_pot(schedule: RakeSchedule, pots: Sequence[int]) -> list[int]:
    """The rake of each pot, main pot first: what it adds to the rake of the running total.

    A pot bears at most all that is in it; what it can't bear falls on the pot before it. (Section 9 is silent of a side
    pot that is smaller than the increment which it completes.)
    """
    owed = [rake_of(schedule, total) for total in accumulate(pots, initial=0)]
    borne = [after - before for before, after in pairwise(owed)]
    for place in range(len(pots) - 1, 0, -1):
        too_much = max(0, borne[place] - pots[place])
        borne[place] -= too_much
        borne[place - 1] += too_much
    return borne


def schedule_for(bands: Sequence[RakeBand], players: int) -> RakeSchedule | None:
    """The schedule for that many players dealt in; None where the table takes no rake.

    ValueError for a number of players that no band counts (they count 2 to 10).
    """
    if not bands:
        return None
    for band in bands:
        if band.fewest <= players <= band.most:
            return band.schedule
    raise ValueError(f"no rake band counts {players} players: they count {bands[0].fewest} to {bands[-1].most}")


def bands_for(rulebook: Rulebook, limit: Limit, small: int | None, big: int) -> tuple[RakeBand, ...]:
    """The bands of the row that covers a real-money table.

    `small` and `big` are the bets of fixed limit, the blinds elsewhere; spread limit asks with its first maximum and
    twice that. An ante game asks outside these two with its minimum bet as `big`, and `small` None. Refused, with the
    rows that exist, where no row covers them.
    """
    for row in rulebook.rake:
        if row.covers(limit, small, big):
            return row.bands
    raise Refused(
        f"no rake row of rulebook {rulebook.name!r} covers {_asked(limit, small, big)} for real money: "
        f"its rows ({rulebook.rake_currency}) are {'; '.join(map(str, rulebook.rake))}"
    )


def _asked(limit: Limit, small: int | None, big: int) -> str:
    if small is None:
        return f"a {limit}-limit minimum bet of {decimal_text(big, RAKE_SCALE)}"
    return f"{limit}-limit stakes of {stakes_text(small, big)}"
