"""A player's check of his cards: that they lay where the deck had them that was fixed before the first bet.

He needs the hand's facts, the key of his seat, and for each card the path that the room gives him. No path and no salt
says anything of another card.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from domain.hand import events as fact
from services.sealing import boxes, commitment
from services.sealing.boxes import BadBox
from services.sealing.commitment import CardProof
from services.sealing.keyfile import Keys, NoKey
from services.sealing.shoe import Opener
from services.sealing.shuffle import salts


@dataclass(frozen=True, slots=True)
class Lying:
    """A card as the facts have it: its index, its face or box, the seat that it was dealt to face down (0: open)."""

    index: int
    card: int | str
    seat: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one card. `fault`: what is wrong with it; empty where it lay in the deck that was fixed."""

    index: int
    card: int
    seat: int
    fault: str


def dealt(facts: Iterable[Any], seats: Sequence[int]) -> Iterator[Lying]:
    """The cards that were dealt to these seats, and all that were dealt open, in order."""
    for event in facts:
        match event:
            case fact.CardsDealt():
                for index, card in _pairs(event):
                    if event.up or event.seat in seats:
                        yield Lying(index, card, 0 if event.up else event.seat)
            case fact.BoardDealt():
                for index, card in _pairs(event):
                    yield Lying(index, card, 0)
            case _:
                pass


def _pairs(event: fact.CardsDealt | fact.BoardDealt) -> Iterator[tuple[int, int | str]]:
    """Each index with its card; -1 stands for what is missing where facts that nobody checked don't fit together."""
    return zip_longest(event.indices, event.cards, fillvalue=-1)


def decks(facts: Iterable[Any]) -> list[tuple[int, fact.SealedDeck]]:
    """The sealed decks of a hand, each with the index of its first card."""
    found: list[tuple[int, fact.SealedDeck]] = []
    first = 0
    for event in facts:
        deck = event.deck if isinstance(event, fact.HandOpened) else getattr(event, "cards", None)
        if isinstance(event, fact.HandOpened | fact.DeckReshuffled) and deck is not None:
            if isinstance(deck, fact.SealedDeck):
                found.append((first, deck))
            first += fact.size_of(deck)
    return found


def key_ids(facts: Iterable[Any]) -> list[bytes]:
    """The ids of the room keys under which a hand's boxes were sealed: several where one was rotated meanwhile."""
    ids: dict[bytes, None] = {}
    for event in facts:
        match event:
            case fact.HandOpened(deck=fact.SealedDeck() as deck) | fact.DeckReshuffled(cards=fact.SealedDeck() as deck):
                ids[boxes.key_id_of(deck.box)] = None
            case fact.CardsDealt():
                ids.update((boxes.key_id_of(card), None) for card in event.cards if isinstance(card, str))
            case _:
                pass
    return list(ids)


def proofs(keys: Keys, hand: str, facts: Sequence[Any], indices: Iterable[int]) -> list[CardProof]:
    """What a player needs beside his key: the room makes it, which can open the decks. Raises NoKey, SealBroken."""
    opener, wanted = Opener(keys, None), sorted(set(indices))
    made = []
    for first, deck in decks(facts):
        opened = opener.deck(hand, first, deck)
        fresh = salts(opened.seed, hand, len(opened.order) + 1, first)
        made += [
            commitment.prove(opened.order, fresh, opened.seed, index, first)
            for index in wanted
            if first <= index < first + deck.size
        ]
    return made


def check(
    keys: Keys, hand: str, facts: Sequence[Any], seats: Sequence[int], given: Iterable[CardProof]
) -> list[Checked]:
    """Each card of these seats, and each open one, against the roots in the hand's facts."""
    by_index = {proof.index: proof for proof in given}
    return [_checked(keys, hand, decks(facts), one, by_index.get(one.index)) for one in dealt(facts, seats)]


def _checked(
    keys: Keys, hand: str, roots: Sequence[tuple[int, fact.SealedDeck]], one: Lying, proof: CardProof | None
) -> Checked:
    card, salt = one.card, b""
    if isinstance(card, str):
        try:
            card, salt = boxes.open_card(keys, hand, one.seat, one.index, card)
        except (BadBox, NoKey) as error:
            return Checked(one.index, -1, one.seat, str(error))
    return Checked(one.index, card, one.seat, _fault(roots, one.index, card, salt, proof))


def _fault(
    roots: Sequence[tuple[int, fact.SealedDeck]], index: int, card: int, salt: bytes, proof: CardProof | None
) -> str:
    if proof is None:
        return "no path was given for it"
    if proof.card != card or (salt and proof.salt != salt):
        return "the path is for another card, or has another salt"
    deck = next(((first, deck) for first, deck in roots if first <= index < first + deck.size), None)
    if deck is None or proof.size != deck[1].size + 1 or not commitment.check(proof, deck[1].root, deck[0]):
        return "it doesn't lie there in the deck that was fixed before the first bet"
    return ""
