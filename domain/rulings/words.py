"""Every fact of a hand as one plain sentence: the words of the replay stand here and nowhere else."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.cards import faces
from domain.hand import events as fact
from domain.hand.state import Hand
from domain.money import SCALES, Money, decimal_text
from domain.rules.vocabulary import Limit, Stakes


def describe(event: Any, hand: Hand) -> str:
    """The sentence for a fact; `hand` is the hand that has moved on with it."""
    return SENTENCES[type(event)](event, hand)


def chips(amount: int, hand: Hand) -> str:
    """An amount in the hand's currency, without its name: "2.50"."""
    return decimal_text(amount, SCALES[hand.opened.currency])


def legal(hand: Hand) -> str:
    """What the awaited decision allows: "call 5.00, raise to 10.00 up to 198.00, or fold"; "" where none is awaited."""
    turn = hand.turn
    if turn is None:
        return ""
    choices = [f"call {chips(turn.call, hand)}" if turn.call else "check"]
    if turn.most:
        up_to = f" up to {chips(turn.most, hand)}" if turn.most > turn.least else ""
        choices.append(f"{'raise to' if hand.wager else 'bet'} {chips(turn.least, hand)}{up_to}")
    return f"{', '.join(choices)}, or fold" if len(choices) > 1 else f"{choices[0]} or fold"


def pot_name(number: int) -> str:
    """The main pot is number 0."""
    return f"side pot {number}" if number else "main pot"


def limit_and_stakes(limit: Limit, stakes: Stakes, currency: str) -> str:
    """As people write them: "no limit 0.50/1.00 EUR": bets in fixed limit, blinds elsewhere."""
    small, big = (stakes.small_bet, stakes.big_bet) if limit is Limit.FIXED else (stakes.small_blind, stakes.big_blind)
    return f"{limit} limit {decimal_text(small, SCALES[currency])}/{Money(big, currency)}"


def _hand_opened(event: fact.HandOpened, hand: Hand) -> str:
    terms = limit_and_stakes(event.limit, event.stakes, event.currency)
    players = ", ".join(f"seat {one.seat} {one.player} with {chips(one.stack, hand)}" for one in event.seats)
    return (
        f"hand {hand.id} is opened: {hand.game.title}, {terms}, rulebook {event.rulebook}; "
        f"the button is seat {event.button}; dealt in: {players}"
    )


def _blind_posted(event: fact.BlindPosted, hand: Hand) -> str:
    return f"seat {event.seat} posts {chips(event.amount, hand)}, {event.kind}{_all_in(event)}"


def _cards_dealt(event: fact.CardsDealt, hand: Hand) -> str:
    return f"seat {event.seat} is dealt {faces(event.cards)}{' face up' if event.up else ''}"


def _board_dealt(event: fact.BoardDealt, hand: Hand) -> str:
    return f"the {event.street}: {faces(event.cards)}"


def _round_opened(event: fact.RoundOpened, hand: Hand) -> str:
    street = hand.game.streets[event.street].name
    price = f", {chips(event.wager, hand)} to match" if event.wager else ""
    return f"betting opens on the {street}{price}"


def _turn_given(event: fact.TurnGiven, hand: Hand) -> str:
    return f"action is on seat {event.seat}: {legal(hand)}"


def _folded(event: fact.Folded, hand: Hand) -> str:
    return f"seat {event.seat} folds"


def _checked(event: fact.Checked, hand: Hand) -> str:
    return f"seat {event.seat} checks"


def _called(event: fact.Called, hand: Hand) -> str:
    return f"seat {event.seat} calls {chips(event.amount, hand)}{_all_in(event)}"


def _bet_made(event: fact.BetMade, hand: Hand) -> str:
    return f"seat {event.seat} bets {chips(event.to, hand)}{_all_in(event)}"


def _raised(event: fact.Raised, hand: Hand) -> str:
    return f"seat {event.seat} raises to {chips(event.to, hand)}{_all_in(event)}"


def _uncalled_bet_returned(event: fact.UncalledBetReturned, hand: Hand) -> str:
    return f"{chips(event.amount, hand)} that nobody called goes back to seat {event.seat}"


def _bets_collected(event: fact.BetsCollected, hand: Hand) -> str:
    return f"the bets are gathered: {_pots(event.pots, hand)}"


def _showdown_wished(event: fact.ShowdownWished, hand: Hand) -> str:
    asked = {fact.Wish.GIVE_UP: "to give up unseen", fact.Wish.SHOW: "to show"}
    return f"seat {event.seat} asks {asked[event.wish]} at the showdown; nobody else sees it yet"


def _hand_shown(event: fact.HandShown, hand: Hand) -> str:
    return f"seat {event.seat} shows {faces(event.cards)}, {event.because}"


def _hand_mucked(event: fact.HandMucked, hand: Hand) -> str:
    return f"seat {event.seat} mucks, {event.because}"


def _rake_taken(event: fact.RakeTaken, hand: Hand) -> str:
    return f"rake of {chips(event.amount, hand)} is taken: {_pots(event.by_pot, hand)}"


def _pot_awarded(event: fact.PotAwarded, hand: Hand) -> str:
    part = "" if event.part is fact.Part.WHOLE else f"the {event.part} half of "
    pot = pot_name(event.pot) if event.pot else "the main pot"
    odd = f", {chips(event.odd, hand)} of it odd" if event.odd else ""
    with_hand = f" with {event.hand}" if event.hand else ""
    return f"seat {event.seat} wins {chips(event.amount, hand)} of {part}{pot}{with_hand}{odd}"


def _hand_settled(event: fact.HandSettled, hand: Hand) -> str:
    stacks = ", ".join(
        f"seat {seat} {chips(stack, hand)}" for seat, stack in zip(event.seats, event.stacks, strict=True)
    )
    return f"the hand is over: {stacks}; rake {chips(event.rake, hand)}"


def _all_in(event: Any) -> str:
    return ", all-in" if event.all_in else ""


def _pots(amounts: Sequence[int], hand: Hand) -> str:
    return ", ".join(f"{pot_name(number)} {chips(amount, hand)}" for number, amount in enumerate(amounts))


SENTENCES: dict[type[Any], Callable[[Any, Hand], str]] = {
    fact.HandOpened: _hand_opened,
    fact.BlindPosted: _blind_posted,
    fact.CardsDealt: _cards_dealt,
    fact.BoardDealt: _board_dealt,
    fact.RoundOpened: _round_opened,
    fact.TurnGiven: _turn_given,
    fact.Folded: _folded,
    fact.Checked: _checked,
    fact.Called: _called,
    fact.BetMade: _bet_made,
    fact.Raised: _raised,
    fact.UncalledBetReturned: _uncalled_bet_returned,
    fact.BetsCollected: _bets_collected,
    fact.ShowdownWished: _showdown_wished,
    fact.HandShown: _hand_shown,
    fact.HandMucked: _hand_mucked,
    fact.RakeTaken: _rake_taken,
    fact.PotAwarded: _pot_awarded,
    fact.HandSettled: _hand_settled,
}
"""One sentence for every event of a hand; a test fails where one is missing."""
