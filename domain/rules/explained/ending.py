"""How a game ends: what wins, who shows first, who may muck, where odd chips go (rules.md section 3)."""

from domain.rules.explained import house
from domain.rules.explained.house import Books, said
from domain.rules.explained.ranking import may_tie
from domain.rules.phrases import listed, number, on_streets
from domain.rules.vocabulary import Forced, Game

_FIVE = 5
"""The cards of a hand."""


def showdown(game: Game, books: Books) -> list[str]:
    last = game.streets[-1]
    return [
        f"A hand is {_made_of(game)}.",
        *(_halves(game, books) if game.low else [_best_hand(game)]),
        f"The last to bet or raise {on_streets([last.name])} shows first; if nobody did, {last.opener}; "
        "then clockwise.",
        "Beaten is a hand that can win or share no part of any pot it is in. A beaten hand: "
        f"{said(house.beaten_hand, game, books)}.",
        f"An unbeaten hand: {said(house.unbeaten_hand, game, books)}. Where all others were mucked, the last one left "
        "needn't be shown.",
        "Where betting ended early because at most one player has chips left, all hands are turned up"
        f"{_once_decided(game)}, and none is mucked.",
        f"Odd chips go one by one to those who share, {_nearest_the_dealer(game)} first.",
    ]


def _made_of(game: Game) -> str:
    """Such as "exactly two of the player's four cards and three of the board"."""
    own = sum(street.own for street in game.streets)
    board = sum(street.board for street in game.streets)
    if game.hole_cards_used is not None:
        used, of_the_board = game.hole_cards_used, _FIVE - game.hole_cards_used
        return f"exactly {number(used)} of the player's {number(own)} cards and {number(of_the_board)} of the board"
    if board:
        shared = "the community card" if board == 1 else f"the {number(board)} community cards"
        return f"any five of the player's {number(own)} cards and {shared}"
    return f"the player's {number(own)} cards" if own == _FIVE else f"any five of the player's {number(own)} cards"


def _best_hand(game: Game) -> str:
    if may_tie(game, game.high):
        return "The best hand wins; hands that tie share the pot."
    return f"The best hand wins: no pot is split by cards{', only by vote' if game.split_vote else ''}."


def _once_decided(game: Game) -> str:
    """What keeps the cards down for a while in a game with draws or a vote."""
    waits = ["no draw"] * any(street.draw for street in game.streets) + ["no vote"] * game.split_vote
    return f" as soon as {listed(waits)} is left" if waits else ""


def _halves(game: Game, books: Books) -> list[str]:
    return [
        "Half of each pot goes to the best high hand, half to the best qualifying low; without a low all goes to the "
        "high. One player may win both, with the same cards or others.",
        f"Hands that tie share their half. The odd chip between the halves goes {said(house.odd_half, game, books)}.",
    ]


def _nearest_the_dealer(game: Game) -> str:
    return "the first left of the button" if game.forced is Forced.BLINDS else "the one nearest the dealer box"
