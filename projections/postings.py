"""Double entry: what each fact moves from one account to another, in integers that sum to zero per currency.

| account                        | what lies there                                                                |
|--------------------------------|--------------------------------------------------------------------------------|
| `cashier`                      | minus the chips that are out: chips come to the seats from it and go back to it |
| `table:<id>:player:<id>`       | a player's chips at a table, this hand's bets no longer among them               |
| `hand:<table>-<number>`        | the chips in the middle; 0 once the hand is settled                              |
| `house:rake`                   | the rake that was taken                                                          |

An uncalled bet returns from the middle before the pot is raked (rules.md section 3), so what a hand brings a player is
what he collected, less what he committed and didn't get back. Of a hand that was cancelled everything returns.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain import room
from domain.hand import events as of_hand
from domain.messages import table_stream
from domain.rulings import opening
from domain.table import events as of_table
from projections.view import Layout, Rows

CASHIER = "cashier"
HOUSE_RAKE = "house:rake"
HAND = "hand:"
"""What the accounts of chips in the middle begin with: the account of a hand is its stream."""


class UnknownEvent(Exception):
    """A fact of which nobody said what it moves; the books refuse it and stop."""


class Posting(NamedTuple):
    """`amount` minor units come to the account; negative: they leave it."""

    account: str
    currency: str
    amount: int


class Place(NamedTuple):
    """Whose account a seat of an open hand draws on. Seat 0 is the stream itself: a hand's middle, or a table."""

    stream: str
    seat: int
    account: str
    currency: str


PLACES = Layout("places", Place, key=2)


def player_account(table: str, player: str) -> str:
    """The account of a player's chips at a table, both by id."""
    return f"{table_stream(table)}:player:{player}"


def postings(places: Rows[Place], stream: str, event: Any) -> tuple[Posting, ...]:
    """What the fact moves; `places` move on with it. Raises UnknownEvent, MissingRow."""
    handler = MOVES.get(type(event)) or _NOTED.get(type(event))
    if handler is not None:
        return handler(places, stream, event)
    if type(event) in MOVES_NOTHING:
        return ()
    raise UnknownEvent(
        f"{stream}: the books don't know what {type(event).__name__} moves: "
        "name it in projections/postings.py, among MOVES or MOVES_NOTHING"
    )


def _move(giver: str, taker: str, currency: str, amount: int) -> tuple[Posting, ...]:
    return Posting(giver, currency, -amount), Posting(taker, currency, amount)


def _brought(places: Rows[Place], stream: str, event: of_table.ChipsBrought) -> tuple[Posting, ...]:
    table = places[stream, 0]
    return _move(CASHIER, f"{stream}:player:{event.player}", table.currency, event.amount)


def _taken(places: Rows[Place], stream: str, event: of_table.ChipsTaken) -> tuple[Posting, ...]:
    table = places[stream, 0]
    return _move(f"{stream}:player:{event.player}", CASHIER, table.currency, event.amount)


def _put_in(places: Rows[Place], stream: str, event: Any) -> tuple[Posting, ...]:
    place = places[stream, event.seat]
    return _move(place.account, stream, place.currency, event.amount)


def _got_back(places: Rows[Place], stream: str, event: Any) -> tuple[Posting, ...]:
    place = places[stream, event.seat]
    return _move(stream, place.account, place.currency, event.amount)


def _raked(places: Rows[Place], stream: str, event: of_hand.RakeTaken) -> tuple[Posting, ...]:
    return _move(stream, HOUSE_RAKE, places[stream, 0].currency, event.amount)


def _cancelled(places: Rows[Place], stream: str, event: of_hand.HandCancelled) -> tuple[Posting, ...]:
    back = ((places[stream, seat], amount) for seat, amount in zip(event.seats, event.amounts, strict=True))
    return tuple(posting for place, amount in back for posting in _move(stream, place.account, place.currency, amount))


Handler = Callable[[Rows[Place], str, Any], tuple[Posting, ...]]

MOVES: dict[type[Any], Handler] = {
    of_table.ChipsBrought: _brought,
    of_table.ChipsTaken: _taken,
    of_hand.BlindPosted: _put_in,
    of_hand.BroughtIn: _put_in,
    of_hand.Called: _put_in,
    of_hand.BetMade: _put_in,
    of_hand.Raised: _put_in,
    of_hand.UncalledBetReturned: _got_back,
    of_hand.RakeTaken: _raked,
    of_hand.PotAwarded: _got_back,
    of_hand.HandCancelled: _cancelled,
}
"""The facts that move chips."""

MOVES_NOTHING = frozenset({
    room.ShardOpened,
    room.KeyChanged,
    room.LossAccepted,
    room.ShardClaimed,
    room.ShardAlive,
    room.RevisionRaised,
    opening.CardsOpened,
    of_table.TableOpened,
    of_table.PlayerSeated,
    of_table.PlayerLeft,
    of_table.HandStarted,
    of_table.HandFinished,
    of_hand.HandOpened,
    of_hand.CardsDealt,
    of_hand.BoardDealt,
    of_hand.DrawOpened,
    of_hand.DrawOffered,
    of_hand.StoodPat,
    of_hand.CardsDiscarded,
    of_hand.DeckReshuffled,
    of_hand.RoundOpened,
    of_hand.BringInOwed,
    of_hand.TurnGiven,
    of_hand.SplitOffered,
    of_hand.SplitVoteCast,
    of_hand.Folded,
    of_hand.Checked,
    of_hand.BetsCollected,
    of_hand.ShowdownWished,
    of_hand.HandShown,
    of_hand.HandMucked,
    of_hand.HandSettled,
})  # fmt: skip
"""The facts that move none. A fact of the catalog stands here or in MOVES."""


def _table_opened(places: Rows[Place], stream: str, event: of_table.TableOpened) -> tuple[Posting, ...]:
    places.put(Place(stream, 0, stream, event.terms.currency))
    return ()


def _hand_opened(places: Rows[Place], stream: str, event: of_hand.HandOpened) -> tuple[Posting, ...]:
    players = (Place(stream, one.seat, player_account(event.table, one.player), event.currency) for one in event.seats)
    for place in (Place(stream, 0, stream, event.currency), *players):
        places.begin(place[: PLACES.key])
        places.put(place)
    return ()


def _hand_settled(places: Rows[Place], stream: str, event: of_hand.HandSettled) -> tuple[Posting, ...]:
    places.drop((stream, 0))
    for seat in event.seats:
        places.drop((stream, seat))
    return ()


_NOTED: dict[type[Any], Handler] = {
    of_table.TableOpened: _table_opened,
    of_hand.HandOpened: _hand_opened,
    of_hand.HandSettled: _hand_settled,
}
"""Facts that move nothing and say where chips lie."""
