"""What a player may see of a hand, and what he reckons from it: his chances, and the cards that he keeps in a draw."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random

from domain.cards import RANKS, deck, rank_of, suit_of
from domain.hand.dealing import Shoe
from domain.hand.showdown import Strength, worth_in
from domain.hand.state import Hand, Turn
from domain.rules.evaluation import category, evaluator
from domain.rules.rankings import ranking_named
from domain.rules.vocabulary import Game

_DEALS = 24
"""How often the rest is dealt out to reckon chances."""

_EIGHT = RANKS.index("8")

_OF_FIVE_CARDS = {"straight", "flush", "full house", "four of a kind", "straight flush", "royal flush"}
"""Hands that all five cards make: to stand pat on, or to break up where the lowest wins."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the player whose turn it is may know; amounts in minor units.

    hole: his own cards, in the order of their `indices`; thrown: what he has discarded. up: the cards that lie face up
    before each other player in the hand; folded: those that lay before the others. street, wager, pot as in the hand.
    """

    seat: int
    turn: Turn
    game: Game
    fixed: bool
    unit: int
    street: int
    hole: tuple[int, ...]
    indices: tuple[int, ...]
    thrown: tuple[int, ...]
    up: tuple[tuple[int, ...], ...]
    folded: tuple[int, ...]
    board: tuple[int, ...]
    pot: int
    wager: int
    stack: int


def look(hand: Hand, shoe: Shoe) -> Look:
    """The hand as the player whose turn it is sees it; somebody's turn it must be.

    The shoe is asked for his own cards only, those that he holds and those that he threw away.
    """
    turn = hand.turn
    assert turn is not None
    seat = turn.seat
    return Look(
        seat=seat,
        turn=turn,
        game=hand.game,
        fixed=hand.fixed,
        unit=hand.opened.chip_unit,
        street=hand.street,
        hole=tuple(map(shoe.card, hand.dealt[seat])),
        indices=hand.dealt[seat],
        thrown=tuple(map(shoe.card, hand.discards[seat])),
        up=tuple([hand.up[other] for other in hand.contesting if other != seat]),
        folded=tuple([card for other in hand.order if other not in hand.contesting for card in hand.up[other]]),
        board=hand.board,
        pot=hand.pot,
        wager=hand.wager,
        stack=hand.stack[seat],
    )


# --- chances ---------------------------------------------------------------------------------------------------------


def chances_of(seen: Look, random: Random) -> int:
    """The percentage of the pot to hope for against one of the others, of whom nothing is known but what lies face up.

    All that is still to come is dealt out, draws included, to the player and to each of the others in turn.
    """
    to_come, worth = seen.game.streets[seen.street + 1 :], worth_in(seen.game)
    board = sum(street.board for street in to_come)
    size = len(seen.hole) + sum(street.own for street in to_come)
    my_draws, all_draws = (sum(street.draw is not None for street in some) for some in (to_come, seen.game.streets))
    unseen = _unseen(seen)
    needed = board + 2 * size - len(seen.hole) - min(map(len, seen.up)) + size * (my_draws + all_draws)
    won = 0
    for number in range(_DEALS):
        cards = iter(random.sample(unseen, needed))
        whole_board = (*seen.board, *islice(cards, board))
        mine = _played_out(seen.hole, size, my_draws, seen.game, cards)
        other = _played_out(seen.up[number % len(seen.up)], size, all_draws, seen.game, cards)
        won += _share(worth(mine, whole_board), worth(other, whole_board))
    return 100 * won // (4 * _DEALS)


def _unseen(seen: Look) -> list[int]:
    known = {*seen.hole, *seen.thrown, *seen.folded, *seen.board, *chain.from_iterable(seen.up)}
    return [card for card in deck(seen.game.lowest_rank) if card not in known]


def _played_out(held: Sequence[int], size: int, draws: int, game: Game, cards: Iterator[int]) -> tuple[int, ...]:
    """The cards that a player ends with, who gets as many as are missing and then draws so often."""
    hand = (*held, *islice(cards, size - len(held)))
    for _ in range(draws):
        keeps = kept(game, hand)
        hand = (*keeps, *islice(cards, size - len(keeps)))
    return hand


def _share(mine: Strength, other: Strength) -> int:
    """Quarters of the pot that the first hand wins."""
    high = _half(mine.high, other.high)
    return high + (_half(mine.low, other.low) if mine.low or other.low else high)


def _half(mine: int, other: int) -> int:
    return 2 if mine > other else int(mine == other)


# --- draws -----------------------------------------------------------------------------------------------------------


def discards(seen: Look, most: int) -> tuple[int, ...]:
    """The indices of the cards that a sensible player throws away, at the most so many."""
    keeps = kept(seen.game, seen.hole)
    thrown = [index for index, card in zip(seen.indices, seen.hole, strict=True) if card not in keeps]
    return tuple(thrown[:most])


def kept(game: Game, hand: tuple[int, ...]) -> tuple[int, ...]:
    """Which of five cards a sensible player keeps."""
    of_five = category(game.high, evaluator(game.high, None)(hand, ())) in _OF_FIVE_CARDS
    if ranking_named(game.high).lowest_wins:
        low = sorted({rank_of(card): card for card in hand if rank_of(card) <= _EIGHT}.values())
        return tuple(low[:4] if of_five else low)
    return hand if of_five else _worth_drawing_to(hand)


def _worth_drawing_to(hand: tuple[int, ...]) -> tuple[int, ...]:
    """What stands together: equal ranks, four of a suit, else the two highest cards."""
    ranks, suits = Counter(map(rank_of, hand)), Counter(map(suit_of, hand))
    equal = tuple([card for card in hand if ranks[rank_of(card)] > 1])
    suited = tuple([card for card in hand if suits[suit_of(card)] == 4])
    return equal or suited or tuple(sorted(hand)[-2:])
