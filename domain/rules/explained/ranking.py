"""A ranking in words, out of its declaration (rules.md section 4)."""

from itertools import combinations, pairwise

from domain.cards import RANKS
from domain.rules.phrases import each_rank, in_a_row, listed, sentence, suits_from_high
from domain.rules.ranking_tables import classify
from domain.rules.ranking_words import EVERY_RANK, SUITED_CATEGORIES, Look, Ranking, RankOf, SuitOf
from domain.rules.rankings import ranking_named
from domain.rules.vocabulary import Game

_WITH_PAIRS = ("one pair", "two pair", "three of a kind", "full house", "four of a kind")
_CARDS_THAT_SHOW_IT = {
    "high card": 1, "one pair": 2, "three of a kind": 3, "two pair": 4, "four-straight": 4, "four-flush": 4,
    "four of a kind": 4,
}  # fmt: skip
"""With how many cards a category can be made; the others need five."""

_CARDS_OF = {
    "one pair": ("the pair", "the pair", "the highest side card", "the second side card", "the last side card"),
    "two pair": ("the higher pair", "the higher pair", "the lower pair", "the lower pair", "the fifth card"),
    "three of a kind": ("the three", "the three", "the three", "the higher side card", "the lower side card"),
    "full house": ("the three", "the three", "the three", "the pair", "the pair"),
    "four of a kind": ("the four", "the four", "the four", "the four", "the fifth card"),
}
"""What a dealer calls the cards of a hand in reading order, where it has a pair or more."""

_CARDS_OF_OTHERS = ("the top card", "the second card", "the third card", "the fourth card", "the last card")


def ranking(game: Game, name: str) -> list[str]:
    """The sentences on one of the game's rankings."""
    of = ranking_named(name)
    return [
        _order(of),
        _ace(of),
        *_not_qualified(of, game),
        *_of_four_cards(of),
        *_best(of),
        *_ties(of, game),
        *_special(of),
    ]


def ranks_in_play(game: Game) -> list[str]:
    """The ranks of the game's deck, from low to high as its ranking has them."""
    return [rank for rank in each_rank(ranking_named(game.high).ranks) if rank in each_rank(RANKS[game.lowest_rank :])]


def showing_order(game: Game) -> list[str]:
    """The categories that cards lying face up can make, best first."""
    shown = sum(street.up for street in game.streets)
    return [word for word in _best_first(ranking_named(game.high)) if _CARDS_THAT_SHOW_IT.get(word, 5) <= shown]


def _best_first(of: Ranking) -> tuple[str, ...]:
    return of.categories[::-1] if of.lowest_wins else of.categories


def _order(of: Ranking) -> str:
    if of.categories == ("high card",):
        return "Only the ranks of the five cards count."
    told = [f"{word} (to the ace: royal flush)" if word == "straight flush" else word for word in _best_first(of)]
    return f"{'The lowest hand wins; from' if of.lowest_wins else 'From'} best to worst: {', '.join(told)}."


def _ace(of: Ranking) -> str:
    if of.ranks[0] == "A":
        return "The ace is low."
    if not of.wheel:
        return "The ace is always high" + (": A-2-3-4-5 is no straight." if "straight" in of.categories else ".")
    top = each_rank(of.wheel)[-1]
    return f"The ace is low only in {in_a_row(of.wheel)}, the lowest straight; its top card is the {top}."


def _not_qualified(of: Ranking, game: Game) -> list[str]:
    """What the ranking doesn't count, and the cards with which a hand is none."""
    found = []
    unread = [rank for rank in RANKS[game.lowest_rank :] if rank not in of.ranks]
    if unread:
        found.append(f"A hand with {listed(each_rank(''.join(unread)), 'or')} doesn't qualify.")
    pairs = [word for word in _WITH_PAIRS if word not in of.categories]
    if len(pairs) == len(_WITH_PAIRS):
        found.append("A hand with two cards of one rank doesn't qualify.")
    elif pairs:
        found.append(f"A hand with {listed(pairs, 'or')} doesn't qualify.")
    uncounted = [
        words for word, words in (("straight", "straights"), ("flush", "flushes")) if word not in of.categories
    ]
    if uncounted:
        found.append(sentence(f"{listed(uncounted)} don't count"))
    return found


