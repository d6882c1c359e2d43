"""What a hand is worth under a ranking (rules.md section 4): look-ups in the tables of `ranking_tables.py`.

A value is an int: the higher wins, equal values tie, 0 does not qualify. Tables are built when a ranking is first used
and kept for the life of the process.

For the look-ups a card is one number: its rank's digit of base five above four small counters, one for each suit. One
sum over a hand then says how often each rank occurs, and in a single bit whether a suit has enough cards for a flush.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from domain.cards import RANKS, deck, rank_of, suit_of
from domain.rules.ranking_tables import (
    RANK_BIT,
    RANK_DIGIT,
    FiveCardTables,
    five_card_tables,
    five_to_seven_ranks,
    five_to_seven_suited,
    pair_rows,
)
from domain.rules.rankings import ranking_named

Evaluator = Callable[[Sequence[int], Sequence[int]], int]
"""(a player's own cards, the board) -> value, for different cards in any order. Raises WrongNumberOfCards."""

_SUIT_COUNTERS = 16
_SUIT_IS_FULL = 0x8888  # the top bit of each counter
_FULL_AT_FIVE = 0x3333
_FULL_AT_THREE = 0x5555


class WrongNumberOfCards(ValueError):
    """Too few or too many cards for the game's way of making a hand."""


def evaluator(ranking_name: str, hole_cards_used: int | None) -> Evaluator:
    """The function that values a player's best five cards.

    `hole_cards_used` None: any five of five to seven cards (hold'em, stud, draw). 2: exactly two of the player's own
    and three of a board of three to five (Omaha). Raises UnknownRanking, and ValueError for another number.
    """
    ranking_named(ranking_name)
    if hole_cards_used is None:
        return _any_mix(ranking_name)
    if hole_cards_used != 2:
        raise ValueError(f"no game uses exactly {hole_cards_used} own cards: it is 2, or None for any mix")
    return _two_and_three(ranking_name)


def category(ranking_name: str, value: int) -> str:
    """The words for a value: "full house", "royal flush", "8-7-5-2-A low"; "no qualifying hand" for 0."""
    ranking = ranking_named(ranking_name)
    hand = _tables(ranking_name).hands[value]
    if hand is None:
        return "no qualifying hand"
    strength, reading = hand
    word = ranking.categories[-strength]
    if ranking.lowest_wins and word == "high card":
        return "-".join(ranking.ranks[place] for place in reading).replace("T", "10") + " low"
    if word == "straight flush" and reading[0] == len(ranking.ranks) - 1:
        return "royal flush"
    return word


def best_five(
    ranking_name: str, hole_cards_used: int | None, hole: Sequence[int], board: Sequence[int]
) -> tuple[int, ...]:
    """The five cards that make the hand as one reads them: the pair first, the ace of A-2-3-4-5 last; () if none does.

    For display: it tries every five that the game allows.
    """
    evaluator(ranking_name, hole_cards_used)(hole, board)
    value_of = _any_mix(ranking_name)
    best = max(_allowed_fives(hole_cards_used, hole, board), key=lambda five: value_of(five, ()))
    hand = _tables(ranking_name).hands[value_of(best, ())]
    if hand is None:
        return ()
    reading = [ranking_named(ranking_name).ranks[place] for place in hand[1]]
    return tuple(sorted(best, key=lambda card: (reading.index(RANKS[rank_of(card)]), -suit_of(card))))


def _allowed_fives(used: int | None, hole: Sequence[int], board: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if used is None:
        return combinations((*hole, *board), 5)
    return ((*own, *shared) for own in combinations(hole, used) for shared in combinations(board, 5 - used))


@cache
def _tables(ranking_name: str) -> FiveCardTables:
    return five_card_tables(ranking_named(ranking_name))


@cache
def _any_mix(ranking_name: str) -> Evaluator:
    tables = _tables(ranking_name)
    values = five_to_seven_ranks(tables.ranks)
    suited = five_to_seven_suited(tables.suited)
    weights = _weights(with_suits=bool(suited))

    def value(hole: Sequence[int], board: Sequence[int]) -> int:
        total = _FULL_AT_FIVE
        for card in hole:
            total += weights[card]
        for card in board:
            total += weights[card]
        try:
            if total & _SUIT_IS_FULL:
                # Two cards beside five suited ones can't make a full house or four of a kind with them.
                return suited[sum(_ranks_in(_full_suit(total), (*hole, *board)))]
            return values[total >> _SUIT_COUNTERS]
        except KeyError:
            raise WrongNumberOfCards(f"{len(hole) + len(board)} cards given: a hand needs five to seven") from None

    return value


@cache
def _two_and_three(ranking_name: str) -> Evaluator:
    tables = _tables(ranking_name)
    ranks = [RANKS.index(name) for name in ranking_named(ranking_name).ranks]
    rows = pair_rows(tables.ranks, ranks)
    suited = tables.suited
    weights = _weights(with_suits=bool(suited), counted=ranks)
    as_higher = tuple(rank_of(card) * (rank_of(card) + 1) // 2 for card in deck(0))
    as_lower = tuple(rank_of(card) for card in deck(0))

    def value(hole: Sequence[int], board: Sequence[int]) -> int:
        if len(hole) < 2 or not 3 <= len(board) <= 5:
            raise WrongNumberOfCards(
                f"{len(hole)} own cards and {len(board)} on the board given: a hand needs two or more and three to five"
            )
        total = _FULL_AT_THREE
        for card in board:
            total += weights[card]
        row = rows.get(total >> _SUIT_COUNTERS)
        if row is None:
            return 0  # fewer than three cards of the board are of ranks that count
        own = sorted(hole, reverse=True)
        best = max([row[as_higher[high] + as_lower[low]] for high, low in combinations(own, 2)])
        if total & _SUIT_IS_FULL:
            return max(best, _best_flush(suited, _full_suit(total), own, board))
        return best

    return value


def _best_flush(suited: dict[int, int], suit: int, hole: Sequence[int], board: Sequence[int]) -> int:
    own = _ranks_in(suit, hole)
    if len(own) < 2:
        return 0
    threes = [sum(three) for three in combinations(_ranks_in(suit, board), 3)]
    return max([suited[high + low + three] for high, low in combinations(own, 2) for three in threes])


def _weights(with_suits: bool, counted: Iterable[int] = range(len(RANKS))) -> tuple[int, ...]:
    digits = [RANK_DIGIT[rank] if rank in counted else 0 for rank in range(len(RANKS))]
    counters = [1 << 4 * suit if with_suits else 0 for suit in range(4)]
    return tuple((digits[rank_of(card)] << _SUIT_COUNTERS) + counters[suit_of(card)] for card in deck(0))


def _full_suit(total: int) -> int:
    return (total & _SUIT_IS_FULL).bit_length() // 4 - 1


def _ranks_in(suit: int, cards: Iterable[int]) -> list[int]:
    return [RANK_BIT[card >> 2] for card in cards if card & 3 == suit]
