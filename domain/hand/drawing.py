"""Drawing cards: who is next, what he gets, and the reshuffle when the deck runs out (rules.md section 5)."""

from domain.hand import events as fact
from domain.hand.dealing import Shoe, cards_for, undealt
from domain.hand.state import Hand


class NoCardLeft(LookupError):
    """Neither the shoe nor the pile holds a card that the player may get: a game that can come to this is refused when
    it is declared."""


class NotThePile(ValueError):
    """A reshuffle that put back other cards than were mucked and discarded."""


def next_draw(hand: Hand, after: int) -> fact.DrawOffered | None:
    """The next to draw clockwise after a seat, all-in or not; None where all have drawn."""
    for seat in hand.clockwise[after]:
        if seat in hand.contesting and seat not in hand.drawn:
            return fact.DrawOffered(seat, hand.game.streets[hand.street].draw or 0)
    return None


def drawn_from_shoe(hand: Hand, seat: int, count: int, shoe: Shoe) -> fact.CardsDealt | None:
    """As many of `count` cards as the shoe has for the player: those that he himself discarded are passed over. None
    where it has none."""
    left = undealt(hand)
    if hand.returned:
        own = {shoe.card(index) for index in hand.discards[seat]}
        left = [index for index in left if shoe.card(index) not in own]
    indices = tuple(left[:count])
    return cards_for(hand, seat, indices, shoe, up=False) if indices else None


def reshuffled(hand: Hand, shoe: Shoe) -> fact.DeckReshuffled:
    """The mucked and discarded cards that have not gone back yet, shuffled behind the deck's last card.

    Raises NoCardLeft where there are none, NotThePile where the shoe puts others back.
    """
    folded = [hand.dealt[seat] for seat in hand.order if seat not in hand.contesting]
    thrown = [index for indices in (*hand.discards, *folded) for index in indices]
    pile = tuple(sorted(index for index in thrown if not hand.returned >> index & 1))
    if not pile:
        raise NoCardLeft(f"no card was mucked or discarded that could be dealt again in hand {hand.id}")
    deck = shoe.reshuffle(pile)
    indices = tuple(range(hand.indices, hand.indices + fact.size_of(deck)))
    cards, order = (sorted(map(shoe.card, some)) for some in (pile, indices))
    if order != cards:
        places = ", ".join(map(str, pile))
        raise NotThePile(f"cards {places} were to be shuffled in hand {hand.id}, but others lie there now")
    return fact.DeckReshuffled(pile, indices, deck)
