"""The US-dollar room: five raises at two-seat tables, a bring-in of half the small bet, hands laid down unseen, a rake
table of its own."""

from dataclasses import replace

from domain.rules.rulebook import EVERY_GAME, BringIn, RakeRow, SmallBlind
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.vocabulary import Limit, RakeBand, RakeSchedule

_FIXED = (Limit.FIXED,)


def _low_stakes(small: int, big: int, *, per: int, each: int, cap: int) -> RakeRow:
    """A row for one pair of stakes with the same cap for any number of players."""
    return RakeRow(_FIXED, (small, big), (small, big), (RakeBand(2, 10, RakeSchedule(per=per, each=each, cap=cap)),))


_RAKE = (
    _low_stakes(2, 4, per=20, each=1, cap=4),
    _low_stakes(4, 8, per=20, each=1, cap=8),
    _low_stakes(5, 10, per=20, each=1, cap=10),
    _low_stakes(10, 20, per=20, each=1, cap=20),
    _low_stakes(25, 50, per=1_00, each=5, cap=40),
    _low_stakes(50, 1_00, per=1_00, each=5, cap=50),
    _low_stakes(1_00, 2_00, per=5_00, each=25, cap=1_00),
    RakeRow(
        limits=_FIXED,
        lowest=(2_00, 4_00),
        highest=(100_00, 200_00),
        bands=(
            RakeBand(2, 3, RakeSchedule(per=20_00, each=50, cap=1_00)),
            RakeBand(4, 5, RakeSchedule(per=20_00, each=1_00, cap=2_00)),
            RakeBand(6, 10, RakeSchedule(per=20_00, each=1_00, cap=3_00)),
        ),
    ),
    RakeRow(
        limits=_FIXED,
        lowest=(200_00, 400_00),
        highest=(200_00, 400_00),
        bands=(
            RakeBand(2, 3, RakeSchedule(per=100_00, each=1_00, cap=2_00)),
            RakeBand(4, 10, RakeSchedule(per=100_00, each=1_00, cap=5_00)),
        ),
    ),
    RakeRow(
        limits=(Limit.POT, Limit.NO),
        lowest=(1, 2),
        highest=(25_00, 50_00),
        bands=(
            RakeBand(2, 3, RakeSchedule(per=1_00, each=5, cap=1_00)),
            RakeBand(4, 5, RakeSchedule(per=1_00, each=5, cap=2_00)),
            # The source counts 6 to 9 players here; ten are read as nine.
            RakeBand(6, 10, RakeSchedule(per=1_00, each=5, cap=3_00)),
        ),
    ),
)

RULEBOOK = replace(
    EURO,
    name="ace",
    title="A US-dollar room",
    source="000_84e500590ac21d1c",
    small_blind=SmallBlind.HALF_IN_WHOLE_UNITS,
    bets_cap_two=6,
    bets_cap_two_needs_two_seats=True,
    fixed_bring_in=BringIn.HALF_THE_SMALL_BET,
    highest_brings_in=(),
    open_pair_in=("stud", "stud-hilo"),
    plays_community_round=True,
    may_give_up_in=EVERY_GAME,
    rake_currency="USD",
    rake=_RAKE,
    seating=replace(EURO.seating, taken_off_after=3, least_buy_ins=(), protections=2, protected_limits=tuple(Limit)),
)
