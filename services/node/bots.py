"""Bots that play at a node's own tables, for those who want to see a room at work."""

import threading
from dataclasses import replace
from random import Random
from typing import Any

from domain.messages import Command, Refused, table_stream
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from domain.table.play import Play
from services.bots import act
from services.demo.floor import BIG_BLINDS, TABLES, player_of, style_of
from services.eventlog.log import LogError
from services.ids import uuid7
from services.node.node import Node
from services.ports import Ports
from services.sealing.keyfile import BadKeys


class Bots:
    """Play at tables `bot1`, `bot2`, ... in all games, wherever this node owns the shard; others play theirs."""

    def __init__(self, node: Node, tables: int, ports: Ports, by: str) -> None:
        self._node, self._ports, self._by = node, ports, by
        self._random = Random(ports.bits(64))  # noqa: S311 -- what bots do; cards come from the ports
        self._tables = [
            replace(
                TABLES[number % len(TABLES)],
                table=f"bot{number + 1}",
                name=f"Bots {number + 1}",
                kind="play",
                currency="PLAY",
            )
            for number in range(tables)
        ]

    def play(self, pace: float, until: threading.Event) -> None:
        """One action at each table every `pace` seconds, until the event is set."""
        while not until.wait(pace):
            for table in self._tables:
                if until.is_set() or not self._step(table):
                    break

    def _step(self, table: OpenTable) -> bool:
        """What comes next at a table; False where the node can't record it just now."""
        if self._node.shard_of(table_stream(table.table)) not in self._node.owned:
            return True
        try:
            args = self._node.look(table.table, lambda now: self._next(table, now)).result()
            self._node.submit(self._command(args)).result()
        except Refused:  # somebody else was quicker
            pass
        except (LogError, BadKeys, RuntimeError):
            return False
        return True

    def _next(self, table: OpenTable, now: Play) -> Any:
        if now.table is None:
            return table
        if now.hand is not None and not now.hand.settled:
            assert now.hand.turn is not None and now.shoe is not None
            return act(style_of(f"t{table.table[3:]}", now.hand.turn.seat), now.hand, now.shoe, self._random)
        for seat in range(1, table.seats + 1):
            sitting = now.table.seats.get(seat)
            if sitting is None:
                size = table.small if table.limit == "fixed" else table.big
                return SitDown(table.table, seat, player_of(f"t{table.table[3:]}", seat), size * self._big_blinds())
            if not sitting.stack:
                return StandUp(table.table, seat, sitting.player)
        return DealHand(table.table, now.table.hands + 1)

    def _big_blinds(self) -> int:
        return self._random.randrange(10, BIG_BLINDS + 1)

    def _command(self, args: Any) -> Command:
        return Command(uuid7(self._ports.now(), self._ports.bits(74)), args, self._by, "player")
