"""What a hand is worth under a ranking (rules.md section 4): look-ups in the tables of `ranking_tables.py` and
`suit_tables.py`.

A value is an int: the higher wins, equal values tie, 0 does not qualify. Tables are built when a ranking is first used
and kept for the life of the process.

For the look-ups a card is one number: its rank's digit of base five above four small counters, one for each suit. One
sum over a hand then says how often each rank occurs, and in a single bit whether a suit has enough cards for a flush.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from domain.cards import RANKS, SUITS, cards, deck, rank_of, suit_of
from domain.rules.ranking_tables import (
    RANK_BIT,
    RANK_DIGIT,
    FiveCardTables,
    Hand,
    five_card_tables,
    five_to_seven_ranks,
    five_to_seven_suited,
    pair_rows,
)
from domain.rules.ranking_words import SUITED_CATEGORIES, Ranking
from domain.rules.rankings import ranking_named
from domain.rules.suit_tables import SuitTables, suit_tables

Evaluator = Callable[[Sequence[int], Sequence[int]], int]
"""(a player's own cards, the board) -> value, for different cards in any order. Raises WrongNumberOfCards."""

_SUIT_COUNTERS = 16
_SUIT_IS_FULL = 0x8888  # the top bit of each counter
_FULL_AT_FIVE = 0x3333
_FULL_AT_FOUR = 0x4444
_FULL_AT_THREE = 0x5555


class WrongNumberOfCards(ValueError):
    """Too few or too many cards for the game's way of making a hand."""


def evaluator(ranking_name: str, hole_cards_used: int | None) -> Evaluator:
    """The function that values a player's best five cards.

    `hole_cards_used` None: any five of five to seven cards (hold'em, stud, draw). 2: exactly two of the player's own
    and three of a board of three to five (Omaha). Raises UnknownRanking, and ValueError for another number.
    """
    ranking = ranking_named(ranking_name)
    if hole_cards_used not in (None, 2):
        raise ValueError(f"no game uses exactly {hole_cards_used} own cards: it is 2, or None for any mix")
    if _all_fives_must_be_tried(ranking):
        return _best_of_all_fives(ranking_name, hole_cards_used)
    if hole_cards_used is None:
        return _any_mix_with_suits(ranking_name) if ranking.suits else _any_mix(ranking_name)
    return _best_of_all_fives(ranking_name, 2) if ranking.suits else _two_and_three(ranking_name)


def category(ranking_name: str, value: int) -> str:
    """The words for a value: "full house", "royal flush", "8-7-5-2-A low"; "no qualifying hand" for 0."""
    ranking = ranking_named(ranking_name)
    hand = _hands(ranking_name)[value]
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
    value_of = evaluator(ranking_name, None)
    best = max(_allowed_fives(hole_cards_used, hole, board), key=lambda five: value_of(five, ()))
    hand = _hands(ranking_name)[value_of(best, ())]
    return () if hand is None else _as_read(ranking_named(ranking_name), hand, best)


def beats_by_the_special_rule(ranking_name: str, value: int, other: int) -> bool:
    """Whether the lower of two hands wins all the same in a pot that exactly two contest (Telesina).

    It stands outside the order of values, which is transitive: whoever divides a pot asks pot by pot (rules.md
    section 4.7).
    """
    return (value, other) == _special_values(ranking_name)


def _as_read(ranking: Ranking, hand: Hand, five: Sequence[int]) -> tuple[int, ...]:
    strength, reading = hand
    left = sorted(five, key=lambda card: -(ranking.suits or SUITS).index(SUITS[suit_of(card)]))
    if ranking.categories[-strength] == "four-flush":
        left.sort(key=lambda card: -sum(suit_of(card) == suit_of(other) for other in five))
    read = []
    for place in reading:
        read.append(next(card for card in left if RANKS[rank_of(card)] == ranking.ranks[place]))
        left.remove(read[-1])
    return tuple(read)


def _not_five_to_seven(given: int) -> WrongNumberOfCards:
    return WrongNumberOfCards(f"{given} cards given: a hand needs five to seven")


def _not_two_and_three(own: int, shared: int) -> WrongNumberOfCards:
    return WrongNumberOfCards(
        f"{own} own cards and {shared} on the board given: a hand needs two or more and three to five"
    )


def _allowed_fives(used: int | None, hole: Sequence[int], board: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if used is None:
        return combinations((*hole, *board), 5)
    return ((*own, *shared) for own in combinations(hole, used) for shared in combinations(board, 5 - used))


@cache
def _tables(ranking_name: str) -> FiveCardTables:
    return five_card_tables(ranking_named(ranking_name))


@cache
def _suit_tables(ranking_name: str) -> SuitTables:
    return suit_tables(ranking_named(ranking_name), _tables(ranking_name).hands)


def _hands(ranking_name: str) -> tuple[Hand | None, ...]:
    return (_suit_tables if ranking_named(ranking_name).suits else _tables)(ranking_name).hands


@cache
def _special_values(ranking_name: str) -> tuple[int, ...]:
    special = ranking_named(ranking_name).special
    if not special:
        return ()
    value_of = evaluator(ranking_name, None)
    return tuple(value_of(cards(hand), ()) for hand in special)


def _all_fives_must_be_tried(ranking: Ranking) -> bool:
    """Whether tables for more than five cards don't help: four suited cards may count, or five of them may be worse
    than another five."""
    flushes_count = not SUITED_CATEGORIES.isdisjoint(ranking.categories)
    return "four-flush" in ranking.categories or (flushes_count and ranking.lowest_wins)


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
            raise _not_five_to_seven(len(hole) + len(board)) from None

    return value


@cache
def _any_mix_with_suits(ranking_name: str) -> Evaluator:
    by_ranks = _any_mix(ranking_name)
    ties = _suit_tables(ranking_name).ties
    suits = ranking_named(ranking_name).suits
    height = [suits.index(suit) for suit in SUITS]

    def value(hole: Sequence[int], board: Sequence[int]) -> int:
        tie = ties[by_ranks(hole, board)]
        looked_at = _of_most_frequent_suit(hole, board) if tie.suited else (*hole, *board)
        answers = 0
        for rank in tie.looks:
            answers = 4 * answers + max([height[card & 3] for card in looked_at if card >> 2 == rank])
        return tie.values[answers]

    return value


def _of_most_frequent_suit(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    by_suit = [[card for card in (*hole, *board) if card & 3 == suit] for suit in range(4)]
    return max(by_suit, key=len)


@cache
def _best_of_all_fives(ranking_name: str, hole_cards_used: int | None) -> Evaluator:
    ranking = ranking_named(ranking_name)
    value_of = _any_mix_with_suits(ranking_name) if ranking.suits else _exactly_five(ranking_name)

    def value(hole: Sequence[int], board: Sequence[int]) -> int:
        if hole_cards_used is None and not 5 <= len(hole) + len(board) <= 7:
            raise _not_five_to_seven(len(hole) + len(board))
        if hole_cards_used == 2 and (len(hole) < 2 or not 3 <= len(board) <= 5):
            raise _not_two_and_three(len(hole), len(board))
        return max([value_of(five, ()) for five in _allowed_fives(hole_cards_used, hole, board)])

    return value


@cache
def _exactly_five(ranking_name: str) -> Evaluator:
    tables = _tables(ranking_name)
    weights = _weights(with_suits=True)

    def value(five: Sequence[int], _: Sequence[int]) -> int:
        total = _FULL_AT_FOUR
        for card in five:
            total += weights[card]
        if total & _SUIT_IS_FULL:
            suit = _full_suit(total)
            suited = _ranks_in(suit, five)
            if len(suited) == 5:
                return tables.suited[sum(suited)]
            if tables.four_suited:
                return tables.four_suited[sum(suited), next(card >> 2 for card in five if card & 3 != suit)]
        return tables.ranks[total >> _SUIT_COUNTERS]

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
            raise _not_two_and_three(len(hole), len(board))
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
