"""The rankings a second time, written for reading: five cards and the sentences of rules.md section 4, no tables.

A key is (place of the category, what the section compares, in turn); higher is better. Ranks are 2 to 14.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from domain.cards import FACES, RANKS

Five = Sequence[int]
Key = tuple[Any, ...]

STANDARD = (
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
SOKO = ("high card", "one pair", "four-straight", "four-flush", *STANDARD[2:])
THIRTY_TWO = (*STANDARD[:5], "full house", "flush", *STANDARD[7:])

STRAIGHTS = {frozenset(range(top - 4, top + 1)): top for top in range(6, 15)}
WITH_A_5 = STRAIGHTS | {frozenset({14, 2, 3, 4, 5}): 5}
WITH_A_10 = STRAIGHTS | {frozenset({14, 7, 8, 9, 10}): 10}


_RANK = [RANKS.index(face[0]) + 2 for face in FACES]
_SUIT_HEIGHT = ["scdh".index(face[1]) for face in FACES]


def rank(card: int) -> int:
    return _RANK[card]


def suit_height(card: int) -> int:
    """Hearts, diamonds, clubs, spades."""
    return _SUIT_HEIGHT[card]


def groups(five: Five) -> list[tuple[int, int]]:
    """(how often, rank), the most frequent first, then the highest."""
    return sorted(((often, which) for which, often in Counter(map(rank, five)).items()), reverse=True)


def word_and_ranks(five: Five, straights: dict[frozenset[int], int]) -> tuple[str, tuple[int, ...]]:
    """The category of the standard list, and the ranks in the order of comparison."""
    counts = [often for often, _ in groups(five)]
    ranks = tuple(which for _, which in groups(five))
    top = straights.get(frozenset(ranks))
    if len({FACES[card][1] for card in five}) == 1:
        return ("straight flush", (top,)) if top else ("flush", ranks)
    if top:
        return "straight", (top,)
    words = {
        (4, 1): "four of a kind",
        (3, 2): "full house",
        (3, 1, 1): "three of a kind",
        (2, 2, 1): "two pair",
        (2, 1, 1, 1): "one pair",
        (1, 1, 1, 1, 1): "high card",
    }
    return words[tuple(counts)], ranks


def standard(five: Five) -> Key:
    word, ranks = word_and_ranks(five, WITH_A_5)
    return STANDARD.index(word), ranks


def deuce_to_seven(five: Five) -> Key:
    """The worst standard hand is the best: everything counts backwards."""
    word, ranks = word_and_ranks(five, STRAIGHTS)
    return -STANDARD.index(word), tuple(-which for which in ranks)


def soko(five: Five) -> Key:
    word, ranks = word_and_ranks(five, WITH_A_5)
    if word in {"high card", "one pair"}:
        found = four_flush(five) or four_straight(five)
        if found:
            word, ranks = found
    return SOKO.index(word), ranks


def four_flush(five: Five) -> tuple[str, tuple[int, ...]] | None:
    """Its four cards from the highest down, then the fifth."""
    for suit in "cdhs":
        four = sorted((rank(card) for card in five if FACES[card][1] == suit), reverse=True)
        if len(four) == 4:
            return "four-flush", (*four, *(rank(card) for card in five if FACES[card][1] != suit))
    return None


def four_straight(five: Five) -> tuple[str, tuple[int, ...]] | None:
    """Its top card, then the fifth: whatever card one leaves out is the fifth."""
    found = []
    for fifth in five:
        four = {rank(card) for card in five if card != fifth}
        if four == {14, 2, 3, 4}:
            found.append((4, rank(fifth)))
        elif len(four) == 4 and max(four) - min(four) == 3:
            found.append((max(four), rank(fifth)))
    return ("four-straight", max(found)) if found else None


def thirty_two(five: Five) -> Key:
    word, ranks = word_and_ranks(five, WITH_A_10)
    return THIRTY_TWO.index(word), ranks


def thirty_two_draw(five: Five) -> Key:
    """The ranks, and then one card's suit."""
    word, ranks = word_and_ranks(five, WITH_A_10)
    if word in {"straight flush", "straight"}:
        return THIRTY_TWO.index(word), ranks, suit_height(the(five, ranks[0]))
    if word == "flush":
        return THIRTY_TWO.index(word), ranks, suit_height(five[0])
    if word in {"two pair", "one pair", "high card"}:
        return THIRTY_TWO.index(word), ranks, suit_height(the(five, highest_alone(five)))
    return THIRTY_TWO.index(word), ranks


