"""pokerkit plays the same random hands and pays the same, in each game that both know; at each action it allows the
same. Where it has another rule, the table below says which of ours decides, and how the two are compared all the same.

Its state is built from our own declaration of the game and told what its own games differ in: no card is burned, and an
ante that is short counts as put in. Stud is played under rulebook `ace`, whose lowest card always brings in and whose
community card is followed by a round: pokerkit's rules.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import pytest

from domain.hand import events as fact
from domain.rules.games import GAMES
from domain.rules.vocabulary import Forced, Game, Limit
from tests.domain.hand import pokerkit_play
from tests.domain.hand.habits import Habits, play_at_random
from tests.domain.hand.pokerkit_peer import known
from tests.domain.hand.pokerkit_play import Difference, Incomparable
from tests.hands import Table, on_the_flop, open_hand_for, played, stacked

BIG = 20
KNOWN = [game for game in GAMES if known(game)]


@dataclass(frozen=True)
class Rule:
    """`section` of rules.md decides for `ours`. `treated`: how the comparison goes on."""

    section: str
    ours: str
    theirs: str
    treated: str


DIFFERENCES = {
    Difference.UNCALLABLE_RAISE: Rule(
        "2, raises", "legal, and comes back as an uncalled bet", "refused", "played there as a call"
    ),
    Difference.NOTHING_TO_DECIDE: Rule(
        "2, actions", "no decision once nobody else can act", "asked to check", "checked there"
    ),
    Difference.FOLD_FOR_NOTHING: Rule("2, actions", "always legal", "done with a warning", "the warning is expected"),
    Difference.TOO_FEW_CARDS: Rule(
        "2, too few cards for 7th street",
        "fewer undealt than players: one card for all",
        "folded hands are shuffled in first, one card each",
        "the card for all is dealt there to each",
    ),
    Difference.REOPENED: Rule(
        "2, raises",
        "a player who acted, checks included, raises again when he faces a full raise in total",
        "a short opening all-in is counted as a full bet: he may",
        "what is legal is not compared",
    ),
    Difference.ADDED_UP: Rule(
        "2, raises",
        "short all-ins that add up to a full raise reopen, whatever follows",
        "one more short all-in after them closes again",
        "what is legal is not compared; where somebody raises, another hand is played",
    ),
    Difference.OPEN_PAIR: Rule(
        "2, open pair on 4th street", "small or big bet", "small bet", "only the small one is bet"
    ),
    Difference.OTHER_STRUCTURE: Rule(
        "2, structures", "half-pot and spread limit", "not known", "played there as no limit; the most isn't compared"
    ),
    Difference.LAST_SPREAD_RAISE: Rule(
        "2, spread limit",
        "goes exactly to three times the maximum, even if under the last raise",
        "no raise is under the last one",
        "nobody makes it",
    ),
    Difference.HALF_BET: Rule(
        "2, fixed limit",
        "at least half of the step counts as a bet, and the next raise goes to the same level",
        "the next raise adds a full bet to it",
        "nobody makes it",
    ),
    Difference.SHORT_POST: Rule(
        "2, raises",
        "the price of a call is the full one",
        "what was posted",
        "stacks are deep enough for it, or nothing",
    ),
    Difference.LARGER_BRING_IN: Rule(
        "2, antes and bring-ins", "any amount up to the limit", "the least, or the minimum bet", "nobody makes it"
    ),
    Difference.ODD_CHIPS: Rule(
        "3, odd chips", "unit by unit, to one winner after the other", "all to the first", "another hand is played"
    ),
    Difference.ODD_POTS: Rule(
        "3, odd chips",
        "each pot is split on its own",
        "pots whose remaining players are the same are one pot once the beaten hands are out",
        "another hand is played",
    ),
    Difference.LOW_OF_ONE_POT: Rule(
        "3, hi/lo",
        "a pot without a low goes to its best high",
        "where another pot has a low, all who win something and are in this one share half of it",
        "another hand is played",
    ),
}


# --- each difference, in a small hand --------------------------------------------------------------------------------


def uncallable_raise() -> Table:
    return played(open_hand_for(stakes=(10, 20), stacks=(100, 40)), "2 raises to 40", "1 raises to 100")


def nothing_to_decide() -> Table:
    """Seat 2 is all-in from the big blind; once seat 1 has folded nobody can act against seat 3."""
    hand = played(open_hand_for(stakes=(10, 20), stacks=(100, 20, 100)), "3 calls", "1 calls")
    return hand.do("1 folds")


def too_few_cards() -> Table:
    """48 cards of eight players are dealt by 6th street; one of them folds there, and 4 cards are left for 7."""
    opened = open_hand_for("stud", "fixed", (20, 40), stacks=[400] * 8, rulebook="ace", ante=3)
    hand = played(opened, "1 brings in for 10", *(f"{seat} calls" for seat in range(2, 9)))
    while (turn := hand.hand.turn) and hand.hand.street < 3:
        hand.do(f"{turn.seat} checks")
    assert turn
    hand.do(f"{turn.seat} folds")
    return checked_down(hand)


def reopened() -> Table:
    hand = on_the_flop((100, 3, 100), stakes=(10, 20))
    return checked_down(hand.do("1 checks", "2 bets 3", "3 calls", "1 calls"))


def added_up(*last: str) -> Table:
    hand = on_the_flop((900, 150, 200, 250, 900), stakes=(50, 100))
    hand.do("1 bets 100", "2 raises to 150", "3 raises to 200", "4 raises to 250", "5 calls")
    return checked_down(hand.do(*last))


def open_pair(bet: str) -> Table:
    cards = {1: "2c3d4h", 2: "9c8dKs"}
    stud = stacked("stud", "fixed", (20, 40), stacks=(400, 400), rulebook="ace", ante=3, cards={**cards, 2: "9c8dKsKh"})
    return checked_down(stud.do("1 brings in for 10", "2 calls", bet, "1 calls"))


def half_pot() -> Table:
    return checked_down(played(open_hand_for(limit="half-pot", stakes=(10, 20), stacks=(400, 400)), "2 calls"))


def last_spread_raise() -> Table:
    """Maximum 3: bet 2, to 5, to 8, to 9."""
    opened = open_hand_for(limit="spread", stakes=(0, 2), stacks=(90, 90), maxima=(3, 3, 3, 3))
    hand = played(
        opened, "2 calls", "1 checks", "1 bets 2", "2 raises to 5", "1 raises to 8", "2 raises to 9", "1 calls"
    )
    return checked_down(hand)


def half_bet() -> Table:
    hand = on_the_flop((500, 90, 500), "fixed", stakes=(60, 120))
    return checked_down(hand.do("1 bets 60", "2 raises to 90", "3 raises to 120", "1 calls"))


def short_post() -> Table:
    return checked_down(played(open_hand_for(stakes=(10, 20), stacks=(100, 15, 100)), "3 calls", "1 calls"))


def larger_bring_in() -> Table:
    opened = open_hand_for(
        "stud", "pot", (0, 20), stacks=(400, 400), rulebook="ace", ante=3, bring_in=10, cards={1: "2c3d4h", 2: "9c8dKs"}
    )
    return checked_down(played(opened, "1 brings in for 12", "2 calls"))


def odd_chips() -> Table:
    """140 for three who play the board."""
    opened = open_hand_for(stakes=(10, 20), stacks=[400] * 4, board="AsKsQsJsTs")
    return checked_down(played(opened, "3 raises to 40", "4 calls", "1 calls", "2 folds"))


def odd_pots() -> Table:
    """185 in the main pot, 145 in the side pot; seats 4 and 5 share both."""
    cards = {2: "2c3d", 4: "AcKd", 5: "AdKc"}
    opened = open_hand_for(stakes=(5, 10), stacks=(400, 45, 400, 400, 400), cards=cards, board="AsKh9c8d4h")
    hand = played(opened, "3 raises to 60", "4 raises to 110", "5 calls", "1 folds", "2 calls", "3 folds")
    return checked_down(hand)


def low_of_one_pot() -> Table:
    """Seat 2 alone has a low and is in the main pot alone; the side pot of 82 is 41 for each."""
    cards = {1: "KcQcJcTc", 2: "Ac2dJhTh", 3: "KdQdJdTd"}
    opened = open_hand_for("omaha-hilo", "pot", (10, 20), stacks=(400, 20, 400), cards=cards, board="3s4h8cKh9d")
    return checked_down(played(opened, "3 calls", "1 calls", "1 bets 41", "3 calls"))


def checked_down(hand: Table) -> Table:
    """Everyone checks, or calls, to the end."""
    while isinstance(turn := hand.hand.turn, fact.TurnGiven):
        hand.do(f"{turn.seat} {'calls' if turn.call else 'checks'}")
    assert hand.hand.settled
    return hand


COMPARED = {
    Difference.UNCALLABLE_RAISE: uncallable_raise,
    Difference.NOTHING_TO_DECIDE: nothing_to_decide,
    Difference.FOLD_FOR_NOTHING: nothing_to_decide,
    Difference.TOO_FEW_CARDS: too_few_cards,
    Difference.REOPENED: reopened,
    Difference.ADDED_UP: partial(added_up, "1 calls"),
    Difference.OPEN_PAIR: partial(open_pair, "2 bets 20"),
    Difference.OTHER_STRUCTURE: half_pot,
}
LEFT_OUT = {
    Difference.ADDED_UP: partial(added_up, "1 raises to 400"),
    Difference.OPEN_PAIR: partial(open_pair, "2 bets 40"),
    Difference.LAST_SPREAD_RAISE: last_spread_raise,
    Difference.HALF_BET: half_bet,
    Difference.SHORT_POST: short_post,
    Difference.LARGER_BRING_IN: larger_bring_in,
    Difference.ODD_CHIPS: odd_chips,
    Difference.ODD_POTS: odd_pots,
    Difference.LOW_OF_ONE_POT: low_of_one_pot,
}


def test_the_table_names_every_difference_and_a_hand_shows_it() -> None:
    assert set(DIFFERENCES) == set(Difference) == set(COMPARED) | set(LEFT_OUT)


@pytest.mark.parametrize(("difference", "hand"), COMPARED.items(), ids=lambda one: getattr(one, "name", ""))
def test_hands_that_are_compared_in_spite_of_a_difference(difference: Difference, hand: Callable[[], Table]) -> None:
    ours = hand()
    theirs = pokerkit_play.play(ours.facts)
    assert difference in theirs.met
    assert theirs.stacks == ours.stacks


@pytest.mark.parametrize(("difference", "hand"), LEFT_OUT.items(), ids=lambda one: getattr(one, "name", ""))
def test_hands_that_are_left_out_since_the_two_do_differ(difference: Difference, hand: Callable[[], Table]) -> None:
    ours = hand()
    with pytest.raises(Incomparable) as found:
        pokerkit_play.play(ours.facts)
    assert found.value.difference is difference
    with pytest.raises((Incomparable, AssertionError, ValueError)):
        assert pokerkit_play.replay(ours.facts).stacks == ours.stacks


def test_a_hand_that_is_paid_otherwise_is_noticed() -> None:
    ours = checked_down(
        played(open_hand_for(stacks=(9, 9), cards={1: "AsAh", 2: "KsKh"}, board="2c3c4d5d9h"), "2 calls")
    )
    assert pokerkit_play.play(ours.facts).stacks == ours.stacks
    aces, kings = (at for at, one in enumerate(ours.facts) if type(one) is fact.CardsDealt)
    swapped = list(ours.facts)
    swapped[aces] = replace(swapped[aces], cards=ours.facts[kings].cards)
    swapped[kings] = replace(swapped[kings], cards=ours.facts[aces].cards)
    assert pokerkit_play.play(swapped).stacks != ours.stacks


@pytest.mark.parametrize("changed", [{"call": 11}, {"least": 41}, {"most": 99}, {"least": 0, "most": 0}], ids=str)
def test_another_legal_amount_is_noticed(changed: dict[str, int]) -> None:
    ours = checked_down(played(open_hand_for(stakes=(10, 20), stacks=(100, 100)), "2 calls"))
    first = next(at for at, one in enumerate(ours.facts) if isinstance(one, fact.TurnGiven))
    assert ours.facts[first] == fact.TurnGiven(2, 10, 40, 100)
    ours.facts[first] = replace(ours.facts[first], **changed)
    with pytest.raises(AssertionError, match=r"a call is 10|to bet or raise is legal from 40 to 100"):
        pokerkit_play.play(ours.facts)


# --- random hands ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", KNOWN, ids=lambda game: game.name)
def test_pokerkit_pays_the_same(game: Game) -> None:
    agree(game, hands=100, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("game", KNOWN, ids=lambda game: game.name)
def test_pokerkit_pays_the_same_for_long(game: Game) -> None:
    """10,000 hands, on all cores."""
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(agree, game, 2_500), range(2, 6)))


def agree(game: Game, hands: int, seed: int) -> None:
    """Play until so many hands were compared, an equal number under each structure."""
    random, left_out = Random(f"{game.name}/{seed}"), Counter[Difference]()
    compared = 0
    while compared < hands:
        opened = random_opening(game, list(Limit)[compared % len(Limit)], random)
        facts = play_at_random(opened, random, random_habits(random))
        try:
            peer = pokerkit_play.play(facts)
        except Incomparable as found:
            left_out[found.difference] += 1
            continue
        assert peer.stacks == paid(facts), f"seed {seed}, hand {compared}: {facts}"
        compared += 1
    assert left_out.total() < hands / 5, f"too many hands were left out: {left_out}"


def paid(facts: list[Any]) -> dict[int, int]:
    settled = facts[-1]
    assert type(settled) is fact.HandSettled
    return dict(zip(settled.seats, settled.stacks, strict=True))


def random_habits(random: Random) -> Habits:
    return Habits(random.uniform(0, 0.6), random.uniform(0, 0.4), random.choice([0, 0.05]), random.uniform(0, 0.5))


def random_opening(game: Game, limit: Limit, random: Random) -> fact.HandOpened:
    """A hand for a random number of players with stacks from one chip up, but enough to post the big blind or the
    bring-in, or all-in from the ante."""
    players = random.randint(2, game.max_seats)
    most = random.choice([3 * BIG, 15 * BIG, 150 * BIG])
    if game.forced is Forced.BLINDS:
        ante = random.choice([0, 0, 3])
        stacks = [random.randint(1, most) for _ in range(players)]
        poster = 0 if players == 2 else 1  # the button is in the last seat
        stacks[poster] += ante + BIG
        terms: dict[str, Any] = {"kind": "tournament" if ante else "play", "ante": ante}
    else:
        ante, bring_in = 3, BIG // 2
        short = random.choice([0, 0, 0.3])
        stacks = [
            random.randint(1, ante) if random.random() < short else random.randint(ante + bring_in, most)
            for _ in range(players)
        ]
        terms = {"rulebook": "ace", "ante": ante, "bring_in": bring_in}
    opened = open_hand_for(
        game.name, limit, stakes_of(game, limit), stacks=stacks, maxima=maxima_of(game, limit), **terms
    )
    opened.deck = tuple(random.sample(range(52), 52))
    return opened


def stakes_of(game: Game, limit: Limit) -> tuple[int, int]:
    if limit is Limit.FIXED:
        return BIG, 2 * BIG
    return (BIG // 2, BIG) if game.forced is Forced.BLINDS and limit is not Limit.SPREAD else (0, BIG)


def maxima_of(game: Game, limit: Limit) -> tuple[int, ...]:
    return tuple([BIG, 2 * BIG, 2 * BIG, 3 * BIG, 3 * BIG][: len(game.streets)]) if limit is Limit.SPREAD else ()
