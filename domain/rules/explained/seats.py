"""Who comes to a table, what it costs him to have been away, and who is protected when his connection fails."""

from domain.rules.explained import house
from domain.rules.explained.house import Books, said
from domain.rules.vocabulary import Forced, Game


def seats(game: Game, books: Books) -> list[str]:
    return [
        *(_blinds_owed(game, books) if game.forced is Forced.BLINDS else _nothing_owed()),
        f"Least buy-in where the table states none: {said(house.least_buy_in, game, books)}.",
        "Pot, half-pot and no limit have a maximum, ten times that where the table states none.",
        f"Who leaves and comes back within {said(house.stack_remembered, game, books)} brings at least what he left "
        "with.",
        f"All-in protection when the connection is lost: {said(house.protection, game, books)}.",
    ]


def _blinds_owed(game: Game, books: Books) -> list[str]:
    return [
        "A new player waits for the big blind, or posts as much at once, live. He isn't dealt in as button or small "
        "blind until the button has passed him, unless fewer than three would play.",
        f"Who missed the big blind alone posts {said(house.missed_big, game, books)}.",
        "Who missed both posts the big one live and the small one dead; who missed the small one alone, that one dead. "
        "Or he waits for the big blind.",
        "At most one big and one small blind are ever owed, and one that is skipped because somebody left isn't.",
        f"Big blinds missed in a row: {said(house.taken_off, game, books)}.",
    ]


def _nothing_owed() -> list[str]:
    return ["A new player, and whoever sat out, plays the next hand: nothing is owed."]
