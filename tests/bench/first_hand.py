"""A process that makes a home, plays one hand of a game to its showdown there, and ends."""

import sys

from domain.hand.commands import Call, Check
from domain.messages import Command
from domain.table.commands import DealHand, OpenTable, SitDown
from services.bootstrap import make_home, open_writer
from services.ids import uuid7
from services.ports import seeded_ports
from services.room.writer import Writer
from tests.bench.folder import folder

PORTS = seeded_ports(1)


def play(writer: Writer, game: str) -> None:
    limit = "pot" if game.startswith("omaha") else "no"
    _do(writer, OpenTable("t1", "First", game, limit, "euro", 50, 100, 6, "play", "PLAY"))
    for seat in range(1, 7):
        _do(writer, SitDown("t1", seat, f"p{seat}", 20_000))
    _do(writer, DealHand("t1", 1))
    hand = writer.room.table("t1").hand
    assert hand
    while hand.turn:
        answers = (hand.id, hand.decision, hand.turn.seat)
        _do(writer, Call(*answers) if hand.turn.call else Check(*answers))
    assert hand.settled


def _do(writer: Writer, args: object) -> None:
    writer.submit(Command(uuid7(PORTS.now(), PORTS.bits(74)), args, "bench", "player")).result()


if __name__ == "__main__":
    with folder() as home:
        make_home(home, "bench", PORTS)
        with open_writer(home, PORTS) as the_writer:
            play(the_writer, sys.argv[1])
