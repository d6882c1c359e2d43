"""The state of a hand as a fold over its facts.

`evolve` is total: it takes results and never refuses. Lists are indexed by seat number. A hand is mutable and has one
owner, the fold or the writer that holds it; others get frames of it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.hand import events as fact
from domain.messages import hand_stream
from domain.rules.limits import SPANS, Span
from domain.rules.registry import game_at
from domain.rules.vocabulary import Game, Limit

NOT_ACTED = -1
NOT_PLAYED = -1


Action = fact.TurnGiven | fact.SplitOffered
"""A turn to act, a vote with it or not."""

Turn = Action | fact.BringInOwed | fact.DrawOffered
"""What a hand may wait for: an action, a bring-in, a draw, a vote."""


class Hand:
    """A hand at one version.

    Pinned: opened, its values; brought, all its chips; order, the seats dealt in, clockwise from the left of the
    button; clockwise, the same from the left of each seat.
    Players, by seat: stack; live, chips of this round; put_in, all chips that count as put in, antes and live ones;
    seen, what he faced when he last acted (the wager, 0 if that was a bring-in under the minimum bet; in fixed limit
    the number of bets), NOT_ACTED before; dealt, card indices; hole, the same cards, faces where the log shows them
    and boxes where not; up, those that were dealt face up; discards, card indices; wishes, for the showdown.
    contesting: seats that have neither folded nor mucked (the last one left may muck and stays); shown: those whose
    hands were turned up, in order. aside: chips that an all-in protected player has besides his stack, until the hand
    is over; left: those who left the table meanwhile.
    Middle: pot, all chips in it; dead, those that nobody put in; pots, as last gathered; board.
    Draw: drawn, seats that have drawn in the last one; late, those whose time ran out in it. votes: to split, by seat,
    none after any other action.
    Round: street, that of the last draw, round or offer to split, NOT_PLAYED before the first; last_round, that of the
    last round;
    wager, full_raise, size, bets and bets_cap as in RoundOpened, level as in BetMade; incomplete, whether nobody has
    raised a bring-in under the minimum bet; aggressor, the last to bet or raise in it, 0 if nobody.
    Decision: turn, what is awaited, None where nothing is; decision, its number; facts, those of the decision under
    way. End: rake, what was taken; awarded, of all pots together; settled; cancelled.
    Shoe: decks, the first one and what was reshuffled behind it; indices, how many there are; out, how many cards were
    dealt; gone, the indices that left it, and returned, those whose cards were reshuffled, a bit for each; faces, the
    cards that the log shows out of it, a bit for each, and known, how many it has shown.
    """

    __slots__ = (
        "aggressor", "aside", "awarded", "bets", "bets_cap", "board", "brought", "cancelled", "clockwise",
        "contesting", "dead", "dealt", "decision", "decks", "discards", "drawn", "faces", "facts", "fixed",
        "full_raise", "game", "gone", "hole", "id", "incomplete", "indices", "known", "last_round", "late", "left",
        "level", "live", "opened", "order", "out", "pot", "pots", "put_in", "rake", "returned", "seen", "settled",
        "shown", "size", "span", "stack", "stream", "street", "turn", "unit", "up", "version", "votes", "wager",
        "wishes",
    )  # fmt: skip

    opened: fact.HandOpened
    id: str
    stream: str
    brought: int
    facts: list[Any]
    game: Game
    fixed: bool
    unit: int
    span: Callable[[Any, int], Span]
    order: tuple[int, ...]
    clockwise: dict[int, tuple[int, ...]]
    version: int
    contesting: tuple[int, ...]
    stack: list[int]
    aside: list[int]
    left: tuple[int, ...]
    live: list[int]
    put_in: list[int]
    seen: list[int]
    dealt: list[tuple[int, ...]]
    hole: list[tuple[int | str, ...]]
    up: list[tuple[int, ...]]
    discards: list[tuple[int, ...]]
    board: tuple[int, ...]
    dead: int
    pot: int
    pots: tuple[int, ...]
    drawn: tuple[int, ...]
    late: tuple[int, ...]
    votes: dict[int, bool]
    street: int
    last_round: int
    wager: int
    full_raise: int
    size: int
    bets: int
    level: int
    bets_cap: int
    incomplete: bool
    aggressor: int
    turn: Turn | None
    decision: int
    decks: tuple[fact.Deck, ...]
    indices: int
    out: int
    gone: int
    returned: int
    faces: int
    known: int
    wishes: dict[int, fact.Wish]
    shown: tuple[int, ...]
    rake: int
    awarded: int
    settled: bool
    cancelled: bool

    def __init__(self, opened: fact.HandOpened) -> None:
        size = max(one.seat for one in opened.seats) + 1
        self.opened = opened
        self.facts = [opened]
        self.id = f"{opened.table}-{opened.number}"
        self.stream = hand_stream(self.id)
        self.game = game_at(opened.game, opened.game_revision)
        self.fixed = opened.limit is Limit.FIXED
        self.span = SPANS[opened.limit]
        self.unit = opened.chip_unit
        self.order = self.contesting = clockwise([one.seat for one in opened.seats], opened.button)
        self.clockwise = rotations(self.order)
        self.clockwise.setdefault(opened.button, self.order)
        self.stack = [0] * size
        for one in opened.seats:
            self.stack[one.seat] = one.stack
        self.brought = sum(self.stack)
        self.aside = [0] * size
        self.live, self.put_in, self.seen = [0] * size, [0] * size, [NOT_ACTED] * size
        self.dealt, self.hole, self.up, self.discards = [()] * size, [()] * size, [()] * size, [()] * size
        self.board = self.pots = self.shown = self.drawn = self.late = self.left = ()
        self.wager = self.full_raise = self.size = self.bets = self.level = self.bets_cap = self.aggressor = 0
        self.dead = self.pot = self.decision = self.rake = self.awarded = 0
        self.decks = (opened.deck,)
        self.indices = fact.size_of(opened.deck)
        self.out = self.gone = self.returned = self.faces = self.known = 0
        self.settled = self.cancelled = self.incomplete = False
        self.turn = None
        self.wishes, self.votes = {}, {}
        self.street = self.last_round = NOT_PLAYED
        self.version = 1

    def record(self, event: Any) -> None:
        """Note a fact of the decision under way and move on with it."""
        self.facts.append(event)
        EVOLVE[type(event)](self, event)
        self.version += 1

    def record_all(self, events: Sequence[Any]) -> None:
        self.facts += events
        for event in events:
            EVOLVE[type(event)](self, event)
        self.version += len(events)

    def able_to_bet(self) -> int:
        """How many of those who contest the hand have chips left."""
        stack = self.stack
        return len([seat for seat in self.contesting if stack[seat]])

    def has_put_in(self, seat: int) -> int:
        """All chips of the seat that are in the middle, dead ones too, before anything is won."""
        brought = next(one.stack for one in self.opened.seats if one.seat == seat)
        return brought - self.stack[seat] - self.aside[seat]

    def is_away(self, seat: int) -> bool:
        """Whether the seat is asked nothing more: its player left, or is all-in protected."""
        return seat in self.left or self.aside[seat] > 0


def clockwise(seats: Iterable[int], after: int) -> tuple[int, ...]:
    """The seats in clockwise order, starting with the first one after `after`, which itself comes last."""
    ordered = sorted(seats)
    at = bisect_right(ordered, after)
    return tuple(ordered[at:] + ordered[:at])


def rotations(order: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """For each seat, all seats clockwise from its left, itself last."""
    return {seat: order[at:] + order[:at] for at, seat in enumerate(order, start=1)}


def evolve(hand: Hand | None, event: Any) -> Hand:
    """The hand after the event. The first event is HandOpened; every other changes `hand` in place and returns it."""
    if hand is None:
        return Hand(event)
    EVOLVE[type(event)](hand, event)
    hand.version += 1
    return hand


def _blind_posted(hand: Hand, event: fact.BlindPosted) -> None:
    seat, amount = event.seat, event.amount
    hand.stack[seat] -= amount
    hand.pot += amount
    if event.live:
        hand.live[seat] += amount
        hand.put_in[seat] += amount
    elif event.kind is fact.PostKind.ANTE:
        hand.put_in[seat] += amount
    else:
        hand.dead += amount


def _cards_dealt(hand: Hand, event: fact.CardsDealt) -> None:
    hand.dealt[event.seat] += event.indices
    hand.hole[event.seat] += event.cards
    if event.up:
        hand.up[event.seat] += tuple([card for card in event.cards if type(card) is int])
    _left_the_shoe(hand, event.indices)
    _seen(hand, event.cards)


def _board_dealt(hand: Hand, event: fact.BoardDealt) -> None:
    hand.board += event.cards
    _left_the_shoe(hand, event.indices)
    _seen(hand, event.cards)


def _left_the_shoe(hand: Hand, indices: Sequence[int]) -> None:
    hand.out += len(indices)
    for index in indices:
        hand.gone |= 1 << index


def _seen(hand: Hand, cards: Iterable[int | str]) -> None:
    """Cards that are out of the shoe, as far as the log shows them."""
    for card in cards:
        if type(card) is int:
            hand.faces |= 1 << card
            hand.known += 1


def _draw_opened(hand: Hand, event: fact.DrawOpened) -> None:
    hand.street = event.street
    hand.drawn = hand.late = ()


def _stood_pat(hand: Hand, event: fact.StoodPat) -> None:
    hand.turn = None
    hand.drawn += (event.seat,)
    if event.late:
        hand.late += (event.seat,)


def _cards_discarded(hand: Hand, event: fact.CardsDiscarded) -> None:
    seat = event.seat
    hand.turn = None
    hand.drawn += (seat,)
    hand.discards[seat] += event.indices
    held = zip(hand.dealt[seat], hand.hole[seat], strict=True)
    kept = [(index, card) for index, card in held if index not in event.indices]
    hand.dealt[seat] = tuple([index for index, _ in kept])
    hand.hole[seat] = tuple([card for _, card in kept])


def _deck_reshuffled(hand: Hand, event: fact.DeckReshuffled) -> None:
    for index in event.pile:
        hand.returned |= 1 << index
        card = _face_at(hand, index)
        if card is not None:
            hand.faces &= ~(1 << card)
            hand.known -= 1
    hand.decks += (event.cards,)
    hand.indices += fact.size_of(event.cards)


def _face_at(hand: Hand, index: int) -> int | None:
    """The card of an index, where its deck is open."""
    for deck in hand.decks:
        if index < fact.size_of(deck):
            return None if isinstance(deck, fact.SealedDeck) else deck[index]
        index -= fact.size_of(deck)
    return None


def _round_opened(hand: Hand, event: fact.RoundOpened) -> None:
    if event.street != hand.street:  # no draw came before it
        hand.late = ()
    hand.street = hand.last_round = event.street
    hand.wager, hand.full_raise, hand.size = event.wager, event.full_raise, event.size
    hand.bets, hand.bets_cap, hand.level = event.bets, event.bets_cap, event.bets * event.full_raise
    hand.aggressor, hand.incomplete = 0, False
    hand.seen = [NOT_ACTED] * len(hand.seen)


def _asked(hand: Hand, event: Turn) -> None:
    hand.turn = event
    hand.decision += 1


def _split_offered(hand: Hand, event: fact.SplitOffered) -> None:
    hand.street = len(hand.game.streets) - 1  # whether its round is played or not
    _asked(hand, event)


def _brought_in(hand: Hand, event: fact.BroughtIn) -> None:
    _put_in(hand, event.seat, event.amount, event.amount)
    hand.wager, hand.full_raise, hand.bets, hand.level = event.wager, event.full_raise, event.bets, event.level
    hand.incomplete = event.wager < hand.opened.stakes.min_bet
    _acted(hand, event.seat)


def _folded(hand: Hand, event: fact.Folded) -> None:
    hand.turn = None
    hand.votes = {}
    hand.contesting = tuple([seat for seat in hand.contesting if seat != event.seat])


def _acted(hand: Hand, seat: int) -> None:
    hand.turn = None
    hand.votes = {}  # any other action ends the offer to split
    # Who has matched a bring-in under the minimum bet has not faced a full bet.
    hand.seen[seat] = hand.bets if hand.fixed else 0 if hand.incomplete else hand.wager


def _split_vote_cast(hand: Hand, event: fact.SplitVoteCast) -> None:
    votes = {**hand.votes, event.seat: event.agrees}
    _acted(hand, event.seat)
    hand.votes = votes


def _checked(hand: Hand, event: fact.Checked) -> None:
    _acted(hand, event.seat)


def _put_in(hand: Hand, seat: int, amount: int, to: int) -> None:
    hand.stack[seat] -= amount
    hand.live[seat] = to
    hand.put_in[seat] += amount
    hand.pot += amount


def _called(hand: Hand, event: fact.Called) -> None:
    _put_in(hand, event.seat, event.amount, event.to)
    _acted(hand, event.seat)


def _raised(hand: Hand, event: fact.Raised | fact.BetMade) -> None:
    _put_in(hand, event.seat, event.amount, event.to)
    hand.wager, hand.full_raise, hand.bets, hand.level = event.to, event.full_raise, event.bets, event.level
    hand.aggressor, hand.incomplete = event.seat, False
    _acted(hand, event.seat)


def _all_in_protected(hand: Hand, event: fact.AllInProtected) -> None:
    hand.turn = None
    hand.stack[event.seat] -= event.aside
    hand.aside[event.seat] += event.aside


def _player_left(hand: Hand, event: fact.PlayerLeft) -> None:
    hand.left += (event.seat,)


def _out_of_time(hand: Hand, event: fact.OutOfTime) -> None:
    """What he does then is a fact of its own."""


def _uncalled_bet_returned(hand: Hand, event: fact.UncalledBetReturned) -> None:
    seat, amount = event.seat, event.amount
    (hand.aside if hand.aside[seat] else hand.stack)[seat] += amount
    hand.put_in[seat] -= amount
    hand.live[seat] = max(0, hand.live[seat] - amount)
    hand.wager = max(hand.live)
    hand.pot -= amount


def _bets_collected(hand: Hand, event: fact.BetsCollected) -> None:
    hand.pots = event.pots
    hand.live = [0] * len(hand.live)
    hand.wager = 0


def _showdown_wished(hand: Hand, event: fact.ShowdownWished) -> None:
    hand.wishes[event.seat] = event.wish


def _hand_shown(hand: Hand, event: fact.HandShown) -> None:
    hand.shown += (event.seat,)
    _seen(hand, [card for box, card in zip(hand.hole[event.seat], event.cards, strict=False) if type(box) is str])
    hand.hole[event.seat] = event.cards


def _hand_mucked(hand: Hand, event: fact.HandMucked) -> None:
    if event.because is not fact.MuckedBecause.LAST_LEFT:
        hand.contesting = tuple([seat for seat in hand.contesting if seat != event.seat])


def _rake_taken(hand: Hand, event: fact.RakeTaken) -> None:
    hand.rake += event.amount
    hand.pot -= event.amount


def _pot_awarded(hand: Hand, event: fact.PotAwarded) -> None:
    hand.stack[event.seat] += event.amount
    hand.pot -= event.amount
    hand.awarded += event.amount


def _hand_cancelled(hand: Hand, event: fact.HandCancelled) -> None:
    """Nobody has put anything in any more."""
    for seat, amount in zip(event.seats, event.amounts, strict=False):
        hand.stack[seat] += amount
        hand.pot -= amount
    hand.live, hand.put_in = [0] * len(hand.live), [0] * len(hand.put_in)
    hand.dead = hand.wager = 0
    hand.pots = ()
    hand.votes = {}
    hand.cancelled = True
    hand.turn = None


def _hand_settled(hand: Hand, event: fact.HandSettled) -> None:
    if any(hand.aside):
        hand.stack = [chips + aside for chips, aside in zip(hand.stack, hand.aside, strict=True)]
        hand.aside = [0] * len(hand.aside)
    hand.settled = True
    hand.turn = None


EVOLVE: dict[type[Any], Callable[[Hand, Any], None]] = {
    fact.BlindPosted: _blind_posted,
    fact.CardsDealt: _cards_dealt,
    fact.BoardDealt: _board_dealt,
    fact.DrawOpened: _draw_opened,
    fact.DrawOffered: _asked,
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
    fact.BetMade: _raised,
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
