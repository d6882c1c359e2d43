"""The five betting structures as they apply to a game (rules.md section 2)."""

from collections.abc import Sequence

from domain.rules.explained import house
from domain.rules.explained.house import Books, said
from domain.rules.phrases import listed, number, on_streets
from domain.rules.stakes import TOURNAMENT_BETS_CAP
from domain.rules.vocabulary import Forced, Game


def limits(game: Game, books: Books) -> list[str]:
    """One entry a structure, then what binds several."""
    least = "the big blind" if game.forced is Forced.BLINDS else "the minimum bet"
    return [
        f"Fixed limit: {_sizes(game)}. {_fixed_opening(game)}{_most_in_fixed_limit(game, books)}",
        f"Raises of fixed limit: {said(house.raises, game, books)}. In tournaments it is always "
        f"{house.bets(TOURNAMENT_BETS_CAP)}.",
        "An all-in of fixed limit that covers at least half of the step to the next level counts as that bet or raise "
        "and reopens the betting; less is only a dearer call. Either way the next raise goes to that same level.",
        _spread(game, least),
        f"Pot limit: a bet is from {least} to the pot; a raiser calls first, then raises by at most all that is then "
        "in the pot.",
        f"Half-pot limit: the same with half of the pot, rounded down to the chip unit, never less than {least} or the "
        "last raise.",
        f"No limit: a bet is from {least} to all that the player has.",
        "Outside fixed limit there may be any number of raises. A raise adds at least the last full bet or raise; only "
        "an all-in may be less, and such a short one doesn't let those raise again who have acted already.",
        *_minimum_bet(game),
    ]


def _sizes(game: Game) -> str:
    small = [street.name for street in game.streets if not street.big]
    big = [street.name for street in game.streets if street.big]
    return ", ".join(f"the {size} bet {on_streets(on)}" for size, on in (("small", small), ("big", big)) if on)


def _fixed_opening(game: Game) -> str:
    if game.forced is Forced.BLINDS:
        return "The big blind is the first round's one bet."
    return "The first raise completes the bring-in to the small bet: that is the round's one bet, none of its raises."


def _most_in_fixed_limit(game: Game, books: Books) -> str:
    """The most that a player puts in at a 2/4 table, where every rulebook has the same number of raises."""
    cap, *others = {book.bets_cap for book in books}
    if others:
        return ""
    most = [str(cap * (4 if street.big else 2)) for street in game.streets]
    apart = ", an open pair apart" if house.pair_opens_in(game, books) else ""
    return f" At 2/4 with {number(cap - 1)} raises nobody puts in more than {listed(most)}{apart}."


def _spread(game: Game, least: str) -> str:
    names = [street.name for street in game.streets]
    return (
        f"Spread limit: the table states {number(len(names))} maxima, one for each round ({', '.join(names)}). A bet "
        f"is from {least} to the round's maximum, a raise from the last full raise to that maximum; nobody's chips of "
        "the round pass three times the maximum."
    )


def _minimum_bet(game: Game) -> Sequence[str]:
    if game.forced is Forced.BLINDS:
        return ()
    return (
        "The table states the minimum bet of spread, pot, half-pot and no limit; by default it is the bring-in.",
        "There the first raise of a bring-in goes at least to the minimum bet; where that is the bring-in itself, it "
        "adds at least as much again.",
    )
