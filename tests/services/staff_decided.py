"""A home in which staff decided all kinds of things, each for a reason that was sealed as the door seals it."""

import atexit
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from domain.account import commands as of_account
from domain.desk import stream_of
from domain.messages import Command
from domain.room import CloseRoom, ReopenRoom
from domain.rulings.opening import Form, OpenCards
from domain.table import commands as of_table
from services.bootstrap import TEXTS_FILE, open_log
from services.eventlog import body
from services.ids import uuid7
from services.ports import Ports, real_ports
from services.sealing.texts import TextKeys
from tests.services.cli import handlog
from tests.services.homes import room_over
from tests.services.patrons import with_money
from tests.services.tables import SETTLED, a_home, give

ANN, BOB = "floor:ann", "floor:bob"

DECIDED: list[tuple[str, Any, str]] = [
    (ANN, of_table.PauseTable("t1", ""), "a drink was spilt"),
    (BOB, of_table.ResumeTable("t1", ""), "it is dry"),
    (ANN, of_table.StopDealing("t1", ""), ""),
    (BOB, of_table.FreezePlayer("t1", 1, "ann", ""), "he swore"),
    (ANN, of_account.Freeze("dan", ""), "his papers are wanted"),
    (ANN, of_account.Adjust("dan", "EUR", 250, ANN, BOB, "", SETTLED), "paid twice"),
    (BOB, of_account.ChangeAloneLimit("dan", "EUR", 500, BOB, ANN, ""), "small things"),
    (ANN, OpenCards(SETTLED, Form.FACES, (2,), False, BOB, ""), "he says they were marked"),
    (BOB, CloseRoom(""), "water comes in"),
    (ANN, ReopenRoom(""), "it stopped"),
]
"""Who decided, what, and why, in order."""


def staff_home(home: Path) -> Ports:
    """A home in which all of it was decided; the ports to go on with."""
    shutil.copytree(_decided(), home)
    return Ports(real_ports().now, Random(4).getrandbits)


@cache
def _decided() -> Path:
    """The home that all tests get a copy of."""
    home = Path(mkdtemp()) / "home"
    atexit.register(shutil.rmtree, home.parent)
    ports = a_home(home)
    texts = TextKeys(home / TEXTS_FILE)

    def seal(reason: str, args: Any) -> str:
        stream = f"audit:{args.hand}" if isinstance(args, OpenCards) else stream_of(args)
        return texts.seal(reason, stream, ports.bits(256).to_bytes(32), ports.bits(96).to_bytes(12)) if reason else ""

    with open_log(home, write=True) as log:
        room = room_over(log, ports)
        for by, args, why in [*[(ANN, args, None) for args in with_money("dan")], *DECIDED]:
            asked = args if why is None else replace(args, reason=seal(why, args))
            give(room, Command(uuid7(ports.now(), ports.bits(74)), asked, by, "floor"))
    return home


def facts_in(home: Path, type_: str) -> list[dict[str, Any]]:
    """The data of all events of a type."""
    with open_log(home) as log:
        records = [record for shard in range(log.shards) for record in log.read(shard)]
        return [one["data"] for record in records for one in body.decode(record.body).events if one["type"] == type_]


def staff(home: Path, *args: object) -> list[dict[str, Any]]:
    """The rows of `handlog audit staff`."""
    done = handlog("audit", "staff", *args, "--home", home, "--json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = done.json["rows"]
    return found
