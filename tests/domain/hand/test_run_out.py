"""The deck runs out (rules.md section 2, too few cards for 7th street; section 5, reshuffles): everybody stays in."""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

import pytest

from domain.cards import deck
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.hand.invariants import check
from domain.hand.state import Hand
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.stakes import resolve
from domain.table.decider import hand_under
from domain.table.seating import ordinary_posts
from tests.domain.hand.dealer_model import Dealer
from tests.hands import open_cards


def staying_in(
    game: str, players: int, rulebook: str = "euro", *, draws: int = 0, folding: Collection[tuple[int, int]] = ()
) -> list[Any]:
    """The facts of a fixed-limit hand in which everybody checks or calls and draws so many, but for those who fold:
    (street, seat). A dealer who knows the rules by heart has judged them."""
    blinds = game in {"draw", "triple-draw", "draw32"}
    terms = resolve(
        game, "fixed", rulebook, 10, 20, kind="play", currency="PLAY", seats=players, ante=0 if blinds else 2
    )
    seats, button = range(1, players + 1), players if blinds else 0
    order = list(deck(GAMES_BY_NAME[game].lowest_rank))
    random = Random(7)
    random.shuffle(order)
    opened = hand_under(
        terms, table="t1", number=1, clocks=fact.Clocks(), button=button, deck=tuple(order),
        seats=tuple(fact.DealtIn(seat, f"player{seat}", 1000) for seat in seats),
        posts=ordinary_posts(terms.stakes, seats, button),
    )  # fmt: skip
    shoe = OpenShoe(order, lambda pile: random.sample(list(pile), len(pile)))
    hand = open_hand(opened, shoe)
    facts = list(hand.facts)
    while hand.turn:
        facts += decide(hand, answer(hand, draws, folding), shoe)
        check(hand, shoe)
    Dealer(facts, players).run()
    return facts


def answer(hand: Hand, draws: int, folding: Collection[tuple[int, int]]) -> Any:
    turn = hand.turn
    assert turn
    given = (hand.id, hand.decision, turn.seat)
    match turn:
        case fact.BringInOwed(_, least, _):
            return ask.BringIn(*given, least)
        case fact.DrawOffered(seat, most):
            return ask.Draw(*given, hand.dealt[seat][: min(draws, most)])
        case fact.TurnGiven(seat) if (hand.street, seat) in folding:
            return ask.Fold(*given)
    return ask.Call(*given) if turn.call else ask.Check(*given)


def found(facts: Sequence[Any], *kinds: type[Any]) -> list[Any]:
    return [one for one in facts if isinstance(one, kinds)]


def dealt_before(facts: Sequence[Any], reached: Callable[[Any], bool]) -> int:
    """How many cards were dealt before a fact."""
    at = next(place for place, one in enumerate(facts) if reached(one))
    return sum(len(one.indices) for one in found(facts[:at], fact.CardsDealt, fact.BoardDealt))


# --- stud ---


@pytest.mark.parametrize("rulebook", ["ace", "euro"])
@pytest.mark.parametrize("game", ["stud", "stud-hilo"])
def test_eight_in_stud_share_one_seventh_card(game: str, rulebook: str) -> None:
    facts = staying_in(game, 8, rulebook)
    (shared,) = found(facts, fact.BoardDealt)
    assert (shared.street, shared.indices) == ("7th", (48,)), "48 cards are dealt by 6th street, and 4 are left"
    assert dealt_before(facts, lambda one: one is shared) == 48
    assert dealt_before(facts, lambda one: isinstance(one, fact.HandSettled)) == 49, "3 stay in the shoe"


@pytest.mark.parametrize(("rulebook", "streets"), [("ace", [0, 1, 2, 3, 4]), ("euro", [0, 1, 2, 3])])
def test_after_the_shared_card_ace_plays_the_round_and_euro_none(rulebook: str, streets: list[int]) -> None:
    facts = staying_in("stud", 8, rulebook)
    assert [one.street for one in found(facts, fact.RoundOpened)] == streets
    assert len(found(facts, fact.HandShown, fact.HandMucked)) == 8


