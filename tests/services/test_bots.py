"""Bots play every game, sensibly enough, and by what a player may see alone."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from random import Random

import pytest

from domain.cards import cards, faces
from domain.hand import events as fact
from domain.hand.decider import decide
from domain.hand.events import DrawOffered
from domain.hand.state import Hand
from domain.rules.games import GAMES
from domain.rules.registry import game
from domain.rules.vocabulary import Forced, Game
from services.bots import STYLES, act
from services.reckoning import chances_of, discards, kept, look
from tests.hands import Table, open_deck, open_hand_for, stacked


def full_table(of: Game, seed: int) -> Table:
    """As many players as the game takes, with enough to see every card."""
    ante = int(of.forced is Forced.ANTE_AND_BRING_IN)
    random = Random(seed)
    opened = open_hand_for(of.name, "fixed", (2, 4), stacks=[200] * of.max_seats, ante=ante)
    opened.deck = tuple(random.sample(open_deck(opened.deck), fact.size_of(opened.deck)))
    return Table(opened)


@pytest.mark.parametrize("of", GAMES, ids=lambda of: of.name)
def test_bots_play_every_game_at_a_full_table_to_its_end_and_don_t_look_at_hidden_cards(of: Game) -> None:
    random = Random(of.name)
    for number in range(8):
        table = full_table(of, number)
        while not table.hand.settled:
            hand, seed = table.hand, random.random()
            style = STYLES[(hand.turn.seat + number) % len(STYLES)]  # type: ignore[union-attr]
            command = act(style, hand, table.shoe, Random(seed))
            assert act(style, with_hidden_cards_covered(hand), OnlyOwn(table), Random(seed)) == command
            decide(hand, command, table.shoe)


def with_hidden_cards_covered(hand: Hand) -> Hand:
    """The same hand without the deck, and without what the others hold or threw away."""
    covered = copy(hand)
    mine = hand.turn.seat  # type: ignore[union-attr]
    covered.decks = ()
    covered.faces = 0
    covered.hole = [cards if seat == mine else () for seat, cards in enumerate(hand.hole)]
    covered.dealt = [indices if seat == mine else () for seat, indices in enumerate(hand.dealt)]
    covered.discards = [indices if seat == mine else () for seat, indices in enumerate(hand.discards)]
    return covered


class OnlyOwn:
    """A hand's shoe that shows the player whose turn it is what he holds or threw away, and nobody else's cards."""

    deck: fact.Deck = ()

    def __init__(self, table: Table) -> None:
        seat = table.hand.turn.seat  # type: ignore[union-attr]
        own = table.hand.dealt[seat] + table.hand.discards[seat]
        self._own = {index: table.shoe.card(index) for index in own}

    def card(self, index: int) -> int:
        return self._own[index]

    def down(self, seat: int, index: int) -> int:
        raise AssertionError("a bot deals no card")

    def reshuffle(self, pile: Sequence[int]) -> fact.Deck:
        raise AssertionError("a bot shuffles no card")


@pytest.mark.parametrize(
    ("name", "hand", "keeps"),
    [
        ("draw", "Ks Kh 7d 4c 2s", "Ks Kh"),
        ("draw", "Ks Kh 7d 7c 2s", "Ks Kh 7d 7c"),
        ("draw", "9s 9h 9d 7c 2s", "9s 9h 9d"),
        ("draw", "As Js 7s 4s 2h", "As Js 7s 4s"),
        ("draw", "As Jd 7s 4s 2h", "Jd As"),
        ("draw", "As 2d 3s 4s 5h", "As 2d 3s 4s 5h"),
        ("draw", "9s 9h 9d 7c 7s", "9s 9h 9d 7c 7s"),
        ("draw32", "As Ts 9s 8h 7d", "As Ts 9s 8h 7d"),
        ("triple-draw", "2s 3h 5d 7c Ks", "2s 3h 5d 7c"),
        ("triple-draw", "2s 2h 5d 8c 9s", "2h 5d 8c"),
        ("triple-draw", "2s 3h 4d 5c 6s", "2s 3h 4d 5c"),
        ("triple-draw", "2s 3s 4s 5s 7s", "2s 3s 4s 5s"),
        ("triple-draw", "2s 3h 4d 5c 7s", "2s 3h 4d 5c 7s"),
        ("triple-draw", "Ts Jh Qd Kc As", ""),
    ],
)
def test_what_a_bot_keeps_in_a_draw(name: str, hand: str, keeps: str) -> None:
    assert set(faces(kept(game(name), cards(hand))).split()) == set(keeps.split())


def test_a_bot_discards_by_the_index_of_each_card_and_no_more_than_it_may() -> None:
    table = stacked("draw", "no", stacks=(50, 50), cards={1: "As Kd 2h 6c 6h", 2: "Jc Jd 8h 7h 5h"})
    table.do("2 calls", "1 checks")
    assert isinstance(table.hand.turn, DrawOffered)
    seen = look(table.hand, table.shoe)
    held = dict(zip(seen.indices, seen.hole, strict=True))
    assert faces(held[index] for index in discards(seen, 5)) == "As Kd 2h"
    assert faces(held[index] for index in discards(seen, 2)) == "As Kd"


@pytest.mark.parametrize(
    ("name", "street", "mine", "theirs_up", "board", "chances"),
    [
        ("holdem", "preflop", "As Ad", "", "", range(70, 100)),
        ("holdem", "flop", "As Ks", "", "Qs Js Ts", [100]),
        ("omaha-hilo", "river", "As 2s 9h 9d", "", "3s 4s 5s Kd Qh", range(95, 101)),
        ("stud", "3rd", "As Ah Ad", "2c", "", range(75, 101)),
        ("stud", "3rd", "2c 7d 9h", "Ac", "", range(10, 45)),
        ("stud", "7th", "Ks Kh Qd Qc 3s 2h 9d", "As Ad Ac Ah", "", [0]),
        ("telesina", "vela", "As 7s 8s 9s Ts", "Kh Qd 8h 7d", "Jc", [100]),
        ("draw", "predraw", "As Ah Ad Ac Ks", "", "", [100]),
        ("draw", "draw", "Ts Th 8d 4c 3s", "", "", range(20, 70)),
        ("triple-draw", "third draw", "2c 3d 4h 5s 7c", "", "", range(95, 101)),
        ("triple-draw", "predraw", "2c 2d 2h Ks Kc", "", "", range(20, 60)),
        ("draw32", "draw", "As Ks Qs Js Ts", "", "", range(95, 101)),
    ],
)
def test_chances_are_those_of_the_game(
    name: str, street: str, mine: str, theirs_up: str, board: str, chances: Sequence[int]
) -> None:
    """Against one other, of whom nothing is known but what lies face up."""
    of = game(name)
    at = [each.name for each in of.streets].index(street)
    ante = int(of.forced is Forced.ANTE_AND_BRING_IN)
    table = Table(open_hand_for(name, "fixed", (2, 4), stacks=[50, 50], ante=ante))
    seen = look(table.hand, table.shoe)
    seen = replace(seen, street=at, hole=cards(mine), up=(cards(theirs_up),), board=cards(board))
    assert chances_of(seen, Random(1)) in chances
