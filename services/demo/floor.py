"""The play of the demonstration: bots at tables of every game."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from domain.hand.commands import DrawTooLate
from domain.hand.events import DrawOffered
from domain.messages import Command
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from domain.table.events import Funds
from domain.table.play import Play
from domain.table.state import Table
from services.bootstrap import make_home, opened_room
from services.bots import STYLES, Style, act, wish
from services.cli.talk import progress
from services.demo.cage import Cage
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.door import ROOM, TIMER
from services.room.recording import Answer
from services.room.writer import Writer

BIG_BLINDS = 60
"""What a bot sits down with at the most, in big blinds or small bets."""

LATE = 2
"""Of a hundred draws, how many are decided too late."""

_OPENINGS = (
    OpenTable("t1", "Elm", "holdem", "no", "euro", 50, 100, 6, "real", "EUR"),
    OpenTable("t2", "Oak", "holdem", "no", "classic", 100, 200, 2, "real", "EUR"),
    OpenTable("t3", "Ash", "holdem", "fixed", "ace", 200, 400, 10, "real", "USD"),
    OpenTable("t4", "Fir", "holdem", "half-pot", "omaha-guide", 50, 100, 3, "tournament", "CHIPS", ante=10),
    OpenTable("t5", "Yew", "omaha", "pot", "ace", 50, 100, 6, "real", "USD"),
    OpenTable("t6", "Bay", "omaha-hilo", "fixed", "omaha-guide", 100, 200, 9, "real", "EUR"),
    OpenTable("t7", "Box", "omaha-hilo", "no", "euro", 5, 10, 4, "play", "PLAY"),
    OpenTable("t8", "Lime", "stud", "fixed", "ace", 200, 400, 8, "real", "USD", ante=25),
    OpenTable("t9", "Pine", "stud", "no", "euro", 0, 100, 2, "real", "EUR", ante=25),
    OpenTable("t10", "Plum", "stud-hilo", "pot", "omaha-guide", 0, 100, 6, "real", "EUR", ante=25),
    OpenTable("t11", "Pear", "soko", "spread", "euro", 0, 50, 8, "real", "EUR", maxima=(100, 100, 200, 200), ante=25),
    OpenTable("t12", "Sloe", "draw", "half-pot", "classic", 25, 50, 6, "real", "EUR"),
    OpenTable("t13", "Haw", "triple-draw", "fixed", "euro", 100, 200, 6, "real", "EUR"),
    OpenTable("t14", "Rowan", "americana", "pot", "classic", 0, 20, 6, "real", "EUR", ante=5),
    OpenTable("t15", "Hazel", "telesina", "fixed", "omaha-guide", 100, 200, 4, "real", "EUR", ante=25),
    OpenTable("t16", "Holly", "draw32", "no", "euro", 50, 100, 5, "real", "EUR"),
)

TABLES = tuple(replace(one, funds=Funds.CASHIER if one.kind == "tournament" else Funds.ACCOUNTS) for one in _OPENINGS)
"""Chips come from players' accounts; those of a tournament, which are no money, from the cashier."""


def play(home: Path, hands: int, seed: int, room: str = "demo") -> int:
    """Make a home and have the bots play so many hands there, then some of them go home; the number of commands.

    The same seed makes the same log, byte for byte.
    """
    floor = _Floor(seed)
    make_home(home, room, floor.ports)
    with _writer(home, floor.ports) as writer, progress("playing", hands) as step:
        floor.open_tables(writer)
        dealt = 0
        while True:
            waiting = [one.table for one in TABLES if _open_hand(writer, one.table) is None]
            for table_id in waiting[: hands - dealt]:
                floor.deal(writer, table_id)
                dealt += 1
                step()
            acting = [one.table for one in TABLES if _open_hand(writer, one.table) is not None]
            if not acting:
                floor.close_up(writer)
                return floor.commands
            floor.act_once(writer, acting)


@contextmanager
def _writer(home: Path, ports: Ports) -> Iterator[Writer]:
    """The home's room without its staff, which would act when it pleases: the cage does its work."""
    with opened_room(home, ports) as room, closing(Writer(room)) as writer:
        yield writer