def _of_four_cards(of: Ranking) -> list[str]:
    found = []
    if "four-flush" in of.categories:
        found.append("A four-flush is four cards of one suit; it compares those four, then the fifth card.")
    if "four-straight" in of.categories:
        ends = f"{in_a_row(of.wheel[:4])} is the lowest, {in_a_row(of.ranks[-4:])} the highest"
        found.append(
            f"A four-straight is four cards in sequence; it compares its top card, then the fifth card; {ends}."
        )
    return found


def _best(of: Ranking) -> list[str]:
    """The best hand, where the lowest wins: nobody finds it by looking at the order of the categories."""
    if not of.lowest_wins:
        return []
    hands = [classify(of, (), [RANKS.index(rank) for rank in ranks]) for ranks in combinations(of.ranks, 5)]
    _, reading = min(hand for hand in hands if hand is not None)
    return [
        "Ranks compare from the highest card down, and the lower is the better; then hands tie. The best hand is "
        f"{in_a_row(''.join(of.ranks[place] for place in reversed(reading)))}."
    ]


def _ties(of: Ranking, game: Game) -> list[str]:
    """What decides between two hands of one category."""
    if not of.suits:
        return [] if of.lowest_wins else ["Inside a category the higher ranks decide, kickers last; then hands tie."]
    shared = any(street.board for street in game.streets)
    return [
        f"Suits decide too, from high to low {suits_from_high(of.suits)}.",
        *(
            sentence(f"{word} against {word}: {_looks(word, of.ties[word])}")
            for word in of.categories
            if word in of.ties
        ),
        "All other hands compare by their ranks.",
        *(["A community card that would decide for both hands decides nothing: the next card does."] if shared else []),
        "Hands that are then equal tie." if may_tie(game, of.name) else "So no two hands tie.",
    ]


def _looks(category: str, looks: tuple[Look, ...]) -> str:
    """What is compared, in turn: "the ranks, then the suit of the top card"."""
    ranks_first = looks[: len(EVERY_RANK)] == EVERY_RANK
    rest = looks[len(EVERY_RANK) :] if ranks_first else looks
    told = [_look(category, look, before) for before, look in pairwise((None, *rest)) if look]
    if ranks_first:
        return ", then ".join(["the ranks", *told])
    ranks_last = "the other ranks" if any(isinstance(look, RankOf) for look in looks) else "the ranks"
    return ", then ".join([*told, ranks_last])


def _look(category: str, look: Look, before: Look | None) -> str:
    if category in SUITED_CATEGORIES and isinstance(look, SuitOf):
        return "the suit"
    names = _CARDS_OF.get(category, _CARDS_OF_OTHERS)
    card = names[look.card - 1]
    if isinstance(look, RankOf):
        return f"the rank of {card}"
    if before == RankOf(look.card):
        return "its suit"
    return f"the highest suit in {card}" if names.count(card) > 1 else f"the suit of {card}"


def may_tie(game: Game, name: str) -> bool:
    """Whether two hands of the game may be equal. Where they share no card, those with three of a kind never are."""
    if any(street.board for street in game.streets):
        return True
    of, never_equal = ranking_named(name), {"three of a kind", "full house", "four of a kind"}
    by_suit = {word for word, looks in of.ties.items() if any(isinstance(look, SuitOf) for look in looks)}
    return not by_suit >= set(of.categories) - never_equal


def _special(of: Ranking) -> list[str]:
    if of.special is None:
        return []
    lower, higher = (cards.replace("T", "10") for cards in of.special)
    return [f"In a pot that exactly two contest, {lower} beats {higher}, and only it."]
