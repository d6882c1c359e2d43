"""Double entry: what each fact moves from one account to another, in integers that sum to zero per currency.

| account                        | what lies there                                                                |
|--------------------------------|--------------------------------------------------------------------------------|
| `cashier`                      | minus the chips that are out: chips come to the seats from it and go back to it |
| `table:<id>:player:<id>`       | a player's chips at a table, this hand's bets no longer among them               |
| `hand:<table>-<number>`        | the chips in the middle; 0 once the hand is settled                              |
| `house:rake`                   | the rake that was taken                                                          |
| `account:<id>:<cur>`           | what a player may withdraw or play: his balance in that currency                 |
| `account:<id>:<cur>:held`      | what is put aside of it                                                          |
| `account:<id>:<cur>:promotion` | credit that he may play only; at a table it is among his chips                   |
| `transit:<sender>><receiver>`  | what one stream has sent another, until it is received, or given back            |
| `bank`                         | minus the deposits, plus the withdrawals                                         |
| `house:adjustments`            | minus what was put right in favour of players, plus what was to their cost        |
| `house:promotions`             | minus the promotion credit that was granted and not taken back                   |

An uncalled bet returns from the middle before the pot is raked (rules.md section 3), so what a hand brings a player is
what he collected, less what he committed and didn't get back. Of a hand that was cancelled everything returns.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain import room, transfers
from domain.account import events as of_account
from domain.hand import events as of_hand
from domain.messages import table_stream
from domain.rulings import opening, reasons
from domain.table import events as of_table
from projections.view import Layout, Rows

CASHIER = "cashier"
HOUSE_RAKE = "house:rake"
HOUSE_PROMOTIONS = "house:promotions"
HOUSE_ADJUSTMENTS = "house:adjustments"
BANK = "bank"
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
    return (Posting(giver, currency, -amount), Posting(taker, currency, amount)) if amount else ()


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


# --- accounts --------------------------------------------------------------------------------------------------------


def _currency(account: str) -> str:
    """Of an account's stream."""
    return account.rpartition(":")[2].upper()


def _deposited(places: Rows[Place], stream: str, event: of_account.Deposited) -> tuple[Posting, ...]:
    return _move(BANK, stream, _currency(stream), event.amount)


def _withdrawn(places: Rows[Place], stream: str, event: of_account.Withdrawn) -> tuple[Posting, ...]:
    return _move(f"{stream}:held" if event.hold else stream, BANK, _currency(stream), event.amount)


def _held(places: Rows[Place], stream: str, event: of_account.Held) -> tuple[Posting, ...]:
    return _move(stream, f"{stream}:held", _currency(stream), event.amount)


def _hold_released(places: Rows[Place], stream: str, event: of_account.HoldReleased) -> tuple[Posting, ...]:
    return _move(f"{stream}:held", stream, _currency(stream), event.amount)


def _adjusted(places: Rows[Place], stream: str, event: of_account.Adjusted) -> tuple[Posting, ...]:
    return _move(HOUSE_ADJUSTMENTS, stream, _currency(stream), event.amount)


def _granted(places: Rows[Place], stream: str, event: of_account.PromotionGranted) -> tuple[Posting, ...]:
    return _move(HOUSE_PROMOTIONS, f"{stream}:promotion", _currency(stream), event.amount)


def _taken_back(places: Rows[Place], stream: str, event: of_account.PromotionTakenBack) -> tuple[Posting, ...]:
    return _move(f"{stream}:promotion", HOUSE_PROMOTIONS, _currency(stream), event.amount)


def _sent(places: Rows[Place], stream: str, event: transfers.TransferSent) -> tuple[Posting, ...]:
    return _between(stream, f"transit:{stream}>{event.to}", event, into=False)


def _received(places: Rows[Place], stream: str, event: transfers.TransferReceived) -> tuple[Posting, ...]:
    return _between(stream, f"transit:{event.sender}>{stream}", event, into=True)


def _closed(places: Rows[Place], stream: str, event: transfers.TransferClosed) -> tuple[Posting, ...]:
    """What wasn't received is back where it came from."""
    return () if event.received else _between(stream, f"transit:{stream}>{event.to}", event, into=True)


def _between(stream: str, transit: str, event: Any, *, into: bool) -> tuple[Posting, ...]:
    """Money goes from where it lies in a stream to where it is under way, or, `into` the stream, from there."""
    if stream.startswith("table:"):
        parts = [(f"{stream}:player:{event.player}", event.amount)]
    else:
        parts = [(stream, event.amount - event.promotion), (f"{stream}:promotion", event.promotion)]
    sign = 1 if into else -1
    return tuple(one for place, amount in parts for one in _move(transit, place, event.currency, sign * amount))


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
    of_account.Deposited: _deposited,
    of_account.Withdrawn: _withdrawn,
    of_account.Held: _held,
    of_account.HoldReleased: _hold_released,
    of_account.Adjusted: _adjusted,
    of_account.PromotionGranted: _granted,
    of_account.PromotionTakenBack: _taken_back,
    transfers.TransferSent: _sent,
    transfers.TransferReceived: _received,
    transfers.TransferClosed: _closed,
}
"""The facts that move chips."""

MOVES_NOTHING = frozenset({
    room.ShardOpened,
    room.KeyChanged,
    room.LossAccepted,
    room.ShardClaimed,
    room.ShardAlive,
    room.RevisionRaised,
    room.DayClosed,
    room.RoomClosed,
    room.RoomReopened,
    opening.CardsOpened,
    reasons.ReasonErased,
    transfers.TransferRefused,
    transfers.NoticeSent,
    transfers.NoticeReceived,
    transfers.NoticeClosed,
    of_account.AccountOpened,
    of_account.AloneLimitChanged,
    of_account.AccountAdded,
    of_account.LimitSet,
    of_account.CoolingOffBegun,
    of_account.PlayerExcluded,
    of_account.AccountsFrozen,
    of_account.AccountsUnfrozen,
    of_table.TableOpened,
    of_table.PlayerSeated,
    of_table.PlayerLeft,
    of_table.PlayerLeaving,
    of_table.PlayerSatOut,
    of_table.PlayerCameBack,
    of_table.ConnectionLost,
    of_table.ConnectionRestored,
    of_table.TablePaused,
    of_table.TableResumed,
    of_table.DealingStopped,
    of_table.DealingStarted,
    of_table.TableClosing,
    of_table.TableReopened,
    of_table.ClosingWithRoom,
    of_table.ReopenedWithRoom,
    of_table.PlayerFrozen,
    of_table.PlayerUnfrozen,
    of_table.BlindsMissed,
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
    of_hand.OutOfTime,
    of_hand.AllInProtected,
    of_hand.PlayerLeft,
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
