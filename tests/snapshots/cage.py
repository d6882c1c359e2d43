"""Players with accounts who come to tables and go, at random, and a room that carries what is under way, or doesn't."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from domain.messages import AlreadyDone, Command
from domain.table.commands import DealHand, LoseConnection, StandUp
from domain.transfers import Received, check_next, closing, delivery
from services.ports import seeded_ports
from services.room.door import ROOM, TRANSFER
from services.room.room import Outcome, Room
from tests.services.homes import Desk, in_its_name, stays_in
from tests.services.patrons import REASON, real_table, with_money

PLAYERS = tuple(f"p{number}" for number in range(1, 9))
TABLES = ("t1", "t2", "t3")
DAY = 24 * 3600 * 1_000_000


class Cage:
    """What is asked for next. The same seed asks the same of the same room."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.desk = Desk(seeded_ports(seed))
        self.given: list[Command] = []

    def opening(self) -> list[Command]:
        rich = [args for player in PLAYERS[:4] for args in with_money(player, 5_000)]
        return [self._noted(self.desk(args)) for args in [*map(real_table, TABLES), *rich]]

    def play(self, room: Room, commands: int) -> list[Outcome]:
        return [room.execute([self.next(room)])[0] for _ in range(commands)]

    def next(self, room: Room) -> Command:
        """One command; now and then one that was given before."""
        if self.given and self.random.random() < 0.1:
            return self.random.choice(self.given[-400:])
        ways: list[Callable[[Room], Command]] = [self._at_the_cage, self._carried, self._at_a_table]
        return self._noted(self.random.choices(ways, weights=[3, 5, 5])[0](room))

    def _at_the_cage(self, room: Room) -> Command:
        random, number = self.random, len(self.given)
        player = random.choice(PLAYERS)
        amount, hold = random.randrange(1, 900), f"h{random.randrange(3)}"
        now = self.desk.ports.now()
        wish: Any = random.choice(
            [
                ask.OpenAccount(player, random.choice(["EUR", "USD"])),
                ask.Deposit(player, "EUR", amount, f"payment {number}"),
                ask.Deposit(player, "EUR", amount, f"payment {number}"),
                ask.Withdraw(player, "EUR", amount, f"out {number}"),
                ask.Hold(player, "EUR", hold, amount),
                ask.ReleaseHold(player, "EUR", hold),
                ask.GrantPromotion(player, "EUR", amount, "welcome"),
                ask.SetLimit(player, random.choice(list(LimitKind)[:2]), Period.DAY, "EUR", 9_000 + amount),
                ask.Freeze(player, REASON) if random.random() < 0.3 else ask.Unfreeze(player, REASON),
                ask.CoolOff(player, now + random.randrange(10_000)),
            ]
        )
        return self.desk(wish)

    def _carried(self, room: Room) -> Command:
        """The next step of something that is under way; nobody remembers what became of the last one."""
        owners = [*(f"player:{player}" for player in PLAYERS), *(f"table:{table}" for table in TABLES)]
        waiting = [one for owner in owners for one in room.under_way(owner)]
        if not waiting:
            return self._at_a_table(room)
        stream, sent = self.random.choice(waiting)
        oldest = next(one for sender, one in waiting if (sender, one.to) == (stream, sent.to))
        args = delivery(stream, oldest)
        outcome = _became_of(room, args, oldest.to)
        if outcome is not None and self.random.random() < 0.8:
            args = closing(stream, oldest, outcome)
        return replace(self.desk(args), by=ROOM, cause=TRANSFER)

    def _at_a_table(self, room: Room) -> Command:
        random = self.random
        now = room.table(random.choice(TABLES))
        assert now.table
        hand = now.hand
        if hand is not None and not hand.settled:
            if random.random() < 0.1 and hand.turn:
                player = now.table.seats[hand.turn.seat].player
                return in_its_name(self.desk, LoseConnection(now.id, hand.turn.seat, player))
            return in_its_name(self.desk, stays_in(hand))
        taken = now.table.seats
        if len(taken) >= 2 and random.random() < 0.5:
            return self.desk(DealHand(now.id, now.table.hands + 1))
        if taken and random.random() < 0.4:
            seat = random.choice(sorted(taken))
            return self.desk(StandUp(now.id, seat, taken[seat].player))
        player, seat = random.choice(PLAYERS), random.randrange(1, 7)
        if player in {one.player for one in taken.values()}:
            return self.desk(ask.TopUp(player, "EUR", now.id, seat, random.randrange(1, 100)))
        return self.desk(ask.BuyIn(player, "EUR", now.id, seat, random.randrange(10, 250)))

    def _noted(self, command: Command) -> Command:
        self.given.append(command)
        return command


def _became_of(room: Room, brought: Any, receiver: str) -> Received | None:
    """What its receiver has made of it already."""
    kind, _, id_ = receiver.partition(":")
    player, _, currency = id_.partition(":")
    party: Any = room.table(id_).table if kind == "table" else room.patron(player).player
    if kind == "account":
        party = room.patron(player).accounts.get(currency.upper())
    if party is None:
        return None
    try:
        check_next(party, brought)
    except AlreadyDone as before:
        return before.outcome  # type: ignore[no-any-return]
    return None
