"""The rules that each rulebook decides, each as a short text of what one rulebook says of a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.rules.explained.cards_needed import short_street
from domain.rules.phrases import listed, number
from domain.rules.rulebook import Rulebook, applies_to
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import DoorCard, Forced, Game, Kind, Limit, OddHalf

Books = Sequence[Rulebook]


@dataclass(slots=True, frozen=True)
class HouseRule:
    """A rule that each rulebook decides: what it is about, and what a rulebook says of a game."""

    about: str
    says: Callable[[Rulebook, Game], str]
    concerns: Callable[[Game], bool] = lambda game: True


def said(rule: HouseRule, game: Game, books: Books) -> str:
    """What they all say, or who says what: "twice the ante (classic and euro); half of the small bet (ace)"."""
    told = by_text(rule, game, books)
    if len(told) == 1:
        return next(iter(told))
    most_books_first = sorted(told.items(), key=lambda one: -len(one[1]))
    return "; ".join(f"{text} ({listed(names)})" for text, names in most_books_first)


def by_text(rule: HouseRule, game: Game, books: Books) -> dict[str, list[str]]:
    """The names of the rulebooks that say the same."""
    found: dict[str, list[str]] = {}
    for book in books:
        found.setdefault(rule.says(book, game), []).append(book.name)
    return found


def _raises(book: Rulebook, game: Game) -> str:
    usual = f"one bet and {number(book.bets_cap - 1)} raises"
    if book.bets_cap_two == book.bets_cap:
        return usual
    where = "at a two-seat table" if book.bets_cap_two_needs_two_seats else "in a round that starts with two players"
    return f"{usual}, {number(book.bets_cap_two - 1)} {where}"


def _brings_in(book: Rulebook, game: Game) -> str:
    by_card: dict[DoorCard, list[str]] = {}
    for limit in Limit:
        by_card.setdefault(house_rules(book, game, limit, Kind.PLAY, game.max_seats).brings_in, []).append(limit)
    if len(by_card) == 1:
        return f"{next(iter(by_card))} door card"
    told = [f"{card} in {listed(limits)} limit" for card, limits in by_card.items()]
    return f"by the door card, {', '.join(told)}"


def _open_pair(book: Rulebook, game: Game) -> str:
    if applies_to(book.open_pair_in, game):
        return "small or big bet, and after a big one only big ones"
    return "small bet only"


def _community_round(book: Rulebook, game: Game) -> str:
    return "the round is played" if book.plays_community_round else "nobody bets on that round"


def _everyone_shows(book: Rulebook, game: Game) -> str:
    if applies_to(book.everyone_shows_in, game):
        return "everyone who is left shows"
    return "mucked unless its player asks to show it"


def _may_give_up(book: Rulebook, game: Game) -> str:
    if applies_to(book.may_give_up_in, game):
        return "may be laid down unseen if its player asked for it in advance"
    return "is shown"


def _odd_half(book: Rulebook, game: Game) -> str:
    return "to the high half" if book.odd_half is OddHalf.HIGH else "to the low half"


def _raked(book: Rulebook, game: Game) -> str:
    rows = [limit for limit in Limit if any(limit in row.limits for row in book.rake)]
    return f"{listed(rows)} limit, stated in {book.rake_currency}"


def _has_blinds(game: Game) -> bool:
    return game.forced is Forced.BLINDS


def _has_bring_in(game: Game) -> bool:
    return game.forced is Forced.ANTE_AND_BRING_IN


def _is_hi_lo(game: Game) -> bool:
    return bool(game.low)


SMALL_BLIND = HouseRule(
    "small blind, fixed and spread limit", lambda book, game: book.small_blind.value, concerns=_has_blinds
)
CASH_ANTES = HouseRule(
    "an ante beside the blinds",
    lambda book, game: "at any table" if book.cash_antes else "in tournaments only",
    concerns=_has_blinds,
)
BRINGS_IN = HouseRule("who brings in", _brings_in, concerns=_has_bring_in)
BRING_IN = HouseRule("bring-in of fixed limit", lambda book, game: book.fixed_bring_in.value, concerns=_has_bring_in)
RAISES = HouseRule("raises in fixed limit", _raises)
OPEN_PAIR = HouseRule(
    "a pair showing, fixed limit", _open_pair, concerns=lambda game: any(street.open_pair for street in game.streets)
)
COMMUNITY_ROUND = HouseRule(
    "too few cards for a street", _community_round, concerns=lambda game: short_street(game) is not None
)
BEATEN_HAND = HouseRule("a beaten hand", _everyone_shows)
UNBEATEN_HAND = HouseRule("an unbeaten hand", _may_give_up)
ODD_HALF = HouseRule("odd chip between high and low", _odd_half, concerns=_is_hi_lo)
RAKED = HouseRule("rake rows for real money", _raked)

HOUSE_RULES = (
    SMALL_BLIND, CASH_ANTES, BRINGS_IN, BRING_IN, RAISES, OPEN_PAIR, COMMUNITY_ROUND, BEATEN_HAND, UNBEATEN_HAND,
    ODD_HALF, RAKED,
)  # fmt: skip
"""In the order in which a hand comes to them."""
