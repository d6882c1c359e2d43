"""The engine with one rule broken, in memory: what random play must find."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from domain.hand import betting, commands, dealing, decider, events, showdown, state
from domain.hand.pots import Pot, Share
from domain.hand.state import Hand
from domain.rules import limits, stakes
from domain.rules.vocabulary import Forced, Limit, OddHalf
from tests.domain.hand.random_hands import PLANNED

ANTES = tuple(game.name for game in PLANNED if game.forced is Forced.ANTE_AND_BRING_IN)
DRAWS = ("draw", "triple-draw", "draw32")
HILO = ("omaha-hilo", "stud-hilo")
ALL = tuple(game.name for game in PLANNED)
BIG_BETS = (Limit.NO, Limit.POT, Limit.HALF_POT)


@dataclass(frozen=True)
class Mutant:
    """`name` says what it does wrong; `games` and `limits`: where that can show."""

    name: str
    breaks: Callable[[pytest.MonkeyPatch], None]
    games: tuple[str, ...] = ALL
    limits: tuple[Limit, ...] = tuple(Limit)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(game, limit.value) for game in self.games for limit in self.limits]


MUTANTS: list[Mutant] = []


def mutant(name: str, games: tuple[str, ...] = ALL, *only: Limit) -> Callable[[Any], Any]:
    """The function that follows breaks the engine so."""

    def add(breaks: Callable[[pytest.MonkeyPatch], None]) -> Callable[[pytest.MonkeyPatch], None]:
        MUTANTS.append(Mutant(name, breaks, games, only or tuple(Limit)))
        return breaks

    return add


def put(name: str, place: Any, attribute: str, wrong: Any, games: tuple[str, ...] = ALL, *only: Limit) -> None:
    """A mutant that has something else in one place."""
    mutant(name, games, *only)(lambda patch: patch.setattr(place, attribute, wrong))


def wrap(name: str, place: Any, attribute: str, wrong: Any, games: tuple[str, ...] = ALL, *only: Limit) -> None:
    """A mutant of a function, which `wrong` is given before its arguments."""
    right = getattr(place, attribute)
    put(name, place, attribute, lambda *args: wrong(right, *args), games, *only)


def span(name: str, limit: Limit, wrong: Callable[[Any, int], limits.Span], games: tuple[str, ...] = ALL) -> None:
    mutant(name, games, limit)(lambda patch: patch.setitem(limits.SPANS, limit, wrong))


def fold_of(name: str, kind: type[Any], wrong: Callable[[Hand, Any], None], games: tuple[str, ...] = ALL) -> None:
    mutant(name, games)(lambda patch: patch.setitem(state.EVOLVE, kind, wrong))


# --- chips ---


def one_pot(put_in: Sequence[int], contesting: Sequence[int], dead: int) -> list[Pot]:
    return [Pot(sum(put_in) + dead, tuple(contesting))]


def rake_of_the_main_pot(right: Any, schedule: Any, pots: Sequence[int]) -> list[int]:
    return [sum(right(schedule, pots)), *[0] * (len(pots) - 1)]


def from_the_last(right: Any, amount: int, winners: Sequence[int], unit: int) -> list[Share]:
    shares: list[Share] = right(amount, winners[::-1], unit)
    return shares[::-1]


def dead_as_put_in(hand: Hand, event: events.BlindPosted) -> None:
    hand.stack[event.seat] -= event.amount
    hand.pot += event.amount
    hand.live[event.seat] += event.amount * event.live
    hand.put_in[event.seat] += event.amount


def returned_to_nobody(hand: Hand, event: events.UncalledBetReturned) -> None:
    hand.put_in[event.seat] -= event.amount
    hand.pot -= event.amount


put("there are no side pots", decider, "pots", one_pot)
put("no uncalled bet goes back", decider, "uncalled", lambda *_: [])
fold_of("what goes back reaches nobody", events.UncalledBetReturned, returned_to_nobody)
fold_of("dead money counts as put in", events.BlindPosted, dead_as_put_in)
wrap("the main pot bears all rake", showdown, "rake_by_pot", rake_of_the_main_pot)
wrap("rake from the first street on", decider, "rake_taken", lambda right, hand, pots, _: right(hand, pots, 9))
wrap("odd chips from the last winner on", showdown, "split", from_the_last)
put("the odd half to the low", showdown, "OddHalf", SimpleNamespace(LOW=OddHalf.HIGH), HILO)

# --- showdown ---


def any_low(right: Any, ranking: str, used: int | None) -> Any:
    value_of = right(ranking, used)
    return lambda own, board: value_of(own, board) or (ranking == "eight-or-better")


def pot_of_two(right: Any, hand: Hand, pot: Pot, *rest: Any) -> Any:
    return right(hand, Pot(pot.amount, pot.seats[:2]), *rest)


@mutant("the royal is beaten in a pot of three", ("telesina",))
def royal_beaten_in_any_pot(patch: pytest.MonkeyPatch) -> None:
    for name in ("_outranks", "_highest"):
        right = getattr(showdown, name)
        patch.setattr(showdown, name, lambda *args, right=right: pot_of_two(right, *args))


def beaten_by_the_high(seat: int, pot: Pot, shown: Sequence[int], worth: Any, hand: Hand) -> bool:
    return any(worth[other].high > worth[seat].high for other in shown)


@mutant("anybody may give up")
def anybody_gives_up(patch: pytest.MonkeyPatch) -> None:
    def wish(hand: Hand, command: Any, _: Any) -> None:
        hand.record(events.ShowdownWished(command.seat, events.Wish.GIVE_UP))

    patch.setitem(decider._HANDLERS, commands.GiveUpAtShowdown, wish)


put("the royal is never beaten", showdown, "beats_by_the_special_rule", lambda *_: False, ("telesina",))
wrap("any five cards are a low", showdown, "evaluator", any_low, HILO)
put("a beaten high mucks its low", showdown, "_beaten", beaten_by_the_high, HILO)
put("hands are shown from the left of the button", showdown, "order_of_showing", lambda hand: hand.contesting)
put("all-in hands stay down", decider, "_turn_up_if_betting_is_over", lambda *_: None)
put("every loser shows", showdown, "_beaten", lambda *_: False)

# --- deal and draw ---


def as_seated(right: Any, hand: Hand, *rest: Any) -> Any:
    contesting, hand.contesting = hand.contesting, tuple(sorted(hand.contesting))
    dealt = right(hand, *rest)
    hand.contesting = contesting
    return dealt


def own_discards_too(hand: Hand, seat: int, missing: int, shoe: Any) -> events.CardsDealt | None:
    indices = tuple(dealing.undealt(hand)[:missing])
    return events.CardsDealt(seat, indices, tuple(map(shoe.card, indices)), up=False) if indices else None


def without_folded_hands(right: Any, hand: Hand, shoe: Any) -> events.DeckReshuffled:
    contesting, hand.contesting = hand.contesting, hand.order
    found: events.DeckReshuffled = right(hand, shoe)
    hand.contesting = contesting
    return found


def unless_all_in(right: Any, hand: Hand, after: int) -> Any:
    offer = right(hand, after)
    return offer if offer is None or hand.stack[offer.seat] else None


@mutant("the community card's round is always played", ("stud", "stud-hilo"))
def community_round(patch: pytest.MonkeyPatch) -> None:
    right = stakes.house_rules
    patch.setattr(stakes, "house_rules", lambda *args: replace(right(*args), plays_community_round=True))


wrap("seat 1 is dealt to first", decider, "deal", as_seated, ("holdem", "draw"))
put("own discards come back", decider, "drawn_from_shoe", own_discards_too, DRAWS)
wrap("folded hands aren't reshuffled", decider, "reshuffled", without_folded_hands, DRAWS)
wrap("all-in players don't draw", decider, "next_draw", unless_all_in, DRAWS)
put("nobody checks through for the late", decider, "_check_through_if_all_are_late", lambda *_: None, DRAWS)


def as_if_in_time(right: Any, hand: Hand, seat: int) -> limits.Span:
    late, hand.late = hand.late, ()
    found: limits.Span = right(hand, seat)
    hand.late = late
    return found


wrap("who drew too late may bet", betting, "raise_span", as_if_in_time, DRAWS)

# --- who is next ---


def any_yes(hand: Hand, standing: Sequence[Pot]) -> frozenset[int]:
    return frozenset(range(len(standing))) if any(hand.votes.values()) else frozenset()


NEVER = SimpleNamespace(HIGHEST=None)
put("the lowest always brings in", betting, "DoorCard", NEVER, ANTES)
put("suits don't decide who brings in", betting, "_door_card", lambda hand, seat: hand.up[seat][0] >> 2, ANTES)
put("the first seat opens, whatever shows", betting, "_best_showing", lambda hand: hand.contesting[0], ANTES)
put("who can't be called is asked all the same", betting, "_has_nobody_to_bet_with", lambda *_: False)
put("one yes divides every pot", decider, "agreed", any_yes, ("draw32",))
wrap("all-in players aren't asked to vote", decider, "next_offer", unless_all_in, ("draw32",))

# --- how much ---


def price_as_posted(right: Any, hand: Hand, street: int) -> Any:
    opened = right(hand, street)
    return replace(opened, wager=max(hand.live)) if street == 0 else opened


def counted_bring_in(right: Any, hand: Hand, seat: int, to: int) -> Any:
    made = right(hand, seat, to)
    return replace(made, bets=1) if hand.fixed else made


def uncapped(now: Any, live: int) -> limits.Span:
    return limits.fixed_limit(SimpleNamespace(**{**fields_of(now), "bets_cap": 99}), live)


def without_ceiling(now: Any, live: int) -> limits.Span:
    return now.wager + now.full_raise, now.wager + now.size


def without_the_call(now: Any, live: int) -> limits.Span:
    return limits.pot_limit(SimpleNamespace(**{**fields_of(now), "pot": now.pot - (now.wager - live)}), live)


def full_steps_only(hand: Hand, to: int) -> tuple[int, int, int]:
    steps = (to - hand.level) // hand.full_raise
    return hand.full_raise, hand.bets + min(steps, 1), hand.level + steps * hand.full_raise


def fields_of(now: Any) -> dict[str, int]:
    return {name: getattr(now, name) for name in ("wager", "full_raise", "pot", "size", "bets", "level", "unit")}


wrap("a short big blind is called for less", decider, "opening", price_as_posted)
wrap("a bring-in counts as a bet", decider, "brought_in", counted_bring_in, ANTES, Limit.FIXED)
put("an open pair means nothing", betting, "_open_pair", lambda *_: False, ("stud", "stud-hilo"), Limit.FIXED)
put("half a bet counts for nothing", betting, "_counted", full_steps_only, ALL, Limit.FIXED)
put("a short all-in reopens the betting", betting, "_betting_reopened", lambda *_: True)
put("nothing reopens the betting", betting, "_betting_reopened", lambda *_: False)
span("there is no cap", Limit.FIXED, uncapped)
span("spread limit has no ceiling", Limit.SPREAD, without_ceiling)
span("the pot is counted before the call", Limit.POT, without_the_call)
put("any amount will do", decider, "_within", lambda *_: True)
put("chips are broken", decider, "_check_chips", lambda *_: None, ALL, *BIG_BETS)

# --- failure ---


@mutant("what is dead isn't given back", tuple(game.name for game in PLANNED if game.forced is Forced.BLINDS))
def dead_money_kept(patch: pytest.MonkeyPatch) -> None:
    def cancel(hand: Hand, command: commands.CancelHand, _: Any) -> None:
        seats = tuple(one.seat for one in hand.opened.seats if hand.put_in[one.seat])
        hand.record(events.HandCancelled(command.gap, seats, tuple(hand.put_in[seat] for seat in seats)))
        decider._end(hand)

    patch.setitem(decider._HANDLERS, commands.CancelHand, cancel)


put("any pause cancels a hand", decider, "SECOND", 0)

# --- the log ---


@mutant("something happens that no fact says")
def unsaid(patch: pytest.MonkeyPatch) -> None:
    right = decider._HANDLERS[commands.Call]

    def call(hand: Hand, command: Any, shoe: Any) -> None:
        right(hand, command, shoe)
        hand.wishes[command.seat] = events.Wish.SHOW

    patch.setitem(decider._HANDLERS, commands.Call, call)


@mutant("facts follow from more than the commands")
def by_the_hour(patch: pytest.MonkeyPatch) -> None:
    hours = count()
    patch.setattr(showdown, "category", lambda *_: f"{next(hours)} o'clock")


# --- who doesn't answer ---


def aside_in_the_stack(hand: Hand, event: events.AllInProtected) -> None:
    hand.turn = None
    hand.aside[event.seat] += event.aside


def aside_for_good(hand: Hand, event: events.HandSettled) -> None:
    hand.settled, hand.turn = True, None


def asked_all_the_same(right: Any, hand: Hand, seat: int) -> bool:
    return False


def protected_from_nothing(right: Any, hand: Hand, seat: int) -> int:
    return 1


fold_of("what is set aside stays in the stack", events.AllInProtected, aside_in_the_stack)
fold_of("what is set aside never comes back", events.HandSettled, aside_for_good)
mutant("who is late in a tournament, or leaves, checks")(
    lambda patch: patch.setattr(
        decider,
        "_answer_for_him",
        lambda hand, turn, shoe, *, folds=False, right=decider._answer_for_him: right(hand, turn, shoe),
    )
)
wrap("who is away is asked for a draw or his vote", Hand, "is_away", asked_all_the_same, DRAWS)
wrap("with nothing in the pot he is protected too", Hand, "has_put_in", protected_from_nothing, ALL)
