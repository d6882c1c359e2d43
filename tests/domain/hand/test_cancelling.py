"""A hand that is cancelled because the room failed (rules.md section 8, server failure)."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.invariants import Broken, check
from domain.hand.state import Hand
from domain.messages import SECOND
from domain.rules.games import GAMES
from domain.rules.vocabulary import Kind, Limit
from domain.rulings.replay import Standing, frames
from tests.domain.hand.random_hands import Mood, answer, opening
from tests.hands import (
    ante_of,
    big_blind_of,
    dead_blind_of,
    late_blind_of,
    open_deck,
    open_hand_for,
    played,
    replayed,
    small_blind_of,
    table_ante_of,
)

FAILURE = 74 * SECOND
LIVELY = Mood(fold=0.1, bet=0.3, most=0.3, late=0.1, agree=0.8, wish=0)


def cancelled(hand: Hand) -> Hand:
    """A copy of the hand in which it was cancelled; every invariant holds."""
    again = deepcopy(hand)
    decide(again, ask.CancelHand(hand.id, FAILURE), OpenShoe((), tuple))
    check(again)
    return again


def hands_of(game: Any, seed: int) -> tuple[Hand, OpenShoe, Random]:
    random = Random(seed)
    while True:
        opened, _ = opening(random, game, random.choice(list(Limit)))
        if opened.kind is not Kind.TOURNAMENT:
            shoe = OpenShoe(open_deck(opened.deck), lambda pile: random.sample(list(pile), len(pile)))
            return open_hand(opened, shoe), shoe, random


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_at_every_moment_of_every_game_each_gets_back_what_he_put_in(game: Any) -> None:
    """At each decision the hand goes on, and a copy of it is cancelled."""
    moments = Counter[str]()
    for seed in range(40):
        hand, shoe, random = hands_of(game, seed)
        while hand.turn:
            after = cancelled(hand)
            moments[type(hand.turn).__name__] += 1
            moments["side pot"] += len({hand.put_in[seat] for seat in hand.contesting if not hand.stack[seat]}) > 1
            moments["all-in"] += any(not hand.stack[seat] for seat in hand.contesting)
            assert {one.seat: after.stack[one.seat] for one in hand.opened.seats} == {
                one.seat: one.stack for one in hand.opened.seats
            }
            assert (after.pot, after.rake, after.awarded, after.turn) == (0, 0, 0, None)
            assert [type(one) for one in after.facts] == [fact.HandCancelled, fact.HandSettled], "nobody shows or wins"
            assert after.shown == hand.shown
            decide(hand, answer(random, LIVELY, hand), shoe)
    asked = {"TurnGiven", "all-in", "side pot"}
    asked |= {"DrawOffered"} if any(street.draw is not None for street in game.streets) else set()
    asked |= {"SplitOffered"} if game.split_vote else set()
    asked |= {"BringInOwed"} if game.forced.name == "ANTE_AND_BRING_IN" else set()
    assert not asked - set(moments), moments


def test_every_kind_of_post_goes_back() -> None:
    posts = [
        table_ante_of(4, 3), ante_of(1, 1), dead_blind_of(3, 1), small_blind_of(1, 1), big_blind_of(2, 2),
        late_blind_of(3, 2),
    ]  # fmt: skip
    table = played(open_hand_for(stacks=[50, 50, 50, 50], posts=posts), "no owner for 74 s")
    (back,) = table.found(fact.HandCancelled)
    assert (back.seats, back.amounts) == ((1, 2, 3, 4), (2, 2, 3, 3))
    assert table.stacks == {1: 50, 2: 50, 3: 50, 4: 50}


def test_where_only_one_player_posts_the_others_get_nothing_back_and_pay_nothing() -> None:
    """Scenario 47: real money, one player's post, rake 0, and one fact that says that it was cancelled."""
    opened = open_hand_for(stacks=[500, 500, 500], kind="real", stakes=(50, 100), posts=[big_blind_of(2, 100)])
    table = played(opened, "no owner for 61 s")
    assert table.found(fact.HandCancelled) == [fact.HandCancelled(61 * SECOND, (2,), (100,))]
    assert table.found(fact.HandSettled) == [fact.HandSettled((1, 2, 3), (500, 500, 500), 0)]
    assert not table.found(fact.RakeTaken)


def test_a_hand_in_which_nobody_has_put_anything_in_is_cancelled_too() -> None:
    """Some low games have no ante (section 2): nothing lies in the middle before the bring-in."""
    table = played(open_hand_for("stud", "fixed", (2, 4), stacks=[50, 50, 50], rulebook="ace"), "no owner for 74 s")
    assert table.found(fact.HandCancelled) == [fact.HandCancelled(FAILURE, (), ())]