def highest_alone(five: Five) -> int:
    """The highest rank outside the pairs."""
    return max(which for often, which in groups(five) if often == 1)


def the(five: Five, which: int) -> int:
    """The card of that rank."""
    (card,) = [card for card in five if rank(card) == which]
    return card


KEYS: dict[str, tuple[tuple[str, ...], Callable[[Five], Key]]] = {
    "standard": (STANDARD, standard),
    "deuce-to-seven": (STANDARD, deuce_to_seven),
    "soko": (SOKO, soko),
    "32-card": (THIRTY_TWO, thirty_two),
    "32-card-draw": (THIRTY_TWO, thirty_two_draw),
}


def telesina(mine: Five, theirs: Five, vela: int | None) -> int:
    """Above 0: mine wins; below: theirs; 0: nothing decides. Two hands, no card in common but the vela."""
    (word, ranks), (other_word, others) = word_and_ranks(mine, WITH_A_10), word_and_ranks(theirs, WITH_A_10)
    if word != other_word:
        return THIRTY_TWO.index(word) - THIRTY_TWO.index(other_word)
    decide = {
        "high card": _from_the_top,
        "one pair": _pairs,
        "two pair": _two_pairs,
        "straight": _straights,
        "straight flush": _straights,
        "flush": lambda a, b, _: iter([suit_height(a[0]) - suit_height(b[0])]),
    }
    if word not in decide:  # three, full house, four: no two hands have the same three
        return (ranks > others) - (ranks < others)
    return next((by for by in decide[word](mine, theirs, vela) if by), 0)


def _from_the_top(mine: Five, theirs: Five, vela: int | None) -> Iterator[int]:
    for a, b in zip(_down(mine), _down(theirs), strict=True):
        if not a == b == vela:
            yield rank(a) - rank(b)
            yield suit_height(a) - suit_height(b)


def _pairs(mine: Five, theirs: Five, vela: int | None) -> Iterator[int]:
    yield groups(mine)[0][1] - groups(theirs)[0][1]
    yield from _side_card_then_pair(mine, theirs, vela)


def _two_pairs(mine: Five, theirs: Five, vela: int | None) -> Iterator[int]:
    for which in (0, 1):
        yield groups(mine)[which][1] - groups(theirs)[which][1]
    yield from _side_card_then_pair(mine, theirs, vela)


def _side_card_then_pair(mine: Five, theirs: Five, vela: int | None) -> Iterator[int]:
    """The highest card outside the pairs by rank, then its suit; the vela can't decide: the higher pair's suit does."""
    a, b = (the(five, highest_alone(five)) for five in (mine, theirs))
    if a == b == vela:
        yield _highest_suit_of_the_pair(mine) - _highest_suit_of_the_pair(theirs)
    else:
        yield rank(a) - rank(b)
        yield suit_height(a) - suit_height(b)


def _straights(mine: Five, theirs: Five, vela: int | None) -> Iterator[int]:
    a, b = (WITH_A_10[frozenset(map(rank, five))] for five in (mine, theirs))
    yield a - b
    for down in range(5):
        which = a - down if a - down >= 7 else 14
        if not the(mine, which) == the(theirs, which) == vela:
            yield suit_height(the(mine, which)) - suit_height(the(theirs, which))


def _down(five: Five) -> list[int]:
    return sorted(five, key=rank, reverse=True)


def _highest_suit_of_the_pair(five: Five) -> int:
    return max(suit_height(card) for card in five if rank(card) == groups(five)[0][1])
