"""The state of a table as a fold over its facts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from domain.table import events as fact


@dataclass(slots=True)
class Seat:
    """Who sits there and with how much; while a hand is open, with what he brought into it."""

    player: str
    stack: int = 0


@dataclass(slots=True)
class Table:
    """A table at one version.

    seats: by seat number, only those taken. button: of the last hand, 0 before the first. hands: how many were dealt.
    open_hand: the id of the hand that is under way, "" between hands.
    """

    opened: fact.TableOpened
    seats: dict[int, Seat] = field(default_factory=dict)
    button: int = 0
    hands: int = 0
    open_hand: str = ""
    version: int = 1


def evolve(table: Table | None, event: Any) -> Table:
    """The table after the event. The first event is TableOpened; every other changes `table` in place."""
    if table is None:
        return Table(event)
    EVOLVE[type(event)](table, event)
    table.version += 1
    return table


def _player_seated(table: Table, event: fact.PlayerSeated) -> None:
    table.seats[event.seat] = Seat(event.player)


def _chips_brought(table: Table, event: fact.ChipsBrought) -> None:
    table.seats[event.seat].stack += event.amount


def _chips_taken(table: Table, event: fact.ChipsTaken) -> None:
    table.seats[event.seat].stack -= event.amount


def _player_left(table: Table, event: fact.PlayerLeft) -> None:
    del table.seats[event.seat]


def _hand_started(table: Table, event: fact.HandStarted) -> None:
    table.hands, table.button, table.open_hand = event.number, event.button, event.hand


def _hand_finished(table: Table, event: fact.HandFinished) -> None:
    table.open_hand = ""
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        table.seats[seat].stack = stack


EVOLVE: dict[type[Any], Callable[[Table, Any], None]] = {
    fact.PlayerSeated: _player_seated,
    fact.ChipsBrought: _chips_brought,
    fact.ChipsTaken: _chips_taken,
    fact.PlayerLeft: _player_left,
    fact.HandStarted: _hand_started,
    fact.HandFinished: _hand_finished,
}
