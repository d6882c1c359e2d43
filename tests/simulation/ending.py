"""The end of a run, with all faults off: every hand ends, every table is dealt again, and everybody has his money."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from domain.account.commands import Unfreeze
from domain.table.commands import CloseAfterHand, DealHand, StandUp, UnfreezePlayer
from tests.simulation import faults, patrons, players
from tests.simulation.books import must
from tests.simulation.table_book import Table

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

_LONGEST = 700
"""More commands than a hand can ask for."""

_PATIENCE = 30
"""Seconds after which something must have gone on: longer than the staff waits before it tries again."""


class Ending:
    """What is left to do in a simulation that was repaired."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation
        self._newcomers = 0

    def play(self) -> None:
        """Finish every open hand, deal one more at every table, and send home who plays with money of his account."""
        random = Random(f"{self._simulation.script.seed} finishes")
        self._until(random, lambda table: not table.open_hand, self._one_more)
        hands = {table.id: table.hands for table in self._simulation.tables()}
        self._until(random, lambda table: table.hands > hands[table.id], self._deal)
        mail = self._simulation.world.auditor.money.mail
        self._until(random, lambda table: not table.seats or not table.by_account, self._go_home)
        self._until(random, lambda table: not mail.under_way(), lambda random, table: [])
        money = [table for table in self._simulation.tables() if table.by_account]
        must(all(table.brought == table.taken + table.raked for table in money), "money stays at {}", money)
        self._simulation.world.happened["tables from which all have their money"] += len(money)

    def _until(self, random: Random, done: Callable[[Table], bool], ask: Callable[[Random, Table], list[Any]]) -> None:
        idle = 0
        for _ in range(_LONGEST):
            left = [table for table in self._simulation.tables() if not done(table)]
            if not left:
                return
            for table in left:
                for args in ask(random, table):
                    self._simulation.new(random, args)
            self._simulation.world.trouble.true_time += faults.SECOND
            self._simulation.send_the_staff()
            heights = [len(shard.raws) for shard in self._simulation.world.auditor.shards]
            self._simulation.execute(999, random, self._simulation.clients.arriving(random))
            idle = idle + 1 if heights == [len(shard.raws) for shard in self._simulation.world.auditor.shards] else 0
            must(idle < _PATIENCE, "nothing goes on at {}", left)
        raise AssertionError(f"it doesn't end: {left}")

    def _one_more(self, random: Random, table: Table) -> list[Any]:
        assert table.hand
        return [*players.taken_back(table), players.leaves(table.hand)]

    def _deal(self, random: Random, table: Table) -> list[Any]:
        again = list(players.taken_back(table))
        if again:
            return again
        able = [number for number, seat in table.seats.items() if seat.able]
        if len(able) >= 2:
            return [DealHand(table.id, table.hands + 1)]
        unable = [(number, seat.player) for number, seat in table.seats.items() if not seat.able]
        if unable:
            return [StandUp(table.id, *unable[0])]
        free = [seat for seat in range(1, table.terms["seats"] + 1) if seat not in table.seats]
        if self._simulation.world.auditor.money.mail.on_the_way_to(f"table:{table.id}"):
            return []
        if table.by_account:
            self._newcomers += 1
            return patrons.comes_at_last(table, free[0], self._newcomers)
        return players.sits_down(random, table, free[0])

    def _go_home(self, random: Random, table: Table) -> list[Any]:
        """The table closes; the clerk stands everybody up, and the chip runner carries what they have to accounts."""
        if not table.closing:
            return [CloseAfterHand(table.id, players.REASON)]
        if table.open_hand:
            return self._one_more(random, table)
        return [one for one in players.taken_back(table) if type(one) in (UnfreezePlayer, Unfreeze)]