def test_an_uncalled_bet_that_went_back_before_does_not_go_back_twice() -> None:
    """Draw games go on after a return: all-in for 20, called, and the rest of the raise is back before the draw."""
    table = played(
        open_hand_for("draw", stacks=[100, 20], button=1), "1 raises to 60", "2 calls", "no owner for 74 s"
    )  # fmt: skip
    assert table.found(fact.UncalledBetReturned) == [fact.UncalledBetReturned(1, 40)]
    assert table.found(fact.HandCancelled)[0].amounts == (20, 20)
    assert table.stacks == {1: 100, 2: 20}


def test_what_the_facts_alone_make_is_the_same() -> None:
    table = played(open_hand_for(stacks=[100, 60, 30]), "3 raises to 30", "1 folds", "no owner for 74 s")
    again = replayed(table.facts)
    check(again)
    assert again.settled
    assert again.cancelled


# --- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0, 1, 12 * SECOND, 60 * SECOND])
def test_a_gap_that_is_not_longer_than_the_grace_is_a_pause(gap: int) -> None:
    table = played(open_hand_for(stacks=[100, 60, 30]))
    assert "is a pause, it is cancelled after more than 60 s" in table.refusal_of(ask.CancelHand("t1-1", gap))


def test_a_moment_more_cancels_and_reads_so() -> None:
    table = played(open_hand_for(stacks=[100, 60, 30]))
    assert decide(table.hand, ask.CancelHand("t1-1", 60 * SECOND + 1), table.shoe)
    assert "no working owner for 60.1 s" in list(frames([table.opened, *table.facts[1:], *table.hand.facts]))[-2].says


def test_a_hand_that_is_over_is_not_cancelled() -> None:
    settled = played(open_hand_for(stacks=[100, 60, 30]), "3 folds", "1 folds")
    assert settled.refusal("no owner for 74 s") == "hand t1-1 is over: it can't be cancelled any more"
    twice = played(open_hand_for(stacks=[100, 60, 30]), "no owner for 74 s")
    assert twice.refusal("no owner for 74 s") == "hand t1-1 was cancelled already: it can't be cancelled any more"


def test_nobody_acts_any_more_in_a_hand_that_was_cancelled() -> None:
    table = played(open_hand_for(stacks=[100, 60, 30]), "no owner for 74 s")
    late = ask.Call("t1-1", 1, 3)
    assert table.refusal_of(late) == "hand t1-1 was cancelled, every chip has gone back; it takes no more actions"
    assert "is over" in table.refusal("3 asks to show")


def test_a_tournament_goes_on_where_it_stopped() -> None:
    table = played(open_hand_for(stacks=[100, 60, 30], kind="tournament"))
    assert table.refusal("no owner for 7400 s") == "hand t1-1 is of a tournament: it goes on where it stopped"


# --- invariants and frames -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "amounts", "says"),
    [
        ((1, 2), (2, 1), "not everybody has what he brought: {1: 101, 2: 99, 3: 100}"),
        ((1, 2), (1, 1), "the pot holds 1"),
        ((2,), (3,), "not everybody has what he brought"),
    ],
)
def test_a_cancelling_that_gives_back_something_else_breaks_an_invariant(
    seats: tuple[int, ...], amounts: tuple[int, ...], says: str
) -> None:
    hand = played(open_hand_for(stacks=[100, 100, 100])).hand
    hand.facts = []
    hand.record(fact.HandCancelled(FAILURE, seats, amounts))
    hand.record(fact.HandSettled((1, 2, 3), tuple(hand.stack[1:]), 0))
    with pytest.raises(Broken) as broken:
        check(hand)
    assert says in str(broken.value)


def test_its_frames_say_why_and_show_no_card_that_lay_down() -> None:
    opened = open_hand_for(stacks=[100, 60, 30], stakes=(1, 2))
    table = played(opened, "3 calls", "1 folds", "no owner for 74 s")
    *_, off, end = frames(table.facts)
    assert off.says == (
        "the hand was cancelled: the room had no working owner for 74 s; every chip goes back, "
        "1 to seat 1, 2 to seat 2 and 2 to seat 3"
    )
    assert (off.pots, off.turn, off.legal, off.wager) == ((), None, "", 0)
    assert [(seat.stack, seat.live) for seat in off.seats] == [(100, 0), (60, 0), (30, 0)]
    assert end.over
    assert not [one for one in table.facts if isinstance(one, fact.HandShown)]
    assert [seat.standing for seat in end.seats] == [Standing.FOLDED, Standing.IN, Standing.IN]


def test_the_shoe_isn_t_asked_for_a_card() -> None:
    """So a hand can be cancelled whose deck nobody has the key of, and decided again without keys."""
    hand = played(open_hand_for(stacks=[100, 60, 30])).hand

    class NoShoe:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"the shoe is asked for {name}")

    assert decide(hand, ask.CancelHand(hand.id, FAILURE), NoShoe())
