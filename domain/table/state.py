"""The state of a table as a fold over its facts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from domain.messages import SECOND
from domain.rules.vocabulary import SeatRules
from domain.table import events as fact
from domain.transfers import (
    NOTES,
    About,
    Inbox,
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Outbox,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
)


class Standing(StrEnum):
    """Where a player stands with the blinds (rules.md section 7)."""

    NEW = "new"
    PLAYING = "playing"
    OUT = "sits out"


@dataclass(slots=True)
class Seat:
    """Who sits there and with how much; while a hand is open, with what he brought into it.

    pending: chips that came while a hand was open; they are his stack's when it is finished. entered: whether he has
    paid for his first hand. sits_out: by his own wish. posts: whether he enters at once, for a post, or waits for the
    big blind. owes_small, owes_big: blinds that passed him by. missed_in_a_row: big blinds since he played last.
    leaving: why he is to be taken from his seat, None where he stays. seat_frozen: by the floor here. money_frozen: by
    his file, with all that he has. protection: of the hand that is open: "", "asked", "granted", "refused" or "used".
    promotion: how much of what he brought is promotion credit of his account.
    """

    player: str
    stack: int = 0
    pending: int = 0
    entered: bool = False
    sits_out: bool = False
    posts: bool = True
    owes_small: bool = False
    owes_big: bool = False
    missed_in_a_row: int = 0
    leaving: fact.Leaving | None = None
    seat_frozen: bool = False
    money_frozen: bool = False
    connected: bool = True
    protection: str = ""
    promotion: int = 0

    @property
    def standing(self) -> Standing:
        if self.sits_out:
            return Standing.OUT
        return Standing.PLAYING if self.entered else Standing.NEW

    @property
    def chips(self) -> int:
        """All that he would take with him."""
        return self.stack + self.pending

    @property
    def frozen(self) -> bool:
        return self.seat_frozen or self.money_frozen

    @property
    def can_be_dealt_in(self) -> bool:
        """Whether he can be dealt in at all; by the blinds he may have to wait."""
        return bool(self.stack) and not (self.sits_out or self.frozen or self.leaving)

    @property
    def has_to_enter(self) -> bool:
        """Whether he plays no hand before he has posted, or has the big blind."""
        return not self.entered or self.owes_small or self.owes_big


@dataclass(slots=True)
class Left:
    """With how much a player left, and when (UTC microseconds)."""

    stack: int
    at: int


@dataclass(slots=True)
class Table:
    """A table at one version.

    seats: by seat number, only those taken. button: of the last hand, 0 before the first. hands: how many were dealt.
    open_hand: the id of the hand that is under way, "" between hands. left: by player, who may still come back for as
    much as he left with. paused: nobody acts. dealing: whether new hands are dealt. closing, room_closed: when no hand
    is open any more, everybody goes: the floor closes this table, or the whole room. sent, received: what went to other
    streams and came from them (`domain.transfers`).
    """

    opened: fact.TableOpened
    seats: dict[int, Seat] = field(default_factory=dict)
    button: int = 0
    hands: int = 0
    open_hand: str = ""
    version: int = 1
    left: dict[str, Left] = field(default_factory=dict)
    paused: bool = False
    dealing: bool = True
    closing: bool = False
    room_closed: bool = False
    sent: dict[str, Outbox] = field(default_factory=dict)
    received: dict[str, Inbox] = field(default_factory=dict)

    @property
    def rules(self) -> SeatRules | None:
        return self.opened.seating

    @property
    def closes(self) -> bool:
        """Whether it closes after its hand, by itself or with the room."""
        return self.closing or self.room_closed

    def receive(self, seat: int, amount: int) -> None:
        """Chips come to a seat: they play from the next hand on."""
        if self.open_hand:
            self.seats[seat].pending += amount
        else:
            self.seats[seat].stack += amount

    def seat_with(self, player: str) -> Seat | None:
        return next((seat for seat in self.seats.values() if seat.player == player), None)

    def give_up(self, seat: int, amount: int) -> None:
        """Chips leave a seat, those first that aren't in play yet."""
        pending = min(amount, self.seats[seat].pending)
        self.seats[seat].pending -= pending
        self.seats[seat].stack -= amount - pending


def evolve(table: Table | None, event: Any) -> Table:
    """The table after the event. The first event is TableOpened; every other changes `table` in place."""
    if table is None:
        return Table(event)
    EVOLVE[type(event)](table, event)
    table.version += 1
    return table


# --- seats and chips -------------------------------------------------------------------------------------------------


def _player_seated(table: Table, event: fact.PlayerSeated) -> None:
    table.seats[event.seat] = Seat(event.player, posts=event.posts)


def _chips_brought(table: Table, event: fact.ChipsBrought) -> None:
    table.receive(event.seat, event.amount)


def _chips_taken(table: Table, event: fact.ChipsTaken) -> None:
    table.give_up(event.seat, event.amount)


def _player_left(table: Table, event: fact.PlayerLeft) -> None:
    del table.seats[event.seat]
    if table.rules is not None:
        _forget_before(table, event.at - minutes(table.rules.stack_remembered))
        table.left[event.player] = Left(event.stack, event.at)


def minutes(count: int) -> int:
    """In microseconds."""
    return 60 * SECOND * count


def _forget_before(table: Table, at: int) -> None:
    for player in [player for player, left in table.left.items() if left.at < at]:
        del table.left[player]


def _player_leaving(table: Table, event: fact.PlayerLeaving) -> None:
    table.seats[event.seat].leaving = event.why


def _player_sat_out(table: Table, event: fact.PlayerSatOut) -> None:
    table.seats[event.seat].sits_out = True


