"""A process that makes a home, plays one hand of a game to its showdown there, and ends."""

import sys
from typing import Any

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.state import Hand
from domain.messages import Command
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import make_home, open_writer
from services.ids import uuid7
from services.ports import seeded_ports
from services.room.writer import Writer
from tests.bench.folder import folder

PORTS = seeded_ports(1)
DEEP = 20_000


def play(writer: Writer, game: str) -> None:
    """All who are dealt in check, call and stand pat."""
    declared = GAMES_BY_NAME[game]
    blinds = declared.forced is Forced.BLINDS
    small, ante = (50, 0) if blinds else (0, 10)
    limit = "pot" if game.startswith("omaha") else "no"
    seats = min(declared.max_seats, 6)
    terms = ("t1", "First", game, limit, "euro", small, 100, seats, "play", "PLAY")
    _do(writer, OpenTable(*terms, ante=ante, most_buy_in=DEEP))
    for seat in range(1, seats + 1):
        _do(writer, SitDown("t1", seat, f"p{seat}", DEEP))
    _do(writer, DealHand("t1", 1))
    hand = writer.room.table("t1").hand
    assert hand
    while hand.turn:
        _do(writer, _quiet(hand))
    assert hand.settled


def _quiet(hand: Hand) -> Any:
    turn = hand.turn
    assert turn
    answers = (hand.id, hand.decision, turn.seat)
    match turn:
        case fact.BringInOwed(least=least):
            return ask.BringIn(*answers, least)
        case fact.DrawOffered():
            return ask.Draw(*answers, ())
        case _:
            return ask.Call(*answers) if turn.call else ask.Check(*answers)


def _do(writer: Writer, args: object) -> None:
    writer.submit(Command(uuid7(PORTS.now(), PORTS.bits(74)), args, "bench", "player")).result()


if __name__ == "__main__":
    with folder() as home:
        make_home(home, "bench", PORTS)
        with open_writer(home, PORTS) as the_writer:
            play(the_writer, sys.argv[1])
