"""The facts of a hand. Each carries results (amounts, cards, seats), so a fold needs no rulebook.

Amounts are minor units of the hand's currency. `to` is a player's live total of the betting round after the action.
Cards stand with their index in the deck: the order in which they would leave the shoe, from 0.

What nobody may read in the log stands in a box, which only a key of the room opens (design, Secrets): a card that is
dealt face down, and the order of a deck. A fact has the face itself only where the shoe is open, as in a test.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.cards import Card
from domain.catalog import event
from domain.messages import ButtonSeat, Count, Flag, Identifier, SeatNumber, Text
from domain.money import Chips
from domain.rules.vocabulary import HouseRules, Kind, Limit, RakeSchedule, Stakes

Box = Annotated[str, Field(strict=True, max_length=400, pattern=r"^[A-Za-z0-9_-]+$")]
"""What is sealed, as base64url text; `services/sealing` writes and opens it."""

DownCard = Card | Box
"""A card that lies face down."""


@dataclass(slots=True, frozen=True)
class SealedDeck:
    """A deck of so many cards: `box` holds their order and the seed that it came from, `root` binds both in clear (64
    hexadecimal digits: the root of the deck's Merkle tree; design, The deck)."""

    size: Count
    root: Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{64}$")]
    box: Box


Deck = tuple[Card, ...] | SealedDeck
"""The order of a deck's cards."""


def size_of(deck: Deck) -> int:
    """How many cards there are."""
    return deck.size if isinstance(deck, SealedDeck) else len(deck)


class PostKind(StrEnum):
    """What a forced post is for (rules.md sections 2 and 7)."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    LATE_BLIND = "late blind"
    DEAD_BLIND = "dead blind"
    TABLE_ANTE = "table ante"


@dataclass(slots=True)
class DealtIn:
    """A player who is dealt in, with the chips before him when the hand opens."""

    seat: SeatNumber
    player: Identifier
    stack: Chips


@dataclass(slots=True)
class Post:
    """A post that is owed, in full: what of it is really posted depends on the stack (BlindPosted).

    A post that isn't live is dead money, but an ante that all players post counts as put in by each; a table ante, that
    one player posts for all, doesn't (section 2, raises).
    """

    seat: SeatNumber
    kind: PostKind
    amount: Chips
    live: Flag


@dataclass(slots=True, frozen=True)
class Clocks:
    """Seconds: to act, to draw, and how long a shard may lack an owner before the hand is cancelled (section 8)."""

    action: Count = 30
    draw: Count = 30
    failure_grace: Count = 60


@event("hand.opened")
@dataclass(slots=True)
class HandOpened:
    """Everything that the hand will ever need, as values: a hand is one self-contained stream.

    `posts` in the order in which they are posted. `deck` is the whole permutation, fixed before the first bet. `rake`
    is the schedule for the number of players dealt in, None where the hand pays none. `scale`: decimal places of the
    currency. `button` is 0 in ante games, which have none: their dealer box stands before seat 1 (section 1).
    """

    table: Identifier
    number: Count
    game: Text
    game_revision: Count
    limit: Limit
    stakes: Stakes
    house: HouseRules
    rake: RakeSchedule | None
    chip_unit: Chips
    currency: Text
    scale: Count
    kind: Kind
    clocks: Clocks
    rulebook: Text
    rulebook_digest: Text
    button: ButtonSeat
    seats: tuple[DealtIn, ...]
    posts: tuple[Post, ...]
    deck: Deck


@event("hand.blind-posted")
@dataclass(slots=True)
class BlindPosted:
    """A forced post that was made: an ante, a blind, or what was owed for a missed one."""

    seat: SeatNumber
    kind: PostKind
    amount: Chips
    live: Flag
    all_in: Flag


@event("hand.cards-dealt")
@dataclass(slots=True)
class CardsDealt:
    """Cards for one player, of a street or for those that he discarded. `indices` and `cards` go together; `up`: dealt
    face up."""

    seat: SeatNumber
    indices: tuple[Count, ...]
    cards: tuple[DownCard, ...]
    up: Flag


@event("hand.board-dealt")
@dataclass(slots=True)
class BoardDealt:
    """Community cards of a street: its own, or the one for all where there are too few for a card each (section 2)."""

    street: Text
    indices: tuple[Count, ...]
    cards: tuple[Card, ...]


@event("hand.draw-opened")
@dataclass(slots=True)
class DrawOpened:
    """A draw begins. `street` counts the game's streets from 0."""

    street: Count


@event("hand.draw-offered")
@dataclass(slots=True)
class DrawOffered:
    """The draw is on a seat, which may exchange as many as `most` cards."""

    seat: SeatNumber
    most: Count


@event("hand.stood-pat")
@dataclass(slots=True)
class StoodPat:
    """A player keeps all his cards. `late`: because his time ran out, so that he may neither bet nor raise in the round
    that follows (rules.md section 5)."""

    seat: SeatNumber
    late: Flag


@event("hand.cards-discarded")
@dataclass(slots=True)
class CardsDiscarded:
    """Cards that a player throws away for as many others."""

    seat: SeatNumber
    indices: tuple[Count, ...]


@event("hand.deck-reshuffled")
@dataclass(slots=True)
class DeckReshuffled:
    """The deck ran out: the mucked and discarded cards are shuffled to finish the draw (rules.md section 5).

    `pile`: the indices that those cards had, never dealt again. `indices`, `cards`: the same cards in their new order,
    under new indices that follow the deck's last.
    """

    pile: tuple[Count, ...]
    indices: tuple[Count, ...]
    cards: Deck


@event("hand.round-opened")
@dataclass(slots=True)
class RoundOpened:
    """A betting round begins. `street` counts the game's streets from 0.

    `wager`: the live total that a call must match; `full_raise`: what a bet or raise adds at least. Fixed limit: `size`
    is what it adds at most (another than `full_raise` only where an open pair shows), `bets` how many bets are counted
    so far, `bets_cap` how many there may be. Spread limit: `size` is the round's maximum. 0 elsewhere.
    """

    street: Count
    wager: Chips
    full_raise: Chips
    size: Chips
    bets: Count
    bets_cap: Count


@event("hand.bring-in-owed")
@dataclass(slots=True)
class BringInOwed:
    """A seat must bring in. `least`: with so much, or all that it has; `most`: at its choice with so much (rules.md
    section 2). Fixed limit allows nothing between the two."""

    seat: SeatNumber
    least: Chips
    most: Chips


@event("hand.brought-in")
@dataclass(slots=True)
class BroughtIn:
    """The bring-in. `wager`: the live total to match, also where the seat was all-in for less; `full_raise`, `bets` and
    `level` as in BetMade."""

    seat: SeatNumber
    amount: Chips
    wager: Chips
    all_in: Flag
    full_raise: Chips
    bets: Count
    level: Chips


@event("hand.turn-given")
@dataclass(slots=True)
class TurnGiven:
    """The action is on a seat, and what is legal there.

    `call`: chips to add for a call, 0 where he may check. `least` and `most`: the live totals between which he may bet
    or raise (fixed limit: the one or the other), both 0 where he may not.
    """

    seat: SeatNumber
    call: Chips
    least: Chips
    most: Chips


@event("hand.split-offered")
@dataclass(slots=True)
class SplitOffered:
    """The action is on a seat that may, beside what TurnGiven allows, vote to split; a player who is all-in only agrees
    or refuses (rules.md section 6)."""

    seat: SeatNumber
    call: Chips
    least: Chips
    most: Chips


@event("hand.split-vote-cast")
@dataclass(slots=True)
class SplitVoteCast:
    seat: SeatNumber
    agrees: Flag


@event("hand.folded")
@dataclass(slots=True)
class Folded:
    seat: SeatNumber


@event("hand.checked")
@dataclass(slots=True)
class Checked:
    seat: SeatNumber


@event("hand.called")
@dataclass(slots=True)
class Called:
    """`amount`: chips added now."""

    seat: SeatNumber
    amount: Chips
    to: Chips
    all_in: Flag


@event("hand.bet-made")
@dataclass(slots=True)
class BetMade:
    """The first bet of a round. `full_raise` and `bets` as in RoundOpened, after this bet. Fixed limit: `level` is the
    live total of the last bet that counts, 0 elsewhere."""

    seat: SeatNumber
    amount: Chips
    to: Chips
    all_in: Flag
    full_raise: Chips
    bets: Count
    level: Chips


@event("hand.raised")
@dataclass(slots=True)
class Raised:
    """A raise of the highest wager. Fields as in BetMade."""

    seat: SeatNumber
    amount: Chips
    to: Chips
    all_in: Flag
    full_raise: Chips
    bets: Count
    level: Chips


@event("hand.out-of-time")
@dataclass(slots=True)
class OutOfTime:
    """A player's time to act has run out; what he did then follows (rules.md section 8)."""

    seat: SeatNumber


@event("hand.all-in-protected")
@dataclass(slots=True)
class AllInProtected:
    """A player whose connection is lost is all-in for what he has put in, for the rest of the hand even if he returns
    (rules.md section 8). `aside`: the rest of his stack, which he has again when the hand is over."""

    seat: SeatNumber
    aside: Chips


@event("hand.player-left")
@dataclass(slots=True)
class PlayerLeft:
    """A player who was dealt in leaves while the hand goes on: he folds when his turn comes (rules.md section 7)."""

    seat: SeatNumber


@event("hand.uncalled-bet-returned")
@dataclass(slots=True)
class UncalledBetReturned:
    """What no opponent matched goes back to its owner (rules.md section 3)."""

    seat: SeatNumber
    amount: Chips


@event("hand.bets-collected")
@dataclass(slots=True)
class BetsCollected:
    """A betting round is over; the pots as they now stand, main pot first."""

    pots: tuple[Chips, ...]


class Wish(StrEnum):
    """What a player asked for in advance of the showdown (rules.md section 3)."""

    GIVE_UP = "give up"
    SHOW = "show"


@event("hand.showdown-wished")
@dataclass(slots=True)
class ShowdownWished:
    """Seen by nobody else until the showdown."""

    seat: SeatNumber
    wish: Wish


class ShownBecause(StrEnum):
    ALL_IN = "no betting is left"
    ORDER = "in the order of the showdown"
    ASKED = "at the player's wish"


@event("hand.hand-shown")
@dataclass(slots=True)
class HandShown:
    seat: SeatNumber
    cards: tuple[Card, ...]
    because: ShownBecause


class MuckedBecause(StrEnum):
    BEATEN = "beaten by a hand that was shown"
    GIVEN_UP = "given up unseen"
    LAST_LEFT = "nobody is left to beat"


@event("hand.hand-mucked")
@dataclass(slots=True)
class HandMucked:
    seat: SeatNumber
    because: MuckedBecause


@event("hand.rake-taken")
@dataclass(slots=True)
class RakeTaken:
    """The rake of the hand; `by_pot` says what each pot bears, main pot first (rules.md section 9)."""

    amount: Chips
    by_pot: tuple[Chips, ...]


class Part(StrEnum):
    """Which part of a pot is awarded; AGREED: all of it, divided by the split vote."""

    WHOLE = "whole"
    HIGH = "high"
    LOW = "low"
    AGREED = "agreed"


@event("hand.pot-awarded")
@dataclass(slots=True)
class PotAwarded:
    """One winner's share of a pot, after its rake. `pot` counts from 0, the main pot.

    `odd`: the odd chips within `amount` (rules.md section 3). `hand`: what he won with, in words; empty where his
    hand was not shown.
    """

    pot: Count
    part: Part
    seat: SeatNumber
    amount: Chips
    odd: Chips
    hand: Text


@event("hand.cancelled")
@dataclass(slots=True)
class HandCancelled:
    """The hand's shard had no working owner for too long: every chip goes back to who put it in, antes, blinds and dead
    posts too, without rake (rules.md section 8, server failure).

    `gap`: for how long, in microseconds. `amounts`: what goes back to the players in `seats`, those who put anything
    in; uncalled bets went back before.
    """

    gap: Count
    seats: tuple[SeatNumber, ...]
    amounts: tuple[Chips, ...]


@event("hand.settled")
@dataclass(slots=True)
class HandSettled:
    """The hand is over; `stacks` are those that the players in `seats` take into the next."""

    seats: tuple[SeatNumber, ...]
    stacks: tuple[Chips, ...]
    rake: Chips