def _player_came_back(table: Table, event: fact.PlayerCameBack) -> None:
    seat = table.seats[event.seat]
    seat.sits_out, seat.posts = False, event.posts


def _connection_lost(table: Table, event: fact.ConnectionLost) -> None:
    table.seats[event.seat].connected = False


def _connection_restored(table: Table, event: fact.ConnectionRestored) -> None:
    table.seats[event.seat].connected = True


# --- hands -----------------------------------------------------------------------------------------------------------


def _hand_started(table: Table, event: fact.HandStarted) -> None:
    table.hands, table.button, table.open_hand = event.number, event.button, event.hand
    for number in event.entered:
        seat = table.seats[number]
        seat.entered, seat.owes_small, seat.owes_big, seat.missed_in_a_row = True, False, False, 0


def _blinds_missed(table: Table, event: fact.BlindsMissed) -> None:
    for number in event.small:
        table.seats[number].owes_small = True
    for number in event.big:
        table.seats[number].owes_big = True
        table.seats[number].missed_in_a_row += 1


def _hand_finished(table: Table, event: fact.HandFinished) -> None:
    table.open_hand = ""
    for number, stack in zip(event.seats, event.stacks, strict=True):
        table.seats[number].stack = stack
    for seat in table.seats.values():
        seat.stack += seat.pending
        seat.pending, seat.protection = 0, ""


# --- from and to other streams ---------------------------------------------------------------------------------------


def _transfer_sent(table: Table, event: TransferSent) -> None:
    table.give_up(event.seat, event.amount)


def _transfer_received(table: Table, event: TransferReceived) -> None:
    table.receive(event.seat, event.amount)
    table.seats[event.seat].promotion += event.promotion


def _notice_sent(table: Table, event: NoticeSent) -> None:
    seat = table.seat_with(event.player)
    if seat is not None and event.about in _PROTECTION_IS:
        seat.protection = _PROTECTION_IS[event.about]


def _notice_closed(table: Table, event: NoticeClosed) -> None:
    """An answer that comes too late changes nothing: no answer counts as yes."""
    seat = table.seat_with(event.player)
    if seat is not None and event.hand == table.open_hand and seat.protection == "asked":
        seat.protection = event.outcome.value


_PROTECTION_IS = {About.PROTECTION: "asked", About.PROTECTION_USED: "used"}


def _nothing_else(table: Table, event: Any) -> None:
    """The bookkeeping of what is under way says it all."""


def _noting(handler: Callable[[Table, Any], None]) -> Callable[[Table, Any], None]:
    def fold(table: Table, event: Any) -> None:
        handler(table, event)
        NOTES[type(event)](table, event)

    return fold


# --- the floor -------------------------------------------------------------------------------------------------------


def _paused(table: Table, event: fact.TablePaused) -> None:
    table.paused = True


def _resumed(table: Table, event: fact.TableResumed) -> None:
    table.paused = False


def _dealing_stopped(table: Table, event: fact.DealingStopped) -> None:
    table.dealing = False


def _dealing_started(table: Table, event: fact.DealingStarted) -> None:
    table.dealing = True


def _closing(table: Table, event: fact.TableClosing) -> None:
    table.closing = True


def _reopened(table: Table, event: fact.TableReopened) -> None:
    table.closing = False


def _closing_with_room(table: Table, event: fact.ClosingWithRoom) -> None:
    table.room_closed = True


def _reopened_with_room(table: Table, event: fact.ReopenedWithRoom) -> None:
    table.room_closed = False


def _player_frozen(table: Table, event: fact.PlayerFrozen) -> None:
    _freeze(table.seats[event.seat], event.of, frozen=True)


def _player_unfrozen(table: Table, event: fact.PlayerUnfrozen) -> None:
    _freeze(table.seats[event.seat], event.of, frozen=False)


def _freeze(seat: Seat, of: fact.Freeze, *, frozen: bool) -> None:
    if of is fact.Freeze.SEAT:
        seat.seat_frozen = frozen
    else:
        seat.money_frozen = frozen


EVOLVE: dict[type[Any], Callable[[Table, Any], None]] = {
    fact.PlayerSeated: _player_seated,
    fact.ChipsBrought: _chips_brought,
    fact.ChipsTaken: _chips_taken,
    fact.PlayerLeft: _player_left,
    fact.PlayerLeaving: _player_leaving,
    fact.PlayerSatOut: _player_sat_out,
    fact.PlayerCameBack: _player_came_back,
    fact.ConnectionLost: _connection_lost,
    fact.ConnectionRestored: _connection_restored,
    fact.HandStarted: _hand_started,
    fact.BlindsMissed: _blinds_missed,
    fact.HandFinished: _hand_finished,
    TransferSent: _noting(_transfer_sent),
    TransferReceived: _noting(_transfer_received),
    TransferRefused: _noting(_nothing_else),
    TransferClosed: _noting(_nothing_else),
    NoticeSent: _noting(_notice_sent),
    NoticeReceived: _noting(_nothing_else),
    NoticeClosed: _noting(_notice_closed),
    fact.TablePaused: _paused,
    fact.TableResumed: _resumed,
    fact.DealingStopped: _dealing_stopped,
    fact.DealingStarted: _dealing_started,
    fact.TableClosing: _closing,
    fact.TableReopened: _reopened,
    fact.ClosingWithRoom: _closing_with_room,
    fact.ReopenedWithRoom: _reopened_with_room,
    fact.PlayerFrozen: _player_frozen,
    fact.PlayerUnfrozen: _player_unfrozen,
}
