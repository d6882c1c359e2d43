"""What the floor does to a table and to who sits there; each of it can be taken back.

The reasons are sealed. Who did it stands in the command's envelope.
"""

from typing import Any

from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.seats import seat_of
from domain.table.state import Table


def check_may_deal(table: Table) -> None:
    """Refused while the floor has new hands stopped."""
    if table.paused:
        raise Refused(PAUSED)
    if not table.dealing:
        raise Refused("the floor stopped new hands at this table: it starts them again first")
    if table.room_closed:
        raise Refused(ROOM_CLOSED)
    if table.closing:
        raise Refused("the table is closing: no new hand is dealt unless the floor reopens it")


ROOM_CLOSED = "the room is closed: no new hand is dealt until the floor reopens it"
PAUSED = "the table is paused: nothing is dealt or played until the floor resumes it"


def pause(table: Table, command: ask.PauseTable, at: int) -> list[Any]:
    if table.paused:
        raise Refused("the table is paused already")
    return [fact.TablePaused(at, command.reason)]


def resume(table: Table, command: ask.ResumeTable, at: int) -> list[Any]:
    if not table.paused:
        raise Refused("the table isn't paused: there is nothing to resume")
    return [fact.TableResumed(at, command.reason)]


def stop_dealing(table: Table, command: ask.StopDealing, at: int) -> list[Any]:
    if not table.dealing:
        raise Refused("new hands are stopped already")
    return [fact.DealingStopped(at, command.reason)]


def start_dealing(table: Table, command: ask.StartDealing, at: int) -> list[Any]:
    if table.dealing:
        raise Refused("new hands aren't stopped: there is nothing to start")
    return [fact.DealingStarted(at, command.reason)]


def close_after_hand(table: Table, command: ask.CloseAfterHand, at: int) -> list[Any]:
    if table.closing:
        raise Refused("the table is closing already")
    return [fact.TableClosing(at, command.reason)]


def reopen(table: Table, command: ask.ReopenTable, at: int) -> list[Any]:
    if not table.closing:
        closed_with_room = "the table closes with the whole room, which room.reopen opens again"
        raise Refused(closed_with_room if table.room_closed else "the table isn't closing: there is nothing to reopen")
    return [fact.TableReopened(at, command.reason)]


def close_with_room(table: Table, command: ask.CloseWithRoom, at: int) -> list[Any]:
    """Whatever the floor has done to this table alone stays as it is."""
    if table.room_closed:
        raise Refused("the table closes with the room already")
    return [fact.ClosingWithRoom(at)]


def reopen_with_room(table: Table, command: ask.ReopenWithRoom, at: int) -> list[Any]:
    if not table.room_closed:
        raise Refused("the table didn't close with the room: there is nothing to reopen")
    return [fact.ReopenedWithRoom(at)]


def freeze_player(table: Table, command: ask.FreezePlayer, at: int) -> list[Any]:
    if seat_of(table, command).seat_frozen:
        raise Refused(f"{command.player} is frozen already")
    return [fact.PlayerFrozen(command.seat, command.player, command.reason, fact.Freeze.SEAT)]


def unfreeze_player(table: Table, command: ask.UnfreezePlayer, at: int) -> list[Any]:
    """What froze all his money isn't lifted here, nor this with that: each was laid for a reason of its own."""
    seat = seat_of(table, command)
    if not seat.seat_frozen:
        money = f"{command.player}'s seat isn't frozen, all his money is: player.unfreeze takes that back"
        raise Refused(money if seat.money_frozen else f"{command.player} isn't frozen: there is nothing to take back")
    return [fact.PlayerUnfrozen(command.seat, command.player, command.reason, fact.Freeze.SEAT)]


def remove_player(table: Table, command: ask.RemovePlayer, at: int) -> list[Any]:
    """He is stood up once no hand needs his seat, and may sit down again if the floor lets him."""
    if seat_of(table, command).leaving is fact.Leaving.REMOVED:
        raise Refused(f"{command.player} is removed already: his seat is freed after the hand")
    return [fact.PlayerLeaving(command.seat, command.player, fact.Leaving.REMOVED, command.reason)]
