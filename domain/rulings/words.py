"""Every fact of a hand as one plain sentence: the words of the replay stand here and nowhere else."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.cards import faces
from domain.hand import events as fact
from domain.hand.legal import chips, legal
from domain.hand.state import Hand
from domain.money import SCALES, decimal_text
from domain.rules.phrases import counted, listed, seconds, street_text
from domain.rules.vocabulary import Limit, Stakes

DEALER_BOX = "the dealer box stands before seat 1"
"""Where an ante game is dealt from: it has no button (rules.md section 1)."""


def describe(event: Any, hand: Hand) -> str:
    """The sentence for a fact; `hand` is the hand that has moved on with it."""
    return SENTENCES[type(event)](event, hand)


def pot_name(number: int) -> str:
    """The main pot is number 0."""
    return f"side pot {number}" if number else "main pot"


def limit_and_stakes(limit: Limit, stakes: Stakes, currency: str) -> str:
    """As people write them: "no limit 0.50/1.00 EUR", "fixed limit 2.00/4.00 EUR, ante 0.50, bring-in 1.00".

    First the bets of fixed limit or the blinds; an ante game outside fixed limit has neither: "pot limit, ante 1,
    bring-in 2, minimum bet 2 PLAY". Last the maxima of spread limit: "spread limit 1/2 PLAY, maxima 4, 4, 8, 8".
    """
    pair = (stakes.small_bet, stakes.big_bet) if limit is Limit.FIXED else (stakes.small_blind, stakes.big_blind)
    named = [
        ("ante", (stakes.ante,)),
        ("bring-in", (stakes.bring_in,)),
        ("minimum bet", () if any(pair) else (stakes.min_bet,)),
        ("maxima", stakes.maxima),
    ]
    others = "".join(f", {name} {', '.join(_texts(amounts, currency))}" for name, amounts in named if any(amounts))
    if any(pair):
        return f"{limit} limit {'/'.join(_texts(pair, currency))} {currency}{others}"
    return f"{limit} limit{others} {currency}"


def _texts(amounts: Sequence[int], currency: str) -> list[str]:
    return [decimal_text(amount, SCALES[currency]) for amount in amounts]


def _hand_opened(event: fact.HandOpened, hand: Hand) -> str:
    terms = limit_and_stakes(event.limit, event.stakes, event.currency)
    players = ", ".join(f"seat {one.seat} {one.player} with {chips(one.stack, hand)}" for one in event.seats)
    dealer = f"the button is seat {event.button}" if event.button else DEALER_BOX
    return (
        f"hand {hand.id} is opened: {hand.game.title}, {terms}, rulebook {event.rulebook}; {dealer}; "
        f"dealt in: {players}"
    )


def _blind_posted(event: fact.BlindPosted, hand: Hand) -> str:
    return f"seat {event.seat} posts {chips(event.amount, hand)}, {event.kind}{_all_in(event)}"


def _cards_dealt(event: fact.CardsDealt, hand: Hand) -> str:
    shown = [card for card in event.cards if isinstance(card, int)]
    if len(shown) < len(event.cards):
        return f"seat {event.seat} is dealt {counted(len(event.cards), 'card')} face down"
    return f"seat {event.seat} is dealt {faces(shown)}{' face up' if event.up else ''}"


def _board_dealt(event: fact.BoardDealt, hand: Hand) -> str:
    return f"{street_text(event.street)}: {faces(event.cards)}"


def _draw_opened(event: fact.DrawOpened, hand: Hand) -> str:
    return f"{street_text(hand.game.streets[event.street].name)} begins"


def _draw_offered(event: fact.DrawOffered, hand: Hand) -> str:
    return f"the draw is on seat {event.seat}: {legal(hand)}"


def _stood_pat(event: fact.StoodPat, hand: Hand) -> str:
    if event.late:
        return f"seat {event.seat} is too late: it stands pat, and may neither bet nor raise in the round that follows"
    return f"seat {event.seat} stands pat"


def _cards_discarded(event: fact.CardsDiscarded, hand: Hand) -> str:
    """How many, not which: everybody at the table may read this."""
    return f"seat {event.seat} discards {counted(len(event.indices), 'card')}"


def _deck_reshuffled(event: fact.DeckReshuffled, hand: Hand) -> str:
    cards = counted(len(event.indices), "card")
    return f"the deck has run out: {cards}, mucked and discarded, are shuffled to finish the draw"


def _round_opened(event: fact.RoundOpened, hand: Hand) -> str:
    street = street_text(hand.game.streets[event.street].name)
    price = f", {chips(event.wager, hand)} to match" if event.wager else ""
    return f"betting opens on {street}{price}"


def _asked(event: fact.TurnGiven | fact.BringInOwed, hand: Hand) -> str:
    return f"action is on seat {event.seat}: {legal(hand)}"


def _brought_in(event: fact.BroughtIn, hand: Hand) -> str:
    return f"seat {event.seat} brings in for {chips(event.amount, hand)}{_all_in(event)}"


def _split_offered(event: fact.SplitOffered, hand: Hand) -> str:
    return f"the split is offered to seat {event.seat}: {legal(hand)}"


def _split_vote_cast(event: fact.SplitVoteCast, hand: Hand) -> str:
    return f"seat {event.seat} {'agrees' if event.agrees else 'refuses'} to split"


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


def _out_of_time(event: fact.OutOfTime, hand: Hand) -> str:
    return f"seat {event.seat} is out of time"


def _all_in_protected(event: fact.AllInProtected, hand: Hand) -> str:
    return (
        f"seat {event.seat} has lost its connection and is all-in for what it has put in; "
        f"{chips(event.aside, hand)} is set aside until the hand is over"
    )


def _player_left(event: fact.PlayerLeft, hand: Hand) -> str:
    return f"the player of seat {event.seat} leaves the table: he folds when his turn comes"


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
    half = f"the {event.part} half of " if event.part in (fact.Part.HIGH, fact.Part.LOW) else ""
    pot = pot_name(event.pot) if event.pot else "the main pot"
    why = ", as agreed" if event.part is fact.Part.AGREED else f" with {event.hand}" if event.hand else ""
    odd = f", {chips(event.odd, hand)} of it odd" if event.odd else ""
    return f"seat {event.seat} wins {chips(event.amount, hand)} of {half}{pot}{why}{odd}"


def _hand_cancelled(event: fact.HandCancelled, hand: Hand) -> str:
    back = listed([
        f"{chips(amount, hand)} to seat {seat}" for seat, amount in zip(event.seats, event.amounts, strict=True)
    ])  # fmt: skip
    return (
        f"the hand was cancelled: the room had no working owner for {seconds(event.gap)}; every chip goes back, {back}"
    )


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
    fact.DrawOpened: _draw_opened,
    fact.DrawOffered: _draw_offered,
    fact.StoodPat: _stood_pat,
    fact.CardsDiscarded: _cards_discarded,
    fact.DeckReshuffled: _deck_reshuffled,
    fact.RoundOpened: _round_opened,
    fact.BringInOwed: _asked,
    fact.BroughtIn: _brought_in,
    fact.TurnGiven: _asked,
    fact.SplitOffered: _split_offered,
    fact.SplitVoteCast: _split_vote_cast,
    fact.Folded: _folded,
    fact.Checked: _checked,
    fact.Called: _called,
    fact.BetMade: _bet_made,
    fact.Raised: _raised,
    fact.OutOfTime: _out_of_time,
    fact.AllInProtected: _all_in_protected,
    fact.PlayerLeft: _player_left,
    fact.UncalledBetReturned: _uncalled_bet_returned,
    fact.BetsCollected: _bets_collected,
    fact.ShowdownWished: _showdown_wished,
    fact.HandShown: _hand_shown,
    fact.HandMucked: _hand_mucked,
    fact.RakeTaken: _rake_taken,
    fact.PotAwarded: _pot_awarded,
    fact.HandCancelled: _hand_cancelled,
    fact.HandSettled: _hand_settled,
}
"""One sentence for every event of a hand; a test fails where one is missing."""
