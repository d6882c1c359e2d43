"""Players with accounts, a table that is played from them, and where all their money is."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from domain.account import commands as ask
from domain.messages import Command
from domain.table.events import Funds
from domain.transfers import RECEIVED, TransferSent
from services.room.clerk import Clerk
from services.room.porter import Porter
from services.room.recording import Answer
from services.room.room import Room
from services.room.staff import Staff
from services.room.transit import ChipRunner
from services.staffing import found_in
from services.under_way import senders_of
from tests.services.homes import open_table

PLAYERS = ("ann", "bob", "cleo")
"""Their accounts and the table lie in three of the four shards."""

REASON = "A" * 120
"""Stands for a reason that was sealed: nobody looks into it."""


def real_table(table: str = "t1", **terms: Any) -> Any:
    """A table that is played with the euros of accounts: 20 to 200 cents."""
    return open_table(table, kind="real", currency="EUR", funds=Funds.ACCOUNTS, **terms)


def with_money(player: str, amount: int = 1000) -> list[Any]:
    """What opens an account and brings so many cents into it."""
    return [ask.OpenAccount(player, "EUR"), ask.Deposit(player, "EUR", amount, f"payment of {player}")]


def buy_in(player: str, seat: int, amount: int = 200, table: str = "t1") -> ask.BuyIn:
    return ask.BuyIn(player, "EUR", table, seat, amount)


def where_money_is(room: Room, tables: tuple[str, ...] = ("t1",)) -> dict[str, int]:
    """Cents in accounts, on their way, and at tables."""
    owners = [f"player:{player}" for player in PLAYERS] + [f"table:{table}" for table in tables]
    accounts = [one for player in PLAYERS for one in room.patron(player).accounts.values()]
    seats = [seat for table in tables if (now := room.table(table).table) for seat in now.seats.values()]
    return {
        "accounts": sum(one.balance + one.held + one.promotion for one in accounts),
        "on the way": sum(
            sent.amount
            for owner in owners
            for stream, sent in room.under_way(owner)
            if isinstance(sent, TransferSent) and not has_come(room, stream, sent)
        ),
        "tables": sum(seat.stack + seat.pending for seat in seats),
    }


def has_come(room: Room, sender: str, sent: TransferSent) -> bool:
    """Whether its receiver has taken what its sender doesn't know of yet."""
    kind, _, id_ = sent.to.partition(":")
    if kind == "table":
        receiver: Any = room.table(id_).table
    else:
        receiver = room.patron(sent.player).accounts.get(sent.currency)
    box = receiver and receiver.received.get(sender)
    return bool(box) and box.ended == RECEIVED and box.last >= sent.seq


def balance(room: Room, player: str) -> int:
    return room.patron(player).accounts["EUR"].balance


def nothing_under_way(room: Room) -> bool:
    owners = [f"player:{player}" for player in PLAYERS] + ["table:t1"]
    return not any(room.under_way(owner) for owner in owners)


@dataclass
class Attended:
    """A room with its staff, in one thread: nothing happens but what is asked for."""

    room: Room
    runner: ChipRunner
    staff: Staff

    def give(self, *commands: Command) -> list[Any]:
        return self.room.execute(commands)

    def settle(self, most: int = 100) -> None:
        """Let the staff act until it has nothing to do."""
        for _ in range(most):
            if not self.staff.act():
                return
        raise AssertionError(f"after {most} rounds the staff still has something to do")


def attended(room: Room, send: Callable[[Command], "Future[Answer]"] | None = None) -> Attended:
    """`send`: how the staff's commands come to the room, where they don't come at once."""
    runner = ChipRunner(room.ports)
    porter = Porter(room.ports)
    porter.see(room)
    staff = Staff(send or sender_to(room), room.ports, [runner, Clerk(room.ports), porter])
    room.listeners.append(staff.hear)
    return Attended(room, runner, staff)


def sender_to(room: Room) -> Callable[[Command], "Future[Answer]"]:
    def send(command: Command) -> "Future[Answer]":
        answer: Future[Answer] = Future()
        (outcome,) = room.execute([command])
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
        return answer

    return send


def recover(one: Attended, home: Path) -> None:
    """What a room does when it opens: it finds what was under way, in the view of it."""
    shards = frozenset(range(one.room.log.shards))
    for shard, sender in senders_of(home, one.room.log, shards, Event()):
        one.runner.find(found_in(one.room, shard, sender))
