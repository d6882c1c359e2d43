"""From when on a hand pays rake, game by game (rules.md section 9); every amount by hand, in cents.

Four players at a `euro` table of fixed limit 2.00/4.00: 0.50 for each 10.00 of the pot. All raise while anybody may, so
that the first round ends at 8.00 each.
"""

from typing import Any

import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.state import Hand
from domain.rules.games import GAMES
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced
from tests.hands import as_it_lies, open_deck, open_hand_for

TRIGGERS = {
    "holdem": "flop", "omaha": "flop", "omaha-hilo": "flop",
    "stud": "4th", "stud-hilo": "4th",
    "soko": "3rd", "americana": "3rd", "telesina": "3rd",
    "draw": "draw", "draw32": "draw", "triple-draw": "first draw",
}  # fmt: skip


def dealt(game: str, kind: str = "real") -> tuple[Hand, OpenShoe]:
    """Four players with 100.00 each; where there is an ante it is 0.25, the bring-in 1.00."""
    ante = GAMES_BY_NAME[game].forced is not Forced.BLINDS
    opened = open_hand_for(
        game, "fixed", (2_00, 4_00), stacks=(100_00,) * 4, kind=kind, ante=25 if ante else 0,
        bring_in=1_00 if ante else 0,
    )  # fmt: skip
    shoe = OpenShoe(open_deck(opened.deck), as_it_lies)
    return open_hand(opened, shoe), shoe


def answer(hand: Hand, rounds: int, last: int) -> Any:
    """A raise where one is left, else a call. The `last` round ends in folds: the first once nobody may raise, a later
    one to a single bet. Nobody draws."""
    turn = hand.turn
    assert turn
    given = hand.id, hand.decision, turn.seat
    match turn:
        case fact.BringInOwed():
            return ask.BringIn(*given, turn.least)
        case fact.DrawOffered():
            return ask.Draw(*given, ())
    bets = ask.Raise if hand.wager else ask.Bet
    if rounds == last > 1:
        return ask.Fold(*given) if hand.wager else bets(*given, turn.most)
    if turn.most:
        return bets(*given, turn.most)
    return ask.Fold(*given) if rounds == last else ask.Call(*given)


def played(hand: Hand, shoe: OpenShoe, last: int) -> list[Any]:
    """All facts of a hand that ends in that betting round, counted from 1."""
    facts = list(hand.facts)
    while hand.turn:
        rounds = sum(1 for one in facts if type(one) is fact.RoundOpened)
        facts += decide(hand, answer(hand, rounds, last), shoe)
    return facts


def rake_and_pots(facts: list[Any]) -> tuple[int, int]:
    rake = sum(one.amount for one in facts if type(one) is fact.RakeTaken)
    return rake, rake + sum(one.amount for one in facts if type(one) is fact.PotAwarded)


def test_each_game_is_among_these_and_pays_from_the_street_that_the_rules_say() -> None:
    assert {game.name: game.raked_from for game in GAMES} == TRIGGERS


def antes(game: str) -> int:
    """Of four players."""
    return 0 if GAMES_BY_NAME[game].forced is Forced.BLINDS else 1_00


@pytest.mark.parametrize("game", TRIGGERS)
def test_a_hand_that_ends_in_its_first_round_pays_nothing(game: str) -> None:
    """Raised to 4.00, 6.00 and 8.00 over the first 2.00; all fold to the 8.00, of which 2.00 nobody called goes back:
    6.00 + 6.00 + 4.00 + 2.00 = 18.00. The antes are 1.00 more."""
    assert rake_and_pots(played(*dealt(game), last=1)) == (0, 18_00 + antes(game))


@pytest.mark.parametrize("game", TRIGGERS)
def test_a_hand_that_ends_in_the_round_after_pays_for_the_first(game: str) -> None:
    """Four times 8.00 are 32.00, with the antes 33.00; a bet in the second round is folded to and goes back. Three
    whole increments pay 1.50, under the cap of 2.00."""
    assert rake_and_pots(played(*dealt(game), last=2)) == (1_50, 32_00 + antes(game))


@pytest.mark.parametrize("game", TRIGGERS)
def test_play_money_pays_nothing(game: str) -> None:
    assert rake_and_pots(played(*dealt(game, "play"), last=2))[0] == 0