class _Floor:
    """Gives the commands of players and dealers, and the room its time and its cards.

    Time stands still while commands are out, so that it doesn't matter in which batches the writer takes them.
    """

    def __init__(self, seed: int) -> None:
        seeded = seeded_ports(seed)
        self._tick, self._time = seeded.now, seeded.now()
        self.ports: Ports = replace(seeded, now=lambda: self._time)
        self._random = Random(seed)  # noqa: S311 -- what bots do; cards come from the ports
        self._given = 0

    @property
    def commands(self) -> int:
        """How many were given, those with which money was carried too."""
        return self._given + self._cage.carried

    def open_tables(self, writer: Writer) -> None:
        self._cage = Cage(writer, self.ports, partial(self._give, writer))
        self._cage.listen()
        for one in TABLES:
            self._give(writer, one, "floor")
            for seat in range(1, one.seats + 1):
                self._sit_down(writer, one, seat)

    def deal(self, writer: Writer, table_id: str) -> None:
        """The next hand of a table, after those who are broke have chips again.

        One at a time, since all tables take their cards from one source.
        """
        table_now = _table(writer, table_id)
        for seat in [number for number, one in table_now.seats.items() if not one.stack]:
            self._buy_chips_again(writer, _terms(table_id), seat, table_now.seats[seat].player)
        self._give(writer, DealHand(table_id, table_now.hands + 1), "service")

    def close_up(self, writer: Writer) -> None:
        """At every other table the first seat goes home, and has some of his money paid out."""
        for at in TABLES[::2]:
            seat, player = min((number, one.player) for number, one in _table(writer, at.table).seats.items())
            self._leave(writer, at, seat, player)
            if at.funds is Funds.ACCOUNTS:
                self._cage.pay_out(player, at.currency, self._random)

    def act_once(self, writer: Writer, tables: list[str]) -> None:
        """One action at each table, all at once; the log has them all before anybody looks again.

        Hands in which cards may still be dealt face down come first and one at a time: sealing takes random bits, and
        all tables take them from one source.
        """
        hands = {table_id: writer.room.table(table_id) for table_id in tables}
        for table_id in [table_id for table_id, now in hands.items() if _may_seal(now)]:
            for command in self._answers(table_id, hands.pop(table_id)):
                writer.submit(command).result()
        commands = [command for table_id, now in hands.items() for command in self._answers(table_id, now)]
        for answer in [writer.submit(command) for command in commands]:
            answer.result()
        self._time = self._tick()

    def _answers(self, table_id: str, now: Play) -> list[Command]:
        """What the player does whose turn it is, or the clock for him: now and then one is too late to draw."""
        hand, shoe = now.hand, now.shoe
        assert hand is not None and hand.turn is not None and shoe is not None
        style = style_of(table_id, hand.turn.seat)
        wished = wish(style, hand, self._random)
        given = [] if wished is None else [self._command(wished, "player")]
        if isinstance(hand.turn, DrawOffered) and self._random.randrange(100) < LATE:
            return [*given, self._command(DrawTooLate(hand.id, hand.decision, hand.turn.seat), TIMER, ROOM)]
        return [*given, self._command(act(style, hand, shoe, self._random), "player")]

    def _sit_down(self, writer: Writer, of: OpenTable, seat: int) -> None:
        player, amount = player_of(of.table, seat), self._chips(of)
        if of.funds is Funds.ACCOUNTS:
            self._cage.buy_in(of, seat, player, amount)
        else:
            self._give(writer, SitDown(of.table, seat, player, amount), "player")

    def _buy_chips_again(self, writer: Writer, of: OpenTable, seat: int, player: str) -> None:
        """Some where they sit, the others leave and come back."""
        if of.funds is Funds.ACCOUNTS and self._random.randrange(2):
            self._cage.top_up(of, seat, player, self._chips(of))
            return
        self._leave(writer, of, seat, player)
        self._sit_down(writer, of, seat)

    def _leave(self, writer: Writer, of: OpenTable, seat: int, player: str) -> None:
        self._give(writer, StandUp(of.table, seat, player), "player")
        self._cage.carry()

    def _chips(self, of: OpenTable) -> int:
        size = of.small if of.limit == "fixed" else of.big
        return size * self._random.randrange(10, BIG_BLINDS + 1)

    def _give(self, writer: Writer, args: Any, cause: str) -> Answer:
        answer = writer.submit(self._command(args, cause)).result()
        self._time = self._tick()
        return answer

    def _command(self, args: Any, cause: str, by: str = "demo") -> Command:
        self._given += 1
        return Command(uuid7(self._time, self.ports.bits(74)), args, by, cause)


def style_of(table_id: str, seat: int) -> Style:
    return STYLES[(int(table_id[1:]) + seat) % len(STYLES)]


def player_of(table_id: str, seat: int) -> str:
    """A bot is named by its style, its table and its seat."""
    return f"{style_of(table_id, seat).name}{table_id}x{seat}"


def _terms(table_id: str) -> OpenTable:
    return next(one for one in TABLES if one.table == table_id)


def _table(writer: Writer, table_id: str) -> Table:
    found = writer.room.table(table_id).table
    assert found is not None
    return found


def _may_seal(now: Play) -> bool:
    """Whether cards may be dealt face down, or a deck shuffled, before the hand is over."""
    hand = now.hand
    assert hand is not None
    to_come = hand.game.streets[max(hand.street, 0) :]
    return any(street.draw is not None for street in to_come) or any(street.down for street in to_come[1:])


def _open_hand(writer: Writer, table_id: str) -> str | None:
    return _table(writer, table_id).open_hand or None
