"""The rankings, a few lines of data each, in the words of `ranking_words.py` (rules.md section 4)."""

from domain.rules.ranking_words import EVERY_RANK, Ranking, RankOf, SuitOf

STANDARD = Ranking(
    name="standard",
    categories=(
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "one pair",
        "high card",
    ),
    wheel="A2345",
)

EIGHT_OR_BETTER = Ranking(
    name="eight-or-better",
    categories=("high card",),
    ranks="A2345678",
    lowest_wins=True,
)

DEUCE_TO_SEVEN = Ranking(
    name="deuce-to-seven",
    categories=STANDARD.categories,
    lowest_wins=True,
)

SOKO = Ranking(
    name="soko",
    categories=(
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "four-flush",
        "four-straight",
        "one pair",
        "high card",
    ),
    wheel="A2345",
)

AMERICANA = Ranking(
    name="32-card",
    categories=(
        "straight flush",
        "four of a kind",
        "flush",
        "full house",
        "straight",
        "three of a kind",
        "two pair",
        "one pair",
        "high card",
    ),
    ranks="789TJQKA",
    wheel="A789T",
)

THIRTY_TWO_CARD_DRAW = Ranking(
    name="32-card-draw",
    categories=AMERICANA.categories,
    ranks=AMERICANA.ranks,
    wheel=AMERICANA.wheel,
    suits="scdh",
    ties={
        "straight flush": (*EVERY_RANK, SuitOf(1)),
        "flush": (*EVERY_RANK, SuitOf(1)),
        "straight": (*EVERY_RANK, SuitOf(1)),
        "two pair": (*EVERY_RANK, SuitOf(5)),
        "one pair": (*EVERY_RANK, SuitOf(3)),
        "high card": (*EVERY_RANK, SuitOf(1)),
    },
)

# Two hands share no card but the vela. Where a deciding card is the vela for both, its rank and suit are equal and the
# next look decides: so the order itself keeps the rule that the vela can't decide.
TELESINA = Ranking(
    name="telesina",
    categories=AMERICANA.categories,
    ranks=AMERICANA.ranks,
    wheel=AMERICANA.wheel,
    suits="scdh",
    ties={
        "straight flush": (*EVERY_RANK, SuitOf(1)),
        "flush": (SuitOf(1),),
        "straight": (*EVERY_RANK, SuitOf(1), SuitOf(2)),
        "two pair": (*EVERY_RANK, SuitOf(5), SuitOf(1)),
        "one pair": (RankOf(1), RankOf(3), SuitOf(3), SuitOf(1)),
        "high card": (RankOf(1), SuitOf(1), RankOf(2), SuitOf(2)),
    },
    special=("As 7s 8s 9s Ts", "Th Jh Qh Kh Ah"),
)

RANKINGS = {
    ranking.name: ranking
    for ranking in (STANDARD, EIGHT_OR_BETTER, DEUCE_TO_SEVEN, SOKO, AMERICANA, THIRTY_TWO_CARD_DRAW, TELESINA)
}


class UnknownRanking(ValueError):
    """A name that no ranking has."""


def ranking_named(name: str) -> Ranking:
    """The ranking of that name; raises UnknownRanking for any other."""
    found = RANKINGS.get(name)
    if found is None:
        raise UnknownRanking(f"{name!r} is no ranking: use one of {', '.join(RANKINGS)}")
    return found
