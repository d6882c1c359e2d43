"""What a declared ranking must be, so that it can be turned into tables and ranks the hands that it is meant to."""

from collections.abc import Iterator
from itertools import chain

from domain.cards import RANKS, SUITS, UnknownCard, cards
from domain.rules.phrases import counted
from domain.rules.ranking_words import CATEGORIES, Ranking, SuitOf

OF_EVERY_HAND = ("high card", "one pair", "two pair", "three of a kind", "full house", "four of a kind")
"""Whatever five cards are, they fit one of these: where every hand must rank, none may be missing."""

_PART_OF = {
    "straight flush": {"straight", "flush", "high card"},
    "straight": {"high card"},
    "flush": {"high card"},
}
"""The categories to which all cards of another one belong too: it must stand before them, or no hand is ever of it."""


def wrong_in_ranking(ranking: Ranking, ranks_all: bool) -> Iterator[str]:
    """Everything that is wrong with it, a phrase each. `ranks_all`: no hand may be without a category, as of a high."""
    yield from _wrong_in_categories(ranking, ranks_all)
    if sorted(ranking.suits) not in ([], sorted(SUITS)):
        yield f'its suits are {ranking.suits!r}: all of {SUITS!r}, from low to high, or "" where they break no tie'
    if len(set(ranking.ranks)) < len(ranking.ranks) or not set(ranking.ranks) <= set(RANKS):
        yield f"its ranks are {ranking.ranks!r}: ranks of {RANKS!r}, from low to high, none twice"
    elif len(ranking.ranks) < 5:
        yield f"its ranks are {ranking.ranks!r}: a hand needs five at least"
    else:
        yield from _wrong_in_wheel(ranking)
    yield from _wrong_in_ties(ranking)
    yield from _wrong_in_special(ranking)


def _wrong_in_categories(ranking: Ranking, ranks_all: bool) -> Iterator[str]:
    words = ranking.categories
    for word in sorted(set(words) - CATEGORIES.keys()):
        yield f"{word!r} is no category: one of {', '.join(CATEGORIES)}"
    if not words:
        yield "it has no category"
    if len(set(words)) < len(words):
        yield f"a category stands twice: {', '.join(words)}"
    for place, word in enumerate(words):
        wider = _PART_OF.get(word, set()).intersection(words[:place])
        if wider:
            yield f"{word!r} stands after {_quoted(wider)}, which its cards are too: it must stand before"
    missing = [word for word in OF_EVERY_HAND if word not in words]
    if ranks_all and missing:
        yield f"it has no {', no '.join(map(repr, missing))}: some hands would have no rank"


def _wrong_in_wheel(ranking: Ranking) -> Iterator[str]:
    right = f"A{ranking.ranks[:4]}"
    if ranking.wheel not in ("", right) or (ranking.wheel and ranking.ranks[-1] != "A"):
        yield (
            f'its wheel is {ranking.wheel!r}: "" for none; where the ace is its highest rank, the ace and the four '
            f"lowest, {right!r}"
        )


def _wrong_in_ties(ranking: Ranking) -> Iterator[str]:
    strange = ranking.ties.keys() - set(ranking.categories)
    if strange:
        yield f"it says what breaks ties of {_quoted(strange)}: none of its categories"
    looks = list(chain(*ranking.ties.values()))
    if any(not 1 <= look.card <= 5 for look in looks):
        yield "its ties look at a card that a hand hasn't: 1 to 5"
    if looks and not ranking.suits and any(isinstance(look, SuitOf) for look in looks):
        yield "its ties look at suits: say their order in `suits`"


def _wrong_in_special(ranking: Ranking) -> Iterator[str]:
    if ranking.special is None:
        return
    for hand in ranking.special:
        if not _is_hand(hand, ranking.ranks):
            yield f"its special hand is {hand!r}: five different cards of its ranks, such as 'As Ks Qs Js Ts'"
    different = len(set(ranking.special))
    if (len(ranking.special), different) != (2, 2):
        yield f"special names {counted(different, 'hand')}: two, the one that wins and the one that it beats"


def _is_hand(text: str, ranks: str) -> bool:
    try:
        found = cards(text)
    except UnknownCard:
        return False
    return len(found) == len(set(found)) == 5 and {RANKS[card // 4] for card in found} <= set(ranks)


def _quoted(words: set[str]) -> str:
    return ", ".join(map(repr, sorted(words)))
