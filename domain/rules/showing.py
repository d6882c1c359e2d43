"""Which of the hands showing is the best (rules.md section 2, antes and bring-ins): it opens the later rounds, and
shows first where nobody bet."""

from collections.abc import Sequence
from functools import cache

from domain.cards import faces, rank_of, suit_of
from domain.rules.evaluation import WrongNumberOfCards
from domain.rules.ranking_tables import classify
from domain.rules.rankings import ranking_named

MOST_SHOWING = 4


def showing_value(ranking_name: str, up_cards: Sequence[int]) -> int:
    """The worth of one to four cards that lie face up: the higher is the better, equal values tie.

    They rank by four, three, two pair, pair, high cards, and by whatever else of the ranking fits them, such as Soko's
    four-flush; suits break no tie. Only values of equally many cards compare. Raises UnknownRanking,
    WrongNumberOfCards, and ValueError for cards that fit no category of the ranking.
    """
    if not 1 <= len(up_cards) <= MOST_SHOWING:
        raise WrongNumberOfCards(f"{len(up_cards)} cards showing: a hand shows one to four")
    of_one_suit = len(up_cards) == MOST_SHOWING and len({suit_of(card) for card in up_cards}) == 1
    value = _value(ranking_name, tuple(sorted([rank_of(card) for card in up_cards])), of_one_suit)
    if value is None:
        raise ValueError(f"{faces(up_cards)} is no hand of the ranking {ranking_name}")
    return value


@cache
def _value(ranking_name: str, ranks: tuple[int, ...], of_one_suit: bool) -> int | None:
    """Kept for each of the few thousand sets of ranks."""
    ranking = ranking_named(ranking_name)
    hand = classify(ranking, ranks if of_one_suit else (), () if of_one_suit else ranks)
    if hand is None:
        return None
    strength, reading = hand
    value = len(ranking.categories) + strength
    for rank in reading:
        value = value * len(ranking.ranks) + rank
    return -value if ranking.lowest_wins else value
