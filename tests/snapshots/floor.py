"""A floor of tables of all games on which bots play, one command after the other."""

from dataclasses import replace
from random import Random
from typing import Any

from domain.hand.commands import DrawTooLate, Leave, Protect
from domain.hand.events import DrawOffered
from domain.messages import Command
from domain.table.commands import DealHand, LoseConnection, OpenTable, SitDown, StandUp
from domain.table.events import Funds
from domain.table.play import Play
from domain.table.protection import is_protected_when_late
from services.bots import STYLES, act, wish
from services.demo import floor as demo
from services.ports import seeded_ports
from services.room.recording import Answer
from services.room.room import Outcome, Room
from tests.services.homes import Desk, in_its_name

TABLES = tuple(replace(one, funds=Funds.CASHIER) for one in demo.TABLES)
"""Whoever pleases sits down there, with chips from the cashier."""

GAMES = {one.game for one in TABLES}


class Floor:
    """What people at these tables ask for next. The same seed asks the same of the same room."""

    def __init__(self, seed: int, tables: tuple[OpenTable, ...] = TABLES) -> None:
        self.tables, self.random = tables, Random(seed)
        self.desk = Desk(seeded_ports(seed))
        self.given: list[Command] = []

    def opening(self) -> list[Command]:
        """Every table is opened, and its seats are taken."""
        asked: list[Any] = []
        for one in self.tables:
            asked += [one, *(SitDown(one.table, seat, f"p{seat}", _chips(one)) for seat in range(1, one.seats + 1))]
        return [self._noted(self.desk(args)) for args in asked]

    def next(self, room: Room) -> Command:
        """The next command at some table; now and then one that was given before, with the same arguments or others."""
        if self.given and self.random.random() < 0.2:
            return self._again()
        return self._noted(in_its_name(self.desk, self._asked(room)))

    def play(self, room: Room, commands: int) -> list[Outcome]:
        return [room.execute([self.next(room)])[0] for _ in range(commands)]

    def _asked(self, room: Room) -> Any:
        random, terms = self.random, self.random.choice(self.tables)
        table, play = terms.table, room.table(terms.table)
        assert play.table
        if not play.table.open_hand:
            for seat, one in play.table.seats.items():
                if not one.stack or one.leaving:
                    return StandUp(table, seat, one.player)
            free = [seat for seat in range(1, terms.seats + 1) if seat not in play.table.seats]
            return (
                SitDown(table, free[0], f"p{free[0]}", _chips(terms)) if free else DealHand(table, play.table.hands + 1)
            )
        hand = play.hand
        assert hand and play.shoe
        if isinstance(hand.turn, DrawOffered) and random.random() < 0.1:
            return DrawTooLate(hand.id, hand.decision, hand.turn.seat)
        if random.random() < 0.09:
            return _no_answer(play, random)
        style = random.choice(STYLES)
        return wish(style, hand, random) or act(style, hand, play.shoe, random)

    def _again(self) -> Command:
        before = self.random.choice(self.given[-300:])
        if self.random.random() < 0.8:
            return before
        return Command(before.id, self.random.choice(self.given).args, before.by, before.cause)

    def _noted(self, command: Command) -> Command:
        self.given.append(command)
        return command


def _no_answer(play: Play, random: Random) -> Any:
    """Who is to act loses his connection, is protected without it, or leaves."""
    hand, table = play.hand, play.table
    assert hand and hand.turn and table
    seat = hand.turn.seat
    if is_protected_when_late(table, seat) and hand.stack[seat]:
        return Protect(hand.id, hand.decision, seat)
    if table.seats[seat].connected and random.random() < 0.6:
        return LoseConnection(play.id, seat, table.seats[seat].player)
    return Leave(hand.id, seat)


def _chips(table: OpenTable) -> int:
    return 40 * max(table.big, 10)


def taken(outcomes: list[Outcome]) -> list[Answer]:
    return [outcome for outcome in outcomes if isinstance(outcome, Answer)]
