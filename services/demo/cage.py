"""The cage of the demonstration: it opens accounts, fills them, and pays out."""

from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Any

from domain.account.commands import BuyIn, Deposit, GrantPromotion, OpenAccount, TopUp, Withdraw
from domain.account.state import Account
from domain.messages import Command
from domain.table.commands import OpenTable
from services.ports import Ports
from services.room.recording import Answer
from services.room.staff import Staff
from services.room.transit import ChipRunner
from services.room.writer import Writer

PLAY = "PLAY"

DEPOSITS = 3
"""How many buy-ins a player deposits at once."""

Give = Callable[[Any, str], Answer]
"""Has the room record a command, with its cause."""


class Cage:
    """Money between players' accounts and their seats. It carries what is under way itself and at once, so that the
    same seed makes the same log."""

    def __init__(self, writer: Writer, ports: Ports, give: Give) -> None:
        self._writer, self._give = writer, give
        self._runner = ChipRunner(ports)
        self._staff = Staff(self._send, ports, [self._runner])
        self._payments = 0
        self.carried = 0

    def listen(self) -> None:
        """Hear from here on what is sent from one stream to another."""
        self._writer.look(lambda room: room.listeners.append(self._staff.hear)).result()

    def buy_in(self, at: OpenTable, seat: int, player: str, amount: int) -> None:
        self._cover(at, player, amount)
        self._give(BuyIn(player, at.currency, at.table, seat, amount), "player")
        self.carry()

    def top_up(self, at: OpenTable, seat: int, player: str, amount: int) -> None:
        self._cover(at, player, amount)
        self._give(TopUp(player, at.currency, at.table, seat, amount), "player")
        self.carry()

    def pay_out(self, player: str, currency: str, random: Random) -> None:
        """Half of what lies in the account, or a little more or less; play money isn't paid out."""
        account = self._account(player, currency)
        amount = 0 if account is None or currency == PLAY else account.balance * random.randrange(30, 70) // 100
        if amount:
            self._give(Withdraw(player, currency, amount, self._reference()), "cage")

    def carry(self) -> None:
        """Until nothing is under way any more."""
        while self._runner.under_way:
            self.carried += self._staff.act()

    def _send(self, command: Command) -> "Future[Answer]":
        answer = self._writer.submit(command)
        answer.exception()  # one after the other: it is there before anybody goes on
        return answer

    def _cover(self, at: OpenTable, player: str, amount: int) -> None:
        account = self._account(player, at.currency)
        if account is None:
            self._give(OpenAccount(player, at.currency), "service")
            account = self._account(player, at.currency)
        assert account is not None
        if account.balance + account.promotion >= amount:
            return
        if at.currency == PLAY:
            self._give(GrantPromotion(player, PLAY, DEPOSITS * amount, "welcome"), "service")
        else:
            self._give(Deposit(player, at.currency, DEPOSITS * amount, self._reference()), "service")

    def _account(self, player: str, currency: str) -> Account | None:
        return self._writer.look(lambda room: room.patron(player).accounts.get(currency)).result()

    def _reference(self) -> str:
        self._payments += 1
        return f"payment-{self._payments}"
