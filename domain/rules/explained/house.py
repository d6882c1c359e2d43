"""The rules that each rulebook decides: each function says in a few words what one rulebook has for a game."""

from collections.abc import Callable, Sequence

from domain.money import decimal_text
from domain.rules.phrases import counted, listed, number
from domain.rules.rulebook import RAKE_SCALE, Rulebook, SmallBlind, applies_to, stakes_text
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import DoorCard, Game, Kind, Limit

Books = Sequence[Rulebook]


def said(rule: Callable[[Rulebook, Game], str], game: Game, books: Books) -> str:
    """What they all say, or who says what: "twice the ante (classic and euro); half of the small bet (ace)"."""
    told: dict[str, list[str]] = {}
    for book in books:
        told.setdefault(rule(book, game), []).append(book.name)
    if len(told) == 1:
        return next(iter(told))
    most_books_first = sorted(told.items(), key=lambda one: -len(one[1]))
    return "; ".join(f"{text} ({listed(names)})" for text, names in most_books_first)


def small_blind(book: Rulebook, game: Game) -> str:
    whole = book.small_blind is SmallBlind.HALF_IN_WHOLE_UNITS
    return f"{book.small_blind}{', or exactly half where that is under one unit' if whole else ''}"


def cash_antes(book: Rulebook, game: Game) -> str:
    return "at any table" if book.cash_antes else "in tournaments only"


def bring_in(book: Rulebook, game: Game) -> str:
    return book.fixed_bring_in.value


def bets(cap: int) -> str:
    return f"one bet and {number(cap - 1)} raises"


def raises(book: Rulebook, game: Game) -> str:
    usual = bets(book.bets_cap)
    if book.bets_cap_two == book.bets_cap:
        return usual
    where = "at a two-seat table" if book.bets_cap_two_needs_two_seats else "in a round that starts with two players"
    return f"{usual}, {number(book.bets_cap_two - 1)} {where}"


def brings_in(book: Rulebook, game: Game) -> str:
    by_card: dict[DoorCard, list[str]] = {}
    for limit in Limit:
        by_card.setdefault(house_rules(book, game, limit, Kind.PLAY, game.max_seats).brings_in, []).append(limit)
    if len(by_card) == 1:
        return f"{next(iter(by_card))} door card"
    told = [f"{card} in {listed(limits)} limit" for card, limits in by_card.items()]
    return f"by the door card, {', '.join(told)}"


def pair_opens_in(game: Game, books: Books) -> list[Rulebook]:
    """The rulebooks that let a pair which shows be bet big, in a game that has such a street."""
    streets = any(street.open_pair for street in game.streets)
    return [book for book in books if streets and applies_to(book.open_pair_in, game)]


def open_pair(book: Rulebook, game: Game) -> str:
    if applies_to(book.open_pair_in, game):
        return "small or big bet, and after a big one only big ones"
    return "small bet only"


def beaten_hand(book: Rulebook, game: Game) -> str:
    if applies_to(book.everyone_shows_in, game):
        return "everyone who is left shows"
    return "mucked unless its player asks to show it"


def unbeaten_hand(book: Rulebook, game: Game) -> str:
    if applies_to(book.may_give_up_in, game):
        return "may be laid down unseen if its player asked for it in advance"
    return "is shown"


def community_round(book: Rulebook, game: Game) -> str:
    return "the round is played" if book.plays_community_round else "nobody bets on that round"


def odd_half(book: Rulebook, game: Game) -> str:
    return f"to the {book.odd_half} half"


def missed_big(book: Rulebook, game: Game) -> str:
    return "it live and the small one dead" if book.seating.missed_big_costs_both else "it live"


def taken_off(book: Rulebook, game: Game) -> str:
    after = book.seating.taken_off_after
    return f"{number(after)} cost the seat" if after else "they cost no seat"


def stack_remembered(book: Rulebook, game: Game) -> str:
    return f"{book.seating.stack_remembered} minutes"


def least_buy_in(book: Rulebook, game: Game) -> str:
    """The rulebook's own list, where it names the game, before the rule for all other stakes."""
    stated = [
        f"{decimal_text(row.least, RAKE_SCALE)} at {row.limit} limit {stakes_text(*row.bets)}"
        for row in book.seating.least_buy_ins
        if game.name in row.games
    ]
    listed_first = f"{listed(stated)} for real money, else " if stated else ""
    return f"{listed_first}ten small bets or minimum bets"


def protection(book: Rulebook, game: Game) -> str:
    says = book.seating
    if not says.protections:
        return "none"
    every = set(says.protected_limits) == set(Limit)
    where = "every structure" if every else f"{listed(list(says.protected_limits))} limit"
    return f"{counted(says.protections, 'use')} in 24 hours at cash tables of {where}"
