"""Plays hands at table t1 of a home until somebody kills it, and says each commit once it was acknowledged.

Run as a process: `python -m tests.services.dealer_process HOME NUMBER`, where NUMBER is that of its first hand. A line
is "<height> <hash>", of the table's shard.
"""

import sys
from itertools import count
from pathlib import Path
from typing import Any

from domain.table.commands import DealHand
from services.bootstrap import open_writer
from services.ports import real_ports
from tests.services.homes import Desk, stays_in
from tests.services.tables import SHARD


def main(home: Path, first: int) -> None:
    ports = real_ports()
    desk = Desk(ports)
    with open_writer(home, ports) as writer:
        for number in count(first):
            asked: Any = DealHand("t1", number)
            while asked is not None:
                writer.submit(desk(asked)).result()
                head = writer.room.log.head(SHARD)
                print(head.height, head.hash, flush=True)
                hand = writer.room.table("t1").hand
                asked = None if hand is None or hand.settled else stays_in(hand)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
