"""A schedule that charges exactly the rake that a history states (rules.md section 9)."""

from collections.abc import Iterator

from domain.rules.rake import rake_of
from domain.rules.vocabulary import RakeSchedule

RATES = (50, 40, 30, 35, 45, 55, 60, 70, 100, 20)
"""Rake rates that rooms use, in thousandths of the pot, the usual one first."""

STEPS = (1, 2, 3, 4, 5, 10, 20, 25, 50, 100)
"""The increments in which they take it, in minor units."""


def schedule_charging(rake: int, pot: int) -> RakeSchedule:
    """The schedule for pots of `pot` minor units in all.

    How the rake falls on side pots depends on rate and cap, which no history states. It is the first usual rate that
    gives the stated rake, or else the first that reaches it as its cap; a rake that none gives falls on the main pot.
    """
    usual = list(_usual_schedules(rake))
    for schedule in usual:
        if pot // schedule.per * schedule.each == rake:
            return schedule
    for schedule in usual:
        if rake_of(schedule, pot) == rake:
            return schedule
    return RakeSchedule(per=1, each=1, cap=rake)


def _usual_schedules(cap: int) -> Iterator[RakeSchedule]:
    for rate in RATES:
        for step in STEPS:
            yield RakeSchedule(per=step * 1000 // rate, each=step, cap=cap)
