"""How a game goes before its showdown: forced bets, streets, draws, what happens when the cards run short, the vote."""

from collections.abc import Iterable

from domain.rules.explained import house
from domain.rules.explained.cards_needed import fewest_for_reshuffle, short_street
from domain.rules.explained.house import Books, said
from domain.rules.explained.ranking import ranks_in_play, showing_order
from domain.rules.phrases import counted, listed, on_streets, players_from, sentence, street_text, suits_from_high
from domain.rules.vocabulary import Forced, Game, Opener, Street


def forced_bets(game: Game, books: Books) -> list[str]:
    return _blinds(game, books) if game.forced is Forced.BLINDS else _ante_and_bring_in(game, books)


def _blinds(game: Game, books: Books) -> list[str]:
    return [
        "Before any card is dealt the first seat left of the button posts the small blind, the next the big blind.",
        f"With two players the button posts the small blind; {_first_and_last_of_two(game)}.",
        "Fixed limit: the big blind is the small bet. Spread limit: the table states it.",
        f"The small blind of fixed and spread limit: {said(house.small_blind, game, books)}. It goes down to the chip "
        "unit and is never under one.",
        "Pot, half-pot and no limit: the stakes are the two blinds.",
        "Blinds are live: if nobody has raised, the big blind may.",
        f"An ante beside them: {said(house.cash_antes, game, books)}.",
    ]


def _first_and_last_of_two(game: Game) -> str:
    """Where the button acts when it is the small blind too: it is the first seat after the big blind."""
    first = [street.name for street in game.streets if street.opener is Opener.AFTER_BIG_BLIND]
    last = [street.name for street in game.streets if street.opener is Opener.LEFT_OF_BUTTON]
    return f"it acts first {on_streets(first)}" + (f", last {on_streets(last)}" if last else "")


def _ante_and_bring_in(game: Game, books: Books) -> list[str]:
    ranks = ranks_in_play(game)
    return [
        "All post the ante before any card is dealt.",
        "There is no button: the dealer box stands before seat 1 and never moves.",
        f"Who brings in: {said(house.brings_in, game, books)}.",
        f"Door cards rank from {ranks[0]} up to {ranks[-1]}; equal ones go by suit, from high to low "
        f"{suits_from_high(game.suits)}.",
        "Who has nothing left after the ante is passed over for the next seat clockwise.",
        f"Bring-in of fixed limit: {said(house.bring_in, game, books)}. At his choice he brings in for the full small "
        "bet.",
        "Bring-in elsewhere: what the table states, or twice the ante. At his choice he brings in for more, up to the "
        "most that the round allows.",
        "The bring-in was its player's action: he acts again only after a completion or a raise.",
    ]


def streets(game: Game, books: Books) -> list[str]:
    """One sentence or two a street, and how the best hand showing is found."""
    dealer = "button" if game.forced is Forced.BLINDS else "dealer box"
    told = [
        f"{street.name}: {_dealt(street)}. {sentence(f'{street.opener} opens')} {_size(street, game, books)}."
        for street in game.streets
    ]
    if house.pair_opens_in(game, books):
        told.append(f"Where a pair shows there, fixed limit: {said(house.open_pair, game, books)}.")
    if any(street.opener is Opener.BEST_SHOWING for street in game.streets):
        told += _best_showing(game)
    return [*told, f"Cards are dealt one at a time, clockwise, from the left of the {dealer}; none is burned."]


def _dealt(street: Street) -> str:
    own = [f"{counted(cards, 'card')} {way}" for cards, way in ((street.down, "down"), (street.up, "up")) if cards]
    dealt = [f"{listed(own)} to each player"] if own else []
    dealt += [f"{counted(street.board, 'community card')} face up"] if street.board else []
    dealt += [] if street.draw is None else [f"each player may exchange up to {counted(street.draw, 'card')}"]
    return listed(dealt)


def _size(street: Street, game: Game, books: Books) -> str:
    if street.big:
        return "Big bet"
    opening = house.pair_opens_in(game, books) if street.open_pair else []
    by_rulebook = " (by rulebook)" if len(opening) < len(books) else ""
    return f"Small bet, or the big one where a pair shows{by_rulebook}" if opening else "Small bet"


def _best_showing(game: Game) -> list[str]:
    return [
        f"Hands showing rank, best first: {listed(showing_order(game))}; suits and community cards don't count.",
        "Equal hands showing: the one nearest the dealer's left opens; one without chips is passed over.",
    ]


def draws(game: Game) -> list[str]:
    drawing = [street for street in game.streets if street.draw is not None]
    if not drawing:
        return []
    return [
        f"In turn from {_each_of(street.opener for street in drawing)}, all-in players too: each discards from none to "
        f"{_each_of(counted(street.draw or 0, 'card') for street in drawing)} and gets as many.",
        "Who is too late, connected or not, stands pat, and may neither bet nor raise in the round that follows"
        + ("; in time at the next draw, he may bet again." if len(drawing) > 1 else ".")
        + " If all are late, the round is checked through.",
        *_reshuffle(game),
    ]


def _each_of(words: Iterable[str]) -> str:
    """The different ones, as in "4 cards or 5 cards"."""
    return listed(list(dict.fromkeys(words)), "or")


def _reshuffle(game: Game) -> list[str]:
    fewest = fewest_for_reshuffle(game)
    if fewest is None:
        return []
    return [
        f"The deck can run out with {players_from(fewest, game.max_seats)}: the mucked and discarded cards are then "
        "shuffled to finish the draw, and nobody is dealt a card that he himself discarded in this hand."
    ]


def too_few_cards(game: Game, books: Books) -> list[str]:
    """The community card for all, on a street for which a full table's cards may not be enough."""
    short = short_street(game)
    if short is None:
        return []
    street, fewest = short
    return [
        f"If fewer undealt cards are left before {street_text(street.name)} than players still in, one card is dealt "
        f"face up for all; that can happen with {players_from(fewest, game.max_seats)} dealt in.",
        f"After it: {said(house.community_round, game, books)}.",
    ]


def split_vote(game: Game) -> list[str]:
    if not game.split_vote:
        return []
    return [
        "After the draw the first to act may, beside the usual actions, vote to split; then "
        "the next is offered it, and so on. Players who are all-in are asked too, yes or no.",
        "With all of them all-in, or one with chips, the first one still in opens the offer.",
        "When all players of a pot have voted yes, it is divided equally between them without a showdown.",
        "Whoever acts otherwise ends the offer for those after him; a yes already given stands as a check.",
        "A no of a player who is all-in spares the pots that he isn't in.",
        "Late is a refusal: a check if that is free, else a fold.",
    ]
