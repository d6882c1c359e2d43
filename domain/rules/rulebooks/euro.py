"""The euro room: the rulebook from which the others take what they leave open."""

from domain.rules.rulebook import BringIn, LeastBuyIn, RakeRow, Rulebook, Seating, SmallBlind
from domain.rules.vocabulary import Limit, OddHalf, RakeBand, RakeSchedule

_BIG_BET = (Limit.NO, Limit.POT, Limit.HALF_POT)
_SMALL_BET = (Limit.FIXED, Limit.SPREAD)


def _big_bet(cap: int) -> RakeSchedule:
    return RakeSchedule(per=1_00, each=5, cap=cap, small_under=4_00, small_per=20, small_each=1)


def _low_stakes(cap: int) -> RakeSchedule:
    return RakeSchedule(per=1_00, each=5, cap=cap, small_under=2_00, small_per=20, small_each=1)


_RAKE = (
    RakeRow(
        limits=_BIG_BET,
        lowest=(0, 0),
        highest=None,
        bands=(
            RakeBand(2, 2, _big_bet(cap=75)),
            RakeBand(3, 4, _big_bet(cap=2_00)),
            RakeBand(5, 10, _big_bet(cap=3_00)),
        ),
    ),
    RakeRow(
        limits=_SMALL_BET,
        lowest=(2, 4),
        highest=(50, 1_00),
        bands=(RakeBand(2, 3, _low_stakes(cap=75)), RakeBand(4, 10, _low_stakes(cap=1_00))),
    ),
    RakeRow(
        limits=_SMALL_BET,
        lowest=(1_00, 2_00),
        highest=(1_00, 2_00),
        bands=(
            RakeBand(2, 3, RakeSchedule(per=5_00, each=25, cap=75)),
            RakeBand(4, 10, RakeSchedule(per=5_00, each=25, cap=2_00)),
        ),
    ),
    RakeRow(
        limits=_SMALL_BET,
        lowest=(2_00, 4_00),
        highest=None,
        bands=(
            RakeBand(2, 3, RakeSchedule(per=10_00, each=50, cap=75)),
            RakeBand(4, 10, RakeSchedule(per=10_00, each=50, cap=2_00)),
        ),
    ),
)

_HOLDEM_AND_OMAHA = ("holdem", "omaha", "omaha-hilo")

_LEAST_BUY_INS = tuple(
    LeastBuyIn(_HOLDEM_AND_OMAHA, Limit.FIXED, bets, least)
    for bets, least in (
        ((25, 50), 3_00),
        ((1_00, 2_00), 10_00),
        ((2_00, 4_00), 20_00),
        ((3_00, 6_00), 30_00),
        ((5_00, 10_00), 50_00),
    )
)

RULEBOOK = Rulebook(
    name="euro",
    title="A euro room of eleven games",
    source="003_6c4a95534a20fe66",
    small_blind=SmallBlind.HALF,
    bets_cap=4,
    bets_cap_two=4,
    bets_cap_two_needs_two_seats=False,
    cash_antes=False,
    fixed_bring_in=BringIn.TWICE_THE_ANTE,
    highest_brings_in=tuple(("stud", limit) for limit in _BIG_BET),
    open_pair_in=("stud",),
    plays_community_round=False,
    everyone_shows_in=(),
    may_give_up_in=(),
    odd_half=OddHalf.HIGH,
    rake_currency="EUR",
    rake=_RAKE,
    seating=Seating(
        missed_big_costs_both=False,
        taken_off_after=0,
        stack_remembered=60,
        least_buy_ins=_LEAST_BUY_INS,
        protections=2,
        protected_limits=_SMALL_BET,
    ),
)
