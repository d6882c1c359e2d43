"""The Omaha hi/lo guide: five raises in a round that starts with two players in the hand, and who missed the big blind
posts both."""

from dataclasses import replace

from domain.rules.rulebook import SmallBlind
from domain.rules.rulebooks.euro import RULEBOOK as EURO

RULEBOOK = replace(
    EURO,
    name="omaha-guide",
    title="A guide to Omaha hi/lo",
    source="001_d93136c6f083bd12",
    small_blind=SmallBlind.HALF_IN_WHOLE_UNITS,
    bets_cap_two=6,
    seating=replace(EURO.seating, missed_big_costs_both=True),
)