def test_seven_in_stud_get_a_seventh_card_each() -> None:
    facts = staying_in("stud", 7)
    assert not found(facts, fact.BoardDealt)
    assert dealt_before(facts, lambda one: isinstance(one, fact.HandSettled)) == 49


def test_a_seventh_card_each_as_long_as_the_last_one_gets_his() -> None:
    """One of eight folds on 3rd street: 24 and 3 x 7 cards are dealt, and 7 are left for 7."""
    (owed,) = found(staying_in("stud", 8), fact.BringInOwed)
    facts = staying_in("stud", 8, folding=[(0, owed.seat % 8 + 1)])
    assert not found(facts, fact.BoardDealt)
    assert dealt_before(facts, lambda one: isinstance(one, fact.HandSettled)) == 52


@pytest.mark.parametrize(("left", "shared"), [(5, 1), (4, 0)])
def test_who_folds_on_6th_street_leaves_his_card_to_another(left: int, shared: int) -> None:
    """48 are dealt, and 4 left: enough for four, too few for five."""
    facts = staying_in("stud", 8, folding=[(3, seat) for seat in range(left + 1, 9)])
    assert len(found(facts, fact.HandShown, fact.HandMucked)) == left
    assert len(found(facts, fact.BoardDealt)) == shared


# --- draws ---


@pytest.mark.parametrize(
    ("game", "players", "draws", "at_least"),
    [("triple-draw", 6, 5, 3), ("triple-draw", 6, 3, 1), ("draw", 6, 5, 1), ("draw32", 5, 4, 1)],
)
def test_the_deck_is_reshuffled_to_finish_the_draw(game: str, players: int, draws: int, at_least: int) -> None:
    facts = staying_in(game, players, draws=draws)
    assert len(found(facts, fact.DeckReshuffled)) >= at_least
    assert len(found(facts, fact.HandShown, fact.HandMucked)) == players
    for seat in range(1, players + 1):
        drawn = sum(len(one.indices) for one in found(facts, fact.CardsDealt) if one.seat == seat)
        thrown = sum(len(one.indices) for one in found(facts, fact.CardsDiscarded) if one.seat == seat)
        assert drawn - thrown == 5


def test_six_in_triple_draw_reshuffle_within_one_players_draw() -> None:
    """30 are dealt and 22 left: four get five new cards, the fifth two, and after the reshuffle three more."""
    facts = staying_in("triple-draw", 6, draws=5)
    at = next(place for place, one in enumerate(facts) if isinstance(one, fact.DeckReshuffled))
    before, after = facts[at - 1], facts[at + 1]
    assert before.seat == after.seat == 5
    assert (len(before.indices), len(after.indices)) == (2, 3)
    assert facts[at].pile == tuple(
        sorted(index for one in found(facts[:at], fact.CardsDiscarded) for index in one.indices)
    )
    assert facts[at].indices == tuple(range(52, 52 + 25))
    assert dealt_before(facts, lambda one: one is facts[at]) == 52


def test_six_who_draw_one_each_have_enough() -> None:
    assert not found(staying_in("triple-draw", 6, draws=1), fact.DeckReshuffled)


@pytest.mark.parametrize("game", ["draw", "triple-draw", "draw32"])
def test_nobody_gets_a_card_back_that_he_threw_away(game: str) -> None:
    facts = staying_in(game, GAMES_BY_NAME[game].max_seats, draws=5)
    faces: dict[int, int] = {}
    thrown: dict[int, set[int]] = {}
    for one in facts:
        match one:
            case fact.CardsDealt():
                assert thrown.get(one.seat, set()).isdisjoint(one.cards)
                faces |= dict(zip(one.indices, open_cards(one.cards), strict=True))
            case fact.CardsDiscarded():
                thrown.setdefault(one.seat, set()).update(faces[index] for index in one.indices)
